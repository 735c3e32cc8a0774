/* Trap 1: bars are parts of the printed rows' total in 40 columns, rounded half up. */
BEGIN { @q = quantize(1); @q = quantize(1); @q = quantize(1); @q = quantize(100); }
BEGIN { @l["key"] = lquantize(5, 0, 10, 5); @l["key"] = lquantize(-1, 0, 10, 5); @l["key"] = lquantize(50, 0, 10, 5); }
BEGIN { exit(0); }
