# A process with a root of its own: its files are found there.
. "$suite/lib.sh"
mkdir -p root/bin root/proc
gcc -static -o root/bin/inside -x c - <<'C'
#include <unistd.h>
__attribute__((noinline)) int beat(int n) { __asm__ volatile(""); return n + 1; }
int main(void) { write(1, "inside", 6); for (int i = 0; ; i = beat(i)) usleep(1000); }
C
chroot root /bin/inside > said &
target=$!
await said inside
"$dtrace" -qn 'pid$target:a.out:beat:entry { @ = count(); } pid$target:inside:beat:return /arg1 > 0/ { printf("%s %s\n", probemod, probefunc); exit(0); }' -p $target | head -1
kill $target
