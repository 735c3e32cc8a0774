/* no C integer promotion: char + char is a char */
char a; char b;
BEGIN { a = 100; b = 100; printf("%d %d\n", a + b, sizeof (a + b)); exit(0); }
