# @once: without /proc the sanitizers cannot work, and no kernel is asked
# A build machine may have neither /sys nor /proc, and types of its kernel mean
# nothing: dev_t is the program's.
cat > p.d <<'D'
provider p { probe a(dev_t, pid_t, struct task_struct *, bool); };
D
cat > a.c <<'C'
#include <stdbool.h>
#include <sys/types.h>
#include "p.h"
int main(void)
{
	dev_t device = (dev_t)1 << 40;
	pid_t pid = -1;

	P_A(device, pid, (void *)0, true);
	return P_A_ENABLED();
}
C
unshare -m sh -c 'mount -t tmpfs none /sys && mount -t tmpfs none /proc && "$1" -h -s p.d && "$1" -G -s p.d' sh "$dtrace" || exit 1
gcc -O0 a.c p.o -o a && ./a && readelf -n a | sed -n 's/@[^ ]*/@/g; s/^ *Arguments: //p'
