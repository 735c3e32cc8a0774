/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What generated BPF programs and the consumer agree on: the layout of the
 * memory they share through mmap.  Nothing here is visible in D or printed.
 *
 * These maps, all BPF_F_MMAPABLE arrays but one:
 *
 *   state   one element, struct abi_state.  User space moves `phase` forward;
 *	     a program that calls exit() sets it to PHASE_STOPPED.
 *   rings   one element per possible CPU, struct abi_ring + data + slack.
 *	     Written by programs on that CPU (they nest), drained by user space.
 *   aggs    one element per possible CPU: for each aggregation struct
 *	     abi_agg_table + entries (agg_layout.c).  Same writers; user space
 *	     exchanges values with their identity.
 *   chunks  more entries of aggregations, in a hash table that grows; no
 *	     mapping.  User space has a program exchange values.
 *   specs   one element, struct abi_specs + nspec words of state.
 *   spec    one element per speculation and possible CPU (cpu * nspec + id
 *    rings  - 1), each like a ring.  Same writers; emptied when the id is
 *	     committed or discarded.
 *
 * A record is claimed by compare-and-exchange on `head`, written in place
 * and published by storing its size last; until then `size` reads 0.  Records
 * never wrap: one that starts before the end of `data` runs on into the
 * slack.  The consumer zeroes every byte it has read before it moves `tail`,
 * so that unpublished headers read 0 in the next round.
 *
 * That is bufpolicy=switch.  With `fill` nothing is consumed while tracing, and
 * the first record without room stops it.  With `ring` nothing is consumed
 * either and claims overwrite the oldest records; the last 8 bytes of each
 * claim, at the position before the next one (which may be at the start of
 * `data` when the record ran on into the slack), hold its size, so that user
 * space can walk back from `head`.  With -x countlost, claims are counted in
 * rings; fill then continues when there is no room, and counts drops.
 */

#include <stdint.h>

#include "bpf/mapping.h"

enum abi_phase {
	PHASE_IDLE,	/* nothing fires */
	PHASE_BEGIN,	/* only BEGIN */
	PHASE_ACTIVE,	/* everything else */
	PHASE_STOPPED,	/* exit() was called, or the run is over */
	PHASE_END,	/* only END */
};

/*
 * First in a kernel stack: instead of the frame of the function that a typed
 * program is on, which is not its caller's.
 */
enum { ABI_OWN_FRAME = 1 };

struct abi_state {
	uint32_t phase;
	uint32_t exit_called;	/* some clause called exit() */
	int64_t exit_status;	/* the last one */
	uint64_t wall_offset;	/* added to the TAI clock for walltimestamp */
	uint64_t dynamic_drops; /* failed stores to self-> and arrays; atomic */
	uint64_t error_drops;	/* faults inside ERROR clauses; atomic */
	uint64_t scratch_drops; /* no scratch slot was free; atomic */
	uint64_t spec_drops;	/* no room in a speculation; atomic */
	uint64_t spec_busy;	/* speculation(): all wait for the cleaner */
	uint64_t spec_unavailable; /* speculation(): none is free */
	uint32_t filled;	   /* bufpolicy=fill: a buffer is full */
	uint32_t killed;	   /* the consumer missed its deadline */
	uint64_t deadline;	   /* user space moves it while it lives; ns */
	uint64_t return_drops; /* returns that the kernel leaves out; atomic */
	uint64_t agg_chunks;   /* chunks that programs ever made; atomic */
	uint64_t zero;	       /* always; programs start hashes from it */
	uint64_t reserved[17];
	uint64_t mapping[MAPPING_WORDS]; /* mapping.h; before programs run */
};

struct abi_ring {
	uint64_t head;	/* bytes ever claimed */
	uint64_t tail;	/* bytes ever consumed; user space writes */
	uint64_t drops; /* records that found no room; atomic */
	uint64_t chill_start, chill_spent; /* of a second; programs' own */
	uint64_t claims;	/* ring, if lost records count; atomic */
	uint64_t reserved[506]; /* data starts on its own page */
	/* uint8_t data[size]; uint8_t slack[max record]; */
};

enum abi_kind {
	RECORD_DATA = 1,
	RECORD_VOID,		/* claimed, then the clause faulted: skip it */
	RECORD_FAULT,		/* struct abi_fault follows */
	RECORD_COMMIT,		/* struct abi_commit follows */
};

enum abi_policy { POLICY_SWITCH, POLICY_FILL, POLICY_RING };

struct abi_record {
	uint32_t size; /* whole, multiple of 8; 0 = not yet published */
	uint32_t kind;
	uint32_t clause; /* index into the session's record layouts */
	uint32_t probe;	 /* probe id */
	uint64_t stamp;	 /* monotonic ns */
};

struct abi_fault {
	struct abi_record header;
	uint32_t code;	  /* enum fault */
	uint32_t site;	  /* index into the program's fault sites */
	uint32_t program; /* which program's sites */
	uint32_t pc;	  /* BPF instruction index, or 0 */
	uint64_t value;
};

/* The content of a speculation belongs here. */
struct abi_commit {
	struct abi_record header;
	uint64_t id;
	uint64_t word; /* of its state when it was committed */
};

/*
 * A speculation's word is its generation << 8 | state.  Programs move it from
 * ACTIVE on, only user space makes it FREE again, when its rings are empty.
 */
enum abi_spec_state {
	SPEC_FREE,
	SPEC_ACTIVE,
	SPEC_COMMITTING,
	SPEC_DISCARDING
};
enum { SPEC_STATE_BITS = 8, SPEC_MASKS = 16, SPEC_MOST = 64 * SPEC_MASKS };

struct abi_spec {
	uint64_t word;
	uint64_t reserved[7];
};

struct abi_specs {
	uint64_t free[SPEC_MASKS]; /* bit i: id i + 1 is free; atomic */
	uint64_t busy;		   /* ids that wait for user space */
	uint8_t bit_index[64];	   /* of 1 << n, by (x * factor) >> 58 */
	uint64_t reserved[7];
	/* struct abi_spec specs[nspec rounded up to a power of two]; */
};
#define SPEC_BIT_FACTOR 0x03f79d71b4cb0a89ull

/*
 * Other tags are a key's hash | 3.  User space retires an entry by clearing
 * AGG_TAG_OPEN: programs no longer find it, drains still do.
 */
enum { AGG_TAG_EMPTY = 0, AGG_TAG_BUSY = 1, AGG_TAG_OPEN = 1 };
enum { AGG_PROBES = 16 }; /* slots tried before an update is dropped */

struct abi_agg_table {
	uint64_t drops; /* updates that found no slot; atomic */
	uint64_t reserved[6];
	uint64_t users; /* programs that may sleep and are at it; atomic */
			/* entries follow: a power of two of them */
};

/*
 * Keys that find no entry in the table of their CPU go into chunks: elements
 * of a hash table that hold as many entries as fit.  This is an element's key.
 */
enum { CHUNK_AGG_SHIFT = 40, CHUNK_CPU_SHIFT = 24 };

struct abi_agg_entry {
	uint64_t tag;
	uint64_t touched; /* updated since the last drain */
			  /* uint8_t key[key_size]; uint64_t values[nvalues]; */
};

/* Messages on the small BPF ring buffer that wakes the consumer. */
enum abi_control { CONTROL_EXIT = 1, CONTROL_WAKE, CONTROL_STACK };
struct abi_message {
	uint32_t kind;
	uint32_t probe;
	int64_t value;
};
