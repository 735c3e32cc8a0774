# Calls that -G made sites of are traced, their arguments where the calling
# convention has them; the question is answered while somebody listens.
. "$suite/lib.sh"
cat > p.d <<'D'
provider calls { probe start(int, char *); probe done(int, unsigned long, short);
	probe many(int, int, int, int, int, int, char *, int); probe idle(); };
D
cat > a.c <<'C'
#include <signal.h>
void __dtrace_calls___start(int, char *);
void __dtrace_calls___done(int, unsigned long, short);
void __dtrace_calls___many(int, int, int, int, int, int, char *, int);
void __dtrace_calls___idle(void);
int __dtraceenabled_calls___done(void);
__attribute__((noipa)) static int work(int x, char *s) { __dtrace_calls___start(x, s); return x; }
__attribute__((noinline)) void tail(int x) { __dtrace_calls___many(x, 2, 3, 4, 5, 6, "seven", 8); }
__attribute__((noinline)) void idle(void) { __dtrace_calls___idle(); }
int main(void)
{
	sigset_t set;
	int signal;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, 0);
	sigwait(&set, &signal);
	for (int i = 0; i < 2; i++) {
		work(i, "text");
		if (__dtraceenabled_calls___done())
			__dtrace_calls___done(i, 1UL << 40, -6);
		tail(i);
	}
	idle();
	return 0;
}
C
gcc -O2 -c a.c && "$dtrace" -G -s p.d a.o && gcc a.o p.o -o a || exit 1
./a &
target=$!
await_ready $target
"$dtrace" -qn 'calls$1:::start { printf("%s %d %s\n", probefunc, arg0, copyinstr(arg1)); }
	calls$1:::done { printf("done %d %d %d\n", arg0, arg1, (short)arg2); }
	calls$1:::many { printf("%s %d %d %d %s %d\n", probefunc, arg0, arg1, arg5, copyinstr(arg6), arg7); }
	calls$1:::idle { printf("idle\n"); exit(0); }
	tick-10ms /!armed++/ { printf("armed\n"); }' $target > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $target
wait $target
wait $tracer
grep -v '^armed$' out
