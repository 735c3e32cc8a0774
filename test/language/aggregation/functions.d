/* sum avg min max stddev */
BEGIN { @s = sum(10); @s = sum(-3); @a = avg(10); @a = avg(5); @i = min(4); @i = min(-4); @x = max(4); @x = max(9);
	@d = stddev(2); @d = stddev(4); @d = stddev(4); @d = stddev(4); @d = stddev(5); @d = stddev(5); @d = stddev(7); @d = stddev(9); exit(0); }
