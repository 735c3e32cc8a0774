# A tracer whose processes have numbers of their own sees entries and returns.
. "$suite/lib.sh"
cat > once.c <<'C'
__attribute__((noinline)) int twice(int n) { __asm__ volatile(""); return n * 2; }
int main(void) { return twice(21) - 42; }
C
gcc -O1 -o once once.c
unshare --pid --fork --mount-proc "$dtrace" -qn 'pid$target:a.out:twice:entry { printf("%d\n", arg0); }
	pid$target:a.out:twice:return { printf("%d\n", arg1); }' -c ./once
