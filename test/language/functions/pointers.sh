# a pointer parameter leads where the caller's pointer leads: the kernel, a process, scratch memory
. "$suite/lib.sh"
"$dtrace" -q -c "/bin/cat /nowhere/file" -s /proc/self/fd/0 <<'D' 2> /dev/null
string text(char *p) { return stringof(p); }
int first(char *p) { return p[0]; }
int parent(struct task_struct *t) { return t->real_parent->tgid; }
void fill(int *p, int n) { p[0] = n; p[1] = n + 1; }
int both(int *p) { return p[0] + p[1]; }
BEGIN
{
	printf("%d %d\n", text(curthread->comm) == execname, parent(curthread) == ppid);
	this->p = (int *)alloca(8);
	fill(this->p, 20);
	printf("%d\n", both(this->p));
	printf("%s %c\n", text("literal"), first("literal"));
}
syscall::openat:entry
/pid == $target && text((userland char *)arg1) == "/nowhere/file"/
{
	printf("%s %c\n", text((userland char *)arg1), first((userland char *)arg1));
	exit(0);
}
D
