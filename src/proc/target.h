/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Targets: the processes that a run is about, and that it ends with.
 *
 * One that was made here is held, before the first instruction of its
 * program, until target_continue(); a held process never outlives its holder.
 * From then on it belongs to nobody: it is not stopped, not traced by
 * ptrace(2), and lives on whatever becomes of this process.
 */

#include <stdbool.h>
#include <sys/types.h>

#include "base/text.h"

struct target;

struct target_command {
	const char *file;	/* looked for in PATH if it has no slash */
	char *const *argv;
	/* of its environment: "NAME=VALUE", or "NAME" to remove it */
	char *const *changes;
	unsigned nchanges;
};

/* A new process, held.  NULL: *error is a negative errno. */
struct target *target_create(const struct target_command *command,
			     int *error);
/* A process that is there already; it does not notice. */
struct target *target_grab(pid_t pid, int *error);
/* Let it run, if it was held. */
void target_continue(struct target *target);
/* Forget it; one that is still held is killed. */
void target_free(struct target *target);

/*
 * Let a process that is held here run to a moment of its start, and hold it
 * there: after execve(2), with all libraries mapped, with those initialized,
 * in main().  0 or a negative errno; settle.c.
 */
enum target_moment {
	MOMENT_EXEC, MOMENT_PREINIT, MOMENT_POSTINIT, MOMENT_MAIN,
};
int target_settle(pid_t pid, enum target_moment moment);
/* Does this process hold it? */
bool target_is_ours(pid_t pid);

pid_t target_pid(const struct target *target);
bool target_is_held(const struct target *target);
/* Readable when the process is gone. */
int target_fd(const struct target *target);
/* Is it gone?  Remembers how it ended. */
bool target_is_gone(struct target *target);
/* "pid 12 exited with status 3". */
void target_print_end(const struct target *target, struct text *out);

/* ---------------------------------------------------------- inside proc/ */

/* hold.c: 0 or a negative errno. */
int hold_create(const struct target_command *command, pid_t *pid);
void hold_release(pid_t pid);
void hold_kill(pid_t pid);
