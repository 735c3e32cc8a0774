/* values sort signed; averages by quotient; histograms by weight, then by the zero bucket */
BEGIN {
	@sum["minus"] = sum(-1); @sum["zero"] = sum(0); @sum["plus"] = sum(1);
	@avg["9/4"] = avg(9); @avg["9/4"] = avg(0); @avg["9/4"] = avg(0); @avg["9/4"] = avg(0); @avg["5/2"] = avg(5); @avg["5/2"] = avg(0); @avg["1"] = avg(1);
	@dev["wide"] = stddev(-100); @dev["wide"] = stddev(100); @dev["narrow"] = stddev(1000);
	@q["two ones"] = quantize(1, 2); @q["a two"] = quantize(2); @q["minus"] = quantize(-4); @q["two zeros"] = quantize(0, 2); @q["zero"] = quantize(0);
	@l["over"] = lquantize(99, 0, 10, 10); @l["in"] = lquantize(0, 0, 10, 10); @l["under"] = lquantize(-9, 0, 10, 10);
	exit(0);
}
