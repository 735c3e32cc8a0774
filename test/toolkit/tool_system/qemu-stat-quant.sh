# qemu-stat-quant: sizes of writes of programs whose names begin as asked, in intervals.
. "$suite/toolkit.sh"
name_of_its_own dd
echo "./$me if=/dev/zero of=there bs=4096 count=50" > load.sh
tool qemu-stat-quant --name $me 100 -- sh load.sh > out
head -1 out
awk -v me=$me '$1 == me && $2 > 0 { print "dd" } $1 == 4096 { print $1, $NF }' out
echo "two intervals"
"$dtrace" -s "$suite/../toolkit/qemu-stat-quant" -n none 1 2 | grep -c '^20'
