/* linear buckets with under- and overflow */
BEGIN { @ = lquantize(-1, 0, 30, 10); @ = lquantize(15, 0, 30, 10); @ = lquantize(99, 0, 30, 10); exit(0); }
