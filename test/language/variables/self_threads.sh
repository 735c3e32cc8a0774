# Ten thousand threads start and end with self-> in use: no drop, nothing mixed up.
. "$suite/lib.sh"
n=$([ -n "$again" ] && echo 2000 || echo 10000)
trace_trigger "-x dynvarsize=4k" 'syscall::getppid:entry /pid == $1 && self->n == 0 && self->s == NULL/ { self->n = tid; self->s = execname; @["stored"] = count(); } syscall::getppid:return /pid == $1 && self->n == tid && self->s == "threads"/ { @["found"] = count(); }' threads $n |
	sed "s/ *$n\$/ all/"
