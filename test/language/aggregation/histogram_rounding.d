/* bars are rounded half up and scaled to the total of the rows shown */
BEGIN {
	@a = lquantize(0, 0, 4, 1, 1); @a = lquantize(1, 0, 4, 1, 79);
	@b = lquantize(0, 0, 4, 1, 1); @b = lquantize(1, 0, 4, 1, 80);
	@c = lquantize(0, 0, 4, 1, 3); @c = lquantize(1, 0, 4, 1, 3); @c = lquantize(2, 0, 4, 1, 2);
	exit(0);
}
