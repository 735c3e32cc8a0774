/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Recordings: the facts of a run in a file.  doc/recording.md has the format.
 *
 * A recording is a line that identifies it, followed by entries: a length, a
 * type, and data that depends on the type (facts/wire.h).  Entries are appended
 * whole, so a truncated file is good up to its last whole entry.  What an entry
 * refers to (probes, clauses, aggregations, frames) comes before it.
 */

#include "base/option.h"
#include "facts/sink.h"

#define RECORDING_MAGIC "dtrace recording 2\n"

enum recording_entry {
	ENTRY_START = 1,
	ENTRY_OPTION,
	ENTRY_PROBE,
	ENTRY_OBJECT,
	ENTRY_CLAUSE,
	ENTRY_AGGREGATION,
	ENTRY_FRAME,		/* of stacks; they are counted from 0 */
	ENTRY_ADDRESS,		/* an address has the name of a frame */
	ENTRY_RECORD,
	ENTRY_TABLE,
	ENTRY_SNAPSHOT,
	ENTRY_DROP,
	ENTRY_FAULT,
	ENTRY_INTERRUPTED,
	ENTRY_SUMMARY,
	ENTRY_END,
	ENTRY_PRIVATE_SNAPSHOT, /* nobody asked for it, pictures are made of it */
	ENTRY_FORGET,		/* frames and names of addresses start anew */
};

/* The parts of a record: options that change, and actions by number. */
enum recording_part { RECORD_OPTION, RECORD_ACTION };

/* Does the text of a run depend on it? */
bool option_is_shown(enum option_id id);

/* How a recording ended. */
enum recording_end {
	RECORDING_WHOLE,	/* it has an end */
	RECORDING_CUT,		/* the run was cut off */
	RECORDING_STOPPED,	/* a sink wanted no more */
	RECORDING_BAD,		/* not a recording, or damaged: `problem` */
};

struct recording {
	const struct aggregate *(*aggregate)(const char *name,
					     const int64_t *params,
					     uint32_t nvalues);
	struct options
		*options; /* set from those of the run, unless already set */
	/* The sink is opened when the run's options are known. */
	struct sink *(*open)(void *context, const struct resolver *resolver,
			     uint32_t target);
	void *context;
	/* results */
	const char *problem;
	uint64_t entries; /* entries read, all of them whole */
	bool has_status;
	int status;	   /* of exit() */
	bool has_controls; /* such as system(): not carried out */
};

enum recording_end recording_replay(struct recording *recording, int fd);

/*
 * The same in pieces, as they come: through a pipe, from a network.  A piece may
 * end anywhere.  RECORDING_CUT: more is expected.  After RECORDING_BAD and
 * RECORDING_STOPPED only replay_free() may be called, which closes the sink.
 */
struct replay *replay_new(struct recording *recording);
enum recording_end replay_feed(struct replay *replay, const void *piece,
			       size_t n);
void replay_free(struct replay *replay);
