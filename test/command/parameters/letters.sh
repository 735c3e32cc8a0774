# A script's letters are its own after it, even where dtrace has the same ones; all others
# remain dtrace's.  They are the same parameters as the long words.
# @anykernel: nothing is traced
cp "$dtrace" ./dtrace
cat > snoop.d <<END
#!$PWD/dtrace -qs
#pragma D usage "Print what was given."
#pragma D parameter name -n string = "" "only processes of this name"
#pragma D parameter process -p pid = 0 "only this process"
#pragma D parameter failed -x bool "only calls that failed"
#pragma D parameter every -1 time = 1s "how often"
#pragma D parameter wide bool "do not shorten paths"
BEGIN { printf("[%s] %d %d %d %d [%s]\n", \$name, \$process, \$failed, \$every, \$wide, \$\$1); exit(0); }
END
chmod 755 . snoop.d dtrace
./snoop.d -n foo -x -p 12 one
./snoop.d -xnfoo one --wide
./snoop.d one -1 2ms -n a --name b
./snoop.d one --name b -n a
sed 's/failed -x/failed -a/' snoop.d > all.d
./dtrace -qs all.d -a one
./snoop.d -o out one && cat out
./snoop.d -x -- -n
echo "the script's help"
./snoop.d -h; echo "status $?"
./dtrace -qs snoop.d -x --help | head -1
echo "dtrace's letters before the script"
./dtrace -q -n 'BEGIN { printf("first\n"); }' -s snoop.d -n later one
echo "refused"
./snoop.d -n; echo "status $?"
./snoop.d -y; echo "status $?"
./snoop.d -p x; echo "status $?"
sed 's/every -1/every -n/' snoop.d > twice.d
./dtrace -qs twice.d; echo "status $?"
sed 's/every -1/every -nn/' snoop.d > long.d
./dtrace -qs long.d; echo "status $?"
echo "a script without letters"
grep -v 'parameter.* -' snoop.d | sed 's/BEGIN.*/BEGIN { trace($wide); }/' > none.d
./dtrace -qs none.d -n 'BEGIN { exit(0); }' --wide; echo
