# Ten thousand threads leave elements behind: with room for few, none is lost.
. "$suite/lib.sh"
trace_trigger "-x dynvarsize=64k" 'syscall::getppid:entry /pid == $1/ { self->a[1] = tid; self->a[2] = 7; @["stored"] = count(); } syscall::getppid:return /pid == $1 && self->a[1] == tid && self->a[2] == 7/ { @["found"] = count(); }' threads 10000
