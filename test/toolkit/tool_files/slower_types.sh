# xfsslower, btrfsslower: only files of that type, each kind of operation.
. "$suite/toolkit.sh"
cat > works.py <<'Y'
import os
fd = os.open("there/file", os.O_RDWR | os.O_CREAT)
os.write(fd, b"x" * 10240)
os.pread(fd, 2048, 0)
os.fsync(fd)
with open("elsewhere", "w") as out: out.write("x")
Y
name_of_its_own python3
mkdir there
for type in xfs btrfs; do
	command -v mkfs.$type > /dev/null || skip "no mkfs.$type here"
	modprobe -q $type 2> /dev/null
	rm -f disk
	own_disk 320m
	mkfs.$type disk > said 2>&1 || { cat said; exit 1; }
	mount "$loop" there 2> error || skip "no $type: $(cat error)"
	: > out
	DTRACE=$dtrace "$suite/../toolkit/${type}slower" -m 0 -n $me > out &
	tracer=$!
	for _ in $(seq $looks); do
		./$me works.py
		# the last one of a run, so that there is a whole one
		[ "$(grep -c ' S .*there/file' out)" -ge 2 ] && break
	done
	kill -INT $tracer
	wait $tracer
	echo "$type"
	grep . out | awk 'NR > 1 && $NF ~ /file$/ { print $7, $8, $10 }' | sort -u
	grep -c elsewhere out
	umount there
	losetup -d "$loop"
done
trap - EXIT
