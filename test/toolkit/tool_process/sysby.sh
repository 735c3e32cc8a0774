# sysbypid.d, sctop10.d: counters of a known program.
. "$suite/toolkit.sh"
name_of_its_own dd
tool sysbypid.d -n $me -- ./$me if=/dev/zero of=there bs=1000 count=400 status=none | unnamed dd |
	awk '/EXEC/ { print } $3 == "writech" || $3 == "syswrite" || $3 == "sysexec" { print $1, $3, $4 }' | sort
tool sctop10.d --every 1h -- ./$me if=/dev/zero of=/dev/null bs=1 count=200000 status=none | sed 1d > out
awk -v me=$me 'NR == 1 { print $1, $2, $3 } $1 == me && $2 == "write" { print $2, $3 }' out
echo "lines: $(grep -vc EXEC out)"
