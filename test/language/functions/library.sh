# functions of a D library: found by -L, checked when they are used, hidden by the program's own
# @anykernel
. "$suite/lib.sh"
mkdir lib
cat > lib/tools.d <<'D'
int halved(int x) { return x / 2; }
int broken(int x) { return x + no_such_variable; }
int quarter(int x) { return halved(halved(x)); }
D
"$dtrace" -q -L lib -n 'BEGIN { printf("%d\n", quarter(40)); exit(0); }'
"$dtrace" -q -L lib -n 'int halved(int x) { return x; } BEGIN { printf("%d\n", halved(40)); exit(0); }'
"$dtrace" -q -L lib -n 'BEGIN { printf("%d\n", broken(40)); exit(0); }' 2>&1 | sed -n 1p
