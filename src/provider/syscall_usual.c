/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What programs call instead of system calls of other systems, and of those of
 * Linux that the C library no longer makes.
 *
 * glibc's open() has been openat() since 2.26, its stat() newfstatat() since
 * 2.33; a script that traces open sees nothing, which is worse than an error.
 * A call is in the list if no function of today's C library makes it; old,
 * static and other programs still may.
 */
#include <string.h>

#include "provider/provider.h"

#define PATH_IN_ARG1 "; its path is arg1"
#define FORK "clone*", "clone (fork), vfork and clone3 (posix_spawn, threads)"
#define STAT "newfstatat", "newfstatat" PATH_IN_ARG1
#define OPEN "openat", "openat" PATH_IN_ARG1
#define TIMES "utimensat", "utimensat" PATH_IN_ARG1
#define FUTEX "futex", "futex"
#define CLOCK \
	NULL, "nothing: the C library reads clocks without the kernel (vDSO)"
#define LIMIT "prlimit64", "prlimit64; the resource is arg1"

static const struct usual {
	const char *name;    /* a glob */
	const char *instead; /* a glob: a user who traces one of these knows */
	const char *call;
} usual[] = {
	/* of Linux */
	{ "open", OPEN },
	{ "stat", STAT },
	{ "lstat", STAT },
	{ "fork", FORK },
	{ "pipe", "pipe2", "pipe2" },
	{ "select", "pselect6", "pselect6" },
	{ "nanosleep", "clock_nanosleep", "clock_nanosleep; the time is arg2" },
	{ "semop", "semtimedop", "semtimedop" },
	{ "getdents", "getdents64", "getdents64" },
	{ "getrlimit", LIMIT },
	{ "setrlimit", LIMIT },
	{ "utime", TIMES },
	{ "utimes", TIMES },
	{ "futimesat", TIMES },
	{ "mknod", "mknodat", "mknodat" PATH_IN_ARG1 },
	{ "signalfd", "signalfd4", "signalfd4" },
	{ "eventfd", "eventfd2", "eventfd2" },
	{ "adjtimex", "clock_adjtime",
	  "clock_adjtime; struct timex * is arg1" },
	{ "time", CLOCK },
	{ "gettimeofday", CLOCK },
	/* of others, some of which 32-bit programs have */
	{ "exec", "execve", "execve" },
	{ "exece", "execve", "execve" },
	{ "fork1", FORK },
	{ "forkall", FORK },
	{ "forksys", FORK },
	{ "rexit", "exit_group", "exit_group, and exit in a thread" },
	{ "wait", "wait4", "wait4" },
	{ "waitpid", "wait4", "wait4" },
	{ "waitsys", "waitid", "waitid" },
	{ "open64", OPEN },
	{ "openat64", "openat", "openat" },
	{ "open_nocancel", OPEN },
	{ "creat64", "creat", "creat" },
	{ "stat64", STAT },
	{ "lstat64", STAT },
	{ "xstat", STAT },
	{ "lxstat", STAT },
	{ "fstatat", "newfstatat", "newfstatat" },
	{ "fstatat64", "newfstatat", "newfstatat" },
	{ "fstat64", "*fstat*", "newfstatat or fstat" },
	{ "fxstat", "*fstat*", "newfstatat or fstat" },
	{ "xmknod", "mknodat", "mknodat" PATH_IN_ARG1 },
	{ "pread", "pread64", "pread64" },
	{ "pwrite", "pwrite64", "pwrite64" },
	{ "read_nocancel", "read", "read" },
	{ "write_nocancel", "write", "write" },
	{ "llseek", "lseek", "lseek" },
	{ "mmap64", "mmap", "mmap" },
	{ "getdirentries*", "getdents64", "getdents64" },
	{ "statvfs*", "statfs", "statfs" },
	{ "fstatvfs*", "fstatfs", "fstatfs" },
	{ "fdsync", "f*sync", "fsync and fdatasync" },
	{ "pollsys", "p*poll", "poll and ppoll" },
	{ "so_socket", "socket", "socket" },
	{ "so_socketpair", "socketpair", "socketpair" },
	{ "send", "sendto", "sendto" },
	{ "recv", "recvfrom", "recvfrom" },
	{ "lwp_create", "clone*", "clone3, or clone" },
	{ "lwp_exit", "exit", "exit" },
	{ "lwp_self", "gettid", "gettid" },
	{ "lwp_kill", "tgkill", "tgkill; the signal is arg2" },
	{ "lwp_sigmask", "rt_sigprocmask", "rt_sigprocmask" },
	{ "lwp_*", FUTEX },
	{ "sigaction", "rt_sigaction", "rt_sigaction" },
	{ "sigprocmask", "rt_sigprocmask", "rt_sigprocmask" },
	{ "sigpending", "rt_sigpending", "rt_sigpending" },
	{ "sigsuspend", "rt_sigsuspend", "rt_sigsuspend" },
	{ "sigtimedwait", "rt_sigtimedwait", "rt_sigtimedwait" },
	{ "sigqueue", "rt_sigqueueinfo", "rt_sigqueueinfo" },
	{ "gtime", CLOCK },
	{ "stime", "clock_settime", "clock_settime" },
	{ "yield", "sched_yield", "sched_yield" },
	{ "memcntl", "m*", "madvise, mlock and msync" },
	{ "portfs", "epoll_*", "epoll_wait and epoll_ctl" },
	{ "kevent", "epoll_*", "epoll_wait and epoll_ctl" },
	{ "shmsys", "shm*", "shmget, shmat, shmdt and shmctl" },
	{ "semsys", "sem*", "semget, semtimedop and semctl" },
	{ "msgsys", "msg*", "msgget, msgsnd, msgrcv and msgctl" },
	{ "utssys", "uname", "uname" },
	{ "systeminfo", "uname", "uname" },
};

const char *syscall_usual(const char *name, const char **instead)
{
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		if (!glob_match(usual[i].name, name))
			continue;
		*instead = usual[i].instead;
		return usual[i].call;
	}
	return NULL;
}
