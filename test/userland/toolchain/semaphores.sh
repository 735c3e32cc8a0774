# Objects whose header declares its semaphores and leaves them to -G, as
# SystemTap's headers do: the object of -G has them, and they count.
. "$suite/lib.sh"
echo 'provider other { probe step(int); };' > p.d
cat > a.c <<'C'
#include <signal.h>
#include <stdio.h>
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
extern unsigned short other_step_semaphore __attribute__((unused, section(".probes")));
int main(void)
{
	sigset_t set;
	int signal;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, 0);
	sigwait(&set, &signal);
	printf("%s\n", other_step_semaphore ? "somebody listens" : "nobody listens");
	DTRACE_PROBE1(other, step, 42);
	return 0;
}
C
gcc -O2 -I"$(dirname "$triggers")/include" -c a.c
gcc a.o -o a 2> /dev/null || echo "does not link without"
"$dtrace" -G -s p.d a.o && gcc a.o p.o -o a || exit 1
./a & target=$!
await_ready $target; kill -USR1 $target; wait $target
./a & target=$!
await_ready $target
"$dtrace" -qn 'other$1:::step { printf("step %d\n", arg0); exit(0); } tick-10ms /!armed++/ { printf("armed\n"); }' $target > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $target
wait $target
wait $tracer
grep -v '^armed$' out
