struct pair { int left; string right; };
string seen[int];
int64_t at[4];
BEGIN
{
	struct pair p;
	int a[3];
	char *text = copyinstr(0x10040);

	for (int i = 0; i < 3; i++) {
		string s = strjoin("x", lltostr(i));
		a[i] = strlen(s) + text[i];
		p.left += a[i];
		p.right = substr(s, i % 2);
		seen[i] = p.right;
		at[i] = *(int *)(0x10000 + 4 * i);
		this->block = alloca(16 + i);
		bcopy(curthread, this->block, 8);
	}
	while ((this->word = strtok(text, ",/")) != NULL)
		text = NULL;
	for (char *q = (char *)this->block, *end = q + 3; q != end; q++)
		trace(*q);
	for (int i = 0; i < 3; i++)
		seen[i] = 0;
}
