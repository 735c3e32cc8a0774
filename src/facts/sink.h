/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A sink takes facts: it prints them, writes them to a file, calls functions.
 *
 * One file and one vtable each; base/sinks.def lists those that -x oformat can
 * name.  The order of calls:
 *
 *	open  start  (record action... done | table | snapshot | drop | fault)...
 *	summary  table...  end  close
 *
 * Functions that return bool say whether the run should continue.  An entry
 * that is NULL means that the sink ignores these facts; drops and faults that
 * no sink takes become messages.
 */

#include "base/option.h"
#include "facts/fact.h"

struct output; /* sink/output.h */
struct sink;

struct sink_setup {
	struct output *output;
	const struct options *options;
	const struct resolver *resolver;
	uint32_t target;  /* process of -p or -c, for %A; 0: none */
	const char *file; /* for a sink that opens its own file, or draws one */
	bool has_snapshots; /* snapshots will come, with all that is counted */
};

struct sink_class {
	const char *name; /* as -x oformat has it */
	/*
	 * What it writes has an end and is complete by itself: aggregations
	 * are in it even if the consumer has functions of its own for them.
	 */
	bool is_document;
	struct sink *(*open)(const struct sink_setup *setup);
	void (*close)(struct sink *sink);
	bool (*start)(struct sink *sink, const struct fact_start *start);
	/* A firing of a clause: its actions follow, then `done`. */
	bool (*record)(struct sink *sink, const struct fact_record *record);
	bool (*action)(struct sink *sink, const struct fact_record *record,
		       const struct fact_action *action);
	bool (*done)(struct sink *sink, const struct fact_record *record);
	/* Aggregations that no printa() has shown. */
	bool (*table)(struct sink *sink, const struct fact_table *table);
	bool (*snapshot)(struct sink *sink,
			 const struct fact_snapshot *snapshot);
	bool (*drop)(struct sink *sink, const struct fact_drop *drop);
	bool (*fault)(struct sink *sink, const struct fact_fault *fault);
	/* setopt() changed an option. */
	void (*option)(struct sink *sink, const char *name, const char *value);
	/* A signal requested the end. */
	void (*interrupted)(struct sink *sink);
	/* All records were delivered; tables and the end follow. */
	void (*summary)(struct sink *sink);
	void (*end)(struct sink *sink, const struct fact_end *end);
	/*
	 * -x top: tables follow, to replace what is on the screen.  Returns how
	 * many rows each of them may have; 0: skip them.
	 */
	uint32_t (*top)(struct sink *sink, uint32_t ntables);
	/* Writes what is buffered: 0, or the negative errno of any write. */
	int (*flush)(struct sink *sink);
};

/* The first member of every sink. */
struct sink {
	const struct sink_class *class;
};

/* A sink in front of another one; it decides what reaches the inner one. */
struct filter {
	struct sink sink;
	struct sink *inner; /* set by the consumer when tracing begins */
};

/* Calls that skip NULL functions; `sink` may be NULL, too. */
bool sink_start(struct sink *sink, const struct fact_start *start);
bool sink_record(struct sink *sink, const struct fact_record *record);
bool sink_action(struct sink *sink, const struct fact_record *record,
		 const struct fact_action *action);
bool sink_done(struct sink *sink, const struct fact_record *record);
bool sink_table(struct sink *sink, const struct fact_table *table);
bool sink_snapshot(struct sink *sink, const struct fact_snapshot *snapshot);
bool sink_drop(struct sink *sink, const struct fact_drop *drop);
bool sink_fault(struct sink *sink, const struct fact_fault *fault);
bool sink_takes_drops(const struct sink *sink);
bool sink_takes_faults(const struct sink *sink);
void sink_option(struct sink *sink, const char *name, const char *value);
void sink_interrupted(struct sink *sink);
void sink_summary(struct sink *sink);
void sink_end(struct sink *sink, const struct fact_end *end);
uint32_t sink_top(struct sink *sink, uint32_t ntables);
int sink_flush(struct sink *sink);
void sink_close(struct sink *sink);
