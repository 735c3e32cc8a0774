/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Where a provider's file is while it is enabled.  Tracers open it by the path
 * that /proc/PID/maps has, so it has a name in a directory of its own.
 */

#include <stdbool.h>
#include <stddef.h>

struct file {
	char path[256]; /* "": it has none */
	int fd;
};

/*
 * A file of these bytes that can be mapped executable, open; its last name is
 * `name`.  The first of a process: what others left behind goes.  0 or a negative
 * errno.
 */
int file_make(struct file *file, const char *name, const void *bytes,
	      size_t size, bool is_first);
/* The name goes; what is mapped stays. */
void file_remove(struct file *file);
