/* counts of both signs, of one sign, and increments that cancel out */
BEGIN {
	@mixed = quantize(1, -3); @mixed = quantize(2, 5); @mixed = quantize(8, -1);
	@below = quantize(1, -3); @below = quantize(2, -5);
	@gone = quantize(1, 3); @gone = quantize(1, -3);
	@nothing = quantize(5, 0);
	@large = quantize(1, 0x7fffffffffffffff); @large = quantize(2, 0x7fffffffffffffff);
	exit(0);
}
