# Ten thousand threads start and end with self-> in use: no drop, nothing mixed up.
. "$test/../lib.sh"
trace_trigger "-x dynvarsize=4k" 'syscall::getppid:entry /pid == $1 && self->n == 0 && self->s == NULL/ { self->n = tid; self->s = execname; @["stored"] = count(); } syscall::getppid:return /pid == $1 && self->n == tid && self->s == "threads"/ { @["found"] = count(); }' threads 10000
