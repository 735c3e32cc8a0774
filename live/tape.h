/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A tape: the wire of an instrumentation as it came, for as long as columns are
 * kept, so that it can be saved and replayed.
 *
 * Entries (facts/recording.h) are of three kinds.  Those that describe the
 * program stay.  Names of frames and addresses stay until the worker has them
 * forgotten (ENTRY_FORGET), which begins another *reel*; what happened leaves
 * with its time.  A reel whose events are all gone goes as a whole.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct tape_event {
	int64_t t; /* ms: when it came */
	uint32_t n;
};

struct tape_reel {
	struct tape_reel *next;
	struct text names;
	struct text events;	    /* their bytes */
	struct text times;	    /* struct tape_event of each */
	size_t first_event, passed; /* those before are gone; so many bytes */
};

struct tape {
	struct text program; /* entries that stay */
	struct tape_reel *first, *last;
	struct text piece; /* an entry of which the rest has not come */
	size_t limit;	   /* bytes */
	size_t bytes;
	bool has_magic, is_torn; /* torn: too much has come, it is not kept */
};

void tape_add(struct tape *tape, const void *bytes, size_t n, int64_t now);
void tape_expire(struct tape *tape, int64_t t);
void tape_write(struct text *out, const struct tape *tape);
void tape_free(struct tape *tape);
