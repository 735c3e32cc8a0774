# tcptop: both ends of a conversation count the same bytes, and no fewer than its data.
. "$suite/net.sh"
. "$suite/toolkit.sh"
own_network 61
tool tcptop 1 -- talk tcp $in4 5 10000 > all
grep -o -e 'UID .*' all | sort -u
awk -v own=$own '/TCPin/ { i += $(NF - 4); o += $(NF - 1) }
	$4 == own || $6 == own { sum[$4 == own] += $7; names[$NF]; if ($2 + 0 <= 0) print "no process: " $0 }
	END { print (sum[0] == sum[1] ? "the same" : sum[0] " and " sum[1]), (sum[1] >= 50004 && sum[1] < 60000 ? "enough" : sum[1])
	    for (name in names) print name; print (i >= 48), (o >= 48) }' all
echo "one port's, the largest"
tool tcptop -t 1 -l $own 100 -- talk tcp $in4 5 10000 | awk '/\./ && !/load|Tracing/ { print $3, $4, $5, $6, $NF }'
echo "two pages"
"$dtrace" -s "$suite/../toolkit/tcptop" -l 1 1 2 | grep -c 'TCPin:'
