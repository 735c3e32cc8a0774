# vtimestamp goes on while a thread runs and stands still while it sleeps.
"$dtrace" -qn '
	syscall::clock_nanosleep:entry, syscall::nanosleep:entry /execname == "sleep" && ppid == $1/
	    { self->t = timestamp; self->v = vtimestamp; }
	syscall::clock_nanosleep:return, syscall::nanosleep:return /self->t/
	{
		this->slept = timestamp - self->t;
		this->ran = vtimestamp - self->v;
		printf("%s %s\n", this->slept > 900000000 ? "slept" : "awake", this->ran < this->slept / 4 ? "off" : "on");
		exit(0);
	}
	tick-10ms { ready++; }
	tick-30s { exit(1); }' $$ &
tracer=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	kill -0 $tracer 2>/dev/null && sleep 1
done
wait $tracer
# a busy thread: neither stands still nor runs ahead of the clock
dd if=/dev/zero of=/dev/null bs=64k 2>/dev/null &
busy=$!
"$dtrace" -qn 'syscall::read:entry /pid == $1 && !self->t/ { self->t = timestamp; self->v = vtimestamp; }
	syscall::read:return /self->t && vtimestamp - self->v > 50000000/
	{ printf("%s\n", vtimestamp - self->v <= timestamp - self->t + 1000000 ? "on" : "ahead"); exit(0); }
	tick-30s { exit(1); }' $busy
kill $busy
