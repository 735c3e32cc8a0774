/* if and else choose statements */
BEGIN { x = 3;
	if (x == 3) { printf("three "); } else { printf("other "); }
	if (x > 5) printf("big\n"); else if (x > 2) printf("middle\n"); else printf("small\n");
	exit(0); }
