# a fault in a function ends the clause that called it, and its message names the function and the line
. "$suite/lib.sh"
cat > faults.d <<'D'
int follow(int *p)
{
	int x = 1;
	return x +
	    *p;
}
int indirect(int *p) { return follow(p); }
int divided(int x) { return 10 / x; }
BEGIN { printf("before\n"); trace(indirect((int *)8)); printf("never\n"); }
BEGIN { zero = 0; }
BEGIN { divided(zero); printf("never\n"); }
BEGIN { printf("%d\n", divided(5)); exit(0); }
ERROR { printf("ERROR %d %d\n", arg2, arg4); }
D
"$dtrace" -q -s faults.d 2>&1 | sed 's/ at BPF pc [0-9]*//'
# a library that comes with dtrace is not where the user looks: the line is that of the caller's statement
cat > library.d <<'D'
int session(struct task_struct *t)
{
	return
	    xlate <psinfo_t *> (t)->pr_sid;
}
BEGIN { trace(session(0)); }
BEGIN { trace(xlate <psinfo_t *> ((struct task_struct *)0)->pr_sid); }
BEGIN { exit(0); }
D
"$dtrace" -q -s library.d 2>&1 | sed 's, at BPF pc [0-9]*,,; s,(0x[0-9a-f]*),(ADDRESS),'
