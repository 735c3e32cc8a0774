# Samples of a thread that stands on a probed instruction, runs its copy in the
# kernel's slot, or returns through the kernel's trampoline show where it is in
# the program: no sample has an address of the kernel's machinery.
. "$suite/lib.sh"
samples=400
[ -n "$again" ] && samples=200
cat > hot.c <<'C'
static volatile long sink;
static long (*volatile indirect)(long);
#define LINK __attribute__((noinline, noclone))
LINK long leaf(long n) { return n * 3 + sink; }
LINK long hot(long n) { for (long i = 0; i < 100; i++) { n += i ^ sink; n = indirect(n); sink = n; } return n; }
LINK void outer(void) { sink = hot(1); sink++; }
int main(void) { indirect = leaf; for (;;) outer(); }
C
gcc -O2 -fomit-frame-pointer -no-pie -o hot hot.c || exit 1
./hot &
target=$!
await_exec $target ./hot
trace() {
	"$dtrace" -qn "$1 profile-499 /pid == \$target/ { @[ustack()] = count(); n++; }
		tick-10ms /n >= \$1/ { exit(0); }" -p $target $samples > out
	awk -v least=$samples '/^ +[0-9]+$/ { all += $1; if (stack ~ /\n *hot`(leaf|hot|outer|main)[^\n]*(\n *hot`[^\n]*)*\n *libc/) whole += $1; stack = ""; next }
		/`|0x|\[/ { stack = stack "\n" $0 }
		/`/ && !/hot`(leaf|hot|outer|main|_start)|libc.so.6`/ { print "where is " $0 }
		/^ *0x/ { print "what is " $0 }
		END { print (all >= least && whole >= all * 0.95 ? "whole" : whole " of " all " whole") }' out
}
echo "every instruction"
trace 'pid$target:a.out:hot:, pid$target:a.out:leaf: { }'
echo "the address that it returns to is replaced"
python3 "$test/probe.py" hot leaf return > placed &
prober=$!
await placed placed
trace
kill $target $prober
wait $target $prober 2>/dev/null
exit 0
