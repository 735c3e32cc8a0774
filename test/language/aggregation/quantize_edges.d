/* each side of a power of two, both signs; one bucket alone has empty neighbours */
BEGIN {
	@edges = quantize(3); @edges = quantize(4); @edges = quantize(5); @edges = quantize(7); @edges = quantize(8);
	@negative = quantize(-3); @negative = quantize(-4); @negative = quantize(-7); @negative = quantize(-8);
	@zero = quantize(0);
	@minus = quantize(-1);
	@one = quantize(1);
	exit(0);
}
