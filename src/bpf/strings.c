/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strings: copy, compare, measure, by words.
 *
 * Strings are zero-padded to their capacity, so comparing words compares the
 * strings, and the length is found at the first word whose last byte is 0.
 * Up to INLINE_BYTES everything is unrolled; longer strings are walked by a
 * loop of LOOP_BYTES, which keeps both the code and the verifier's work small.
 *
 * A string may fill its capacity without a NUL.  Where two capacities differ
 * the byte after the shorter one decides.
 */
#include "bpf/gen.h"

/* How many bytes at the front are walked by a loop. */
static uint32_t looped_bytes(uint32_t size)
{
	return size > INLINE_BYTES ? size / LOOP_BYTES * LOOP_BYTES : 0;
}

/* ------------------------------------------------------------------ compare */

/* Two strings being compared: R3 and R4 may hold addresses, R5 counts. */
struct pair {
	struct spot x, y;
	label differ[4]; /* by log2 of the size of the words in R0, R1 */
	bool is_used[4];
};

static unsigned log2_of(uint32_t chunk)
{
	return chunk == 8 ? 3 : chunk == 4 ? 2 : chunk == 2 ? 1 : 0;
}

static void compare_inline(struct gen *g, struct pair *pair, uint32_t size)
{
	for (uint32_t at = 0, chunk; at < size; at += chunk) {
		chunk = spot_chunk(pair->x, pair->y, at, size - at);
		unsigned n = log2_of(chunk);

		out(g, insn_load((int)chunk, R0, pair->x.reg,
				 (int16_t)(pair->x.offset + (int32_t)at)));
		out(g, insn_load((int)chunk, R1, pair->y.reg,
				 (int16_t)(pair->y.offset + (int32_t)at)));
		if (!pair->is_used[n])
			pair->differ[n] = label_new(&g->e);
		pair->is_used[n] = true;
		emit_jump(&g->e, insn_jump(BPF_JNE, R0, R1, 0),
			  pair->differ[n]);
	}
}

static void compare_words(struct gen *g, struct pair *pair, uint32_t size)
{
	uint32_t looped = looped_bytes(size);

	if (looped) {
		label again = label_new(&g->e);

		spot_address(g, pair->x, R3);
		spot_address(g, pair->y, R4);
		pair->x = (struct spot){ .reg = R3 };
		pair->y = (struct spot){ .reg = R4 };
		out(g, insn_mov_imm(R5, (int32_t)(looped / LOOP_BYTES)));
		label_bind(&g->e, again);
		compare_inline(g, pair, LOOP_BYTES);
		emit_add(&g->e, R3, LOOP_BYTES);
		emit_add(&g->e, R4, LOOP_BYTES);
		emit_add(&g->e, R5, -1);
		emit_jump(&g->e, insn_jump_imm(BPF_JNE, R5, 0, 0), again);
	}
	compare_inline(g, pair, size - looped);
	/* Both are now after what was compared. */
	pair->x.offset += (int32_t)(size - looped);
	pair->y.offset += (int32_t)(size - looped);
}

static struct pair start_pair(struct gen *g, const struct ir_insn *insn)
{
	struct pair pair = { 0 };

	pair.x = locate_source(g, &insn->mem, (uint32_t)insn->imm, R3, R0);
	pair.y = locate_source(g, &insn->source, (uint32_t)insn->imm2, R4, R0);
	return pair;
}

static uint32_t common_size(const struct ir_insn *insn)
{
	return (uint32_t)(insn->imm < insn->imm2 ? insn->imm : insn->imm2);
}

/* R0 = first byte after the shorter capacity; false: they are equal. */
static bool load_excess(struct gen *g, const struct ir_insn *insn,
			const struct pair *pair)
{
	if (insn->imm == insn->imm2)
		return false;
	struct spot longer = insn->imm > insn->imm2 ? pair->x : pair->y;

	out(g, insn_load(1, R0, longer.reg, (int16_t)longer.offset));
	return true;
}

/* R0 = order of two long strings */
static void order_by_library(struct gen *g, const struct ir_insn *insn)
{
	struct pair pair = start_pair(g, insn);

	call_library(g, FUNCTION_compare, pair.x, (uint32_t)insn->imm, pair.y,
		     (uint32_t)insn->imm2);
}

static void gen_equal(struct gen *g, const struct ir_insn *insn)
{
	if (common_size(insn) > LIBRARY_BYTES) {
		label equal = label_new(&g->e);

		order_by_library(g, insn);
		out(g, insn_mov(R1, R0));
		out(g, insn_mov_imm(R0, 1));
		emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R1, 0, 0), equal);
		out(g, insn_mov_imm(R0, 0));
		label_bind(&g->e, equal);
		define(g, insn->dst, R0);
		return;
	}
	struct pair pair = start_pair(g, insn);
	label done = label_new(&g->e), differ = label_new(&g->e);

	compare_words(g, &pair, common_size(insn));
	if (load_excess(g, insn, &pair))
		emit_jump(&g->e, insn_jump_imm(BPF_JNE, R0, 0, 0), differ);
	out(g, insn_mov_imm(R0, 1));
	emit_goto(&g->e, done);
	for (unsigned n = 0; n < 4; n++)
		if (pair.is_used[n])
			label_bind(&g->e, pair.differ[n]);
	label_bind(&g->e, differ);
	out(g, insn_mov_imm(R0, 0));
	label_bind(&g->e, done);
	define(g, insn->dst, R0);
}

static void gen_order(struct gen *g, const struct ir_insn *insn)
{
	if (common_size(insn) > LIBRARY_BYTES) {
		order_by_library(g, insn);
		define(g, insn->dst, R0);
		return;
	}
	struct pair pair = start_pair(g, insn);
	label done = label_new(&g->e), order = label_new(&g->e);
	label less = label_new(&g->e);

	compare_words(g, &pair, common_size(insn));
	if (load_excess(g, insn, &pair)) {
		int32_t sign = insn->imm > insn->imm2 ? 1 : -1;

		emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), done);
		out(g, insn_mov_imm(R0, sign));
	} else {
		out(g, insn_mov_imm(R0, 0));
	}
	emit_goto(&g->e, done);
	for (unsigned n = 4; n-- > 0;) {
		if (!pair.is_used[n])
			continue;
		label_bind(&g->e, pair.differ[n]);
		if (n) {
			out(g, insn_big_endian(R0, 1 << n));
			out(g, insn_big_endian(R1, 1 << n));
		}
		emit_goto(&g->e, order);
	}
	label_bind(&g->e, order);
	emit_jump(&g->e, insn_jump(BPF_JLT, R0, R1, 0), less);
	out(g, insn_mov_imm(R0, 1));
	emit_goto(&g->e, done);
	label_bind(&g->e, less);
	out(g, insn_mov_imm(R0, -1));
	label_bind(&g->e, done);
	define(g, insn->dst, R0);
}

/* ------------------------------------------------------------------- length */

/* R2 += length of whole words; leaves with the last word in R0. */
static void measure_inline(struct gen *g, struct spot at, uint32_t size,
			   label found)
{
	for (uint32_t done = 0, chunk; done < size; done += chunk) {
		chunk = spot_chunk(at, at, done, size - done);
		out(g, insn_load((int)chunk, R0, at.reg,
				 (int16_t)(at.offset + (int32_t)done)));
		out(g, insn_mov(R1, R0));
		if (chunk > 1)
			out(g, insn_alu_imm(BPF_RSH, R1,
					    8 * ((int32_t)chunk - 1)));
		emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R1, 0, 0), found);
		emit_add(&g->e, R2, chunk);
	}
}

/* R2 += number of bytes up to the highest non-zero one of R0 */
static void measure_word(struct gen *g)
{
	static const struct {
		int32_t limit, shift, bytes;
	} halves[] = { { 0xffff, 16, 2 }, { 0xff, 8, 1 }, { 0, 8, 1 } };
	label small = label_new(&g->e);

	out(g, insn_mov(R1, R0));
	out(g, insn_alu_imm(BPF_RSH, R1, 32));
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R1, 0, 0), small);
	out(g, insn_mov(R0, R1));
	emit_add(&g->e, R2, 4);
	label_bind(&g->e, small);
	for (unsigned i = 0; i < 3; i++) {
		label skip = label_new(&g->e);

		emit_jump(&g->e, insn_jump_imm(BPF_JLE, R0, halves[i].limit, 0),
			  skip);
		out(g, insn_alu_imm(BPF_RSH, R0, halves[i].shift));
		emit_add(&g->e, R2, halves[i].bytes);
		label_bind(&g->e, skip);
	}
}

static void gen_length(struct gen *g, const struct ir_insn *insn)
{
	uint32_t size = (uint32_t)insn->imm, looped = looped_bytes(size);
	struct spot at = locate_source(g, &insn->mem, size, R3, R0);
	label found = label_new(&g->e);

	if (size > LIBRARY_BYTES) {
		call_library(g, FUNCTION_length, at, size, at, size);
		define(g, insn->dst, R0);
		return;
	}
	out(g, insn_mov_imm(R2, 0));
	if (looped) {
		label again = label_new(&g->e);

		spot_address(g, at, R3);
		at = (struct spot){ .reg = R3 };
		out(g, insn_mov_imm(R5, (int32_t)(looped / LOOP_BYTES)));
		label_bind(&g->e, again);
		measure_inline(g, at, LOOP_BYTES, found);
		emit_add(&g->e, R3, LOOP_BYTES);
		emit_add(&g->e, R5, -1);
		emit_jump(&g->e, insn_jump_imm(BPF_JNE, R5, 0, 0), again);
	}
	measure_inline(g, at, size - looped, found);
	out(g, insn_mov_imm(R0, 0));
	label_bind(&g->e, found);
	measure_word(g);
	define(g, insn->dst, R2);
}

/* --------------------------------------------------------------------- copy */

static void gen_string_copy(struct gen *g, const struct ir_insn *insn)
{
	uint32_t size = (uint32_t)insn->imm, common = common_size(insn);
	label lost = label_new(&g->e);

	if (!size)
		return;
	prepare_write(g, &insn->mem, 0, false, lost);
	struct spot from = locate_source(g, &insn->source, (uint32_t)insn->imm2,
					 R1, R2);
	struct spot to = locate(g, &insn->mem, size, R2, R0);

	copy_bytes(g, to, from, common);
	if (common > INLINE_BYTES)
		to = locate(g, &insn->mem, size, R2, R0);
	if (size > common) {
		to = spot_at(g, to, common, size - common, R2);
		clear_bytes(g, to, size - common);
	} else {
		to = spot_at(g, to, size - 1, 1, R2);
		out(g, insn_store_imm(1, to.reg, (int16_t)to.offset, 0));
	}
	label_bind(&g->e, lost);
}

/*
 * The helper stops at the NUL, or puts one in place of the byte after a source
 * that has none; the rest is zeroed already.
 */
static void gen_string_take(struct gen *g, const struct ir_insn *insn)
{
	uint32_t size = (uint32_t)insn->imm, most = (uint32_t)insn->imm2 + 1;
	label lost = label_new(&g->e);

	if (!size)
		return;
	prepare_write(g, &insn->mem, 0, false, lost);
	clear_bytes(g, locate(g, &insn->mem, size, R1, R2), size);
	spot_address(g, locate_source(g, &insn->source, most - 1, R3, R0), R3);
	spot_address(g, locate(g, &insn->mem, size, R1, R2), R1);
	out(g, insn_mov_imm(R2, (int32_t)(size < most ? size : most)));
	out(g, insn_call(BPF_FUNC_probe_read_kernel_str));
	label_bind(&g->e, lost);
}

void gen_string(struct gen *g, const struct ir_insn *insn)
{
	switch (insn->op) {
	case IR_STRING_TAKE:
		gen_string_take(g, insn);
		break;
	case IR_STRING_COPY:
		gen_string_copy(g, insn);
		break;
	case IR_STRING_COMPARE:
		gen_order(g, insn);
		break;
	case IR_STRING_EQUAL:
		gen_equal(g, insn);
		break;
	default:
		gen_length(g, insn);
	}
}
