# A CPU hog, a disk hog and a network flood: the right cells stand out, and those of the
# disk and the network, which nobody else uses, not without the hogs.
. "$suite/net.sh"
own_network 96
own_disk 16m
use=${dtrace%/*}/use
# a disk that was never used has no row
dd if=$loop of=/dev/null bs=4k count=1 iflag=direct 2> /dev/null
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
# which cells of row $1 stand out, on any page: U S E
marks() {
	awk -v row="$1 " 'index($0, row) == 1 {
			if (substr($0, 39, 1) == "!") u = "U"
			if (substr($0, 58, 1) == "!") s = "S"
			if (substr($0, 77, 1) == "!") e = "E"
		}
		END { print "[" u s e "]" }' out
}
await_pages 2
head -1 out | tr -s ' '
echo "before: disk $(marks "disk $disk") lo $(marks 'net lo') udp $(marks udp) tcp $(marks tcp)"

nice -n -10 "$triggers/diskhog" $loop 8 8 &
hogs=$!
cat > flood.py <<'X'
# Datagrams that nobody reads.  Prints how many arrived.
import socket, sys
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 0))
client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(3000):
    client.sendto(b"x" * 1000, server.getsockname())
server.setblocking(False)
arrived = 0
try:
    while True:
        arrived += len(server.recv(2000)) == 1000
except BlockingIOError:
    print(arrived)
X
arrived=$(python3 flood.py)
# until the cells $2 of row $1 stand out on some page
await_marks() {
	for _ in $(seq $looks); do
		[ "$(marks "$1")" = "$2" ] && return
		sleep 0.05
	done
}
await_marks "disk $disk" "[US]"
await_marks udp "[S]"
kill $hogs
wait $hogs 2> /dev/null

hogs=
for _ in $(seq $(($(nproc) * 3))); do
	"$triggers/burn" user 600000 > /dev/null &
	hogs="$hogs $!"
done
await_marks cpu "[US]"
kill $hogs
wait $hogs 2> /dev/null
await_pages $(($(pages) + 1))
kill -INT $tracer
wait $tracer
echo "status $?"
cat err
echo "with hogs: cpu $(marks cpu) disk $(marks "disk $disk") udp $(marks udp) tcp $(marks tcp)"

# all datagrams that did not arrive are in the pages, each once; the kernel says how many
awk -v arrived="$arrived" '
	/^udp / { drops += $3 }
	FILENAME != "out" && /^Udp: [0-9]/ { kernel = $6 }
	END {
		print (drops == kernel && drops > 0 && drops <= 3000 - arrived) ? "drops: all" : "drops: " drops ", " kernel ", " 3000 - arrived
	}' out /proc/net/snmp
# a mark is a matter of the number alone
awk '/^cpu[0-9]* / { busy = $2; sub(/%/, "", busy); seen++; is_known = busy != "?"; busy += 0
		# close to the limit it is a matter of rounding
		if (is_known && (busy < 79 || busy > 81) && (busy >= 80) != ($3 == "!")) print }
	END { print (seen > 2) ? "marks of CPUs: right" : "no CPUs" }' out
