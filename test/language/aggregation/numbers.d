/* sums wrap, averages truncate towards zero, extremes reach the ends of int64 */
BEGIN {
	@sum = sum(0x7fffffffffffffff); @sum = sum(1);
	@avg1 = avg(-7); @avg1 = avg(0);
	@avg2 = avg(7); @avg2 = avg(0);
	@avg3 = avg(1000); @avg3 = avg(500); normalize(@avg3, 7);
	@min = min(0x7fffffffffffffff);
	@max = max(-0x7fffffffffffffff - 1);
	@small = min((char)-1); @large = max((unsigned char)255); @zero = sum(0);
	@negative = sum(-1000); normalize(@negative, 3);
	exit(0);
}
