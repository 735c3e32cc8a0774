# The same for user probes: their programs may sleep and are preempted by
# others on the same CPU, in any order, and interrupted by the profile.
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
syscall::getppid:entry /pid == $1/ { @["s"] = count(); }
pid$1:libc:syscall:entry, pid$1:libc:syscall:return
{
	self->n++;
	this->t = (timestamp ^ self->n) & 0xffffff;
	self->s = self->n & 1 ? strjoin(probefunc, probename) : "a longer one than the other";
	printf("u %d %d [%s] %s\n", this->t, this->t ^ 0xffffff, self->s, self->s);
}
pid$1:libc:syscall:entry, pid$1:libc:syscall:return
{
	@["u"] = count();
	@q[strjoin(execname, probename)] = quantize(this->t);
}
END { printa("count %s %@d\n", @); trunc(@q); }' calls getppid 10000 4 > lines
echo "s $(count_calls 40000 lines)"
sed -n 's/^count u \([0-9]*\)$/u \1/p' lines
check_firings pu lines
