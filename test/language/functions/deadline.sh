# A loop that calls a function with a loop ends in time, too: it does a small part
# of the turns that looplimit allows, which would take some hundred milliseconds.
# Either of the two loops may be the one that notices.
cat > loops.d <<'D'
#pragma D option quiet
#pragma D option looplimit=8388608
int64_t turns, g;
int64_t
work(int64_t n)
{
	for (int i = 0; i < 900; i++) {
		turns++;
		g = g * 3 + n; g = g * 5 - n; g = g * 7 + n; g = g * 9 - n; g = g * 11 + (g >> 3) % 7;
		g = g * 3 + n; g = g * 5 - n; g = g * 7 + n; g = g * 9 - n; g = g * 11 + (g >> 3) % 7;
	}
	return g;
}
syscall::getppid:entry
/pid == $target && !turns/
{
	for (;;) {
		work(1); work(2); work(3); work(4); work(5); work(6); work(7);
	}
}
END { printf("%s\n", turns > 0 && turns < 4000000 ? "ended in time" : "did all its turns"); }
D
"$dtrace" -s loops.d -c 'python3 -c "import os; os.getppid()"' 2>&1 | sed 's/ at BPF pc [0-9]*//; s/ in function work() at line 7//; s/([0-9]* ms)/(N ms)/; s/probe ID [0-9]*/probe ID N/'
"$dtrace" -Ss loops.d -c true 2>&1 | grep -c invoke
