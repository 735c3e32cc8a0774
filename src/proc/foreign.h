/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Files in places where others can write: /tmp, a container's root.
 *
 * Only regular files are opened, and nothing else is even touched: opening a
 * FIFO blocks, opening a device may have effects.  Links never lead out of the
 * root of the path, nor through /proc.  The file must belong to root or to the
 * user of the process it describes, so that no user can name the code of
 * others.
 */

#include <stdbool.h>
#include <sys/types.h>

enum { FOREIGN_NOBODY = -1 }; /* as owner: only root */

/* `root`: "" for our own, or /proc/PID/root.  A descriptor, or -1. */
int foreign_open(const char *root, const char *path, bool may_be_link,
		 uid_t owner);
/*
 * A file by its path, if that still leads to the inode that a process mapped;
 * or -1.
 */
int foreign_open_inode(const char *root, const char *path, ino_t inode);
