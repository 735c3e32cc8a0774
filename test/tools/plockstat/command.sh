# The command: tables of waiting and holding, the most time first; limits,
# stacks, time, and what it refuses.
. "$suite/lib.sh"
need_speed "removing a hundred probes four times"
plockstat=${dtrace%/*}/plockstat
trigger=locks
run() {
	echo "# $*"
	"$triggers/$trigger" &
	target=$!
	await_ready $target
	rm -f out
	"$plockstat" -v "$@" -p $target > out 2>&1 &
	tracer=$!
	await out enabled
	kill -USR1 $target
	wait $target
	wait $tracer
	echo "status $?"
}
# count, lock and caller; times and offsets masked
tables() {
	grep -v ld-linux out | sed -E "s/pid [0-9]+/pid N/; s/^( *[0-9]+) +[0-9]+ /\\1 NSEC /; s/\\+0x[0-9a-f]+//"
}
run
tables
run -H
tables | awk '/^ / { if ($3 ~ /contended/ && $4 ~ /main/) first = "contended first"; n[$3] += $1; next } /hold/ || /block/ { print }
	END { for (lock in n) print lock, n[lock]; print first }' | sort
run -A -n 1
grep -c '^ *[0-9][0-9]* ' out
run -s 2
grep -e 'nsec, and stack' -e '^locks`' out | sed 's/+0x.*//'
trigger=spins
run -C
tables | grep -e '^Mutex' -e 'spins`' | awk '/^Mutex/ { what = $0; next } { print what, $1, $3, $4 }' | sort
"$triggers/locks" &
target=$!
await_ready $target
"$plockstat" -e 1 -p $target
echo "status $?"
kill $target
wait $target 2> /dev/null
"$plockstat" > out 2>&1
echo "status $?"
head -n 1 out
"$plockstat" -n zero true 2>&1 | head -n 1
"$plockstat" -x nosuch=1 true 2>&1
"$plockstat" -p 4194304 2>&1
exit 0
