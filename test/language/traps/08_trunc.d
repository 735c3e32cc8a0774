/* Trap 8: trunc() keeps the largest; printing ascends; negative keeps the smallest. */
BEGIN { @a[1] = sum(30); @a[2] = sum(10); @a[3] = sum(20); @b[1] = sum(30); @b[2] = sum(10); @b[3] = sum(20); }
BEGIN { trunc(@a, 2); trunc(@b, -2); exit(0); }
