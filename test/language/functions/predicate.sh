# Functions in predicates, with loops and with faults.
"$dtrace" -qn '
	int zero;
	int f(int n) { for (int i = 0; i < n; i++) { if (i == 3) return i; } return 1 / zero; }
	BEGIN { }
	BEGIN /f(10)/ { trace("true"); }
	BEGIN /f(10) == 4/ { trace("false"); }
	BEGIN /f(2)/ { trace("fault"); }
	BEGIN { exit(0); }' 2>&1 | sed 's/ at BPF pc .*//'
