/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What untrusted files may cost.
 *
 * Names, types and unwind tables come from files that any user can write and
 * run.  There is one budget for all of them together, whichever part reads
 * them, in bytes (-x symsize):
 *
 * 1. Memory: what is kept of files, and what is being read, is at most that.
 * 2. Work: bytes that were read, and steps of walks, at most four times that at
 *    once, and a 32nd of it more each second, so that a run of days can see
 *    many files, and a flood of them takes a few percent of a CPU.
 *
 * What exceeds it is not read: its addresses stay numbers.  That is reported
 * once.  Without a budget (NULL) everything is allowed.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/option.h"

struct budget {
	const struct options *options;
	uint64_t held;
	uint64_t work;	  /* lately */
	uint64_t work_at; /* ns: when it was computed */
	uint64_t machine; /* a part of its memory; 0: not asked yet */
	bool is_told;
	void (*tell)(void *context, const char *message); /* or NULL */
	void *context;
};

/* May this much be read?  If so, it is counted. */
bool budget_work(struct budget *budget, uint64_t bytes);
/* Is there memory for this much?  If so, it is taken, until it is released. */
bool budget_hold(struct budget *budget, uint64_t bytes);
void budget_release(struct budget *budget, uint64_t bytes);
/* Something of an open file stays unread; -1: of some file. */
void budget_refuse(struct budget *budget, int fd);
