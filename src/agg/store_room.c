/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room in aggregation tables.
 *
 * A table has as many entries as aggsize allows.  Keys that come and go would
 * fill it although most of them are no longer needed.  What an entry counted is
 * merged by the consumer, so an idle entry can be taken away from its key: the
 * key gets another one when it comes back.
 *
 * 1. An entry is idle if no update came between two drains.
 * 2. It is retired first: its tag changes so that programs skip it.  A program
 *    that found the entry before may still be about to add to it, so its
 *    values are taken and its tag becomes EMPTY only after every program that
 *    was running has ended (store_wait.c).  If that takes too long, the entry
 *    stays retired, is drained like others, and is freed another time.
 * 3. A key may have a newer entry by then.  That needs no special care:
 *    merging is by key.
 *
 * Waiting takes milliseconds and is done only while a table is more than half
 * full, where keys would soon be dropped.
 *
 * Chunks are given back in the same manner, but whole (store_chunk.c).
 */
#include "agg/store.h"

#include <stdlib.h>

#include "base/arena.h"

/* Entries being retired, all of one aggregation. */
struct retired {
	struct abi_agg_entry **entries;
	uint32_t *cpus;
	uint32_t count, capacity;
};

static void remember(struct retired *retired, struct abi_agg_entry *entry,
		     uint32_t cpu)
{
	if (retired->count == retired->capacity) {
		retired->capacity = retired->capacity ? retired->capacity * 2
						      : 256;
		retired->entries = must_realloc(retired->entries,
						checked_mul(retired->capacity,
							    sizeof(entry)));
		retired->cpus = must_realloc(retired->cpus,
					     checked_mul(retired->capacity,
							 sizeof(cpu)));
	}
	retired->entries[retired->count] = entry;
	retired->cpus[retired->count++] = cpu;
}

static void retire(const struct agg_store *store, const struct bpf_agg_map *map,
		   struct retired *retired)
{
	for (uint32_t cpu = 0; cpu < store->maps->ncpus; cpu++) {
		uint8_t *at = map->memory + cpu * map->element_size +
			      sizeof(struct abi_agg_table);

		for (uint32_t i = 0; i < map->entries;
		     i++, at += map->entry_size) {
			struct abi_agg_entry *entry =
				(struct abi_agg_entry *)at;
			uint64_t tag = __atomic_load_n(&entry->tag,
						       __ATOMIC_RELAXED);

			if (!agg_entry_is_live(tag) ||
			    (tag & AGG_TAG_OPEN &&
			     __atomic_load_n(&entry->touched,
					     __ATOMIC_RELAXED)))
				continue;
			__atomic_store_n(&entry->tag,
					 tag & ~(uint64_t)AGG_TAG_OPEN,
					 __ATOMIC_SEQ_CST);
			remember(retired, entry, cpu);
		}
	}
}

static void release(struct agg_store *store, struct agg_variable *variable,
		    const struct retired *retired)
{
	for (uint32_t i = 0; i < retired->count; i++) {
		struct abi_agg_entry *entry = retired->entries[i];

		agg_entry_take(store, variable, entry, retired->cpus[i]);
		__atomic_store_n(&entry->tag, AGG_TAG_EMPTY, __ATOMIC_RELEASE);
	}
}

static bool is_crowded(const struct agg_store *store,
		       const struct agg_variable *variable)
{
	uint32_t index = (uint32_t)(variable - store->variables);

	return variable->layout->key_size && index < store->maps->naggs &&
	       variable->used > store->maps->aggs[index].entries / 2;
}

/* Before its drain: an entry not touched since the last one is idle. */
static void make_room(struct agg_store *store, struct agg_variable *variable)
{
	const struct bpf_agg_map *map =
		&store->maps->aggs[variable - store->variables];
	struct retired retired = { 0 };

	retire(store, map, &retired);
	if (retired.count && agg_wait_for_programs(store, map))
		release(store, variable, &retired);
	free(retired.entries);
	free(retired.cpus);
}

bool agg_store_drain_for_room(struct agg_store *store)
{
	bool is_any_crowded = false;

	for (uint32_t i = 0; i < store->nvariables; i++) {
		struct agg_variable *variable = &store->variables[i];

		if (!variable->layout)
			continue;
		if (is_crowded(store, variable) && agg_can_wait(store))
			make_room(store, variable);
		agg_variable_drain(store, variable, false);
		agg_chunks_release(store, variable, i);
		is_any_crowded |= is_crowded(store, variable);
	}
	agg_chunks_settle(store);
	return is_any_crowded && !store->is_fixed;
}
