# The tutorial's call stack statistics: function and user stack as keys, the busiest three, in its layout.
. "$suite/lib.sh"
trace_frames 'syscall::getppid:entry / pid == $1 / { @c[probefunc, ustack(3)] = count(); n++; }
	tick-10ms /n == 5/ { trunc(@c, 3); printa(@c); trunc(@c); exit(0); }' '' 5
