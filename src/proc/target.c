/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Targets: their identity, and how they ended.
 *
 * The end of a process shows on its pidfd, which refers to the process and not
 * to the number: a reused pid does no harm.  How it ended is known for children
 * only.
 */
#include "proc/target.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"

struct target {
	pid_t pid;
	pid_t thread; /* that is held */
	int fd;
	bool is_child, is_held, is_settled, is_gone;
	bool has_status;
	int status; /* as wait(2) gives it */
};

static struct target *open_target(pid_t pid, int *error)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (fd < 0) {
		/* threads have numbers, too, but are not processes */
		*error = errno == EINVAL || errno == ENOENT ? -ESRCH : -errno;
		return NULL;
	}
	struct target *target = must_alloc(sizeof(*target));

	*target = (struct target){ .pid = pid, .thread = pid, .fd = fd };
	return target;
}

struct target *target_create(const struct target_command *command, int *error)
{
	pid_t pid;

	*error = hold_create(command, &pid);
	if (*error)
		return NULL;
	struct target *target = open_target(pid, error);

	if (!target) {
		hold_kill(pid, pid);
		return NULL;
	}
	target->is_child = true;
	target->is_held = true;
	return target;
}

struct target *target_grab(pid_t pid, int *error)
{
	return open_target(pid, error);
}

void target_continue(struct target *target)
{
	if (target->is_held)
		hold_release(target->thread);
	target->is_held = false;
}

bool target_waits(const struct target *target)
{
	return target->is_held && !target->is_settled;
}

int target_settle(struct target *target, struct processes *processes,
		  enum target_moment moment)
{
	if (!target_waits(target))
		return 0;
	target->is_settled = true;
	return settle_at(processes, target->pid, moment);
}

int target_settle_java(struct target *target, struct processes *processes)
{
	if (!target->is_held || !target->is_settled ||
	    target->thread != target->pid)
		return -EBUSY;
	return hold_java(processes, target->pid, &target->thread);
}

void target_free(struct target *target)
{
	if (!target)
		return;
	if (target->is_held && !target->is_gone)
		hold_kill(target->pid, target->thread);
	close(target->fd);
	free(target);
}

pid_t target_pid(const struct target *target)
{
	return target->pid;
}

bool target_is_held(const struct target *target)
{
	return target->is_held;
}

int target_fd(const struct target *target)
{
	return target->fd;
}

bool target_is_gone(struct target *target)
{
	struct pollfd poll_fd = { .fd = target->fd, .events = POLLIN };

	if (target->is_gone)
		return true;
	if (poll(&poll_fd, 1, 0) <= 0)
		return false;
	target->is_gone = true;
	if (target->is_child)
		target->has_status = waitpid(target->pid, &target->status,
					     WNOHANG | __WALL) == target->pid;
	return true;
}

static void print_signal(int status, struct text *out)
{
	int number = WTERMSIG(status);
	const char *name = sigabbrev_np(number);

	if (name)
		text_printf(out, " terminated by SIG%s", name);
	else
		text_printf(out, " terminated by signal %d", number);
	if (WCOREDUMP(status))
		text_puts(out, " (core dumped)");
}

void target_print_end(const struct target *target, struct text *out)
{
	text_printf(out, "pid %d", (int)target->pid);
	if (target->has_status && WIFSIGNALED(target->status))
		print_signal(target->status, out);
	else if (target->has_status && WEXITSTATUS(target->status))
		text_printf(out, " exited with status %d",
			    WEXITSTATUS(target->status));
	else
		text_puts(out, " has exited");
}
