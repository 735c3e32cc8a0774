# A monitor that is killed, or told to end, takes everything along: no process, no program and no map of BPF is left.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
for signal in KILL TERM INT; do
	rm -f url
	live_start -n 'syscall:::entry { @[execname] = count(); }' -n 'tick-1s { @ = count(); }'
	await_state 1 running
	await_state 2 running
	all=$(pgrep -P $monitor)
	echo $all | wc -w
	kill -$signal $monitor
	wait $monitor 2> /dev/null
	for process in $all; do
		for _ in $(seq $looks); do
			[ -e /proc/$process ] || break
			sleep 0.05
		done
		[ -e /proc/$process ] && echo "process $process is still there"
	done
	echo "SIG$signal: all are gone"
done
