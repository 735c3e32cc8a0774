# prstat -a, -t, -u: what processes of a user use together, by effective user; order, and limits.
. "$suite/lib.sh"
prstat=${dtrace%/*}/prstat
# two users whom nobody else has: one without a name computes, the other one waits
busy=54321
idle=$(id -u games)
for _ in 1 2; do
	setpriv --reuid $busy --clear-groups sh -c 'while :; do :; done' &
	pids="$pids $!"
done
setpriv --reuid "$idle" --clear-groups sleep 600 &
pids="$pids $!"
sleeper=$!
await_exec $sleeper "$(command -v sleep)"
wanted=$(echo $pids | tr ' ' ,)
for pid in $pids; do
	for _ in $(seq $looks); do
		[ "$(stat -c %u /proc/$pid)" != 0 ] && break
		sleep 0.05
	done
done
# some CPU time, in ticks
for pid in ${pids% *}; do
	for _ in $(seq $looks); do
		[ "$(cut -d' ' -f14 /proc/$pid/stat)" -ge 20 ] && break
		sleep 0.05
	done
done
echo "users only"
"$prstat" -t -p "$wanted" 600 1 > out
head -1 out
awk -v busy=$busy '
	NR == 2 && $1 == 2 && $2 == busy && $7 != "0.0%" { print "two processes of the busy one first" }
	NR == 3 && $1 == 1 && $2 == "games" && $6 ~ /^0:00:0/ && $5 ~ /%$/ { print "then the idle one" }
	NR > 3 { print $1, $2, $3 }' out
echo "sums are those of the processes"
"$prstat" -a -p "$wanted" 600 1 > out
awk -v busy=$busy '
	function kilobytes(text) { return text * (text ~ /G/ ? 1048576 : text ~ /M/ ? 1024 : 1) }
	$2 == "USERNAME" { tables++; next }
	tables == 1 { size[$2] += kilobytes($3); n[$2]++ }
	tables == 2 && $2 in n { users++; print $2, $1 == n[$2] ? "processes" : "not " n[$2],
		kilobytes($3) == size[$2] ? "sizes" : "sizes " kilobytes($3) " " size[$2] }
	END { print tables " tables" }' out
echo "limits, the smallest first"
"$prstat" -a -S cpu -n 1,1 -p "$wanted" 600 1 | awk '{ print $2 }' | head -4
echo "by name and number"
"$prstat" -u games 600 1 -c | awk '{ print $2 }' | head -1
"$prstat" -u "games,$busy" -p "$wanted,1" 600 1 | awk '/USERNAME|Total/ { next } { print $2 }' | sort | uniq -c | awk '{ print $1, $2 }'
echo "with microstates"
"$prstat" -t -m -p "$wanted" 1 1 | awk -v busy=$busy '$2 == busy { print $1, ($7 + 0 > 0 && $7 + 0 <= 105 ? "part of the machine" : $0) }'
# shellcheck disable=SC2086
kill $pids
