/* normalized histograms: counts are divided, bars are not */
BEGIN {
	@q = quantize(1, 100); @q = quantize(4, 50); @q = quantize(16, -9);
	@l = lquantize(5, 0, 10, 5, 1999);
	@ll = llquantize(15, 10, 0, 2, 10, 77);
	normalize(@q, 10); normalize(@l, 1000); normalize(@ll, 100);
	exit(0);
}
