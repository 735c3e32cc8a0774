# a translator of a library that cannot be checked is refused each time it is used, in every try to find types
# @anykernel
mkdir lib
cat > lib/out.d <<'D'
struct out { int a, b; };
translator struct out < int N > {
	a = no_such_variable == N ? 1 : 2;
	b = N;
};
D
"$dtrace" -e -L lib -n 'BEGIN { trace(xlate <struct out> (1).b); }' && echo "b is fine"
"$dtrace" -e -L lib -n 'BEGIN { trace(xlate <struct out> (1).a); }' 2>&1 | sed -n 1p
"$dtrace" -e -L lib -n 'BEGIN { s = strjoin(s, "a"); trace(xlate <struct out> (1).a); }' 2>&1 | sed -n 1p
"$dtrace" -e -L lib -n 'BEGIN { s = t; t = 1; trace(xlate <struct out> (1).a); }' 2>&1 | sed -n 1p
