/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Targets: the processes that a run traces, and whose end ends it.
 *
 * One that was created here is held before the first instruction of its program
 * until target_continue(); a held process never outlives its holder.  From then
 * on it is independent: it is not stopped, not traced by ptrace(2), and
 * survives this process.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

struct target;

struct target_command {
	const char *file; /* searched in PATH if it has no slash */
	char *const *argv;
	/* of its environment: "NAME=VALUE", or "NAME" to remove it */
	char *const *changes;
	unsigned nchanges;
};

/* A new process, held.  NULL: *error is a negative errno. */
struct target *target_create(const struct target_command *command, int *error);
/* A process that exists already; it does not notice. */
struct target *target_grab(pid_t pid, int *error);
/* Let it run, if it was held. */
void target_continue(struct target *target);
/* Forget it; one that is still held is killed. */
void target_free(struct target *target);

/*
 * Let a process that is held here run to a point of its startup, and hold it
 * there: after execve(2), with all libraries mapped, with those initialized, in
 * main().  This is done once; 0 or a negative errno.  Nothing else resumes a
 * held process.
 */
enum target_moment {
	MOMENT_EXEC, MOMENT_PREINIT, MOMENT_POSTINIT, MOMENT_MAIN,
};
struct processes;
int target_settle(struct target *target, struct processes *processes,
		  enum target_moment moment);
/*
 * The same for one that becomes a Java virtual machine, after that: until it has
 * started, and nothing of its program has.  Only one of its threads is held then.
 */
int target_settle_java(struct target *target, struct processes *processes);
/* It is held, and that has not been done. */
bool target_waits(const struct target *target);

pid_t target_pid(const struct target *target);
bool target_is_held(const struct target *target);
/* Readable when the process is gone. */
int target_fd(const struct target *target);
/* Is it gone?  Saves how it ended. */
bool target_is_gone(struct target *target);
/* "pid 12 exited with status 3". */
void target_print_end(const struct target *target, struct text *out);

/* ---------------------------------------------------------- inside proc/ */

/* settle.c: 0 or a negative errno. */
int settle_at(struct processes *processes, pid_t pid,
	      enum target_moment moment);
/* hold.c: 0 or a negative errno. */
int hold_create(const struct target_command *command, pid_t *pid);
void hold_release(pid_t thread);
void hold_kill(pid_t pid, pid_t thread);
/* java_hold.c: 0 or a negative errno; *held is the thread that is held. */
int hold_java(struct processes *processes, pid_t pid, pid_t *held);
struct elf_file;
/* settle.c: address, as linked, of a function; 0: none. */
uint64_t settle_symbol(struct elf_file *file, const char *name);
