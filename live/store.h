/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The store: what one instrumentation has reported, for as long as it is kept.
 *
 * It is a sink.  Facts come from a worker through the wire (facts/replay.c), or
 * from a recording; they become
 *
 *	sets	one for each aggregation: its columns, and the keys in them
 *	columns	what a set counted in one interval; a ring of `retention` of them
 *	tree	all stacks of all sets, each kept once (view/profile.h)
 *	log	lines of what the program has printed
 *
 * 1. Everything has a limit.  What does not fit is counted, and clients see it:
 *    keys_lost, stacks_lost, log_lost, columns_lost.
 * 2. A column is a number of rows.  A row is a key, a node of the tree, and
 *    values: of a histogram its buckets that are not empty, else the words of
 *    the aggregation.  A late snapshot is merged into its column with the
 *    aggregation's own function, so the order in which snapshots arrive does not
 *    matter.
 * 3. Numbers of keys and nodes are stable, so that clients can be told of new
 *    ones only.  The number of a key that no kept column has may be given to
 *    another one when there are MOST_KEYS; clients are told the new words.  When
 *    the tree is full it is made again of what is kept: numbers start anew, which
 *    clients notice because new nodes do not follow the last they know.
 * 4. Memory is accounted by the store itself (`bytes`), not by guessing.
 */

#include "base/arena.h"
#include "base/option.h"
#include "base/table.h"
#include "facts/sink.h"
#include "sink/frame_list.h"
#include "sink/render.h"
#include "view/profile.h"

struct store_limits {
	uint32_t columns;
	uint32_t keys;	/* of a set */
	uint32_t nodes; /* of the tree */
	uint32_t rows;	/* of a column */
	uint32_t lines;
	size_t line_bytes; /* of all lines */
};
extern const struct store_limits store_limits;

struct store_key {
	char *words;	 /* JSON: ["bash","12"] */
	char *bytes;	 /* the words, each behind its length: to find it */
	uint32_t nbytes;
	uint32_t uses;	 /* by rows of kept columns */
};

/* A row in the words of a column: two words, then `count` more. */
struct store_row {
	uint32_t key, node;
	uint32_t count;
	const int64_t *words; /* histogram: bucket, count, bucket, count ... */
};

struct store_column {
	int64_t t; /* ms */
	int64_t *words;
	uint32_t nwords, capacity;
	uint32_t nrows;
	uint32_t sources; /* snapshots that it was made of */
	bool is_kept, is_dirty;
};

enum store_kind { STORE_HISTOGRAM, STORE_SCALAR };

struct store_set {
	char *name, *function;
	const struct aggregate *aggregate;
	uint32_t id; /* of the aggregation in its schema */
	uint32_t nvalues;
	int64_t params[AGGREGATION_PARAMS];
	enum store_kind kind;
	bool has_stacks, is_additive;
	char **key_names;
	uint32_t nkey_names;
	struct store_key *keys;
	uint32_t nkeys, keys_capacity;
	struct table by_words; /* number + 1 of a key */
	uint32_t next_reuse;
	bool has_unused; /* a key has lost its last use */
	/* numbers of keys that clients do not know yet */
	uint32_t *fresh;
	uint32_t nfresh, fresh_capacity;
	struct store_column *columns; /* by t / interval, modulo retention */
	int64_t newest;
	bool has_columns;
};

struct store_line {
	int64_t t; /* us */
	char *json;
	uint32_t n;
};

struct store {
	struct sink sink;
	const struct options *options;
	struct store_limits limits;
	int64_t interval; /* ms */
	struct renderer renderer;
	struct store_set **sets;
	uint32_t nsets;
	bool has_new_set, is_dirty;
	struct profile *tree;
	struct frame_list frames;
	uint32_t sent_frames, sent_nodes;
	/* a ring */
	struct store_line *lines;
	uint32_t first_line, nlines, new_lines;
	size_t line_bytes;
	/* the record at hand */
	struct text line, values;
	bool has_text;
	/* from the start */
	char *host;
	int64_t wall; /* wall clock minus monotonic clock, ns */
	int64_t newest; /* ms, of all columns and lines */
	bool has_end;
	int status;
	/* totals */
	uint64_t drops, faults;
	uint64_t keys_lost, stacks_lost, log_lost, columns_lost;
	size_t bytes;
	/* scratch: rows of the column at hand by key and node */
	uint32_t *index;
	uint32_t index_size;
	int64_t *dense;
	uint32_t dense_size;
};

struct store *store_new(const struct options *options, int64_t interval,
			const struct store_limits *limits);
void store_free(struct store *store);
/* The sink, when the facts begin.  Closing it leaves the store as it is. */
struct sink *store_open(struct store *store, const struct resolver *resolver,
			uint32_t target);

static inline size_t store_tree_bytes(const struct store *store)
{
	const struct profile *tree = store->tree;

	return tree->nnodes * (sizeof(struct profile_node) + 8) +
	       tree->nframes * (sizeof(struct profile_frame) + 16) +
	       tree->name_bytes;
}

/* All memory that it has. */
static inline size_t store_bytes(const struct store *store)
{
	return store->bytes + store_tree_bytes(store);
}

/* ---------------------------------------------------------------- columns */

/* The n-th kept column of a set in the order of time, or NULL: walks a ring. */
struct store_walk {
	const struct store_set *set;
	const struct store *store;
	int64_t t, to; /* ms: from the first to the last */
};
void store_walk(struct store_walk *walk, const struct store *store,
		const struct store_set *set, int64_t from, int64_t to);
const struct store_column *store_next(struct store_walk *walk);
/* Rows of a column: start with *at = 0; false after the last. */
bool store_row(const struct store_column *column, uint32_t *at,
	       struct store_row *row);
/* One number for a row: an aggregation's value, or all counts of a histogram. */
int64_t store_number(const struct store_set *set, const struct store_row *row);

/* Adds values to a row of the column at `t`, for facts and tests. */
void store_begin_column(struct store *store, struct store_set *set, int64_t t);
bool store_add(struct store *store, struct store_set *set, int64_t t,
	       uint32_t key, uint32_t node, const int64_t *values);
/* The number of a key; words are JSON, bytes are what it is found by. */
uint32_t store_key(struct store *store, struct store_set *set,
		   const struct str *words, uint32_t nwords);
struct store_set *store_set_of(struct store *store,
			       const struct schema_aggregation *aggregation);

/* Forgets columns before `t` (ms). */
void store_expire(struct store *store, int64_t t);
/* The time of the oldest column, or INT64_MAX. */
int64_t store_oldest(const struct store *store);
/* Frees the column of that time in all sets, because memory is short. */
void store_evict(struct store *store, int64_t t);
/* Frees the words of keys that no kept column has. */
void store_tidy(struct store *store);
/* Frees stacks that no kept column has, and the older half of the lines. */
void store_shrink(struct store *store);

/* ------------------------------------------------------------------- JSON */

void store_put_column(struct text *out, const struct store_set *set,
		      uint32_t number, const struct store_column *column);
/* The answer of .../values; `from` and `to` in ms. */
void store_put_values(struct text *out, const struct store *store, int64_t from,
		      int64_t to);
/* [{"set":0,...}] */
void store_put_sets(struct text *out, const struct store *store,
		    const char *unit);
/* A number, or a text where JavaScript's numbers end. */
void store_put_bound(struct text *out, int64_t number, bool is_open);

/*
 * What is new since the last call becomes events: `emit` is called with the
 * name of each and its data.
 */
typedef void store_emit(void *context, const char *event,
			const struct text *data);
void store_flush(struct store *store, uint32_t id, store_emit *emit,
		 void *context);
/* The same for lines of the log, which may come more often than one can look. */
void store_flush_lines(struct store *store, uint32_t id, store_emit *emit,
		       void *context);
