/* -x aggpack: blocks unless the terminal is a simple one */
/* @flags: -q -x aggpack */
/* @env: TERM=xterm */
BEGIN { @q["a"] = quantize(8, 1); @q["a"] = quantize(16, 2); @q["a"] = quantize(32, 4); @q["a"] = quantize(64, 8); exit(0); }
