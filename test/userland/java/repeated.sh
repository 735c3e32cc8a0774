# Fifty tracers, one after the other, on a program under load: each counts some of its
# calls, after them no method has calls of the agent in it, nothing of the agent is
# left that waits, and after each the program's own counter goes on.
# @timeout: 900
. "$suite/java.sh"
start_java Work
say "spin 2" spinning
ls /proc/$target/task | wc -l > threads.before
for turn in $(seq 50); do
	rm -f out
	"$dtrace" -Zqn '
	java$target:Work:s*:entry, java$target:Work:s*:return { @ = count(); }
	java$target:Work?Part::entry { @part = count(); }
	tick-1ms /@ > 100/ { printf("counted\n"); exit(0); }' -p $target > out 2>&1 3>&-
	grep -q counted out || cat out
	say alive alive
	[ $((turn % 5)) = 0 ] || continue
	read_bytecode Work now
	cmp Work.lengths now || echo "after tracer $turn"
done
say stop stopped
# threads of tools come and go: the agent's must be none of those that stay
for _ in $(seq $looks); do
	ls /proc/$target/task | wc -l > threads.after
	[ "$(cat threads.after)" -le "$(cat threads.before)" ] && break
	sleep 0.05
done
grep -c alive said
ls -l /proc/$target/fd | grep -c socket:
find /tmp -maxdepth 1 -name '.dtrace-*'
check_bytecode Work
