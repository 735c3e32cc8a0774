/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Reading the per-CPU rings: records of all CPUs, in order.
 *
 *	rings_begin(&rings, until);
 *	while ((record = rings_next(&rings, &cpu)))
 *		... rings_after(&rings, cpu, &ahead): the next one of that CPU ...
 *	rings_end(&rings);
 *
 * A record returned by rings_next() stays valid until the next call.
 */

#include <stdbool.h>
#include <stdint.h>

#include "bpf/bpf.h"

struct ring_reader {
	struct abi_ring *ring;
	uint8_t *data;
	uint64_t head;	      /* as of rings_begin() */
	uint64_t at;	      /* next byte to read */
	uint64_t moved;	      /* where `tail` is: at, or somewhat before it */
	uint64_t floor;	      /* unread records are not older than this */
	uint64_t stuck_since; /* first seen unpublished; 0: not */
	uint64_t drops_seen;
	uint64_t claims_seen; /* bufpolicy=ring */
	uint64_t overwritten; /* and not reported yet */
};

struct rings {
	struct ring_reader *readers;
	uint32_t *heap; /* CPUs that have a record, the oldest first */
	uint32_t nheap;
	uint32_t count;
	uint64_t size;
	uint32_t max_record;
	bool is_temporal;
	/* the current pass */
	uint64_t now, until;
	uint32_t current; /* reader of the record returned last */
	bool has_current;
	bool is_waiting; /* something claimed is not published yet */
	bool is_held;	 /* published records wait for their turn */
	bool is_damaged; /* a record is inconsistent: give up */
	bool is_filling; /* some ring was more than a quarter full */
};

void rings_init(struct rings *rings, const struct bpf_maps *maps,
		bool is_temporal);
void rings_free(struct rings *rings);

/* `now`: CLOCK_MONOTONIC; records stamped after `until` stay where they are. */
void rings_begin(struct rings *rings, uint64_t now, uint64_t until);
const struct abi_record *rings_next(struct rings *rings, uint32_t *cpu);
/*
 * The published record after the one just returned, or NULL.  *ahead is 0 at
 * first, and moves: the next call yields the one after that.
 */
const struct abi_record *rings_after(const struct rings *rings, uint32_t cpu,
				     uint64_t *ahead);
/* The next record of one CPU, if published, whatever its stamp; or NULL. */
const struct abi_record *rings_peek(struct rings *rings, uint32_t cpu);
/* That record, returned as by rings_next(). */
const struct abi_record *rings_take(struct rings *rings, uint32_t cpu);
void rings_end(struct rings *rings);

/*
 * bufpolicy=ring: finds the oldest complete record, to read from there.  false:
 * something at the newest end is not published yet; with `gives_up` nothing of
 * such a ring is read.
 */
bool rings_rewind(struct rings *rings, bool gives_up);

/*
 * Records lost on that CPU since the last call, including overwritten ones if
 * claims are counted.
 */
uint64_t rings_drops(struct rings *rings, uint32_t cpu);
