/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Which hosts is a cell of a merged picture made of?
 *
 * Nobody remembers that: what is merged has no hosts any more.  But the stream
 * has the messages of the last minutes, so the seconds in question are merged a
 * second time, by host.  That costs a second of a fleet's messages for each
 * second of the question, and only when somebody asks.
 */

#include "fleet/fleet.h"

enum { WHO_SECONDS = 60, WHO_HOSTS = 500 };

struct who_question {
	const char *name, *function; /* of the aggregation; "": @ */
	uint64_t from, to;	     /* ms, wall clock; `to` is not included */
	int64_t low, high;	     /* buckets of a histogram */
	uint64_t begun;		     /* ms: nothing was counted before */
};

struct who;

struct who *who_ask(struct fleet *fleet, const struct who_question *question);
/* A message of the stream, with the subject of its acknowledgement. */
void who_take(struct who *who, const struct bus_message *message);
/* Has everything been read? */
bool who_is_done(const struct who *who);
/*
 * {"hosts": [{"host","count"}, ...], "all": their number, "whole": false, if
 * some of these seconds are not kept any more}; the largest first.
 */
json_t *who_answer(struct who *who);
void who_free(struct who *who);
