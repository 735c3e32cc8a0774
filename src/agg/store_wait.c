/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for programs that use entries of an aggregation.
 *
 * An entry is taken away from its key in two steps: first programs that start
 * from now on cannot find it; then it gets its new use, when all programs that
 * may have found it before have ended.
 *
 * 1. Most programs run inside the kernel's read-side sections, in interrupts
 *    and NMIs, too.  membarrier(2) waits for exactly these.
 * 2. Programs that may sleep do not.  They count themselves in the table of the
 *    CPU on which they started (aggregate.c in src/bpf), wherever they end.  A
 *    count that was 0 once, after the entry was hidden, is all that is needed:
 *    whoever is counted later cannot find the entry.  So CPUs need not be idle
 *    at the same time.
 *
 * With one CPU membarrier does not wait, and with tickless CPUs it is
 * unavailable.  Nothing is taken away from keys then.
 */
#include "agg/store.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A program is preempted: that may take long, so we come back later. */
enum { LOOKS = 50, LOOK_NS = 100000 };

bool agg_can_wait(struct agg_store *store)
{
	if (store->is_fixed)
		return false;
	long commands = syscall(__NR_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);

	store->is_fixed = commands <= 0 ||
			  !(commands & MEMBARRIER_CMD_GLOBAL) ||
			  sysconf(_SC_NPROCESSORS_ONLN) < 2;
	return !store->is_fixed;
}

bool agg_wait_for_programs(const struct agg_store *store,
			   const struct bpf_agg_map *map)
{
	const struct timespec while_busy = { .tv_nsec = LOOK_NS };
	unsigned looks = 0;

	if (syscall(__NR_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		return false;
	for (uint32_t cpu = 0; cpu < store->maps->ncpus; cpu++) {
		const struct abi_agg_table *table =
			(const struct abi_agg_table *)(map->memory +
						       cpu * map->element_size);

		while (__atomic_load_n(&table->users, __ATOMIC_SEQ_CST)) {
			if (++looks > LOOKS)
				return false;
			nanosleep(&while_busy, NULL);
		}
	}
	return true;
}
