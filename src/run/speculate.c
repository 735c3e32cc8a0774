/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Speculations end when they are committed or discarded.  Here they are
 * emptied, and their ids freed.
 *
 * 1. An id is freed only when everything claimed in its rings is published: a
 *    program may still be writing.  Its claim is seen, because programs check
 *    the state again after claiming.
 * 2. Content and its place in the principal stream are found in any order.
 *    The cleaner takes content early, so that ids are free again soon; the
 *    place is reached when records are printed.  If the place comes first, the
 *    content is taken then.
 * 3. Content whose place never comes (bufpolicy=ring overwrote it) must not
 *    accumulate: beyond as much memory as the rings have, the oldest is dropped
 *    and counted.
 */
#include "run/speculate.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"

enum { WAIT_TRIES = 1000, WAIT_US = 100 };

void specs_init(struct specs *specs, struct bpf_maps *maps, bool is_temporal)
{
	*specs = (struct specs){
		.maps = maps->nspec ? maps : NULL,
		.is_temporal = is_temporal,
	};
	specs->last = &specs->waiting;
}

void spec_content_free(struct spec_content *content)
{
	if (!content)
		return;
	free(content->records);
	free(content->bytes);
	free(content);
}

void specs_free(struct specs *specs)
{
	while (specs->waiting) {
		struct spec_content *next = specs->waiting->next;

		spec_content_free(specs->waiting);
		specs->waiting = next;
	}
	*specs = (struct specs){ 0 };
}

static struct abi_record *record_at(const struct bpf_maps *maps,
				    struct abi_ring *ring, uint64_t at)
{
	uint8_t *data = (uint8_t *)(ring + 1);

	return (struct abi_record *)(data + (at & (maps->spec_size - 1)));
}

static bool is_sound(const struct bpf_maps *maps, uint32_t size, uint64_t left)
{
	return size % 8 == 0 && size >= sizeof(struct abi_record) &&
	       size <= maps->max_record && size <= left;
}

/* Is everything that was claimed in any ring of the id published? */
static bool is_quiet(const struct bpf_maps *maps, uint32_t id)
{
	for (uint32_t cpu = 0; cpu < maps->ncpus; cpu++) {
		struct abi_ring *ring = bpf_spec_ring(maps, id, cpu);
		uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
		uint64_t at = ring->tail;

		while (at != head) {
			uint32_t size = __atomic_load_n(
				&record_at(maps, ring, at)->size,
				__ATOMIC_ACQUIRE);

			if (!size)
				return false;
			if (!is_sound(maps, size, head - at))
				break;
			at += size;
		}
	}
	return true;
}

static void add_record(struct spec_content *content, uint64_t offset,
		       uint32_t cpu)
{
	if (content->nrecords == content->capacity) {
		content->capacity = content->capacity ? content->capacity * 2
						      : 16;
		content->records =
			must_realloc(content->records,
				     checked_mul(content->capacity,
						 sizeof(*content->records)));
	}
	/* an offset until all bytes are there */
	content->records[content->nrecords++] = (struct spec_record){
		.record = (const void *)(uintptr_t)offset,
		.cpu = cpu,
	};
}

/* One ring's records, appended (or, without content, thrown away). */
static void empty_ring(const struct bpf_maps *maps, struct abi_ring *ring,
		       uint32_t cpu, struct spec_content *content)
{
	uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
	uint64_t at = ring->tail;

	if (at == head)
		return;
	if (content)
		content->bytes = must_realloc(content->bytes,
					      content->size + (head - at));
	while (at != head) {
		struct abi_record *record = record_at(maps, ring, at);
		uint32_t size = record->size;

		if (!is_sound(maps, size, head - at))
			break;
		if (content && record->kind == RECORD_DATA) {
			memcpy(content->bytes + content->size, record, size);
			add_record(content, content->size, cpu);
			content->size += size;
		}
		memset(record, 0, size);
		at += size;
	}
	__atomic_store_n(&ring->tail, head, __ATOMIC_RELEASE);
}

static int by_stamp(const void *a, const void *b)
{
	const struct abi_record *x = ((const struct spec_record *)a)->record;
	const struct abi_record *y = ((const struct spec_record *)b)->record;

	if (x->stamp != y->stamp)
		return x->stamp < y->stamp ? -1 : 1;
	/* claimed in this order */
	return x < y ? -1 : x > y;
}

static struct spec_content *empty(struct specs *specs, uint32_t id,
				  bool is_wanted)
{
	struct bpf_maps *maps = specs->maps;
	struct spec_content *content = NULL;

	if (is_wanted) {
		content = must_alloc(sizeof(*content));
		content->id = id;
		content->word = bpf_spec(maps, id)->word;
	}
	for (uint32_t cpu = 0; cpu < maps->ncpus; cpu++)
		empty_ring(maps, bpf_spec_ring(maps, id, cpu), cpu, content);
	for (uint32_t i = 0; content && i < content->nrecords; i++)
		content->records[i].record =
			(const struct abi_record
				 *)(content->bytes +
				    (uintptr_t)content->records[i].record);
	if (content && content->nrecords && specs->is_temporal)
		qsort(content->records, content->nrecords,
		      sizeof(*content->records), by_stamp);
	return content;
}

static void make_free(struct bpf_maps *maps, uint32_t id)
{
	struct abi_spec *spec = bpf_spec(maps, id);
	uint64_t generation = spec->word >> SPEC_STATE_BITS;

	__atomic_store_n(&spec->word, generation << SPEC_STATE_BITS | SPEC_FREE,
			 __ATOMIC_SEQ_CST);
	__atomic_fetch_sub(&maps->specs->busy, 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_or(&maps->specs->free[(id - 1) / 64],
			  1ull << ((id - 1) % 64), __ATOMIC_SEQ_CST);
}

/* Invariant 3. */
static void keep(struct specs *specs, struct spec_content *content)
{
	struct bpf_maps *maps = specs->maps;
	uint64_t most = maps->spec_size * maps->ncpus * maps->nspec;

	*specs->last = content;
	specs->last = &content->next;
	specs->waiting_size += content->size;
	while (specs->waiting_size > most && specs->waiting->next) {
		struct spec_content *oldest = specs->waiting;

		specs->waiting = oldest->next;
		specs->waiting_size -= oldest->size;
		specs->lost += oldest->nrecords;
		spec_content_free(oldest);
	}
}

void specs_clean(struct specs *specs)
{
	struct bpf_maps *maps = specs->maps;

	if (!maps || !__atomic_load_n(&maps->specs->busy, __ATOMIC_ACQUIRE))
		return;
	for (uint32_t id = 1; id <= maps->nspec; id++) {
		uint64_t word = __atomic_load_n(&bpf_spec(maps, id)->word,
						__ATOMIC_ACQUIRE);
		unsigned state = word & ((1 << SPEC_STATE_BITS) - 1);

		if ((state != SPEC_COMMITTING && state != SPEC_DISCARDING) ||
		    !is_quiet(maps, id))
			continue;
		struct spec_content *content = empty(specs, id,
						     state == SPEC_COMMITTING);

		make_free(maps, id);
		if (content)
			keep(specs, content);
	}
}

struct spec_content *specs_take(struct specs *specs,
				const struct abi_commit *commit)
{
	struct bpf_maps *maps = specs->maps;

	for (struct spec_content **link = &specs->waiting; *link;
	     link = &(*link)->next) {
		struct spec_content *content = *link;

		if (content->id != commit->id || content->word != commit->word)
			continue;
		*link = content->next;
		if (specs->last == &content->next)
			specs->last = link;
		specs->waiting_size -= content->size;
		return content;
	}
	if (!maps || commit->id < 1 || commit->id > maps->nspec ||
	    bpf_spec(maps, (uint32_t)commit->id)->word != commit->word)
		return NULL;
	uint32_t id = (uint32_t)commit->id;

	for (unsigned i = 0; i < WAIT_TRIES && !is_quiet(maps, id); i++)
		usleep(WAIT_US);
	struct spec_content *content = empty(specs, id, true);

	make_free(maps, id);
	return content;
}

/* Records of a ring are in the order in which they were written. */
uint64_t specs_oldest(const struct specs *specs)
{
	const struct bpf_maps *maps = specs->maps;
	uint64_t oldest = UINT64_MAX;

	for (uint32_t id = 1; maps && id <= maps->nspec; id++)
		for (uint32_t cpu = 0; cpu < maps->ncpus; cpu++) {
			struct abi_ring *ring = bpf_spec_ring(maps, id, cpu);
			const struct abi_record *first = record_at(maps, ring,
								   ring->tail);

			if (ring->tail != __atomic_load_n(&ring->head,
							  __ATOMIC_ACQUIRE) &&
			    __atomic_load_n(&first->size, __ATOMIC_ACQUIRE) &&
			    first->stamp < oldest)
				oldest = first->stamp;
		}
	for (const struct spec_content *content = specs->waiting; content;
	     content = content->next)
		for (uint32_t i = 0; i < content->nrecords; i++)
			if (content->records[i].record->stamp < oldest)
				oldest = content->records[i].record->stamp;
	return oldest;
}

uint64_t specs_lost(struct specs *specs)
{
	uint64_t lost = specs->lost;

	specs->lost = 0;
	return lost;
}
