# fswho.d: bytes of a known program by direction and file system.
. "$suite/toolkit.sh"
name_of_its_own dd
mkdir there
mount -t tmpfs fswho there
trap 'umount there' EXIT
here=$(pwd -P)/there
tool fswho.d -n $me -- sh -c "./$me if=/dev/zero of=there/file bs=1000 count=40 status=none; ./$me if=there/file of=/dev/null bs=512 count=3 status=none" |
	unnamed dd | awk -v here="$here" '/PROCESSES/ { print } $5 == here { $5 = "there"; print }'
