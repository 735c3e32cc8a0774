/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Files that others serve.  A file on FUSE is served by a process, one on NFS
 * by another machine; open(2), read(2) and even stat(2) wait for them, and only
 * an answer ends the wait.  Processes choose what they map, so before a tracer
 * opens a file that a process has mapped, it checks here whether it should.
 *
 * 1. No check here touches the file: mounts are identified by device number,
 *    from the kernel's table of mounts.
 * 2. FUSE is never read: any user who may run a program may serve one, and may
 *    answer the first request but not the second.
 * 3. Other file systems that are not local belong to the administrator.  A
 *    child reads from them first; a file system that does not answer in time is
 *    not read again.
 *
 * Each owner of processes (process.h) has one of these, with hooks of its own:
 * two sessions of one program neither see each other's refusals nor wait for
 * each other.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct served;

struct served_hooks {
	/* wait for everybody (-x blockingreads)? */
	bool (*waits)(void *context);
	/* called once for each file system that is not read */
	void (*warn)(void *context, const char *message);
	void *context;
};
/* `hooks`: NULL: no waiting and no reports. */
struct served *served_new(const struct served_hooks *hooks);
void served_free(struct served *served);

/*
 * May `file`, a path through /proc/PID, be opened?  `device` (major << 32 |
 * minor) is where /proc/PID/maps says that it is, `name` what to call it.
 */
bool served_may_open(struct served *served, pid_t pid, uint64_t device,
		     const char *file, const char *name);
/* What a process executes, without touching the file; false: nothing. */
bool served_program(pid_t pid, uint64_t *device, uint64_t *inode);
