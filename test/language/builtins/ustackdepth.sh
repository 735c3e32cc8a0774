# ustackdepth is the number of frames that ustack() shows in the same record, in a
# system call and in a sample, also beyond what the kernel itself would walk.
. "$suite/lib.sh"
cat > descend.c <<'C'
#include <stdlib.h>
#include <unistd.h>
static volatile long sink;
#define LINK __attribute__((noinline, noclone, optimize("no-optimize-sibling-calls")))
LINK static void bottom(void) { getppid(); alarm(120); for (;;) sink++; }
LINK static void down(int n) { n ? down(n - 1) : bottom(); sink++; }
int main(int count, char **words) { down(atoi(words[count - 1])); return 0; }
C
gcc -O2 -fomit-frame-pointer -o descend descend.c || exit 1
for depth in 20 126 400; do
	"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { printf("call %d\n", ustackdepth); ustack(1023); called = 1; }
		profile-197 /pid == $target && arg1 && called/ { printf("sample %d of %d\n", ustackdepth, pid); ustack(1023); exit(0); }' \
		-c "./descend $depth" > out
	kill $(sed -n 's/^sample .* of //p' out)	# it runs on
	awk -v n=$depth 'function tell() {
			if (what) print what, n, (frames == depth && depth > n ? "agrees" : depth " is not " frames)
			frames = 0
		}
		/^(call|sample)/ { tell(); what = $1; depth = $2 }
		/`/ { frames++ }
		END { tell() }' out
done
