/* SPDX-License-Identifier: Apache-2.0 */
/* Confines itself as dtlive's server does, then tries what it should not be able to do. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "live/confine.h"

static void show(const char *what, long result)
{
	printf("%s: %s\n", what, result < 0 ? strerrorname_np(errno) : "done");
}

int main(void)
{
	static char page[4096] __attribute__((aligned(4096)));
	const char *step = "";
	char *const none[] = { NULL };
	int pair[2];

	setvbuf(stdout, NULL, _IOLBF, 4096);
	printf("confined\n");
	if (!confine(&step)) {
		printf("cannot %s: %s\n", step, strerror(errno));
		return 1;
	}
	show("open", open("/etc/passwd", O_RDONLY));
	show("openat", syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY));
	show("openat2", syscall(SYS_openat2, AT_FDCWD, "/", NULL, 0));
	show("creat", syscall(SYS_creat, "/x", 0600));
	show("mkdir", syscall(SYS_mkdir, "/x", 0700));
	show("unlink", unlink("/x"));
	show("execve", execve("/bin/sh", none, none));
	show("fork", syscall(SYS_fork));
	show("clone", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
	show("ptrace", ptrace(PTRACE_ATTACH, 1, 0, 0));
	show("process_vm_readv", syscall(SYS_process_vm_readv, 1, 0, 0, 0, 0, 0));
	show("socket", socket(AF_INET, SOCK_STREAM, 0));
	show("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	show("connect", syscall(SYS_connect, 0, 0, 0));
	show("bind", syscall(SYS_bind, 0, 0, 0));
	show("listen", syscall(SYS_listen, 0, 0));
	show("bpf", syscall(SYS_bpf, 0, 0, 0));
	show("perf_event_open", syscall(SYS_perf_event_open, 0, 0, -1, -1, 0));
	show("kill", kill(1, 0));
	show("kill itself", kill(getpid(), 0));
	show("tgkill", syscall(SYS_tgkill, 1, 1, 0));
	show("setuid", syscall(SYS_setuid, 0));
	show("capset", syscall(SYS_capset, 0, 0));
	show("chroot", chroot("/"));
	show("mount", syscall(SYS_mount, 0, 0, 0, 0, 0));
	show("unshare", syscall(SYS_unshare, 0x10000000));
	show("setns", syscall(SYS_setns, 0, 0));
	show("prctl", prctl(PR_SET_DUMPABLE, 1));
	show("prlimit", syscall(SYS_prlimit64, 0, 0, 0, 0));
	show("io_uring_setup", syscall(SYS_io_uring_setup, 1, 0));
	show("userfaultfd", syscall(SYS_userfaultfd, 0));
	show("memfd_create", syscall(SYS_memfd_create, "x", 0));
	show("executable mmap", (long)mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == -1 ? -1 : 0);
	show("executable mprotect", mprotect(page, sizeof(page), PROT_READ | PROT_EXEC));
	show("plain mmap", mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
	show("read", read(0, page, 1));
	return 0;
}
