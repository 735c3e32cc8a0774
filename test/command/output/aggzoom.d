/* -x aggzoom: the tallest bar is 38 columns; with agghist, too */
/* @flags: -q -x agghist -x aggzoom */
BEGIN { @s["a"] = sum(5); @s["b"] = sum(10); @q = quantize(1, 10); @q = quantize(2, 5); @q = quantize(4); exit(0); }
