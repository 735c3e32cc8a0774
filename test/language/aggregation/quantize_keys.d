/* a histogram per key */
BEGIN { @["x"] = quantize(1); @["y"] = quantize(2); @["y"] = quantize(2); exit(0); }
