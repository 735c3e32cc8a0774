# cputypes.d, loads.d: processors and load averages as /proc has them.
. "$suite/toolkit.sh"
run() { "$dtrace" -s "$suite/../toolkit/$1" | grep .; }
run cputypes.d > all
head -1 all
awk '/^processor/ { n = $3; package[n] = 0 } /^physical id/ { package[n] = $4 } END { for (n in package) print n, package[n] }' /proc/cpuinfo | sort -n > told
awk 'NR > 1 { print $1, $2 }' all | sort -n | cmp - told && echo "all processors, each once"
awk -v machine=$(uname -m) 'NR > 1 { print $3, ($4 >= 0), ($5 > 0), ($6 == machine) }' all | sort -u
# the averages change every five seconds
for _ in $(seq $looks); do
	before=$(cut -d' ' -f1-3 /proc/loadavg)
	said=$(run loads.d | sed 's/.*load average: //; s/,//g')
	[ "$before" = "$(cut -d' ' -f1-3 /proc/loadavg)" ] && break
done
[ "$said" = "$before" ] && echo "the same load" || echo "$said, not $before"
