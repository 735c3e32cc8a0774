/* signed and unsigned comparison */
BEGIN { i = -1; u = (unsigned int)1; l = (int64_t)-1;
	printf("%d %d %d %d %d %d\n", i < 0, i <= -1, i > 0, i >= -1, i == -1, i != -1);
	printf("%d %d\n", i < u, l < u);
	exit(0); }
