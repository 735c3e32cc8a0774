# icmpsnoop.d, tcpnmap.d: messages about a port without a server, and somebody who looks for ports.
. "$suite/net.sh"
. "$suite/toolkit.sh"
own_network 69
knock() {
	for address in $in4 $in6; do
		"$triggers/net" client udp $address $port $own 1 100 &
		speaking=$!
		await_ready $speaking
		kill -USR1 $speaking
		wait $speaking
	done
}
tool icmpsnoop.d -- knock | awk -v in4=$in4 -v in6=$in6 'NR == 1; NR > 1 && ($5 == in4 || $5 == in6) { $1 = $2 = $3 = $4 = ""; print }' | sort
cat > scan.py <<'Y'
import socket, struct, sys
host, how = sys.argv[1:]
for port in (7003, 7001, 7002) if how == "connect" else ():
    s = socket.socket()
    s.bind((host, 0))
    try: s.connect((host, port))
    except OSError: pass
def segment(flags, port):
    """A header of TCP with its checksum."""
    parts = lambda sum: struct.pack("!HHIIBBHHH", 7100, port, 1, 1, 5 << 4, flags, 1000, sum, 0)
    address = socket.inet_aton(host)
    words = struct.unpack("!16H", address + address + struct.pack("!HH", 6, 20) + parts(0))
    total = sum(words)
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return parts(~total & 0xffff)
if how == "connect":
    sys.exit()
raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_TCP)
raw.bind((host, 0))
raw.sendto(segment(0x29, 7004), (host, 0))
raw.sendto(segment(0, 7005), (host, 0))
Y
tool tcpnmap.d -- python3 scan.py $in4 connect | awk -v in4=$in4 '/HOST/; $1 == in4'
tool tcpnmap.d -- python3 scan.py $in4 raw | awk -v in4=$in4 '$1 == in4 && $2 != "refused"' | sort
