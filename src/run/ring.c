/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The consumer's end of the rings (bpf/abi.h has the protocol).
 *
 * 1. Inside one CPU records come in the order of their claims.  Between CPUs
 *    they are merged by stamp, which is exact if the pass stops at a time
 *    `until` a little in the past: everything older has been claimed by then.
 * 2. A claimed record may not be published yet: its program was interrupted.
 *    It blocks its own CPU, because its size is not known; and it blocks
 *    younger records of the others, because its stamp is not known either
 *    beyond being no older than the reader's `floor`.  Normally that lasts
 *    microseconds.  A preempted user probe may take longer, so after HOLD
 *    the others go on without it.
 * 3. Every byte read is zeroed before `tail` passes it: the next round relies
 *    on headers that read 0 until they are published.
 *
 * The consumer writes only `tail` and zeroes; a stopped consumer makes rings
 * full and drops counted, nothing worse.
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
	for (uint32_t cpu = 0; cpu < maps->ncpus; cpu++) {
		struct ring_reader *reader = &rings->readers[cpu];

		reader->ring = bpf_ring(maps, cpu);
		reader->data = (uint8_t *)(reader->ring + 1);
		reader->at = reader->ring->tail;
	}
}

void rings_free(struct rings *rings)
{
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
	       size <= rings->max_record &&
	       size <= reader->head - reader->at;
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

/* The record this reader could give now, or NULL. */
static struct abi_record *ready(struct rings *rings,
				struct ring_reader *reader)
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

void rings_begin(struct rings *rings, uint64_t now, uint64_t until)
{
	rings->now = now;
	rings->until = until;
	rings->has_current = false;
	rings->is_waiting = false;
	rings->is_held = false;
	rings->is_filling = false;
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
		/* finds what blocks the others before anything is given out */
		ready(rings, reader);
	}
}

/* Zero the record given out last and let programs have its room. */
static void release(struct rings *rings)
{
	if (!rings->has_current)
		return;
	struct ring_reader *reader = &rings->readers[rings->current];
	struct abi_record *record = record_at(rings, reader, reader->at);
	uint32_t size = record->size;

	if (record->stamp > reader->floor)
		reader->floor = record->stamp;
	memset(record, 0, size);
	reader->at += size;
	__atomic_store_n(&reader->ring->tail, reader->at, __ATOMIC_RELEASE);
	rings->has_current = false;
	/* an unpublished successor holds the others from here on */
	ready(rings, reader);
}

const struct abi_record *rings_next(struct rings *rings, uint32_t *cpu)
{
	struct abi_record *oldest = NULL;

	release(rings);
	for (uint32_t i = 0; i < rings->count && !rings->is_damaged; i++) {
		struct ring_reader *reader = &rings->readers[i];

		if (reader->at == reader->head)
			continue;
		struct abi_record *record = ready(rings, reader);

		if (!record || (oldest && record->stamp >= oldest->stamp))
			continue;
		oldest = record;
		rings->current = i;
		if (!rings->is_temporal)
			break;
	}
	if (!oldest || rings->is_damaged)
		return NULL;
	if (rings->is_temporal && oldest->stamp > rings->until) {
		rings->is_held = true;
		return NULL;
	}
	rings->has_current = true;
	*cpu = rings->current;
	return oldest;
}

const struct abi_record *rings_after(const struct rings *rings, uint32_t cpu)
{
	const struct ring_reader *reader = &rings->readers[cpu];
	uint64_t at = reader->at + record_at(rings, reader, reader->at)->size;

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
}

/* The start of the record that ends at `end`, or `end` when there is none. */
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

/* `kept` records will be read; all others of those claimed are gone. */
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
		       head - start <= rings->size; kept++)
			at = start;
		if (at == head && !gives_up) {
			is_complete = false;
			continue;
		}
		count_overwritten(reader, kept);
		reader->at = at;
		reader->ring->tail = at;
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
