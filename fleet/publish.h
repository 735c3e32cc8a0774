/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A sink that makes messages of facts (fleet/message.h).
 *
 * The agent feeds it with what a worker reports, a simulation with made-up
 * facts, a head with what it has merged: to the head above it is a host.
 */

#include "facts/sink.h"
#include "fleet/message.h"

struct publish_setup {
	const char *host, *instrumentation;
	uint64_t run;
	uint32_t most_keys;  /* in one interval; 0: no limit */
	uint32_t most_lines; /* a second; 0: no limit */
	/* A message is ready. */
	void (*send)(void *context, const void *bytes, size_t n);
	void *context;
};

struct publisher;

struct publisher *publisher_new(const struct publish_setup *setup);
void publisher_free(struct publisher *publisher);
/* The sink, which lives as long as the publisher. */
struct sink *publisher_sink(struct publisher *publisher,
			    const struct resolver *resolver);
/* All facts until then have been given: sends what there is. */
void publisher_flush(struct publisher *publisher, uint64_t through,
		     uint32_t sources);
/* Totals that go with the next message. */
void publisher_status(struct publisher *publisher, const uint64_t *totals);
/* Something is wrong here, or was lost: text for people. */
void publisher_tell(struct publisher *publisher, enum message_part type,
		    uint64_t count, const char *text);
void publisher_end(struct publisher *publisher, bool has_status, int status,
		   const char *reason);
/* A head lacks stacks: from now on they are sent again. */
void publisher_repeat_stacks(struct publisher *publisher);
/* Wall clock up to which snapshots were seen; 0: none so far. */
uint64_t publisher_through(const struct publisher *publisher);
/* Is anything waiting for publisher_flush()? */
bool publisher_has_news(const struct publisher *publisher);
/* Rows and lines beyond the limits, so far. */
uint64_t publisher_keys_lost(const struct publisher *publisher);
uint64_t publisher_lines_lost(const struct publisher *publisher);
