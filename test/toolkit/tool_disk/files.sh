# iofile.d, iofileb.d, diskhits: what is read from disk for a file, and where in it.
. "$suite/toolkit.sh"
own_ext4 32m
dd if=/dev/zero of=there/file bs=64k count=64 status=none
cat > again.sh <<'Y'
umount there
mount $1 there
exec cat there/file
Y
echo "kilobytes"
tool iofileb.d -d $disk -- sh again.sh $loop | awk '/PID/; $2 == "cat" && /there.file/ { print $2, $3, ($1 > 0) }'
echo "time"
tool iofile.d -d $disk -- sh again.sh $loop | awk '/PID/; $2 == "cat" && /there.file/ { print $2, ($3 > 0), ($1 > 0) }'
echo "places: of each megabyte"
tool diskhits "$PWD/there/file" -- sh again.sh $loop | awk '/Location|Total/; /\|/ && $NF > 0 { print $1 }'
