/* llquantize: mirrored negatives, under- and overflow, fewer and more steps than the factor */
BEGIN {
	@small = llquantize(5, 10, 1, 2, 10); @small = llquantize(10, 10, 1, 2, 10);
	@signs = llquantize(-15, 10, 1, 2, 10); @signs = llquantize(3, 10, 1, 2, 10); @signs = llquantize(15, 10, 1, 2, 10);
	@lowest = llquantize(-1000, 10, 0, 2, 10); @lowest = llquantize(-999, 10, 0, 2, 10);
	@highest = llquantize(1000, 10, 0, 2, 10); @highest = llquantize(999, 10, 0, 2, 10);
	@few = llquantize(1, 10, 0, 1, 5); @few = llquantize(9, 10, 0, 1, 5); @few = llquantize(55, 10, 0, 1, 5);
	@many = llquantize(123, 10, 2, 3, 100); @many = llquantize(129, 10, 2, 3, 100); @many = llquantize(130, 10, 2, 3, 100);
	@two = llquantize(5, 2, 0, 3, 2, -4);
	exit(0);
}
