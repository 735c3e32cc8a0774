# -x version hides what came later: an old script has those names for itself.
# @anykernel: nothing depends on the kernel
cat > old.d <<'D'
#pragma D option version=1.0
inline int htonl = 7;
int json[int];
BEGIN
{
	index = 3;
	json[index] = 4;
	printf("%d %d %d\n", index, json[3], htonl);
	exit(0);
}
D
"$dtrace" -qs old.d
"$dtrace" -x version=1.5 -qn 'BEGIN { printf("%s %d\n", strstr("abc", "b"), index("abc", "c")); exit(0); }'
for text in 'trace(strstr("a", "b"))' 'trace(ustackdepth)' '@ = stddev(1)'; do
	"$dtrace" -x version=1.0 -e -n "BEGIN { $text; }"
done
"$dtrace" -x version=1.6 -e -n 'BEGIN { @ = stddev(1); trace(ustackdepth); trace(curpsinfo->pr_psargs); }' && echo "1.6 has them"
# translators of libraries are ours and know everything
"$dtrace" -x version=1.0 -e -n 'syscall:::entry { trace(curpsinfo->pr_psargs); trace(fds[0].fi_pathname); }' && echo "libraries work"
