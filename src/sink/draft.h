/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A draft: a file that is written beside the place where it belongs and appears
 * there when it is complete.  Readers never see half a file, and an older one
 * stays until then.
 *
 * Where the file system has files without a name, the draft has none: a process
 * that is killed leaves nothing behind.  Devices and pipes have no older
 * content, so they are written directly.
 */

#include <stdbool.h>
#include <stdio.h>

struct draft {
	char *path;	    /* as the user named it */
	const char *suffix; /* of that name, without the dot; "" */
	FILE *stream;
	char *place;	 /* what is replaced: symbolic links are followed */
	char *temporary; /* NULL: it has no name yet */
	bool is_direct;	 /* a device or a pipe */
};

/* NULL with errno if the file cannot be written. */
struct draft *draft_open(const char *path);
/* Puts it into its place.  0, or the negative errno of any write. */
int draft_finish(struct draft *draft);
/* Forgets it; the place stays as it was. */
void draft_discard(struct draft *draft);
