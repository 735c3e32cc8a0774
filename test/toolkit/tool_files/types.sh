# readtype.d, writetype.d: bytes of system calls and of the disk, for a type that nobody else uses.
. "$suite/toolkit.sh"
own_disk 16m
modprobe -q ext4 2> /dev/null
mkfs.ext3 -q disk
mkdir there
mount -t ext3 $loop there 2> error || skip "no ext3: $(cat error)"
tool writetype.d -- dd if=/dev/zero of=there/file bs=4096 count=50 conv=fsync status=none |
	awk '/LOGICAL/ || $1 == "ext3" { print $1, $2, $3 }'
umount there
mount -t ext3 $loop there
tool readtype.d -- dd if=there/file of=/dev/null bs=1000 status=none |
	awk '/LOGICAL/ || $1 == "ext3" { print $1, $2, $3 }'
