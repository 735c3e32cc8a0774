# iopattern: sequential and random requests are told apart, with their number and sizes.
. "$suite/toolkit.sh"
own_disk 16m
cat > sequence.sh <<'Y'
dd if=$1 of=/dev/null bs=4k count=4 skip=100 iflag=direct status=none
Y
cat > random.sh <<'Y'
for at in 70 10 40 20; do
	dd if=/dev/zero of=$1 bs=16k count=1 seek=$at oflag=direct status=none
done
dd if=$1 of=/dev/null bs=64k count=1 skip=9 iflag=direct status=none
Y
echo "in sequence, after the first"
tool iopattern -d $disk 100 -- sh sequence.sh $loop
echo "at random"
tool iopattern -v -d $disk 100 -- sh random.sh $loop | sed 's/^2[0-9]* .*:[0-9]* */(time) /'
echo "another disk's, three times"
"$dtrace" -s "$suite/../toolkit/iopattern" -d none 1 3 | grep .
