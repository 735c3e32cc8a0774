/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What merge.c and merge_show.c share. */

#include "base/arena.h"
#include "base/table.h"
#include "fleet/merge.h"

/* A key of an aggregation in a column: values, then the bytes of the key. */
struct element {
	struct element *next;
	struct merge_source *owner; /* who came with it first */
	uint64_t hash;
	uint32_t aggregation, nvalues, nkey;
	int64_t values[];
};

static inline const char *element_key(const struct element *element)
{
	return (const char *)(element->values + element->nvalues);
}

struct column {
	uint64_t second, from, to;
	bool is_shown;
	struct element **elements;
	uint32_t count, capacity;
	struct element **buckets;
	uint32_t nbuckets;
};

struct stack {
	uint64_t hash;
	struct fact_frame *frames;
	uint32_t nframes;
	const char *cut;
};

struct merge {
	struct merge_setup setup;
	uint64_t seed; /* of hashes */
	struct arena *arena;
	struct schema schema;
	uint64_t *normals;
	struct table blocks;  /* description in messages -> number + 1 */
	struct table sources; /* by host */
	uint32_t walk;
	struct table stacks; /* by hash */
	struct arena *stacks_arena;
	uint64_t stack_bytes;
	struct column *columns;
	uint32_t ncolumns;
	uint32_t rows; /* in all columns */
	uint64_t bytes, rows_lost;
	struct text key; /* scratch: what comes before keys, and a key */
	size_t nby_key;
	/* showing */
	struct resolver resolver;
	const struct shown *shown;
};

/* Frees it, and what it was of its owner's share. */
void element_free(struct merge *merge, struct element *element);
void column_clear(struct merge *merge, struct column *column);
struct column *column_find(const struct merge *merge, uint64_t second);
struct stack *stack_find(const struct merge *merge, uint64_t hash);
void stacks_forget(struct merge *merge);
void merge_show_init(struct merge *merge);
