/* -x aggpack: a line for each histogram; all keys share the buckets; lquantize shows all of its range */
/* @flags: -q -x aggpack -x encoding=ascii */
BEGIN {
	@q["a"] = quantize(8, 5); @q["a"] = quantize(100); @q["b"] = quantize(1000, 100); @q["b"] = quantize(8); @q["c"] = quantize(16, -5);
	@n[1] = quantize(-100); @n[2] = quantize(100000);
	@l["x", 5] = lquantize(3, 0, 10, 2); @l["x", 5] = lquantize(-1, 0, 10, 2); @l["y", 5] = lquantize(10, 0, 10, 2, 50);
	normalize(@l, 10);
	@alone = quantize(3); @alone = quantize(70);
	@ll = llquantize(1, 10, 0, 1, 10); @c = count();
	exit(0);
}
