/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Aggregations: find the key's entry in this CPU's table.
 *
 * The table is open-addressed (abi.h).  The upper half of the key's hash says
 * where to look first.  The whole hash, with two bits set so that it is odd and
 * neither EMPTY nor BUSY, is the entry's tag.  AGG_PROBES entries are tried:
 *
 *	tag is the key's hash		this is the entry
 *	tag is EMPTY			claim it with BUSY, write the key,
 *					publish the tag
 *	anything else			try the next one
 *
 * A program that interrupts us while an entry is BUSY takes another entry for
 * the same key; the consumer merges by key.  Nothing else may be assumed about
 * other writers, so values change by atomic operations (update.c).
 *
 * If no entry is free, the search continues in chunks (chunk.c).
 *
 * User space takes entries away from idle keys, after all programs that might
 * be using them have ended (store_wait.c in src/agg).  It cannot ask the kernel
 * about programs that sleep, so those count themselves while they use the
 * table.
 *
 * Without keys there is one entry, which user space has initialized.
 */
#include "arch/arch.h"
#include "bpf/chunk.h"
#include "bpf/gen.h"
#include "bpf/link.h"
#include "bpf/update.h"

#include <stddef.h>

static const uint64_t FACTOR = 0xd6e8feb86659fd93;

enum {
	/* from the first entry */
	TABLE_DROPS = (int)offsetof(struct abi_agg_table, drops) -
		      (int)sizeof(struct abi_agg_table),
	TABLE_USERS = (int)offsetof(struct abi_agg_table, users) -
		      (int)sizeof(struct abi_agg_table),
	ENTRY_TAG = offsetof(struct abi_agg_entry, tag),
	ENTRY_TOUCHED = offsetof(struct abi_agg_entry, touched),
	ENTRY_KEY = sizeof(struct abi_agg_entry),
	TEMP_ENTRIES = TEMP_B,	/* address of the first entry */
	TEMP_ENTRY = TEMP_MESSAGE,
};

struct search {
	const struct ir_insn *insn;
	const struct ir_aggregation *agg;
	const struct bpf_agg_table *table;
	bool has_chunks;
	struct spot key; /* valid while R1 is preserved */
	label hit, drop;
	label again, other;   /* the next entry; one of another key */
	label more;	      /* no entry in the table; R3: the tag */
	label found, claimed; /* R5: an entry with the tag, or BUSY */
};

/*
 * Is there only a string after the first iteration of a loop over the key? Then
 * an iteration that ends with a word of zeros is the last that matters: a short
 * string costs little in a long key.
 */
static bool ends_early(const struct search *s)
{
	return s->agg->string_size &&
	       s->agg->key_size - s->agg->string_size + 8 <= LOOP_BYTES;
}

/* -------------------------------------------------------------------- hash */

/* reg = swap(reg * FACTOR): loses nothing, and moves every bit */
static void mix(struct gen *g, int reg)
{
	out(g, insn_alu(BPF_MUL, reg, R4));
	out(g, insn_big_endian(reg, 8));
}

/*
 * Two lanes, R3 and R2, with FACTOR in R4: lane = (lane ^ word) * FACTOR.  A
 * product propagates changes only upwards, so a change in the last byte of a
 * word would have little effect.  The second lane gets the word with its bytes
 * swapped, where that byte is the lowest.
 */
static void hash_words(struct gen *g, struct spot key, uint32_t size)
{
	for (uint32_t at = 0; at < size; at += 8) {
		out(g, insn_load(8, R0, key.reg,
				 (int16_t)(key.offset + (int32_t)at)));
		out(g, insn_alu(BPF_XOR, R3, R0));
		out(g, insn_alu(BPF_MUL, R3, R4));
		out(g, insn_big_endian(R0, 8));
		out(g, insn_alu(BPF_XOR, R2, R0));
		out(g, insn_alu(BPF_MUL, R2, R4));
	}
}

/*
 * R3 = tag of the key.  Uses R0, R2, R4, and R1, R5 for long keys.  The hash
 * starts from a word that is 0, so that the verifier cannot know the hash of a
 * constant key: it would follow sixteen entries one by one instead of any entry
 * sixteen times.  The word is in the state, which every program reads first: the
 * start of the table is on a page that nothing else needs.
 */
static void hash_key(struct gen *g, struct search *s)
{
	uint32_t size = s->agg->key_size, rest = size;
	struct spot key = s->key;
	label ended = label_new(&g->e);

	if (size > LIBRARY_BYTES) {
		spot_address(g, key, R1);
		out(g, insn_mov(R2, R1));
		emit_const(&g->e, R3, (int64_t)((uint64_t)size << 32 | size));
		emit_const(&g->e, R4, (int64_t)FACTOR);
		link_call(g, FUNCTION_hash);
		out(g, insn_mov(R3, R0));
		out(g, insn_alu_imm(BPF_OR, R3, 3));
		return;
	}
	emit_map_value(&g->e, R3, MAP_STATE, offsetof(struct abi_state, zero));
	out(g, insn_load(8, R3, R3, 0));
	emit_const(&g->e, R4, (int64_t)FACTOR);
	out(g, insn_mov(R2, R4));
	if (size > INLINE_BYTES) {
		label again = label_new(&g->e);

		spot_address(g, key, R1);
		key = (struct spot){ .reg = R1 };
		out(g, insn_mov_imm(R5, (int32_t)(size / LOOP_BYTES)));
		label_bind(&g->e, again);
		hash_words(g, key, LOOP_BYTES);
		if (ends_early(s))
			emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0),
				  ended);
		emit_add(&g->e, R1, LOOP_BYTES);
		emit_add(&g->e, R5, -1);
		emit_jump(&g->e, insn_jump_imm(BPF_JNE, R5, 0, 0), again);
		rest = size % LOOP_BYTES;
	}
	hash_words(g, key, rest);
	label_bind(&g->e, ended);
	mix(g, R3);
	out(g, insn_alu(BPF_XOR, R3, R2));
	mix(g, R3);
	out(g, insn_alu(BPF_MUL, R3, R4));
	out(g, insn_alu_imm(BPF_OR, R3, 3));
}

/* ------------------------------------------------------------------- search */

static void compare_words(struct gen *g, struct spot key, struct spot entry,
			  uint32_t size, label differ)
{
	for (uint32_t at = 0; at < size; at += 8) {
		out(g, insn_load(8, R0, key.reg,
				 (int16_t)(key.offset + (int32_t)at)));
		out(g, insn_load(8, R2, entry.reg,
				 (int16_t)(entry.offset + (int32_t)at)));
		emit_jump(&g->e, insn_jump(BPF_JNE, R0, R2, 0), differ);
	}
}

/* A long key: R1 and R5 advance, R4 counts; R5 is restored. */
static void compare_long(struct gen *g, const struct search *s)
{
	label again = label_new(&g->e), ended = label_new(&g->e);
	struct spot key = { .reg = R1 }, entry = { .reg = R5 };
	uint32_t size = s->agg->key_size;

	out(g, insn_store(8, R10, TEMP_ENTRY, R5));
	spot_address(g, locate(g, &s->insn->mem, size, R1, R2), R1);
	if (size > LIBRARY_BYTES) {
		call_library(g, FUNCTION_same, key, size,
			     (struct spot){ .reg = R5, .offset = ENTRY_KEY },
			     size);
		emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), s->drop);
		out(g, insn_load(8, R5, R10, TEMP_ENTRY));
		return;
	}
	emit_add(&g->e, R5, ENTRY_KEY);
	out(g, insn_mov_imm(R4, (int32_t)(size / LOOP_BYTES)));
	label_bind(&g->e, again);
	compare_words(g, key, entry, LOOP_BYTES, s->drop);
	if (ends_early(s))
		emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), ended);
	emit_add(&g->e, R1, LOOP_BYTES);
	emit_add(&g->e, R5, LOOP_BYTES);
	emit_add(&g->e, R4, -1);
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R4, 0, 0), again);
	compare_words(g, key, entry, size % LOOP_BYTES, s->drop);
	label_bind(&g->e, ended);
	out(g, insn_load(8, R5, R10, TEMP_ENTRY));
}

static void write_key(struct gen *g, const struct search *s)
{
	struct spot entry = { .reg = R5, .offset = ENTRY_KEY };
	uint32_t size = s->agg->key_size;

	if (size <= INLINE_BYTES) {
		copy_bytes(g, entry, s->key, size);
		return;
	}
	out(g, insn_store(8, R10, TEMP_A, R3));
	out(g, insn_store(8, R10, TEMP_ENTRY, R5));
	copy_bytes(g, entry, locate(g, &s->insn->mem, size, R1, R2), size);
	out(g, insn_load(8, R3, R10, TEMP_A));
	out(g, insn_load(8, R5, R10, TEMP_ENTRY));
}

/* The entry at R5 is ours and BUSY: assigns it to the key. */
static void fill_entry(struct gen *g, const struct search *s)
{
	uint32_t base = update_base(s->agg);

	write_key(g, s);
	emit_add(&g->e, R5, base);
	update_identity(g, s->agg);
	emit_add(&g->e, R5, -(int64_t)base);
	if (ARCH_STORES_IN_ORDER) {
		out(g, insn_store(8, R5, ENTRY_TAG, R3));
		return;
	}
	out(g, insn_mov(R0, R3));
	out(g, insn_atomic(8, BPF_XCHG, R5, ENTRY_TAG, R0));
}

/* R5 = the entry at R4, reduced to the table's size */
static void entry_address(struct gen *g, const struct search *s)
{
	out(g, insn_mov(R0, R4));
	out(g, insn_load(8, R5, R10, TEMP_ENTRIES));
	/* The mask must come last: 6.1, "unbounded memory access". */
	out(g, insn_alu_imm(BPF_AND, R0, (int32_t)(s->table->entries - 1)));
	out(g, insn_alu_imm(BPF_MUL, R0, (int32_t)s->table->entry_size));
	out(g, insn_alu(BPF_ADD, R5, R0));
}

/*
 * Most keys are found in the first entry, so that code comes first and goes
 * straight on; what is rare is placed after it and jumps back.
 *
 * The verifier follows the loop sixteen times, and every exit from it as often,
 * unless they join again.  So the loop is short and looks only at tags, and
 * nothing after it needs the counter, R2.
 *
 * R4 starts at the upper half of the tag and advances by the tag, which is odd.
 * Keys that start at one entry take different paths from there, so that a table
 * that is half full still has room within AGG_PROBES tries for all but one in
 * 2^16.
 *
 * If two keys have the same 64 bits of hash, one of them counts as dropped.
 * The same happens if a program interrupts this one between the look at an
 * empty entry and its claim, and takes that very entry for another key.
 */
static void find_entry(struct gen *g, struct search *s)
{
	uint32_t size = s->agg->key_size;

	s->key = locate(g, &s->insn->mem, size, R1, R2);
	hash_key(g, s);
	out(g, insn_mov(R4, R3));
	out(g, insn_alu_imm(BPF_RSH, R4, 32));
	out(g, insn_mov_imm(R2, AGG_PROBES));
	label_bind(&g->e, s->again);
	entry_address(g, s);
	out(g, insn_load(8, R0, R5, ENTRY_TAG));
	emit_jump(&g->e, insn_jump(BPF_JNE, R0, R3, 0), s->other);
	label_bind(&g->e, s->found);
	if (size > INLINE_BYTES)
		compare_long(g, s);
	else
		compare_words(g, s->key,
			      (struct spot){ .reg = R5, .offset = ENTRY_KEY },
			      size, s->drop);
}

/* Few keys need it. */
static void find_in_chunks(struct gen *g, const struct search *s)
{
	label_bind(&g->e, s->more);
	chunk_entry(g, (uint32_t)s->insn->imm, s->table, s->drop);
	locate(g, &s->insn->mem, s->agg->key_size, R1, R2);
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R4, 0, 0), s->claimed);
	emit_goto(&g->e, s->found);
}

/* The entry at R5 is not the key's; R0: its tag. */
static void find_other(struct gen *g, const struct search *s)
{
	label empty = label_new(&g->e);

	label_bind(&g->e, s->other);
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, AGG_TAG_EMPTY, 0), empty);
	out(g, insn_alu(BPF_ADD, R4, R3));
	emit_add(&g->e, R2, -1);
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R2, 0, 0), s->again);
	if (s->has_chunks)
		find_in_chunks(g, s);
	else
		emit_goto(&g->e, s->drop);

	label_bind(&g->e, empty);
	out(g, insn_mov_imm(R2, AGG_TAG_BUSY));
	out(g, insn_atomic(8, BPF_CMPXCHG, R5, ENTRY_TAG, R2));
	emit_jump(&g->e, insn_jump(BPF_JEQ, R0, R3, 0), s->found);
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R0, AGG_TAG_EMPTY, 0), s->more);
	label_bind(&g->e, s->claimed);
	fill_entry(g, s);
	emit_goto(&g->e, s->hit);
}

/* R1 is the first entry of the table.  Uses R2. */
static void count_user(struct gen *g, int32_t change)
{
	out(g, insn_mov_imm(R2, change));
	/* With its result it is a barrier on all machines. */
	out(g, insn_atomic(8, BPF_ADD | BPF_FETCH, R1, TABLE_USERS, R2));
}

void gen_aggregate(struct gen *g, const struct ir_insn *insn)
{
	const struct ir_aggregation *agg = &g->program->aggregations[insn->imm];
	label done = label_new(&g->e), none = label_new(&g->e);
	struct search s = {
		.insn = insn,
		.agg = agg,
		.table = &g->config->agg_tables[insn->imm],
		.hit = label_new(&g->e),
		.drop = label_new(&g->e),
		.again = label_new(&g->e),
		.other = label_new(&g->e),
		.found = label_new(&g->e),
		.claimed = label_new(&g->e),
	};
	bool is_counted = agg->key_size && g->config->kind.is_sleepable;
	uint32_t base = update_base(agg);

	s.has_chunks = agg->key_size && !agg->is_small &&
		       chunk_is_for(g, s.table);
	s.more = s.has_chunks ? label_new(&g->e) : s.drop;
	lookup_cpu(g, MAP_AGGREGATION, (uint32_t)insn->imm, none);
	emit_add(&g->e, R0,
		 (int64_t)(s.table->offset + sizeof(struct abi_agg_table)));
	out(g, insn_store(8, R10, TEMP_ENTRIES, R0));
	if (is_counted) {
		out(g, insn_mov(R1, R0));
		count_user(g, 1);
	}
	if (agg->key_size) {
		find_entry(g, &s);
	} else {
		out(g, insn_mov(R5, R0));
		out(g, insn_store_imm(8, R5, ENTRY_TAG, 2));
	}
	label_bind(&g->e, s.hit);
	emit_add(&g->e, R5, base);
	update_values(g, insn, agg, s.drop);
	emit_add(&g->e, R5, -(int64_t)base);
	/* After the values: a drain in between comes back for them. */
	out(g, insn_store_imm(8, R5, ENTRY_TOUCHED, 1));
	/* The verifier rejects unreachable code. */
	if (!agg->key_size && !update_may_fail(insn->slots)) {
		label_bind(&g->e, none);
		return;
	}
	emit_goto(&g->e, done);

	if (agg->key_size)
		find_other(g, &s);
	label_bind(&g->e, s.drop);
	out(g, insn_load(8, R1, R10, TEMP_ENTRIES));
	out(g, insn_mov_imm(R0, 1));
	out(g, insn_atomic(8, BPF_ADD, R1, TABLE_DROPS, R0));
	label_bind(&g->e, done);
	if (is_counted) {
		out(g, insn_load(8, R1, R10, TEMP_ENTRIES));
		count_user(g, -1);
	}
	label_bind(&g->e, none);
}
