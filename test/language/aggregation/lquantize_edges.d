/* lquantize: bounds, a range that steps do not fill, negative base, 64-bit values */
BEGIN {
	@whole = lquantize(-1, 0, 10, 5); @whole = lquantize(0, 0, 10, 5); @whole = lquantize(4, 0, 10, 5);
	@whole = lquantize(5, 0, 10, 5); @whole = lquantize(9, 0, 10, 5); @whole = lquantize(10, 0, 10, 5);
	@rest = lquantize(8, 0, 10, 3); @rest = lquantize(9, 0, 10, 3);
	@below = lquantize(-100, -100, -90, 5); @below = lquantize(-96, -100, -90, 5); @below = lquantize(-90, -100, -90, 5);
	@wide = lquantize(0x100000001, 0, 2, 1); @wide = lquantize(-0x100000001, 0, 2, 1);
	@step = lquantize(1, 0, 3);
	@increment = lquantize(1, 0, 3, 1, 7);
	exit(0);
}
