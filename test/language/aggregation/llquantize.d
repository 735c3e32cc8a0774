/* log-linear buckets */
BEGIN { @ = llquantize(1, 10, 0, 2, 10); @ = llquantize(25, 10, 0, 2, 10); @ = llquantize(300, 10, 0, 2, 10); exit(0); }
