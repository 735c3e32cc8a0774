/* stddev keeps the sum of squares in 128 bits; the result is unsigned */
BEGIN {
	@a["same"] = stddev(0x7fffffffffffffff); @a["same"] = stddev(0x7fffffffffffffff);
	@b = stddev(-4000000000000000000); @b = stddev(4000000000000000000);
	@c = stddev(0x7fffffffffffffff); @c = stddev(-0x7fffffffffffffff - 1);
	@d = stddev(-1); @d = stddev(0);
	@e = stddev(7);
	@f = stddev(1000000); @f = stddev(3000000); normalize(@f, 1000);
	exit(0);
}
