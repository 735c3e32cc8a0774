# --help after a script is the script's, and needs no privileges; before it, dtrace's.
# @anykernel: nothing is loaded
cp "$dtrace" ./dtrace
cat > slower.d <<END
#!$PWD/dtrace -qs
#pragma D usage "Show reads that take longer than a limit."
#pragma D parameter name string "of the program"
#pragma D parameter min time = 10ms "ignore what is faster"
#pragma D parameter min_size size = 0 "ignore what is smaller"
#pragma D parameter path string = "" "part of the path"
#pragma D parameter wide bool "do not shorten paths"
#pragma D parameter color bool = on "use colors"
#pragma D parameter a_parameter_with_a_long_name int = 1 "one"
BEGIN { exit(0); }
END
chmod 755 . slower.d dtrace
./slower.d --help; echo "status $?"
setpriv --reuid 65534 --regid 65534 --clear-groups ./slower.d --name x --help | head -1
./slower.d --name --help --help | sed -n 3p
./dtrace -s slower.d -n BEGIN --help | head -3
./dtrace -n BEGIN --help; echo "status $?"
./dtrace --help -s slower.d | head -1
./dtrace -s slower.d --help > /dev/full; echo "status $?"
