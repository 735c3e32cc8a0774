# tcpsnoop: the segments of a known conversation, with both processes; their data adds up.
. "$suite/net.sh"
. "$suite/toolkit.sh"
own_network 60
# a line of data has 20 bytes of header and 12 for the time
sum() { awk -v kind="$1" '/PID/ { print; next }
	{ pids[$2]; names[$NF]; ends[$3 " " $4 " " $6 " " $7]; data[$5] += $8 > 40 || $8 == 36 ? $8 - 32 : 0; count++ }
	END { for (end in ends) print end; for (name in names) print name
	    for (way in data) print way, data[way] | "sort"; close("sort")
	    n = 0; for (pid in pids) n += pid > 0; print n, "processes", count >= 8 ? "" : count }'; }
echo "the client's"
tool tcpsnoop -l $own -- talk tcp $in4 3 1000 | sum
echo "the server's, IPv6"
tool tcpsnoop -l $port -r $own -- talk tcp $in6 3 1000 | sum
echo "another program's"
tool tcpsnoop -l $own -n nosuch -- talk tcp $in4 3 1000 | sum
echo "with the time"
tool tcpsnoop -sv -l $own -- talk tcp $in4 3 1000 | awk 'NR == 1; NR == 2 { print NF, ($1 > 1e15) }'
