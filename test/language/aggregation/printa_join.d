/* printa joins on keys; what one aggregation lacks counts as 0; surplus %@ repeat the last */
BEGIN {
	@a["x", 1] = count(); @a["y", 2] = count(); @a["y", 2] = count();
	@b["y", 2] = sum(-7); @b["a longer key", 3] = sum(70);
	@c["x", 1] = min(5); @d["x", 1] = avg(5); @e["z", 0] = stddev(5);
	printa(@a, @b);
	printa(@c, @d, @e);
	printa("%s %d %@d %@d %@d\n", @a, @b);
	printa("%@8d|%-20s|%@-8d|\n", @a, @b);
	printa("%@x %@u %@o %@X %@5d %@-5d| %@05d %@+d\n", @b);
	printa("no keys: %@d\n", @a);
	printa("no values: %s\n", @a);
	printa("neither\n", @a);
	@q["x"] = quantize(1); @n["x"] = count(); @n["w"] = count();
	printa("%s %@d %@d", @n, @q);
	printa(@n, @q);
	exit(0);
}
