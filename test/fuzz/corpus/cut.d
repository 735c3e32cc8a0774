inline int LIMIT = 3;
translator psinfo_t < int N > { pr_pid = N; };
int half(int n) { return n / 2; }
BEGIN
{
	int local = 5;
	string word = "w";
	this->a = local;
	for (int i = 0; i < LIMIT; i++) { printf("%d", i); local += half(i); }
	if (local > 5) { trace(word); } else { trace("no"); }
	self->x[local] = this->a;
	@m["k", local] = max(this->a);
	exit(local);
	printf("%s %d", word, self->x[local]);
	tracemem(curthread, 4);
	stack(3);
	ustack(2);
}
BEGIN { trace(this->a); clear(@m); printa(@m); }
BEGIN { self->x[7] = 0; trace(timestamp); }
