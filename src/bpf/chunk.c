/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks: room for keys that have no entry in the table of a CPU.
 *
 * The memory of an mmap-able array is allocated from the start, so tables are
 * small.  A hash table whose elements are allocated one by one can grow while
 * programs run, and user space need not be fast.  An element for each key would
 * need as many buckets as there may be keys; so an element is a chunk of
 * kilobytes, with entries like those of a table (abi.h).
 *
 * 1. Chunks are searched only after the table, so that keys with an entry there
 *    pay nothing.  All CPUs share them, unless the consumer needs to know which
 *    CPU counted what (-x aggpercpu).
 * 2. They are in levels of 16, 64, 256 ... chunks.  A key has one chunk in each
 *    level and a window of CHUNK_WINDOW entries in each chunk, all determined
 *    by its hash.  It takes the first free entry, so memory is allocated as
 *    keys arrive, at most four times as much as they fill.
 * 3. A chunk is freed only when no program can be using it (store_chunk.c in
 *    src/agg): a pointer into one stays valid, and what two programs do to one
 *    entry is as atomic as in tables.
 * 4. If a chunk cannot be allocated (the budget is used up, no memory right
 *    now, or we interrupted a program that was creating one), the search goes
 *    on: chunks are freed at all levels, so the key may have its entry further
 *    down.  Only after the last level is the update dropped and counted.
 *
 * The search is a global function: the kernel verifies it by itself, once per
 * program, whatever the number of aggregations.  It can return only a number,
 * so the caller looks the chunk up once more.  Levels are the iterations of a
 * bpf_loop(), of which the kernel verifies one.  User space takes what is in
 * chunks with a program that exchanges values, too (chunk_take.c).
 */
#include "bpf/chunk.h"

#include <stddef.h>

enum {
	LEVEL_FIRST = 16,	/* chunks in the first level */
	LEVEL_SHIFT = 2,	/* each level has this many bits more */
	CHUNK_WINDOW = 4,
	LEVELS = 7,
	/* the function's variables, on its stack */
	SEARCH = -48, SEARCH_OWNER = 0, SEARCH_TAG = 8, SEARCH_ENTRY = 16,
	SEARCH_LIMIT = 24, SEARCH_START = 32, SEARCH_RESULT = 40,
	SLOT_KEY = -8,		/* on the stack of each level's iteration */
	/* its result: chunk << 16 | offset | SOME | CLAIMED */
	RESULT_SHIFT = 16, RESULT_OFFSET = 0xfff8, RESULT_SOME = 2,
	RESULT_CLAIMED = 1,
	TAG = offsetof(struct abi_agg_entry, tag),
};

/* Sizes of the kernel's allocator, minus what it and the table use. */
static const uint32_t sizes[] = { 8192, 16384 };
enum { OVERHEAD = 64, FEW = 8, MOST_CHUNKS = 1 << 15 };

static uint32_t room_in(uint32_t size)
{
	return size - OVERHEAD;
}

/* Large entries get large chunks, so that each holds several. */
uint32_t bpf_chunk_size(const struct ir_aggregation *aggregations,
			uint32_t count)
{
	uint32_t wanted = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t entry = bpf_agg_entry_size(&aggregations[i]);

		if (!aggregations[i].key_size || !aggregations[i].nvalues ||
		    aggregations[i].is_small || entry > room_in(sizes[1]))
			continue;
		uint32_t size = entry > room_in(sizes[0]) / FEW;

		if (room_in(sizes[size]) > wanted)
			wanted = room_in(sizes[size]);
	}
	return wanted;
}

uint32_t bpf_chunk_count(uint32_t chunk_size, uint64_t budget)
{
	uint64_t count = budget / (chunk_size + OVERHEAD);

	if (count < LEVEL_FIRST)
		count = LEVEL_FIRST;
	return count > MOST_CHUNKS ? MOST_CHUNKS : (uint32_t)count;
}

/* ---------------------------------------------------------------- the caller */

bool chunk_is_for(const struct gen *g, const struct bpf_agg_table *table)
{
	return g->config->chunk_size >= table->entry_size && table->entries > 1;
}

static void note_call(struct gen *g)
{
	g->chunk_calls = arena_grown(g->arena, g->chunk_calls, g->nchunk_calls,
				     sizeof(*g->chunk_calls));
	g->chunk_calls[g->nchunk_calls++] = g->e.count;
	out(g, insn_call_function(0));
}

/* R1 = where chunks of this aggregation start, in the keys of the map */
static void owner(struct gen *g, uint32_t aggregation)
{
	int64_t number = (int64_t)((uint64_t)aggregation << CHUNK_AGG_SHIFT);

	if (!g->config->chunks_per_cpu) {
		emit_const(&g->e, R1, number);
		return;
	}
	out(g, insn_call(BPF_FUNC_get_smp_processor_id));
	out(g, insn_alu_imm(BPF_LSH, R0, CHUNK_CPU_SHIFT));
	emit_const(&g->e, R1, number);
	out(g, insn_alu(BPF_ADD, R1, R0));
}

static void look_up(struct gen *g, int16_t key)
{
	emit_map(&g->e, R1, MAP_CHUNKS, 0);
	out(g, insn_mov(R2, R10));
	emit_add(&g->e, R2, key);
	out(g, insn_call(BPF_FUNC_map_lookup_elem));
}

void chunk_entry(struct gen *g, uint32_t aggregation,
		 const struct bpf_agg_table *table, label none)
{
	uint32_t size = g->config->chunk_size, entry = table->entry_size;
	uint32_t fit = size / entry;

	out(g, insn_store(8, R10, TEMP_A, R3));
	owner(g, aggregation);
	out(g, insn_store(8, R10, TEMP_KEY, R1));
	out(g, insn_load(8, R2, R10, TEMP_A));
	out(g, insn_mov_imm(R3, (int32_t)entry));
	out(g, insn_mov_imm(R4, fit > CHUNK_WINDOW
					? (int32_t)(fit - CHUNK_WINDOW + 1)
					: 1));
	out(g, insn_mov_imm(R5, (int32_t)(size - entry)));
	note_call(g);
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), none);
	out(g, insn_store(8, R10, TEMP_MESSAGE, R0));
	out(g, insn_alu_imm(BPF_RSH, R0, RESULT_SHIFT));
	out(g, insn_load(8, R1, R10, TEMP_KEY));
	out(g, insn_alu(BPF_ADD, R1, R0));
	out(g, insn_store(8, R10, TEMP_KEY, R1));
	look_up(g, TEMP_KEY);
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), none);
	out(g, insn_mov(R5, R0));
	out(g, insn_load(8, R4, R10, TEMP_MESSAGE));
	out(g, insn_mov(R1, R4));
	out(g, insn_alu_imm(BPF_AND, R1, RESULT_OFFSET));
	emit_jump(&g->e, insn_jump_imm(BPF_JGT, R1, (int32_t)(size - entry), 0),
		  none);
	out(g, insn_alu(BPF_ADD, R5, R1));
	out(g, insn_load(8, R3, R10, TEMP_A));
	out(g, insn_alu_imm(BPF_AND, R4, RESULT_CLAIMED));
}

/* -------------------------------------------------------------- the function */

/* R0 = the chunk whose key is in its slot, created if needed. */
static void get_chunk(struct gen *g, label next)
{
	label there = label_new(&g->e), again = label_new(&g->e);

	look_up(g, SLOT_KEY);
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R0, 0, 0), there);
	emit_map(&g->e, R1, MAP_CHUNKS, 0);
	out(g, insn_mov(R2, R10));
	emit_add(&g->e, R2, SLOT_KEY);
	emit_map_value(&g->e, R3, MAP_BLANK, 0);
	out(g, insn_mov_imm(R4, BPF_NOEXIST));
	out(g, insn_call(BPF_FUNC_map_update_elem));
	/* 32 bits: 6.1 returns errors that are not sign-extended. */
	emit_jump(&g->e, insn_jump32_imm(BPF_JNE, R0, 0, 0), again);
	count_in_state(g, offsetof(struct abi_state, agg_chunks));
	/* We did not create it: perhaps another CPU was faster. */
	label_bind(&g->e, again);
	look_up(g, SLOT_KEY);
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), next);
	label_bind(&g->e, there);
}

/*
 * The entry at R1 of the chunk at R0: jumps to `found` if it is the key's, to
 * `empty` if it is free, with R3 pointing to it.  R6 is the search, R7 the tag,
 * R8 the last offset.
 */
static void try_entry(struct gen *g, label found, label empty, label full)
{
	emit_jump(&g->e, insn_jump(BPF_JGT, R1, R8, 0), full);
	/* The same check for the verifier, which does not know the limit. */
	out(g, insn_alu_imm(BPF_AND, R1, RESULT_OFFSET));
	emit_jump(&g->e,
		  insn_jump_imm(BPF_JGT, R1,
				(int32_t)g->config->chunk_size - 16, 0),
		  full);
	out(g, insn_mov(R3, R0));
	out(g, insn_alu(BPF_ADD, R3, R1));
	out(g, insn_load(8, R4, R3, TAG));
	emit_jump(&g->e, insn_jump(BPF_JEQ, R4, R7, 0), found);
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R4, AGG_TAG_EMPTY, 0), empty);
	out(g, insn_alu(BPF_ADD, R1, R5));
}

/*
 * long level(n, search): the key's chunk of level n; R9 is its number among all
 * chunks.  Before a level of 4^n * 16 chunks, the other levels have (4^n * 16 -
 * 16) / 3.
 */
static void gen_level(struct gen *g)
{
	label found = label_new(&g->e), empty = label_new(&g->e);
	label full = label_new(&g->e);

	out(g, insn_mov(R6, R2));
	out(g, insn_load(8, R7, R6, SEARCH_TAG));
	out(g, insn_load(8, R8, R6, SEARCH_LIMIT));
	out(g, insn_alu_imm(BPF_MUL, R1, LEVEL_SHIFT));
	out(g, insn_mov_imm(R2, LEVEL_FIRST));
	out(g, insn_alu(BPF_LSH, R2, R1));
	emit_add(&g->e, R2, -1);
	out(g, insn_mov(R9, R7));
	out(g, insn_alu_imm(BPF_RSH, R9, 40));
	out(g, insn_alu(BPF_AND, R9, R2));
	emit_add(&g->e, R2, 1 - LEVEL_FIRST);
	out(g, insn_alu_imm(BPF_DIV, R2, (1 << LEVEL_SHIFT) - 1));
	out(g, insn_alu(BPF_ADD, R9, R2));
	out(g, insn_load(8, R1, R6, SEARCH_OWNER));
	out(g, insn_alu(BPF_ADD, R1, R9));
	out(g, insn_store(8, R10, SLOT_KEY, R1));
	get_chunk(g, full);
	out(g, insn_load(8, R1, R6, SEARCH_START));
	out(g, insn_load(8, R5, R6, SEARCH_ENTRY));
	for (unsigned i = 0; i < CHUNK_WINDOW; i++)
		try_entry(g, found, empty, full);
	/* Also if another program was faster: the next level has room. */
	label_bind(&g->e, full);
	out(g, insn_mov_imm(R0, 0));
	out(g, insn_exit());

	label_bind(&g->e, empty);
	out(g, insn_mov_imm(R5, AGG_TAG_BUSY));
	out(g, insn_mov_imm(R0, AGG_TAG_EMPTY));
	out(g, insn_atomic(8, BPF_CMPXCHG, R3, TAG, R5));
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R0, AGG_TAG_EMPTY, 0), full);
	out(g, insn_alu_imm(BPF_OR, R1, RESULT_CLAIMED));
	label_bind(&g->e, found);
	out(g, insn_alu_imm(BPF_LSH, R9, RESULT_SHIFT));
	out(g, insn_alu(BPF_OR, R9, R1));
	out(g, insn_alu_imm(BPF_OR, R9, RESULT_SOME));
	out(g, insn_store(8, R6, SEARCH_RESULT, R9));
	out(g, insn_mov_imm(R0, 1));
	out(g, insn_exit());
}

/* long chunk(owner, tag, entry size, number of starts, last offset) */
static void gen_search(struct gen *g, uint32_t level)
{
	out(g, insn_store(8, R10, SEARCH + SEARCH_OWNER, R1));
	out(g, insn_store(8, R10, SEARCH + SEARCH_TAG, R2));
	out(g, insn_store(8, R10, SEARCH + SEARCH_ENTRY, R3));
	out(g, insn_store(8, R10, SEARCH + SEARCH_LIMIT, R5));
	out(g, insn_alu_imm(BPF_RSH, R2, 8));
	out(g, insn_mov32(R2, R2));
	out(g, insn_alu(BPF_MOD, R2, R4));
	out(g, insn_alu(BPF_MUL, R2, R3));
	out(g, insn_store(8, R10, SEARCH + SEARCH_START, R2));
	/* A 0 that the verifier does not know: iterations look alike then. */
	emit_map_value(&g->e, R1, MAP_BLANK, 0);
	out(g, insn_load(8, R1, R1, 0));
	out(g, insn_store(8, R10, SEARCH + SEARCH_RESULT, R1));
	out(g, insn_mov_imm(R1, LEVELS));
	emit_function(&g->e, R2);
	g->e.insns[g->e.count - 2].imm = (int32_t)(level - (g->e.count - 2) -
						   1);
	out(g, insn_mov(R3, R10));
	emit_add(&g->e, R3, SEARCH);
	out(g, insn_mov_imm(R4, 0));
	out(g, insn_call(BPF_FUNC_loop));
	out(g, insn_load(8, R0, R10, SEARCH + SEARCH_RESULT));
	out(g, insn_exit());
}

void gen_chunk_function(struct gen *g)
{
	g->chunk_level = g->e.count;
	gen_level(g);
	g->chunk_function = g->e.count;
	for (uint32_t i = 0; i < g->nchunk_calls; i++)
		g->e.insns[g->chunk_calls[i]].imm =
			(int32_t)(g->chunk_function - g->chunk_calls[i] - 1);
	gen_search(g, g->chunk_level);
}
