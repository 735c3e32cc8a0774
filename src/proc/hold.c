/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hold: a new process that is stopped before its first instruction.
 *
 * The child waits on a socket until this process has seized it with ptrace(2);
 * then it calls execve(2) and runs into a stop at the very end of that call.
 * There the program and its interpreter are mapped, $target has its final
 * value, and all probes on the return path of execve(2) have fired.  To release
 * it means to detach: no signal is sent, none is swallowed, and the hold leaves
 * no trace.
 *
 * 1. A child that is held dies with its holder, however that dies: before it is
 *    seized it notices on the socket, after that the kernel kills it.
 * 2. The child is what it would be if the shell had started it: same process
 *    group and terminal, so that ^C reaches it, too; same ignored signals,
 *    except SIGPIPE, which dtrace(8) ignores for itself.  The descriptors of
 *    this library are all closed on exec.
 * 3. Only the thread that created it can release it.
 */
#include "proc/target.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	OPTIONS = PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD |
		  PTRACE_O_EXITKILL,
	STOP_EXEC = SIGTRAP | PTRACE_EVENT_EXEC << 8,
	STOP_CALL = SIGTRAP | 0x80,
	EXIT_CANNOT_RUN = 127,
};

static void change_environment(const struct target_command *command)
{
	for (unsigned i = 0; i < command->nchanges; i++) {
		char *change = command->changes[i];

		if (strchr(change, '='))
			putenv(change);
		else
			unsetenv(change);
	}
}

static _Noreturn void run_child(const struct target_command *command,
				int holder)
{
	char word;

	if (read(holder, &word, 1) != 1)
		_exit(EXIT_CANNOT_RUN);
	signal(SIGPIPE, SIG_DFL);
	change_environment(command);
	execvp(command->file, command->argv);
	int error = -errno;

	send(holder, &error, sizeof(error), MSG_NOSIGNAL);
	_exit(EXIT_CANNOT_RUN);
}

/* 0: it is stopped at the end of execve(2); else it is gone. */
static int wait_for_image(pid_t pid)
{
	bool has_image = false;
	int status;

	for (;;) {
		if (waitpid(pid, &status, __WALL) < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		if (!WIFSTOPPED(status))
			return -ESRCH;
		int stop = status >> 8, number = 0;

		if (has_image && stop == STOP_CALL)
			return 0;
		if (stop == STOP_EXEC)
			has_image = true;
		else if (!(stop >> 8))
			number = stop; /* a pending signal */
		ptrace(has_image ? PTRACE_SYSCALL : PTRACE_CONT, pid, NULL,
		       (void *)(intptr_t)number);
	}
}

static int start(pid_t pid, int child)
{
	if (ptrace(PTRACE_SEIZE, pid, NULL, (void *)(intptr_t)OPTIONS)) {
		int error = -errno;

		shutdown(child, SHUT_RDWR);
		waitpid(pid, NULL, 0);
		return error;
	}
	if (send(child, "", 1, MSG_NOSIGNAL) != 1) {
		hold_kill(pid, pid);
		return -EIO;
	}
	int error = wait_for_image(pid), reason;

	if (error && recv(child, &reason, sizeof(reason), MSG_DONTWAIT) ==
			     (ssize_t)sizeof(reason))
		return reason;
	return error;
}

int hold_create(const struct target_command *command, pid_t *pid)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -errno;
	*pid = fork();
	if (*pid == 0) {
		close(ends[0]);
		run_child(command, ends[1]);
	}
	int error = *pid < 0 ? -errno : 0;

	close(ends[1]);
	if (!error)
		error = start(*pid, ends[0]);
	close(ends[0]);
	return error;
}

void hold_release(pid_t thread)
{
	ptrace(PTRACE_DETACH, thread, NULL, NULL);
}

static void await_end(pid_t pid)
{
	while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
		continue;
}

/* The process ends when the thread that we trace has been waited for. */
void hold_kill(pid_t pid, pid_t thread)
{
	kill(pid, SIGKILL);
	if (thread != pid)
		await_end(thread);
	await_end(pid);
}
