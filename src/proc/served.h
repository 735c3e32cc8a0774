/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Files that others serve.  A file of FUSE is served by a process, one of NFS
 * by another machine; open(2) and read(2) of it, even stat(2), wait for them,
 * and nothing but an answer ends the wait.  Processes choose what they map,
 * so before a tracer opens a file because a process has mapped it, it asks
 * here whether it should.
 *
 * 1. No question here touches the file: what is mounted is known by device
 *    number, from the kernel's table of mounts.
 * 2. FUSE is never read: whoever may run a program may serve one, and choose
 *    to answer the first request and not the second.
 * 3. Other file systems that are not local belong to the administrator.  A
 *    child reads from them first; one that does not answer in time is left
 *    alone from then on.
 *
 * What is mounted is the same for the whole process, so this has a state of
 * its own; one at a time (a session) says what to do and hears of refusals.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct served_hooks {
	/* wait for everybody (-x blockingreads)? */
	bool (*waits)(void *context);
	/* told once of each file system that is not read */
	void (*warn)(void *context, const char *message);
	void *context;
};
void served_set_hooks(const struct served_hooks *hooks);
/* Of that context, if they are still set. */
void served_drop_hooks(const void *context);

/*
 * May `file`, a path through /proc/PID, be opened?  `device` (major << 32 |
 * minor) is where /proc/PID/maps says that it is, `name` what to call it.
 */
bool served_may_open(pid_t pid, uint64_t device, const char *file,
		     const char *name);
/* What a process executes, without asking anybody; false: nothing. */
bool served_program(pid_t pid, uint64_t *device, uint64_t *inode);
