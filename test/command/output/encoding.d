/* -x encoding=utf8: blocks and eighths of blocks, rounded down */
/* @flags: -q -x encoding=utf8 */
BEGIN { @q = quantize(1, 7); @q = quantize(2, 5); @q = quantize(4); @n = quantize(1, -3); @n = quantize(4, 2); exit(0); }
