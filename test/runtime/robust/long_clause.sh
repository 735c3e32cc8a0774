# One clause with more statements than fit one program, at probes of the kernel and
# of users: it is one clause still.  It has one line, one timestamp and its
# this-> variables; its predicate and a fault end all of it; exit() does not.
. "$suite/lib.sh"
# $1 times the rest, with # for the number
repeat() {
	awk -v n="$1" -v text="$2" 'BEGIN { for (i = 0; i < n; i++) { line = text; gsub(/#/, i, line); print line } }'
}
n=400
[ "$again" = kernel ] && n=120	# verification takes minutes there
aggregate='@a#[pid, execname] = sum(#); x += # / (pid - tid + 1);'
{
	echo 'BEGIN { printf("first"); this->t = timestamp; this->s = "kept"; this->p.a[1] = 7; this->w = strtok("a b c", " ");'
	repeat $n "$aggregate this->sum += #;"
	echo 'this->w = strtok(NULL, " "); printf(", second %s %d %s %d", this->s, this->p.a[1], this->w, this->sum); exit(3);'
	repeat $n "$aggregate"
	echo 'printf(", third %d", this->t == timestamp); ended = 1; }'
	echo 'BEGIN { trace("exit() was before"); }'
	echo 'END { printf("%d", ended); }'
} > clause.d
echo 'struct pair { int a[2]; }; this struct pair p;' > declare.d
cat declare.d clause.d > one.d
"$dtrace" -s one.d > out 2>&1; echo "status $?"
sed -n '/first/s/sec\(.*\) [0-9]*, th/sec\1 SUM, th/; s/^ *[0-9]* *[0-9]* *//; /BEGIN/p; /END/p' out
awk -v n=$n '$2 == "dtrace" { sum += $3 } END { print sum == n * (n - 1) ? "all sums" : "sums are " sum }' out
# a fault in the middle, a predicate that is false, ERROR's statement number
{
	echo 'BEGIN /!x/ {'
	repeat $n "$aggregate"
	echo 'trace(*(int *)0); after = 1;'
	repeat $n "$aggregate"
	echo 'after = 2; }'
	echo 'BEGIN /x == -1/ {'
	repeat $n "$aggregate"
	echo 'after = 3; }'
	echo "ERROR { printf(\"fault %d in statement %d\n\", arg4, arg2 - 2 * $n); }"
	echo 'BEGIN { printf("after %d\n", after); exit(0); }'
} > fault.d
"$dtrace" -q -s fault.d 2> err | grep '^fault\|^after'
sed 's/ at BPF.*//' err
# at a user's probe firings overlap: each has values of its own
{
	cat declare.d
	echo 'pid$1:libc:syscall:entry { this->me = tid; this->s = execname; this->p.a[1] = tid;'
	repeat $n '@c#[probefunc, pid] = count();'
	echo 'this->bad = this->me != tid || this->s != execname || this->p.a[1] != tid;'
	repeat $n '@c#[probefunc, pid] = count();'
	echo '@bad = sum(this->bad); @all = count(); }'
	echo 'END { printa("%@d wrong of %@d\n", @bad, @all);'
	repeat $n 'trunc(@c#);'
	echo 'trunc(@bad); trunc(@all); }'
} > user.d
trace_trigger "-x aggsize=16m" "$(cat user.d)" calls getppid 50 4 | grep .
# as many arrays as there are statements
{
	echo 'BEGIN {'
	repeat 100 'a#[pid] = #;'
	repeat 100 'total += a#[pid];'
	echo 'printf("%d\n", total); exit(0); }'
} > arrays.d
"$dtrace" -q -s arrays.d
