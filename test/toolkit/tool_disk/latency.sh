# iolatency.d, disklatency.d, iotypes.d, rwtime.d: each request is in a distribution, once.
. "$suite/toolkit.sh"
own_disk 16m
cat > direct.sh <<'Y'
dd if=$1 of=/dev/null bs=4k count=4 skip=100 iflag=direct status=none
dd if=/dev/zero of=$1 bs=64k count=2 seek=5 oflag=direct status=none
Y
counts() { awk '/read|write/ { what = $0 } /\|/ { sum[what] += $NF } END { for (what in sum) print what, sum[what] }' | sed "s/$disk/disk/" | sort; }
echo "by disk and direction"
tool iolatency.d -d $disk -- sh direct.sh $loop | counts
echo "by direction"
tool rwtime.d -d $disk -- sh direct.sh $loop | counts
echo "by kind"
tool iotypes.d -d $disk -- sh direct.sh $loop | sed "s/$disk  */disk /" | awk '{ $6 = $6 >= 0 ? "" : $6; print }'
echo "of a disk, in intervals"
tool disklatency.d -d $disk 100 -- sh direct.sh $loop | awk '
	/DEVICE/ { print $1, $2, $3, $4 }
	$1 == disk { print $2, $3 <= $4 }
	/\|/ { sum += $NF }
	END { print sum }' disk=$disk
