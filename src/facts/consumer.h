/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The consumer, as seen by actions that control the run: exit(), clear(),
 * system(), freopen(), setopt() ...  They are carried out when their record is
 * consumed (struct schema_action.control), whatever sinks do with it.
 */

#include "base/option.h"
#include "facts/fact.h"
#include "facts/sink.h"

struct agg_store; /* agg/store.h */

struct consumer {
	struct options *options;
	struct output *output;
	struct sink *sink; /* what sees the facts */
	const struct resolver *resolver;
	uint32_t target; /* process of -p or -c; 0: none */
	struct agg_store *aggs;
	const struct fact_record *record; /* current */
	/* what exit() requested */
	bool exit_requested;
	int exit_status;
	/* Messages, without "dtrace: " and newline. */
	void (*warn)(void *context, const char *message);
	void *context;
};
