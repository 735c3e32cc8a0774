/* SPDX-License-Identifier: Apache-2.0 */
#include "live/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NOBODY = 65534, MOST_FILES = 4096 };

/*
 * All that a server with open sockets does.  What is not here fails with EPERM:
 * there is no open, no socket, no fork, no exec, no ptrace, no bpf, no kill.
 */
static const int allowed[] = {
	/* descriptors that are there, and those that the monitor sends */
	SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write),
	SCMP_SYS(writev), SCMP_SYS(recvfrom), SCMP_SYS(recvmsg),
	SCMP_SYS(sendto), SCMP_SYS(sendmsg), SCMP_SYS(close), SCMP_SYS(fcntl),
	SCMP_SYS(lseek), SCMP_SYS(fstat), SCMP_SYS(accept), SCMP_SYS(accept4),
	SCMP_SYS(shutdown), SCMP_SYS(getsockopt), SCMP_SYS(setsockopt),
	SCMP_SYS(getsockname), SCMP_SYS(getpeername), SCMP_SYS(epoll_create1),
	SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait),
	SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(select), SCMP_SYS(pselect6),
	/* memory, without code: see below */
	SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
	/* clocks and numbers */
	SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep),
	SCMP_SYS(nanosleep), SCMP_SYS(gettimeofday), SCMP_SYS(time),
	SCMP_SYS(getrandom), SCMP_SYS(getpid), SCMP_SYS(gettid),
	SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid),
	SCMP_SYS(getegid), SCMP_SYS(getrusage), SCMP_SYS(sched_yield),
	SCMP_SYS(futex), SCMP_SYS(restart_syscall),
	/* the end */
	SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigaction), SCMP_SYS(sigaltstack), SCMP_SYS(exit),
	SCMP_SYS(exit_group),
};

static bool fail(const char **step, const char *what)
{
	*step = what;
	return false;
}

/* ------------------------------------------------------------ system calls */

static bool limit_calls(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int err = filter ? 0 : -ENOMEM;

	for (unsigned i = 0; !err && i < sizeof(allowed) / sizeof(*allowed);
	     i++)
		err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
	/* memory that can be executed is not to be had */
	if (!err)
		err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap),
				       1,
				       SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC,
					       0));
	if (!err)
		err = seccomp_rule_add(filter, SCMP_ACT_ALLOW,
				       SCMP_SYS(mprotect), 1,
				       SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC,
					       0));
	/* abort() may end this process, and nobody may end another one */
	if (!err)
		err = seccomp_rule_add(filter, SCMP_ACT_ALLOW,
				       SCMP_SYS(tgkill), 1,
				       SCMP_A0(SCMP_CMP_EQ,
					       (scmp_datum_t)getpid(), 0));
	if (!err)
		err = seccomp_load(filter);
	if (filter)
		seccomp_release(filter);
	errno = -err;
	return !err;
}

static bool limit_resources(void)
{
	static const struct {
		int resource;
		rlim_t most;
	} limits[] = {
		{ RLIMIT_FSIZE, RLIM_INFINITY }, /* --record */
		{ RLIMIT_CORE, 0 },
		{ RLIMIT_NPROC, 0 },
		{ RLIMIT_NOFILE, MOST_FILES },
		{ RLIMIT_MEMLOCK, 0 },
	};

	for (unsigned i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		struct rlimit limit;

		if (getrlimit((unsigned)limits[i].resource, &limit))
			return false;
		if (limit.rlim_max > limits[i].most || !geteuid())
			limit.rlim_max = limits[i].most;
		limit.rlim_cur = limit.rlim_max;
		if (setrlimit((unsigned)limits[i].resource, &limit))
			return false;
	}
	return true;
}

bool confine_calls(const char **step)
{
	if (prctl(PR_SET_DUMPABLE, 0))
		return fail(step, "forbid core files and ptrace");
	/* changing the user has cleared it */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		return fail(step, "die with the monitor");
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return fail(step, "refuse new privileges");
	if (!limit_calls())
		return fail(step, "restrict system calls");
	return true;
}

/* --------------------------------------------------------------------- root */

/* An empty directory that has no name any more: nothing can be made in it. */
static bool leave_files(void)
{
	char name[] = "/tmp/dtlive.XXXXXX";
	int tmp = open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (tmp < 0 || !mkdtemp(name))
		return false;
	bool is_left = !chmod(name, 0) && !chroot(name) && !chdir("/");
	int err = errno;

	unlinkat(tmp, name + sizeof("/tmp"), AT_REMOVEDIR);
	close(tmp);
	errno = err;
	return is_left;
}

static bool drop_capabilities(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct none[2] = { 0 };

	return !syscall(SYS_capset, &header, none);
}

static bool drop_bounds(void)
{
	for (unsigned long i = 0; prctl(PR_CAPBSET_READ, i) >= 0; i++)
		if (prctl(PR_CAPBSET_DROP, i))
			return false;
	return !prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) ||
	       errno == EINVAL;
}

static bool change_user(uid_t uid, gid_t gid)
{
	return !setgroups(0, NULL) && !setresgid(gid, gid, gid) &&
	       !setresuid(uid, uid, uid);
}

bool confine(const char **step)
{
	if (!limit_resources())
		return fail(step, "limit resources");
	if (!geteuid()) {
		/* while there is a file with the names of users */
		const struct passwd *nobody = getpwnam("nobody");
		uid_t uid = nobody ? nobody->pw_uid : NOBODY;
		gid_t gid = nobody ? nobody->pw_gid : NOBODY;

		if (!drop_bounds())
			return fail(step, "drop the bounding set");
		if (!leave_files())
			return fail(step, "change the root directory");
		if (!change_user(uid, gid))
			return fail(step, "become nobody");
	}
	if (!drop_capabilities())
		return fail(step, "drop capabilities");
	return confine_calls(step);
}
