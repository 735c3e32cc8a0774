# Errors that were made are counted: requests to a disk that fail, descriptors that cannot
# be had.  A process at its limit stands out.
. "$suite/lib.sh"
use=${dtrace%/*}/use
# a disk in a file for which there is room for one page
mkdir small
mount -t tmpfs -o size=4k small small
truncate -s 1m small/disk
modprobe -q loop 2> /dev/null
loop=$(losetup -f --show small/disk 2> error) || { umount small; skip "no loop device: $(cat error)"; }
disk=${loop##*/}
trap 'losetup -d $loop; umount -l small' EXIT
put() { dd if=/dev/zero of=$loop bs=4k seek=$1 count=1 oflag=direct conv=notrunc 2> /dev/null; }
put 0 || echo "cannot write the first page"
: > out
"$use" 1 > out 2> err &
tracer=$!
pages() { grep -c '^locks futex' out; }
await_pages() {
	for _ in $(seq $looks); do
		[ "$(pages)" -ge "$1" ] && return
		sleep 0.05
	done
	echo "waited in vain for page $1"
}
await_pages 1
for page in 200 210 220; do
	put $page && echo "wrote more than there is room for"
done
cat > full.py <<'X'
# Has all descriptors that it may have, and asks for 7 more.
import os, resource, signal
resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
failed = 0
while failed < 7:
    try:
        os.open("/dev/null", os.O_RDONLY)
    except OSError:
        failed += 1
os.write(1, b"full\n")
signal.pause()
X
python3 full.py > said &
full=$!
await said full
await_pages $(($(pages) + 2))
kill $full
wait $full 2> /dev/null
kill -INT $tracer
wait $tracer
cat err
awk -v disk="disk $disk " '
	index($0, disk) == 1 { failed += $(NF - ($NF == "!")); if ($NF == "!") marked++ }
	/^descriptors / { refused += $(NF - ($NF == "!")); if ($NF == "!") noticed++ }
	/^descriptors\/process / && $2 == "100%" && $3 == "!" { full++ }
	END {
		print "requests that failed: " failed + 0 (marked ? ", marked" : "")
		print (refused >= 7 && noticed) ? "refused descriptors: counted and marked" : "refused " refused
		print full ? "a process at its limit: marked" : "no process at its limit"
	}' out
