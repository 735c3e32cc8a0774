# ERROR's clauses have turns of their own, so that their loops work after a fault that says that none are left.
run() { "$dtrace" -q "$@" 2>&1 | sed 's/ at BPF pc [0-9]*//'; }
echo "-- after the limit of turns"
run -x looplimit=100 -n 'int n, m;
	int add(int to) { for (int i = 0; i < to; i++) m++; return m; }
	BEGIN { for (;;) n++; }
	BEGIN { for (int i = 0; i < 20; i++) n++; }
	BEGIN { x = *(int *)0x77; }
	BEGIN { printf("%d turns\n", n); add(1); add(2); add(3); add(4); add(5); }
	BEGIN { exit(0); }
	ERROR { for (int i = 0; i < 3; i++) printf("%d ", i); printf("fault %d\n", arg4); }
	ERROR { printf("%d\n", add(20)); }'
echo "-- they have a limit, too; the others have theirs again"
run -x looplimit=100 -n 'int n, m;
	BEGIN { for (int i = 0; i < 60; i++) n++; }
	BEGIN { x = *(int *)0x77; }
	BEGIN { for (int i = 0; i < 38; i++) n++; printf("%d turns\n", n); }
	BEGIN { printf("%d turns in ERROR\n", m); exit(0); }
	ERROR { for (;;) m++; }'
echo "-- after a deadline"
cat > late.d <<'D'
#pragma D option quiet
#pragma D option looplimit=8388608
int64_t turns, own, later;
int faults;
syscall::getppid:entry /pid == $target && !turns/ { for (;;) turns++; }
syscall::getppid:entry /pid == $target && !later/ { later = 1; x = *(int *)0x77; }
ERROR { for (int i = 0; i < 40; i++) own++; faults++; }
ERROR /faults == 2/ { for (;;) own++; }
END { printf("%d faults, %s in ERROR\n", faults,
    own <= 80 ? "too few turns" : own < 4000000 ? "a part of the turns" : "all turns"); }
D
run -s late.d -c 'python3 -c "import os; os.getppid()"' 2>&1 | sed 's/([0-9]* ms)/(N ms)/; s/probe ID [0-9]*/probe ID N/' > late
# counts of errors are told when they are looked at, which may be before END
grep -v 'ERROR probe enabling\|^$' late
grep 'ERROR probe enabling' late
