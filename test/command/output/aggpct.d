/* -x aggpct: percentiles under histograms, as the largest value of their bucket */
/* @flags: -q -x aggpct */
BEGIN {
	@q = quantize(1, 500); @q = quantize(10, 400); @q = quantize(100, 90); @q = quantize(1000, 9); @q = quantize(10000);
	@one = quantize(0); @negative = quantize(-5); @l = lquantize(3, 0, 10, 5); @l = lquantize(99, 0, 10, 5);
	@mixed = quantize(1, -1); @empty = quantize(1); clear(@empty);
	printa("%@d", @l);
	exit(0);
}
