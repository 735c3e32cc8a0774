# A rate table as tutorials print it: %6@d takes the flag behind the width; the ten largest, per second.
. "$suite/lib.sh"
cat > count_syscalls.d <<'D'
#!/usr/sbin/dtrace -s
/* get some statistic about system call rates */
#pragma D option quiet
BEGIN {
	timer = timestamp;
}
syscall:::entry
/pid == $1/
{
	@c[pid, execname, probefunc] = sum(1000);
}
tick-500ms {
	trunc(@c, 10);
	normalize(@c, (timestamp - timer) / 1000000 / 500);
	printa("%5d %-20s %6@d %s\n", @c);
	clear(@c);
	printf("\n");
	timer = timestamp;
}
tick-10ms /!armed/ { armed = 1; printf("armed\n"); }
D
"$triggers/calls" getppid 35512 &
target=$!
await_ready $target
"$dtrace" -s count_syscalls.d $target > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $target
wait $target
await out getppid
kill -INT $tracer
wait $tracer
grep -m 1 getppid out | sed "s/^ *$target /<pid> /" | sed 's/[0-9]* getppid/<rate> getppid/'
grep -m 1 getppid out | awk '{ print ($3 >= 1000) ? "a rate" : $0 }'
