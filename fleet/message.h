/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Messages of the fleet: what one host counted, printed and lost since its last
 * message, for one instrumentation.
 *
 *	version (a byte), host, instrumentation, run, sequence, through, sources
 *	parts: type (a byte), length, data that depends on the type
 *
 * All is written with facts/wire.h.  A message is self-contained: it describes
 * the aggregations that it has rows of, so any head understands any message,
 * in any order.  The exception are stacks, which are long and come back every
 * second: rows have the hash of a stack, and its frames are in the first
 * message of a host that needs them (and again when a head asks for them).
 *
 * 1. (host, run, sequence) names a message.  A run is one life of the agent's
 *    worker; who has merged a message refuses it the next time.
 * 2. Keys are values, never numbers of a host's tables or its addresses: equal
 *    keys of two hosts have the same bytes.  So a head merges without reading
 *    keys, and reads them when it shows them.
 * 3. What comes from a network is hostile.  message_check() looks at the whole
 *    structure before anything of a message is used.
 */

#include "base/str.h"
#include "base/text.h"
#include "facts/fact.h"
#include "facts/wire.h"

enum {
	MESSAGE_VERSION = 1,
	MESSAGE_ENOUGH = 256 << 10,  /* then another one is begun */
	MESSAGE_MOST = 1 << 20,	     /* NATS's own limit, unless configured */
	MESSAGE_KEY_MOST = 64 << 10, /* bytes of all keys of a row */
	MESSAGE_FRAMES = 4096,	     /* of a stack */
};

enum message_part {
	PART_AGGREGATION = 1, /* its description; counted from 0 */
	PART_FRAME,	      /* of stacks in this message; counted from 0 */
	PART_STACK,	      /* hash, frames, why it is not whole */
	PART_ROWS,
	PART_LINE, /* what a clause printed */
	PART_DROP,
	PART_FAULT,
	PART_STATUS, /* of the worker: totals */
	PART_END,    /* tracing has ended on this host */
};

struct message {
	struct str host, instrumentation; /* in the message's bytes */
	uint64_t run, sequence;
	uint64_t through; /* ns, wall clock: no rows before that will follow */
	uint64_t sources; /* hosts in it: 1, or those that a head merged */
	struct wire parts;
};

/* Rows of one aggregation in one interval; they follow in `rows`. */
struct message_rows {
	uint32_t aggregation; /* as counted in this message */
	uint64_t second, from, to, normal;
	uint32_t count;
	struct wire rows;
};

struct message_line {
	uint64_t wall; /* ns */
	uint32_t cpu;
	struct str probe[4]; /* by enum probe_name */
	struct str text;
};

struct message_loss { /* a drop or a fault */
	uint64_t count;
	struct str text;
};

struct message_end {
	bool has_status;
	int status;
	struct str reason;
};

/* Totals since the start, as workers report them. */
enum message_status {
	STATUS_EVENTS, STATUS_DROPS, STATUS_PROGRAMS_NS, STATUS_PROGRAMS_RUNS,
	STATUS_KERNEL_BYTES, STATUS_RSS_BYTES, STATUS_CPU_NS,
	STATUS_KEYS_LOST,  /* rows beyond the limit of the host's policy */
	STATUS_LINES_LOST, /* lines, too */
	STATUS_COUNT
};
extern const char *const message_status_names[STATUS_COUNT];

/* ------------------------------------------------------------- reading */

/* The head of a message; false: it is none. */
bool message_open(struct message *message, const void *bytes, size_t n);
/* Is the structure of all parts sound?  Call it once, before the rest. */
bool message_check(const struct message *message);
/* The next part; false: there are no more. */
bool message_next(struct message *message, enum message_part *type,
		  struct wire *part);
struct message_rows message_get_rows(struct wire *part);
/* The key of the next row; words of values follow. */
struct str message_get_key(struct wire *rows);
struct message_line message_get_line(struct wire *part);
struct message_loss message_get_loss(struct wire *part);
struct message_end message_get_end(struct wire *part);
void message_get_status(struct wire *part, uint64_t *totals);

/*
 * Values of a row: all words of short ones, otherwise those that are not
 * empty, with their numbers.
 */
enum { MESSAGE_PLAIN = 8 };
static inline bool message_is_sparse(uint32_t nvalues)
{
	return nvalues > MESSAGE_PLAIN;
}

/* ---------------------------------------------------------- aggregations */

/* What a message says of an aggregation, without what may differ by host. */
void message_put_aggregation(struct text *out,
			     const struct schema_aggregation *aggregation);
/*
 * The same from a message.  Everything is in the arena; keys have places one
 * after another.  NULL: it makes no sense.
 */
struct schema_aggregation *message_get_aggregation(struct wire *part,
						   struct arena *arena);

/* ----------------------------------------------------------------- keys */

/* How much of a symbol its key tells. */
void message_put_frame(struct text *out, const struct fact_frame *frame,
		       enum symbol_form form);
struct fact_frame message_get_frame(struct wire *wire, struct arena *arena);
bool message_key_is_sound(const struct schema_aggregation *aggregation,
			  struct str key);
/*
 * Keys as values.  Symbols become a number, from which the caller's resolver
 * finds `frames[i]`; stacks become their hash.
 */
void message_key_values(const struct schema_aggregation *aggregation,
			struct str key, struct arena *arena,
			struct fact_value *values, struct fact_frame *frames);
/* Of a stack: frames as message_put_frame() writes them, and why it is cut. */
uint64_t message_hash(const void *bytes, size_t n);
