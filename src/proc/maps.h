/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * /proc/PID/maps: what a process has mapped.  It is read as a whole, so that
 * the process may end meanwhile.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

/* The text of one process after the other; {0} is one without any. */
struct maps {
	struct text text;
	char *at;
};

struct maps_line {
	uint64_t start, end, offset;
	uint64_t device, inode; /* major << 32 | minor; 0: no file */
	bool is_code;		/* it may be executed */
	/* without " (deleted)"; "" and "[heap]" are not files */
	const char *path;
};

/* 0 or a negative errno (-ESRCH: there is no such process). */
int maps_read(struct maps *maps, pid_t pid);
/* The next line, or the next of code; its path stays until maps_read(). */
bool maps_next(struct maps *maps, struct maps_line *line, bool only_code);
void maps_free(struct maps *maps);
