/* Trap 11: assigning 0 frees an element; reading makes none: no drops in a small table. */
#pragma D option dynvarsize=4k
int n;
int b[int, int];
tick-1ms { a[n] = 1; }
tick-1ms { a[n] = 0; }
tick-1ms { sum_of_reads += b[n, 0] + a[n - 1]; }
tick-1ms { if (n == -1) { b[1, 1] = 1; } }
tick-1ms /++n == 500/ { printf("%d\n", sum_of_reads); exit(0); }
