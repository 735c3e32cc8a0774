# prstat -Lm: threads whose state is known by what they do are in it, the states of each
# add up, and system calls, switches and signals are as many as the thread made.
. "$suite/lib.sh"
prstat=${dtrace%/*}/prstat
"$triggers/states" 5000 > said &
target=$!
await said ready
: > out
"$prstat" -Lm -p $target 1 > out 2> err &
tracer=$!
# every load has been on a CPU by then, however busy the machine is
has_all() {
	awk '{ name = $15; sub(/\/.*/, "", name) }
		name == "burner" { usr += $3 } name == "data" { dfl += $7 } name == "text" { tfl += $6; sys += $4 }
		END { exit !(usr > 0 && dfl > 0 && tfl > 0 && sys > 0) }' out
}
# two pages before the load, and two that begin after it
pages() {
	for _ in $(seq $looks); do
		[ "$(grep -c ^Total: out)" -ge "$1" ] && has_all && return
		sleep 0.05
	done
	echo "waited in vain for page $1"
}
pages 2
kill -USR1 $target
await said '^[0-9]'
pages $(($(grep -c ^Total: out) + 2))
kill -INT $tracer
wait $tracer
echo "status $?"
cat err
sed -n 2p out
awk -v calls="$(tail -1 said)" '
	function claim(name, is_true) { print name ": " (is_true ? "yes" : "no"); if (!is_true) bad = 1 }
	$1 ~ /^[0-9]+$/ && NF == 15 {
		name = $15; sub(/\/.*/, "", name)
		sum = $3 + $4 + $6 + $7 + $8 + $9 + $10
		if ($5 != "-" || sum < 97 || sum > 103) { print "sum " sum; odd = 1 }
		pages[name]++
		usr[name] += $3; sys[name] += $4; tfl[name] += $6; dfl[name] += $7; lck[name] += $8; slp[name] += $9; lat[name] += $10
		vcx[name] += $11; icx[name] += $12; scl[name] += $13; sig[name] += $14
	}
	function mean(of, name) { return of[name] / pages[name] }
	END {
		claim("states add up", !odd)
		claim("burner computes or waits for a CPU", mean(usr, "burner") + mean(lat, "burner") > 97 && usr["burner"] > 0)
		claim("burner makes no calls", scl["burner"] == 0)
		claim("sleeper sleeps", mean(slp, "sleeper") == 100 && vcx["sleeper"] == 0)
		claim("waiter waits for a lock", mean(lck, "waiter") == 100)
		claim("data has faults of data", dfl["data"] > 0 && mean(tfl, "data") < 1 && mean(slp, "data") + mean(lck, "data") < 1)
		claim("text has faults of text", tfl["text"] > 0 && mean(dfl, "text") < 1)
		claim("text makes calls", sys["text"] > 0 && scl["text"] > 0)
		claim("burner has neither", mean(dfl, "burner") + mean(tfl, "burner") < 1)
		claim("caller makes its calls", scl["caller"] == calls)
		claim("caller gets one signal", sig["caller"] == 1 && sig["burner"] == 0)
		claim("caller sleeps again", vcx["caller"] >= 1 && mean(slp, "caller") > 10)
		if (bad) exit 1
	}' out || cat out
kill $target
wait $target 2> /dev/null
true
