/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Hosts that do not exist: facts of a program that nobody runs, for tests of the
 * merge law and for the simulation of a fleet.
 *
 * The program has one aggregation for each aggregating function there is; each
 * has a program's name and a number as keys, and two of them a stack or a symbol
 * as well.  Addresses differ from host to host, names do not.
 */

#include "facts/sink.h"

enum { SYNTHETIC_AGGS = 16, SYNTHETIC_KEYS = 48, SYNTHETIC_FRAMES = 24 };

struct synthetic {
	uint64_t random;
	uint64_t base; /* where this host has its code */
	uint32_t naggs, nkeys;
	struct schema_aggregation *aggs;
	struct resolver resolver;
	/* what is counted and not yet taken, by aggregation and key */
	int64_t **words;
	bool *is_counted;
};

void synthetic_init(struct synthetic *host, uint64_t seed, uint32_t nkeys);
void synthetic_free(struct synthetic *host);
uint64_t synthetic_random(struct synthetic *host);
/* A value that is often small, sometimes huge, sometimes negative. */
int64_t synthetic_value(struct synthetic *host);
/* What a program does where a probe fires. */
void synthetic_update(const struct schema_aggregation *aggregation,
		      int64_t value, int64_t *words);
void synthetic_count(struct synthetic *host, uint32_t agg, uint32_t key,
		     int64_t value);
/* Gives what was counted to the sink, and begins anew. */
void synthetic_take(struct synthetic *host, uint64_t second, struct sink *sink);
/* The keys that number `key` stands for, as text. */
void synthetic_name(const struct schema_aggregation *aggregation, uint32_t key,
		    struct text *out);
