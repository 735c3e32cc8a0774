/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where aggregation tables are.
 *
 * The tables of all aggregations are laid out one after the other in one
 * element of an array, with an element for each CPU.  The kernel lets a program
 * use 64 maps; with one map per aggregation a clause would be limited to that
 * many, and a lookup costs the same whatever the size of the element.
 *
 * 1. Tables without keys come first: they have one entry, and their size is not
 *    taken from aggsize.  Those with keys share aggsize equally.
 * 2. Each table starts on a cache line.
 * 3. The verifier follows offsets below 2^29, so no element is larger.
 */
#include "bpf/bpf.h"

enum { LINE = 64 };

static const uint64_t TABLE_MOST = (uint64_t)1 << 28;

uint32_t bpf_agg_entry_size(const struct ir_aggregation *aggregation)
{
	return (uint32_t)sizeof(struct abi_agg_entry) + aggregation->key_size +
	       8 * aggregation->nvalues;
}

static uint64_t table_size(uint32_t entry_size, uint32_t entries)
{
	uint64_t size = sizeof(struct abi_agg_table) +
			(uint64_t)entry_size * entries;

	return (size + LINE - 1) & ~(uint64_t)(LINE - 1);
}

/* As many entries as fit, a power of two. */
static uint32_t entries_within(uint32_t entry_size, uint64_t share)
{
	uint32_t entries = 1;

	if (share > TABLE_MOST)
		share = TABLE_MOST;
	while (table_size(entry_size, 2 * entries) <= share)
		entries *= 2;
	return entries;
}

static bool is_keyed(const struct ir_aggregation *aggregation)
{
	return aggregation->key_size != 0;
}

/* Places tables with or without keys from `offset` on; returns their end. */
static uint64_t lay_out(const struct ir_aggregation *aggregations,
			uint32_t count, bool keyed, uint64_t share,
			uint64_t offset, struct bpf_agg_table *tables)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct ir_aggregation *agg = &aggregations[i];
		uint32_t size = bpf_agg_entry_size(agg);

		/* declared, but never updated */
		if (is_keyed(agg) != keyed || !agg->nvalues)
			continue;
		tables[i] = (struct bpf_agg_table){
			.offset = (uint32_t)offset,
			.entry_size = size,
			.entries = keyed ? entries_within(size, share) : 1,
		};
		offset += table_size(size, tables[i].entries);
	}
	return offset;
}

uint64_t bpf_agg_layout(const struct ir_aggregation *aggregations,
			uint32_t count, uint64_t agg_size,
			struct bpf_agg_table *tables)
{
	uint32_t keyed = 0;

	for (uint32_t i = 0; i < count; i++) {
		tables[i] = (struct bpf_agg_table){ 0 };
		keyed += is_keyed(&aggregations[i]);
	}
	uint64_t end = lay_out(aggregations, count, false, 0, 0, tables);

	if (agg_size > BPF_AGG_MOST - end)
		agg_size = end < BPF_AGG_MOST ? BPF_AGG_MOST - end : 0;
	return lay_out(aggregations, count, true, keyed ? agg_size / keyed : 0,
		       end, tables);
}
