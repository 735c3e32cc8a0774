# No thread is on a CPU for longer than the time that passes, to the nanosecond,
# and a clause has one vtimestamp as it has one timestamp.
"$dtrace" -qn 'syscall::read:entry,syscall::write:entry /pid == $target/ { self->ts = timestamp; self->on = vtimestamp; }
	syscall::read:return,syscall::write:return /self->ts/ {
		this->elapsed = timestamp - self->ts;
		this->on = vtimestamp - self->on;
		calls++;
		longer += this->on > this->elapsed;
		differ += vtimestamp != vtimestamp;
		self->ts = 0;
		self->on = 0;
	}
	END { printf("all calls %d, longer %d, differ %d\n", calls >= 20000, longer, differ); }' \
	-c 'dd if=/dev/zero of=/dev/null bs=512 count=10000 status=none'
# Time is the clause's, also where only one of two ways reads it.
"$dtrace" -qn 'BEGIN { x = pid == 0 ? machtimestamp : 1; y = machtimestamp; printf("%d %d\n", x, y > 1000); exit(0); }'
