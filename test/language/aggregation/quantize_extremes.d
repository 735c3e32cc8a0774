/* values beyond the outermost labels fall into the outermost buckets */
BEGIN {
	@lo = quantize(-0x7fffffffffffffff - 1);
	@lo = quantize(-0x4000000000000001);
	@lo = quantize(-0x4000000000000000);
	@lo = quantize(-0x3fffffffffffffff);
	@hi = quantize(0x7fffffffffffffff);
	@hi = quantize(0x4000000000000000);
	@hi = quantize(0x3fffffffffffffff);
	@unsigned = quantize(0xffffffffffffffff);
	exit(0);
}
