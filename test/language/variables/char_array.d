/* fixed arrays at file scope */
int a[4];
BEGIN { a[0] = 1; a[3] = 4; i = 3; printf("%d %d %d\n", a[0], a[1], a[i]); exit(0); }
