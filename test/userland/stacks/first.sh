# The first firing in a process that is named by its number knows as much of
# its stack as the next: its tables are there before the probe is.
. "$suite/lib.sh"
cat > chain.c <<'C'
#include <signal.h>
#include <unistd.h>
static volatile int sink;
#define LINK __attribute__((noinline, noclone)) static void
LINK inner(void) { sink = getppid(); sink++; }
LINK middle(void) { inner(); sink++; }
LINK outer(void) { middle(); sink++; }
int main(void)
{
	sigset_t set;
	int number;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigwait(&set, &number);
	for (int i = 0; i < 3; i++)
		outer();
	return 0;
}
C
gcc -O2 -fomit-frame-pointer -o chain chain.c || exit 1
./chain &
target=$!
await_ready $target
"$dtrace" -qn 'pid$1:a.out:inner:entry { printf("inner %d\n", ustackdepth); }
	pid$1:libc:getppid:entry { printf("getppid %d %d\n", ustackdepth, ucaller != 0); }
	pid$1:libc:exit:entry { exit(0); }
	tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' $target > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $target
wait $target
wait $tracer
grep -v -e armed -e '^$' out | sort | uniq -c | awk '{ print $1, $2, ($3 > 5) ? "whole" : $3 }'
