# prstat: pages of processes from /proc: columns, numbers that are known, order, options.
. "$suite/lib.sh"
prstat=${dtrace%/*}/prstat
sleep 600 &
idle=$!
await_exec $idle "$(command -v sleep)"
"$triggers/states" 0 > said &
target=$!
await said ready
# some CPU time, in ticks
for _ in $(seq $looks); do
	[ "$(cut -d' ' -f14 /proc/$target/stat)" -ge 50 ] && break
	sleep 0.05
done
# of two processes, the one that computes is first; one page comes at once
"$prstat" -p $target,$idle 600 1 > out
echo "status $?"
head -1 out
awk -v target=$target -v idle=$idle '
	function kilobytes(text) { return text * (text ~ /G/ ? 1048576 : text ~ /M/ ? 1024 : 1) }
	NR == 2 && $1 == target && $2 == "root" && $9 != "0.0%" && $10 == "states/7" { print "the busy one first" }
	NR == 3 && $1 == idle && $5 == "sleep" && $7 == 0 && $8 ~ /^0:00:0/ && $9 + 0 < 50 && $10 == "sleep/1" { print "then the idle one" }
	NR == 3 && kilobytes($3) >= kilobytes($4) && kilobytes($4) > 0 { print "sizes" }
	/^Total:/ { print $1, $2, $3, $4, $5 }' out
echo "smallest first"
"$prstat" -S cpu -n 1 -p $target,$idle 600 1 | sed -n 's/.* \([a-z]*\)\/\([0-9]*\)$/\1 \2/p'
echo "threads"
"$prstat" -L -p $target 600 1 | sed -n 's/.* \([a-z]*\)\/\([0-9]*\)$/\1/p' | sort | tr '\n' ' '
echo
# a second page is about the interval
"$prstat" -p $target,$idle 2 2 | awk '$1 == "PID" { page++ } page == 2 && $9 ~ /%$/ { sum += $9; lines++ }
	END { print (sum > 0 && sum <= 105 && lines == 2) ? "part of the machine" : "sum " sum " of " lines }'
echo "refused"
for options in '-s age' '-p 0' '-p x' '-n 0' '-n 1,x' '-u nobody,nosuch' '-u ,' '1 2 3' 0; do
	# shellcheck disable=SC2086
	"$prstat" $options > out 2>&1
	echo "$? $(head -1 out)"
done
"$prstat" --help | head -1
kill $target $idle
