/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The merge law: what many hosts counted becomes what one would have counted.
 *
 * Messages (fleet/message.h) may come in any order, late, and more than once.
 * A column is what all hosts counted in one second.  It is open until somebody
 * shows it; what comes later opens it again, with the late rows only, because
 * who keeps columns merges them as well.
 *
 * 1. Merging is that of the aggregating function (agg/agg.h), by key.  It is
 *    commutative and associative, so neither order nor grouping changes a sum:
 *    a head that merges heads shows what a single head would.
 * 2. A message counts once: (host, run, sequence) is remembered.
 * 3. Memory is bounded, whatever hosts send: rows that are too many for a
 *    host's share of a column, or for all columns, are counted and dropped.
 *    No host can have the half of all for itself, in however many columns.
 */

#include "facts/sink.h"
#include "fleet/message.h"

struct merge;
struct merge_source; /* a host */

enum merge_result {
	MERGE_ADDED,
	MERGE_REPEATED, /* it was merged before */
	MERGE_BAD,	/* it is malformed */
	MERGE_FOREIGN,	/* it is not of the host or instrumentation it should be */
	MERGE_REFUSED,	/* of a time that is too far away, or too many hosts */
};

struct merge_setup {
	const char *instrumentation;
	/* Rows of a host in a column; rows and bytes in all columns. */
	uint32_t most_host_rows, most_rows, most_hosts;
	uint64_t most_bytes;
	/* Hosts that one may say it stands for, if it is a head; 0: it is none. */
	uint32_t most_sources;
	bool is_total; /* one column for all time */
	/*
	 * More keys, before those of the aggregations: what `word` says of a
	 * host for each of these names ("host", or a label).
	 */
	const char *const *by;
	uint32_t nby;
	const char *(*word)(void *context, const char *host, const char *name);
	/* What is not merged. */
	void (*line)(void *context, struct merge_source *source,
		     const struct message_line *line);
	void (*loss)(void *context, struct merge_source *source,
		     enum message_part type, const struct message_loss *loss);
	void (*end)(void *context, struct merge_source *source,
		    const struct message_end *end);
	void *context;
};

/* What is known of a host by its messages. */
struct merge_source {
	char *host;
	uint64_t through;	       /* ns, wall clock of the host */
	uint64_t status[STATUS_COUNT]; /* of all its runs */
	uint64_t messages, bytes, repeated, bad, rows_lost;
	uint32_t sources; /* that it stands for */
	uint32_t rows;	  /* that it came with first, in all columns */
	bool is_ended, lacks_stacks;
	void *owner; /* the caller's */
	struct merge_run *runs;
	uint32_t nruns;
	uint64_t forgotten; /* the last run that is not among them any more */
	/* rows in the last columns */
	struct {
		uint64_t second;
		uint32_t rows;
	} share[8];
};

struct merge *merge_new(const struct merge_setup *setup);
void merge_free(struct merge *merge);
/*
 * Takes a message that came under this host's name, at that time (ns, wall
 * clock; 0: whatever time its rows have).
 */
enum merge_result merge_add(struct merge *merge, const char *host,
			    const void *bytes, size_t n, uint64_t now);
struct merge_source *merge_source(struct merge *merge, const char *host);
/* One after another; NULL: the first, or no more. */
struct merge_source *merge_next_source(struct merge *merge,
				       const struct merge_source *after);

/* For sinks: it grows as hosts tell of aggregations. */
const struct schema *merge_schema(const struct merge *merge);
const struct resolver *merge_resolver(const struct merge *merge);
/* Clauses of records that the caller gives to the same sinks. */
void merge_set_clauses(struct merge *merge, struct schema_clause **clauses,
		       uint32_t n);

struct merge_column {
	uint64_t second;
	uint32_t rows;
	bool is_late; /* it was shown before */
};
/* The columns that have something, the oldest first; how many were there. */
uint32_t merge_columns(const struct merge *merge, struct merge_column *columns,
		       uint32_t most);
/*
 * Shows a column as snapshots, and forgets it.  Rows with stacks whose frames
 * nobody has told wait, unless `is_final`.  False: the sink wants no more.
 */
bool merge_show(struct merge *merge, uint64_t second, struct sink *sink,
		bool is_final);
/* Tables of the total, as at the end of a run; nothing is forgotten. */
bool merge_show_total(struct merge *merge, const struct options *options,
		      struct sink *sink);

uint64_t merge_rows_lost(const struct merge *merge);
uint64_t merge_bytes(const struct merge *merge);
