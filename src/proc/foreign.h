/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Files at places where others can put something: /tmp, a container's root.
 *
 * What is opened is a regular file, and nothing else is even touched: opening
 * a FIFO waits, opening a device may do something.  Links lead nowhere out of
 * the root that the path is of, and not through /proc.  The file belongs to
 * root or to whom it is about, so that nobody names the code of others.
 */

#include <stdbool.h>
#include <sys/types.h>

enum { FOREIGN_NOBODY = -1 };	/* as owner: only root */

/* `root`: "" for our own, or /proc/PID/root.  A descriptor, or -1. */
int foreign_open(const char *root, const char *path, bool may_be_link,
		 uid_t owner);
/*
 * A file by its path, if that still leads to the inode that a process mapped;
 * or -1.
 */
int foreign_open_inode(const char *root, const char *path, ino_t inode);
