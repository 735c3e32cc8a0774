/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The consumer's end of the rings (ir/abi.h has the protocol).
 *
 * 1. Within one CPU, records come in the order of their claims.  Across CPUs
 *    they are merged by stamp, which is exact if the pass stops at a time
 *    `until` a little in the past: everything older has been claimed by then.
 * 2. A claimed record may not be published yet: its program was interrupted.
 *    It blocks its own CPU, because its size is unknown.  It also blocks
 *    younger records of other CPUs, because its stamp is unknown, except that
 *    it is not older than the reader's `floor`.  Normally that lasts
 *    microseconds.  A preempted user probe may take longer, so after HOLD the
 *    others continue without it.
 * 3. Every byte read is zeroed before `tail` passes it: the next lap relies on
 *    headers that read 0 until they are published.  Programs read `tail` at
 *    every claim, so it is moved in steps and not for each record.
 * 4. CPUs that have a record are in a heap, the oldest on top: the next record
 *    costs the logarithm of their number, or nothing if it is from the same CPU
 *    and older than all others.
 *
 * The consumer writes only `tail` and zeroes.  If it stops, rings fill up and
 * drops are counted; nothing worse happens.
 */
#include "run/ring.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { HOLD_NS = 100 * 1000 * 1000 };

void rings_init(struct rings *rings, const struct bpf_maps *maps,
		bool is_temporal)
{
	*rings = (struct rings){
		.count = maps->ncpus,
		.size = maps->ring_size,
		.max_record = maps->max_record,
		.is_temporal = is_temporal,
	};
	rings->readers = must_alloc(checked_mul(maps->ncpus,
						sizeof(*rings->readers)));
	rings->heap = must_alloc(checked_mul(maps->ncpus,
					     sizeof(*rings->heap)));
	for (uint32_t cpu = 0; cpu < maps->ncpus; cpu++) {
		struct ring_reader *reader = &rings->readers[cpu];

		reader->ring = bpf_ring(maps, cpu);
		reader->data = (uint8_t *)(reader->ring + 1);
		reader->at = reader->moved = reader->ring->tail;
	}
}

void rings_free(struct rings *rings)
{
	free(rings->heap);
	free(rings->readers);
	*rings = (struct rings){ 0 };
}

static struct abi_record *record_at(const struct rings *rings,
				    const struct ring_reader *reader,
				    uint64_t at)
{
	return (struct abi_record *)(reader->data + (at & (rings->size - 1)));
}

/* Size of the record at `at`; 0: not published. */
static uint32_t published(const struct rings *rings,
			  const struct ring_reader *reader, uint64_t at)
{
	return __atomic_load_n(&record_at(rings, reader, at)->size,
			       __ATOMIC_ACQUIRE);
}

static bool is_sound(const struct rings *rings,
		     const struct ring_reader *reader, uint32_t size)
{
	return size % 8 == 0 && size >= sizeof(struct abi_record) &&
	       size <= rings->max_record && size <= reader->head - reader->at;
}

static void wait_for(struct rings *rings, struct ring_reader *reader)
{
	rings->is_waiting = true;
	if (!reader->stuck_since)
		reader->stuck_since = rings->now ? rings->now : 1;
	if (!rings->is_temporal || rings->now - reader->stuck_since > HOLD_NS)
		return;
	if (reader->floor < rings->until)
		rings->until = reader->floor;
}

/* The record this reader could return now, or NULL. */
static struct abi_record *ready(struct rings *rings, struct ring_reader *reader)
{
	if (reader->at == reader->head)
		return NULL;
	uint32_t size = published(rings, reader, reader->at);

	if (!size) {
		wait_for(rings, reader);
		return NULL;
	}
	if (!is_sound(rings, reader, size)) {
		rings->is_damaged = true;
		return NULL;
	}
	reader->stuck_since = 0;
	return record_at(rings, reader, reader->at);
}

/* ------------------------------------------------------------------ heap */

static uint64_t stamp_of(const struct rings *rings, uint32_t cpu)
{
	const struct ring_reader *reader = &rings->readers[cpu];

	return rings->is_temporal ? record_at(rings, reader, reader->at)->stamp
				  : cpu;
}

/* Sifts the CPU at `at` down to its place. */
static void sift(struct rings *rings, uint32_t at)
{
	uint32_t cpu = rings->heap[at];
	uint64_t stamp = stamp_of(rings, cpu);

	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child >= rings->nheap)
			break;
		if (child + 1 < rings->nheap &&
		    stamp_of(rings, rings->heap[child + 1]) <
			    stamp_of(rings, rings->heap[child]))
			child++;
		if (stamp <= stamp_of(rings, rings->heap[child]))
			break;
		rings->heap[at] = rings->heap[child];
		at = child;
	}
	rings->heap[at] = cpu;
}

void rings_begin(struct rings *rings, uint64_t now, uint64_t until)
{
	rings->now = now;
	rings->until = until;
	rings->has_current = false;
	rings->is_waiting = false;
	rings->is_held = false;
	rings->is_filling = false;
	rings->nheap = 0;
	for (uint32_t cpu = 0; cpu < rings->count; cpu++) {
		struct ring_reader *reader = &rings->readers[cpu];

		reader->head = __atomic_load_n(&reader->ring->head,
					       __ATOMIC_ACQUIRE);
		if (reader->head - reader->at > rings->size / 4)
			rings->is_filling = true;
		if (reader->at == reader->head) {
			if (until != UINT64_MAX && reader->floor < until)
				reader->floor = until;
			continue;
		}
		/* finds what blocks the others before any record is returned */
		if (ready(rings, reader))
			rings->heap[rings->nheap++] = cpu;
	}
	for (uint32_t i = rings->nheap / 2; i-- > 0;)
		sift(rings, i);
}

/* Gives programs the room of all records that were released. */
static void move_tail(struct ring_reader *reader)
{
	__atomic_store_n(&reader->ring->tail, reader->at, __ATOMIC_RELEASE);
	reader->moved = reader->at;
}

/* Zeroes the record returned last. */
static void release(struct rings *rings)
{
	enum { STEPS = 64 };

	if (!rings->has_current)
		return;
	struct ring_reader *reader = &rings->readers[rings->current];
	struct abi_record *record = record_at(rings, reader, reader->at);
	uint32_t size = record->size;

	if (record->stamp > reader->floor)
		reader->floor = record->stamp;
	memset(record, 0, size);
	reader->at += size;
	if (reader->at - reader->moved >= rings->size / STEPS)
		move_tail(reader);
	rings->has_current = false;
	/* an unpublished successor blocks the others from here on */
	ready(rings, reader);
}

/* The record of the CPU on top was returned: what is its next one? */
static void move_on(struct rings *rings)
{
	struct ring_reader *reader = &rings->readers[rings->current];

	if (!ready(rings, reader))
		rings->heap[0] = rings->heap[--rings->nheap];
	if (rings->nheap)
		sift(rings, 0);
}

const struct abi_record *rings_next(struct rings *rings, uint32_t *cpu)
{
	if (rings->has_current) {
		release(rings);
		move_on(rings);
	}
	if (!rings->nheap || rings->is_damaged)
		return NULL;
	rings->current = rings->heap[0];
	struct ring_reader *reader = &rings->readers[rings->current];
	struct abi_record *oldest = record_at(rings, reader, reader->at);

	if (rings->is_temporal && oldest->stamp > rings->until) {
		rings->is_held = true;
		return NULL;
	}
	rings->has_current = true;
	*cpu = rings->current;
	return oldest;
}

const struct abi_record *rings_after(const struct rings *rings, uint32_t cpu,
				     uint64_t *ahead)
{
	const struct ring_reader *reader = &rings->readers[cpu];

	*ahead += record_at(rings, reader, reader->at + *ahead)->size;

	uint64_t at = reader->at + *ahead;

	if (at >= reader->head || !published(rings, reader, at))
		return NULL;
	return record_at(rings, reader, at);
}

const struct abi_record *rings_peek(struct rings *rings, uint32_t cpu)
{
	struct ring_reader *reader = &rings->readers[cpu];

	release(rings);
	if (rings->is_damaged || reader->at == reader->head)
		return NULL;
	return ready(rings, reader);
}

const struct abi_record *rings_take(struct rings *rings, uint32_t cpu)
{
	const struct abi_record *record = rings_peek(rings, cpu);

	rings->current = cpu;
	rings->has_current = record != NULL;
	return record;
}

void rings_end(struct rings *rings)
{
	release(rings);
	for (uint32_t cpu = 0; cpu < rings->count; cpu++)
		if (rings->readers[cpu].at != rings->readers[cpu].moved)
			move_tail(&rings->readers[cpu]);
}

/* The start of the record that ends at `end`, or `end` if there is none. */
static uint64_t before(const struct rings *rings,
		       const struct ring_reader *reader, uint64_t end)
{
	uint64_t size;

	memcpy(&size, reader->data + ((end - 8) & (rings->size - 1)),
	       sizeof(size));
	if (size % 8 || size < sizeof(struct abi_record) ||
	    size > rings->max_record || size > end - reader->at ||
	    published(rings, reader, end - size) != size)
		return end;
	return end - size;
}

/* `kept` records will be read; all other claimed ones are lost. */
static void count_overwritten(struct ring_reader *reader, uint64_t kept)
{
	uint64_t claims = __atomic_load_n(&reader->ring->claims,
					  __ATOMIC_RELAXED);

	if (claims - reader->claims_seen > kept)
		reader->overwritten += claims - reader->claims_seen - kept;
	reader->claims_seen = claims;
}

bool rings_rewind(struct rings *rings, bool gives_up)
{
	bool is_complete = true;

	for (uint32_t cpu = 0; cpu < rings->count; cpu++) {
		struct ring_reader *reader = &rings->readers[cpu];
		uint64_t head = __atomic_load_n(&reader->ring->head,
						__ATOMIC_ACQUIRE);
		uint64_t at = head, start, kept = 0;

		if (head == reader->at)
			continue;
		for (; (start = before(rings, reader, at)) != at &&
		       head - start <= rings->size;
		     kept++)
			at = start;
		if (at == head && !gives_up) {
			is_complete = false;
			continue;
		}
		count_overwritten(reader, kept);
		reader->at = at;
		move_tail(reader);
	}
	return is_complete;
}

uint64_t rings_drops(struct rings *rings, uint32_t cpu)
{
	struct ring_reader *reader = &rings->readers[cpu];
	uint64_t total = __atomic_load_n(&reader->ring->drops,
					 __ATOMIC_RELAXED);
	uint64_t fresh = total - reader->drops_seen + reader->overwritten;

	reader->drops_seen = total;
	reader->overwritten = 0;
	return fresh;
}
