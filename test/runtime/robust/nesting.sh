# Profile interrupts land in system call probes, on all CPUs, and both write
# records, strings and aggregations: every firing is a line or a drop, every
# line is whole, every update counted, with a buffer that is much too small (a
# clause that finds no room does nothing, so counting is a clause of its own).
. "$suite/lib.sh"
rate=4999
[ "$again" = kernel ] && rate=499	# an emulated CPU would do nothing else
trace_trigger "-x bufsize=32k -x switchrate=50ms -x strsize=40" '
profile-'$rate'
{
	this->t = timestamp & 0xffffff;
	this->s = strlen(execname) ? execname : "nobody";
	printf("p %d %d [%s] %s\n", this->t, this->t ^ 0xffffff, this->s, this->s);
}
profile-'$rate' { @["p"] = count(); @q[execname] = quantize(arg0); }
syscall::getppid:entry, syscall::getppid:return
/pid == $1/
{
	self->n++;
	this->t = (timestamp ^ self->n) & 0xffffff;
	self->s = self->n & 1 ? probename : "a longer one than the other";
	printf("s %d %d [%s] %s\n", this->t, this->t ^ 0xffffff, self->s, self->s);
}
syscall::getppid:entry, syscall::getppid:return
/pid == $1/
{
	@["s"] = count();
	@q[execname] = quantize(this->t);
}
END { printa("count %s %@d\n", @); trunc(@q); }' calls getppid 50000 4 > lines
echo "system call firings $(count_calls 400000 lines)"
check_firings ps lines
