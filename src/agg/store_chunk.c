/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries beyond the tables: what programs put into chunks (bpf/chunk.c).
 *
 * A chunk is copied to the stage as entries like those of a table, and from
 * there they are taken in the same manner.  That leaves the identities of
 * values in the stage, which is what the next chunk needs there.
 *
 * The list of chunks is read again when programs have made more of them.  It is
 * sorted, so that an aggregation's chunks are adjacent.
 *
 * A chunk that has not been used for IDLE_NS is freed:
 *
 * 1. It is retired: from now on programs pass over its entries, and keys get
 *    others elsewhere.  It is drained as before.
 * 2. We wait for all programs that may have found an entry before
 *    (store_wait.c), and retire it once more.  If that changed nothing, no
 *    program can have found an entry since; else one was claiming an entry
 *    when we came by, and we wait again, the next time.
 * 3. What is left in it is taken, and it is removed.  The kernel is told to
 *    free its memory later, for SETTLE_NS.
 *
 * Keys that are still used move up to the chunks that are made again in earlier
 * levels, so the others become idle sooner or later.
 */
#include "agg/store.h"

#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/clock.h"

/* Keys that come back earlier would only have to be given memory again. */
static const uint64_t IDLE_NS = 1000000000;
/* The kernel's own wait before memory is freed usually takes 0.1 s. */
static const uint64_t SETTLE_NS = 3000000000, SETTLE_EVERY_NS = 500000000;

struct chunk {
	uint64_t id;
	uint64_t drained;  /* when that began, the last time */
	uint64_t last_use; /* the last one that found something, or its own */
	bool is_retired;
};

struct agg_chunks {
	struct bpf_taker *taker;
	struct chunk *chunks;
	uint32_t count, capacity;
	uint32_t listed; /* the first ones, which are sorted */
	uint64_t seen;	 /* how many had been made when they were listed */
	uint64_t removed, settled; /* when, the last time */
	char *problem;		   /* why they cannot be read; NULL: they can */
};

static int compare_chunks(const void *a, const void *b)
{
	uint64_t x = ((const struct chunk *)a)->id;
	uint64_t y = ((const struct chunk *)b)->id;

	return (x > y) - (x < y);
}

static void add_chunk(struct agg_chunks *c, uint64_t id, uint64_t now)
{
	struct chunk chunk = { .id = id, .drained = now, .last_use = now };
	const struct chunk *known = c->listed
					    ? bsearch(&chunk, c->chunks,
						      c->listed, sizeof(chunk),
						      compare_chunks)
					    : NULL;

	if (known)
		return;
	if (c->count == c->capacity) {
		c->capacity = c->capacity ? c->capacity * 2 : 64;
		c->chunks = must_realloc(c->chunks, checked_mul(c->capacity,
								sizeof(chunk)));
	}
	c->chunks[c->count++] = chunk;
}

/* Adds those that are new. */
static void list_chunks(const struct agg_store *store, struct agg_chunks *c)
{
	uint64_t id, now = clock_monotonic();
	bool is_any;

	c->listed = c->count;
	for (is_any = bpf_chunk_next(store->maps, NULL, &id); is_any;
	     is_any = bpf_chunk_next(store->maps, &id, &id))
		add_chunk(c, id, now);
	qsort(c->chunks, c->count, sizeof(*c->chunks), compare_chunks);
}

static void open_taker(struct agg_store *store)
{
	struct agg_chunks *c = store->chunks;

	free(c->problem);
	c->problem = NULL;
	c->taker = bpf_taker_open(store->maps, &c->problem);
}

const char *agg_store_problem(const struct agg_store *store)
{
	return store && store->chunks ? store->chunks->problem : NULL;
}

/* NULL: there are none. */
static struct agg_chunks *chunks_of(struct agg_store *store)
{
	uint64_t there;

	if (!store->maps->chunk_size)
		return NULL;
	there = __atomic_load_n(&store->maps->state->agg_chunks,
				__ATOMIC_ACQUIRE);
	if (!there)
		return NULL;
	if (!store->chunks)
		store->chunks = must_alloc(sizeof(*store->chunks));
	if (!store->chunks->taker)
		open_taker(store);
	if (store->chunks->taker && there != store->chunks->seen) {
		store->chunks->seen = there;
		list_chunks(store, store->chunks);
	}
	return store->chunks->taker ? store->chunks : NULL;
}

static void prepare_stage(const struct agg_variable *variable, uint8_t *stage,
			  const struct bpf_chunk_shape *shape)
{
	for (uint32_t i = 0; i < shape->entries; i++) {
		uint8_t *entry = stage + (size_t)i * shape->entry_size;

		memset(entry, 0, shape->entry_size);
		if (variable->identities)
			memcpy(entry + shape->values, variable->identities,
			       variable->layout->nvalues * sizeof(int64_t));
	}
}

/* Was there anything? */
static bool take_stage(struct agg_store *store, struct agg_variable *variable,
		       const struct bpf_chunk_shape *shape, uint8_t *stage,
		       uint64_t id)
{
	uint32_t cpu = (uint32_t)(id >> CHUNK_CPU_SHIFT) &
		       ((1u << (CHUNK_AGG_SHIFT - CHUNK_CPU_SHIFT)) - 1);
	bool is_any = false;

	for (uint32_t i = 0; i < shape->entries; i++) {
		struct abi_agg_entry *entry =
			(struct abi_agg_entry *)(stage +
						 (size_t)i * shape->entry_size);

		if (!agg_entry_is_live(entry->tag))
			continue;
		agg_entry_take(store, variable, entry, cpu);
		is_any = true;
	}
	return is_any;
}

static struct bpf_chunk_shape shape_of(const struct agg_store *store,
				       const struct agg_variable *variable,
				       uint32_t index)
{
	const struct bpf_agg_map *map = &store->maps->aggs[index];

	return (struct bpf_chunk_shape){
		.entries = store->maps->chunk_size / map->entry_size,
		.entry_size = map->entry_size,
		.values = (uint32_t)sizeof(struct abi_agg_entry) +
			  variable->layout->key_size,
	};
}

/* Those of an aggregation end where those of the next one begin. */
static uint32_t first_of(const struct agg_chunks *c, uint64_t index)
{
	uint32_t low = 0, high = c->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (c->chunks[middle].id >> CHUNK_AGG_SHIFT < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void agg_chunks_drain(struct agg_store *store, struct agg_variable *variable,
		      uint32_t index, bool is_final)
{
	struct agg_chunks *c = chunks_of(store);

	if (!c)
		return;
	uint8_t *stage = bpf_taker_stage(c->taker);
	uint32_t first = first_of(c, index), end = first_of(c, index + 1ull);
	uint64_t now = clock_monotonic();

	if (first == end)
		return;
	struct bpf_chunk_shape shape = shape_of(store, variable, index);

	prepare_stage(variable, stage, &shape);
	for (uint32_t i = first; i < end; i++) {
		struct chunk *chunk = &c->chunks[i];

		chunk->drained = now;
		if (!bpf_taker_run(c->taker, chunk->id, &shape, is_final) &&
		    take_stage(store, variable, &shape, stage, chunk->id))
			chunk->last_use = now;
	}
}

/* Is any of these retired now? */
static bool retire_idle(struct agg_chunks *c, uint32_t first, uint32_t end,
			const struct bpf_chunk_shape *shape)
{
	bool is_any = false;

	for (uint32_t i = first; i < end; i++) {
		struct chunk *chunk = &c->chunks[i];

		if (!chunk->is_retired &&
		    chunk->drained - chunk->last_use < IDLE_NS)
			continue;
		if (bpf_taker_retire(c->taker, chunk->id, shape) < 0)
			continue;
		chunk->is_retired = true;
		is_any = true;
	}
	return is_any;
}

/* No program uses an entry that was retired before. */
static bool remove_chunk(struct agg_store *store, struct agg_variable *variable,
			 const struct bpf_chunk_shape *shape, uint64_t id)
{
	struct bpf_taker *taker = store->chunks->taker;
	uint8_t *stage = bpf_taker_stage(taker);

	if (bpf_taker_retire(taker, id, shape) ||
	    bpf_taker_run(taker, id, shape, true))
		return false;
	take_stage(store, variable, shape, stage, id);
	return !bpf_taker_remove(taker, id);
}

void agg_chunks_release(struct agg_store *store, struct agg_variable *variable,
			uint32_t index)
{
	struct agg_chunks *c = store->chunks;

	if (!c || !c->taker)
		return;
	uint32_t first = first_of(c, index), end = first_of(c, index + 1ull);

	if (first == end || !agg_can_wait(store))
		return;
	struct bpf_chunk_shape shape = shape_of(store, variable, index);
	uint32_t kept = first;

	if (!retire_idle(c, first, end, &shape) ||
	    !agg_wait_for_programs(store, &store->maps->aggs[index]))
		return;
	prepare_stage(variable, bpf_taker_stage(c->taker), &shape);
	for (uint32_t i = first; i < c->count; i++)
		if (i >= end || !c->chunks[i].is_retired ||
		    !remove_chunk(store, variable, &shape, c->chunks[i].id))
			c->chunks[kept++] = c->chunks[i];
	if (kept < c->count)
		c->removed = c->settled = clock_monotonic();
	c->count = kept;
}

void agg_chunks_settle(struct agg_store *store)
{
	struct agg_chunks *c = store->chunks;
	uint64_t now = clock_monotonic();

	if (!c || !c->removed || now - c->settled < SETTLE_EVERY_NS)
		return;
	bpf_taker_settle(c->taker, store->maps->ncpus);
	c->settled = now;
	if (now - c->removed > SETTLE_NS)
		c->removed = 0;
}

void agg_chunks_free(struct agg_chunks *chunks)
{
	if (!chunks)
		return;
	bpf_taker_close(chunks->taker);
	free(chunks->problem);
	free(chunks->chunks);
	free(chunks);
}
