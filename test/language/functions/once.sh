# A function that is called often is compiled once for its program; faults in it
# are those of the clause and the statement that called it.
cat > once.d <<'D'
#pragma D option quiet
int zero;
int64_t n;
int64_t
work(int64_t x)
{
	int64_t sum = 0;

	for (int i = 0; i < x; i++) {
		if (i % 3 == 0)
			continue;
		sum += i * x - (i >> 1) + (x ^ i) % 7;
		if (sum > 1000000)
			return -1;
	}
	n++;
	if (x == 40)
		sum /= zero;
	return sum + (x << 2) - (sum & 15) + (sum > 100 ? x : -x);
}
string
shorten(string path)
{
	int cut = 0;

	for (int i = 0; i < strlen(path); i++)
		if (path[i] == '/')
			cut = i + 1;
	if (cut == 0)
		return "none";
	return strjoin(strjoin("<", substr(path, cut)), ">");
}
ERROR { printf("statement %d: error %d\n", arg2, arg4); }
D
for i in 1 2 3 4 5 6 7 8 9 10; do
	echo "BEGIN { printf(\"%d %d %s\\n\", work($i), work(work($i) % 50), strjoin(shorten(\"/a/b$i\"), shorten(\"c$i\"))); }"
done >> once.d
cat >> once.d <<'D'
BEGIN { trace("one statement"); x = work(40); trace("not printed"); }
BEGIN { x = work(40); }
BEGIN { for (int k = 38; k < 42; k++) printf("%d in a loop\n", work(k)); }
END { printf("%d calls\n", n); }
BEGIN { exit(0); }
D
"$dtrace" -s once.d 2>&1 | sed 's/ at BPF pc .*//'
# 20 calls; a long list of clauses may be several programs
[ "$("$dtrace" -Ss once.d 2>&1 | grep -c '^work:')" -lt 5 ] && echo "not expanded"
