# Every byte that a device sent and received is seen once, in IPv4 and IPv6.
. "$suite/net.sh"
two_networks 2
cat > bytes.d <<'D'
ip:::send, ip:::receive
/args[3]->if_ipstack == (int)$1 && args[3]->if_name == "near"/
{
	/* with IP's header and the link's */
	@bytes[probename] = sum(args[2]->ip_plength + 14 +
	    (args[2]->ip_ver == 4 ? args[4]->ipv4_ihl : 40));
	@packets[probename] = count();
}
END { printa("%s bytes %@d\n", @bytes); printa("%s packets %@d\n", @packets); }
D
cat > compare.py <<'P'
import json, sys
before, after = [json.loads(text)[0]["stats64"] for text in sys.argv[1:3]]
seen = {(line.split()[0], line.split()[1]): int(line.split()[2]) for line in open("seen") if line.strip()}
good = True
for probe, way in ("send", "tx"), ("receive", "rx"):
    for unit in "bytes", "packets":
        true, mine = after[way][unit] - before[way][unit], seen.get((probe, unit))
        good = good and mine == true
        print(probe, unit, "as the device counts" if mine == true else f"{mine}, the device counts {true}")
print("a megabyte and its headers:", 1048576 < seen.get(("send", "bytes"), 0) < 1500000)
sys.exit(not good)
P
measure() {
	before="$(ip -s -j link show near)"
	start_dtrace -s bytes.d $network
	server=there talk tcp $1 16 65536
	stop_dtrace > seen
	after="$(ip -s -j link show near)"
	python3 compare.py "$before" "$after" > verdict
}
for address in 10.77.0.2 fd78::2; do
	# the kernel itself speaks now and then on a new device: not for ever
	for try in 1 2 3 4 5 6; do
		measure $address && break
	done
	cat verdict
done
