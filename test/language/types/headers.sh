# -C takes the headers of the C library and the kernel, and lays structs out as C does.
# @anykernel: nothing is traced
cat > sizes.h <<'H'
T(struct ethhdr) T(union bpf_attr) T(struct perf_event_attr) T(struct io_uring_sqe)
T(struct usb_endpoint_descriptor) T(struct v4l2_ext_control) T(struct batadv_bcast_packet)
T(struct epoll_event) T(siginfo_t) T(struct user) T(struct stat) T(struct sockaddr_in6)
T(struct timespec) T(struct sysinfo) T(struct in6_addr) T(struct termios) T(pthread_mutex_t)
O(struct epoll_event, data) O(struct io_uring_sqe, addr3) O(struct perf_event_attr, aux_watermark)
O(struct v4l2_ext_control, reserved2) O(struct v4l2_ext_control, string) O(struct kvm_run, mmio)
H
cat > includes.h <<'H'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <complex.h>
#include <time.h>
#include <signal.h>
#include <fcntl.h>
#include <regex.h>
#include <spawn.h>
#include <pthread.h>
#include <termios.h>
#include <netdb.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/epoll.h>
#include <sys/user.h>
#include <sys/sysinfo.h>
#include <netinet/in.h>
#include <linux/if_ether.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <linux/io_uring.h>
#include <linux/kvm.h>
#include <linux/swab.h>
#include <linux/usb/ch9.h>
#include <linux/videodev2.h>
#include <linux/batadv_packet.h>
H
cat > sizes.c <<'C'
#include <stddef.h>
#include "includes.h"
#define T(t) printf("%s %d\n", #t, (int)sizeof (t));
#define O(t, m) printf("%s.%s %d\n", #t, #m, (int)offsetof (t, m));
int main(void)
{
#include "sizes.h"
	return 0;
}
C
cat > sizes.d <<'D'
#include "includes.h"
#define T(t) printf("%s %d\n", #t, sizeof (t));
#define O(t, m) printf("%s.%s %d\n", #t, #m, offsetof (t, m));
#if defined linux || defined unix
#error words of C99
#endif
BEGIN
{
#include "sizes.h"
	exit(0);
}
D
gcc -std=gnu99 -w sizes.c -o sizes && ./sizes > wanted
$dtrace -qC -s sizes.d | sed '$d' > got
cmp wanted got && echo "$(wc -l < got) sizes and offsets as in C"

# each alone: one may hide what another lacks
for header in $(sed 's/.*<\(.*\)>/\1/' includes.h) linux/signal.h linux/in.h linux/netfilter/x_tables.h asm/siginfo.h \
    asm/ptrace.h link.h aio.h dirent.h unistd.h poll.h; do
	printf '#include <%s>\nBEGIN { exit(0); }\n' $header > one.d
	$dtrace -C -e -s one.d || echo "$header fails"
done

# errors name the script's lines as without -C, and included files by name
printf '#include <time.h>\n#define A 1\nBEGIN { x = A A; }\n' > line.d
$dtrace -C -e -s line.d 2>&1 | head -1
printf 'int a;\nint a b;\n' > bad.h
printf '#include "bad.h"\nBEGIN { }\n' > line.d
$dtrace -C -e -s line.d 2>&1 | head -1
# in a script of its own these remain mistakes
for text in 'struct s { };' 'int a[0];' 'static int x;'; do
	printf '%s\nBEGIN { }\n' "$text" > line.d
	$dtrace -e -s line.d 2>&1 | head -1
done
