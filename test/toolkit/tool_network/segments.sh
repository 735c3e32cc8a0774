# tcpio.d, tcpbytes.d, tcpsize.d, tcpstate.d, tcpaccept.d, tcpconnect.d, tcp1stbyte.d: a known conversation.
. "$suite/net.sh"
. "$suite/toolkit.sh"
own_network 66
knock() {
	"$triggers/net" client tcp $in4 $port $own 1 100 &
	speaking=$!
	await_ready $speaking
	kill -USR1 $speaking
	wait $speaking
}
both() { talk tcp $in4 3 1000; knock; }
ours="$in4|$own"
echo "each segment of the client"
tool tcpio.d -l $own -- talk tcp $in4 3 1000 > all
head -1 all
awk 'NR > 1 { print $3, $4, $5, $7; sum[$4] += $6 } END { print "sent", sum["->"], "received", sum["<-"] }' all > lines
grep -e ' S-' -e sent lines
grep -c ' -F' lines
echo "bytes"
tool tcpbytes.d -- talk tcp $in4 3 1000 | awk -v own=$own '/LADDR/; $2 == own || $5 == own' | sort
echo "sizes: as much as was said"
tool tcpsize.d -- talk tcp $in4 1 1000 | awk -v in4=$in4 '/ \(bytes\)/ { what = $1 " " $2 } /\|/ && $NF > 0 && index(what, in4) { print what, $1, $NF }' | sort
echo "states of the client"
tool tcpstate.d -l $own -r $port -- talk tcp $in4 3 1000 > all
head -1 all
awk 'NR > 1 { print ($3 == "-" || $3 >= 0), $4, $5, $6 }' all | grep -v -e "-> state-syn-sent" -e "-> state-time-wait"
echo "came in"
tool tcpaccept.d -- both | awk -v port=$port '/RADDR/; $2 == port' | sort
echo "went out"
tool tcpconnect.d -- both | awk -v port=$port '/RADDR/; $2 == port' | sort
echo "first data"
tool tcp1stbyte.d -- talk tcp $in4 3 1000 | awk -v in4=$in4 '/ \(ns\)/ { what = $1 } /\|/ && what == in4 { sum += $NF } END { print sum }'
