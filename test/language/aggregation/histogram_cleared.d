/* histograms and numbers without data, after clear(): min and max show their identity */
BEGIN {
	@q = quantize(100); @l = lquantize(5, 0, 10, 2); @ll = llquantize(100, 10, 0, 2, 10); @ll2 = llquantize(100, 10, 2, 3, 10);
	@c = count(); @s = sum(5); @a = avg(3); @d = stddev(3); @i = min(3); @x = max(3);
	clear(@q); clear(@l); clear(@ll); clear(@ll2); clear(@c); clear(@s); clear(@a); clear(@d); clear(@i); clear(@x);
	exit(0);
}
