# A line for every item; aggregations with names of keys, joined, normalized; histograms as buckets.
"$dtrace" -qx oformat=ndjson -n '
BEGIN {
	@count[execname, "a", 5] = count(); @sum[execname, "a", 5] = sum(-7); @sum[execname, "b", 6] = sum(1000);
	@avg = avg(5); @dev[stringof("x")] = stddev(0x7fffffffffffffff); @min[(char)1] = min(-3);
	@quantize[probefunc] = quantize(-5); @quantize[probefunc] = quantize(0); @quantize[probefunc] = quantize(0x7fffffffffffffff, -2);
	@lquantize = lquantize(-1, 0, 10, 5); @lquantize = lquantize(7, 0, 10, 5); @lquantize = lquantize(10, 0, 10, 5);
	@llquantize = llquantize(15, 10, 1, 2, 10); @llquantize = llquantize(-5, 10, 1, 2, 10);
	normalize(@sum, 10);
	printa(@count, @sum);
	printa("%s %s %d %@d\n", @sum);
	clear(@count); trunc(@sum, 1);
	exit(0);
}' | python3 "$test/check.py" ndjson
