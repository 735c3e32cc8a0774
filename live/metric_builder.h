/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What a request and its metric have come to, on the way to a program: filled by
 * metric_request.c, written by metric_program.c.
 */

#include "live/predicate.h"

enum { MOST_KEYS = 8 };

struct builder {
	const struct metric *metric;
	const struct metric_clause *clause; /* the one that is written */
	struct metric_answer *answer;
	struct predicate predicate;
	struct text *out;
	size_t keys[MOST_KEYS + 1], nkeys;
	size_t stacks[MOST_KEYS], nstacks;
	int number; /* the field of the histogram, or -1 */
	bool has_start;
	bool *is_kept; /* by field */
	long target;
	int expanded; /* fields in expressions, so far */
};

/* Checks a request; false with answer's code, message and hint. */
bool metric_request_read(struct builder *builder, json_t *request);
/* Title, view and unit of what was asked for. */
void metric_request_answer(struct builder *builder);
