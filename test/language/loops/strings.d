/* Strings in loops: by characters, by words, built up; memory that a turn takes is zeroed. */
BEGIN
{
	string s = "1729,x,-4,,abc";
	int number = 0, nwords = 1;

	for (int i = 0; s[i] != 0; i++) {
		if (s[i] == ',') {
			nwords++;
			continue;
		}
		if (s[i] >= '0' && s[i] <= '9')
			number = number * 10 + (s[i] - '0');
	}
	printf("%d in %d words\n", number, nwords);

	for (string w = strtok(s, ","); w != NULL; w = strtok(NULL, ","))
		printf("[%s]", w);
	printf("\n");

	string all;
	for (int i = 0; i < 4; i++)
		all = strjoin(all, lltostr(i * 11));
	printf("%s\n", all);

	for (int i = 4; i; i--)
		printf("%s|", substr("abcd", 0, i));
	for (int i = 0; i < 3; i++)
		printf("%s%s", i == 1 ? "-" : "", i == 1 ? "one" : strjoin("n", lltostr(i)));
	printf("\n");

	int *last;
	for (int i = 0; i < 3; i++) {
		int *p = (int *)alloca(8);

		printf("%d%d ", *p, last ? *last : -1);
		*p = i + 1;
		last = p;
	}
	printf("\n");
	exit(0);
}
