/* negative values are left of zero */
BEGIN { @ = quantize(-1); @ = quantize(-5); @ = quantize(7); exit(0); }
