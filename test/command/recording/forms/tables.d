/* Aggregations: every function, keys of all types, what changes them. */
struct pair { int a; short b; };
syscall::write:entry
/pid == $target/
{
	@c[execname, probefunc, pid - $target, (char)-1, "literal"] = count();
	@s = sum(arg2); @mi = min(arg2); @ma = max(-arg2); @av = avg(arg2); @sd = stddev(arg2);
	@q[probefunc] = quantize(arg2); @l = lquantize(arg2, 0, 1000, 100); @ll = llquantize(arg2, 10, 0, 6, 20);
	@n["a"] = count(); @n["b"] = count(); @n["b"] = count(); @t[arg2 & 3] = count();
}
syscall::write:entry
/pid == $target && n++ == 20/
{
	printa(@c); printa("%10s %s %d %d %s %@8u\n", @c); printa(@n, @n);
	normalize(@s, 3); printa(@s); denormalize(@s); clear(@mi); trunc(@n, 1); printa("%s %@d\n", @n);
	printa("%@d %@d\n", @s, @ma);
}
END { trunc(@t, 2); setopt("aggpct"); printa(@q); setopt("aggpct", "no"); setopt("agghist"); printa(@n); }
