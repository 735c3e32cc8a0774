# entry -> return by self->: as many latencies as calls.
. "$suite/lib.sh"
trace_calls 'syscall::read:entry /pid == $1/ { self->t = timestamp; }
syscall::read:return /self->t/ { @ = quantize(timestamp - self->t); @n = count(); self->t = 0; }
END { printa("%@d latencies\n", @n); trunc(@); }' read 2000
