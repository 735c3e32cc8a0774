# soconnect.d, soaccept.d, connections, tcpconnlat.d: connections of known programs, from both sides.
. "$suite/net.sh"
. "$suite/toolkit.sh"
own_network 63
knock() {
	"$triggers/net" client tcp $1 $port $own 1 100 &
	speaking=$!
	await_ready $speaking
	kill -USR1 $speaking
	wait $speaking
}
both() {
	talk tcp $in4 1 100
	talk tcp $in6 1 100
	knock $in4
	python3 -c '
import socket
s = socket.socket(socket.AF_UNIX)
try: s.connect("nowhere")
except OSError: pass
s = socket.socket()
s.setblocking(False)
s.connect_ex(("'$in4'", 1))'
}
echo "asked for"
tool soconnect.d -- both | awk -v in4=$in4 -v in6=$in6 '/PID/ || $4 == in4 || $4 == in6 || $4 == "nowhere" { $1 = $1 > 0 ? "pid" : $1; if (NR > 1) $6 = $6 >= 0 ? "time" : $6; print }'
echo "accepted"
tool soaccept.d -n net -- both | awk -v port=$port '/PID/ || $6 == port { $1 = $1 > 0 ? "pid" : $1; print }'
failing() { python3 -c 'import os, socket, ctypes; print(ctypes.CDLL(None).accept(-1, None, None))'; }
tool soaccept.d -n python3 -- failing | awk '$NF == 9 { $1 = ""; print }'
echo "connections"
tool connections -l $port -- both | awk '{ $2 = $2 > 0 ? "pid" : $2; print }'
tool connections -vs -l $port -- both | awk 'NR == 1 { print $1, $2, $3 } NR == 2 { print NF, ($1 > 1e15) }'
echo "how long"
tool tcpconnlat.d -- both | awk '/ \(ns\)/ { what = $1 " " $2 } /\|/ { sum[what] += $NF } END { for (what in sum) print what, sum[what] }' |
	grep -e "$in4" -e "$in6" | sort
