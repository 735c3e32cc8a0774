# rfsio.d, rfileio.d: a file that is read twice comes from the disk once.
. "$suite/toolkit.sh"
own_ext4 16m
head -c 1048576 /dev/zero > there/file
twice='dd if=there/file of=/dev/null bs=4096 status=none; dd if=there/file of=/dev/null bs=4096 status=none'
cold() { umount there && mount $loop there; }
cold
tool rfsio.d -- sh -c "$twice" | awk -v here="$(pwd -P)/there" '/LOGICAL/ { print $1, $2, $3 }
	$3 == here { print $1, ($2 >= 1048576 && $2 < 2000000 ? "about half of it" : $2) }'
cold
tool rfileio.d -- sh -c "$twice" | awk '/LOGICAL/ { print $1, $2, $3 } $3 ~ /there\/file$/ { print $1, $2 }'
