/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room in aggregation tables.
 *
 * A table has as many entries as aggsize allows; keys that come and go would
 * fill it although nobody needs most of them any more.  What an entry counted
 * is merged by the consumer, so an entry that rests can be taken away from
 * its key: the key gets another one when it comes back.
 *
 * 1. An entry rests when no update came between two drains.
 * 2. It is retired first: its tag becomes BUSY, which programs pass by.  One
 *    that found the entry before may still be about to add to it, so its
 *    values are taken and its tag becomes EMPTY only after every program that
 *    was running has ended.  membarrier(2) waits for exactly that: programs
 *    that do not sleep run inside the kernel's read-side sections.
 * 3. A key may have a younger entry by then.  That is nothing new: merging is
 *    by key.
 *
 * Waiting takes milliseconds and is done only while a table is more than half
 * full, where keys would soon be dropped.  Where membarrier does not wait
 * tables keep their entries, as they do for programs that sleep.
 */
#include "run/aggregate.h"

#include <linux/membarrier.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

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
		retired->capacity = retired->capacity ?
					    retired->capacity * 2 : 256;
		retired->entries = must_realloc(retired->entries,
			checked_mul(retired->capacity, sizeof(entry)));
		retired->cpus = must_realloc(retired->cpus,
			checked_mul(retired->capacity, sizeof(cpu)));
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
			    __atomic_load_n(&entry->touched, __ATOMIC_RELAXED))
				continue;
			__atomic_store_n(&entry->tag, AGG_TAG_BUSY,
					 __ATOMIC_SEQ_CST);
			remember(retired, entry, cpu);
		}
	}
}

/* Every program that runs now has ended; false: no way to know. */
static bool wait_for_programs(void)
{
	return syscall(__NR_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) == 0;
}

/* With one CPU the call does not wait; with tickless ones it is not there. */
static bool can_wait(void)
{
	long commands = syscall(__NR_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);

	return commands > 0 && commands & MEMBARRIER_CMD_GLOBAL &&
	       sysconf(_SC_NPROCESSORS_ONLN) > 1;
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

/* Before its drain: what was not touched since the last one rests. */
static void make_room(struct agg_store *store, struct agg_variable *variable)
{
	const struct bpf_agg_map *map =
		&store->maps->aggs[variable - store->variables];
	struct retired retired = { 0 };

	if (!can_wait()) {
		store->is_fixed = true;
		return;
	}
	retire(store, map, &retired);
	if (retired.count && wait_for_programs())
		release(store, variable, &retired);
	free(retired.entries);
	free(retired.cpus);
}

bool agg_store_drain_for_room(struct agg_store *store)
{
	bool is_any_crowded = false;

	for (uint32_t i = 0; i < store->nvariables; i++) {
		struct agg_variable *variable = &store->variables[i];

		if (!variable->layout->ident)
			continue;
		if (!store->is_fixed && is_crowded(store, variable))
			make_room(store, variable);
		agg_variable_drain(store, variable, false);
		is_any_crowded |= is_crowded(store, variable);
	}
	return is_any_crowded && !store->is_fixed;
}
