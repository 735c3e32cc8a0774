/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checked reads of kernel and user memory.
 *
 * The helpers return a negative number for a bad address; then the fault is
 * noted with the address.  Strings: the memory is zeroed first, because the
 * helper leaves what follows the NUL alone and our strings are padded.
 *
 * Those helpers find only what is in memory.  A sleepable program (user probes)
 * that fails to read user memory retries with a helper that brings the pages
 * in: the first one is faster, and nearly always succeeds.  It does so only for
 * pages that will come (bpf/mapping.bpf.c at the top), unless the user wants to
 * wait for any (-x blockingreads).
 */
#include <stddef.h>

#include "bpf/gen.h"
#include "bpf/link.h"

enum { USER_PAGE = 4096, MOST_TOUCHED = 32 * USER_PAGE };

static bool is_read(const struct ir_insn *insn)
{
	return insn->op == IR_READ || insn->op == IR_READ_STRING ||
	       insn->op == IR_READ_SCALAR;
}

bool may_read_again(const struct gen *g, const struct ir_insn *insn)
{
	return g->config->kind.is_sleepable && is_read(insn) &&
	       insn->source.space == IR_USER;
}

static int helper_of(const struct ir_insn *insn)
{
	bool is_user = insn->source.space == IR_USER;

	if (insn->op == IR_READ_STRING)
		return is_user ? BPF_FUNC_probe_read_user_str
			       : BPF_FUNC_probe_read_kernel_str;
	return is_user ? BPF_FUNC_probe_read_user : BPF_FUNC_probe_read_kernel;
}

/* R2 = the smaller of size and of `most` with a NUL */
static void most_bytes(struct gen *g, uint32_t most, uint32_t size)
{
	label fine = label_new(&g->e);

	use_in(g, most, R2);
	emit_jump(&g->e, insn_jump_imm(BPF_JLT, R2, (int32_t)size - 1, 0),
		  fine);
	out(g, insn_mov_imm(R2, (int32_t)size - 1));
	label_bind(&g->e, fine);
	emit_add(&g->e, R2, 1);
}

void read_size(struct gen *g, const struct ir_insn *insn, uint32_t size)
{
	label fine = label_new(&g->e);

	if (!insn->b) {
		out(g, insn_mov_imm(R2, (int32_t)size));
		return;
	}
	use_in(g, insn->b, R2);
	emit_jump(&g->e, insn_jump_imm(BPF_JLE, R2, (int32_t)size, 0), fine);
	out(g, insn_mov_imm(R2, (int32_t)size));
	label_bind(&g->e, fine);
}

static struct spot scalar_spot(void)
{
	return (struct spot){ R10, TEMP_A, true };
}

/* R0 = how many of the R5 bytes at insn->a can be waited for. */
static void count_pageable(struct gen *g, const struct ir_insn *insn)
{
	if (g->config->waits_for_all) {
		out(g, insn_mov(R0, R5));
		return;
	}
	g->looks_at_mappings = true;
	use_in(g, insn->a, R4);
	emit_map_value(&g->e, R2, MAP_STATE,
		       offsetof(struct abi_state, mapping));
	link_call(g, FUNCTION_pageable);
}

/* One byte of user memory at R3: its page is resident afterwards. */
static void touch(struct gen *g)
{
	out(g, insn_mov(R1, R10));
	emit_add(&g->e, R1, TEMP_KEY);
	out(g, insn_mov_imm(R2, 1));
	out(g, insn_call(BPF_FUNC_copy_from_user));
}

/*
 * A string may end before the missing page, so failures count only when it is
 * read again.
 */
static void touch_pages(struct gen *g, const struct ir_insn *insn,
			uint32_t size)
{
	uint32_t most = size < MOST_TOUCHED ? size : MOST_TOUCHED;
	label done = label_new(&g->e), last = label_new(&g->e);

	out(g, insn_mov_imm(R5, (int32_t)most));
	count_pageable(g, insn);
	out(g, insn_store(8, R10, TEMP_A, R0));
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), done);
	for (uint32_t at = 0; at < most; at += USER_PAGE) {
		out(g, insn_load(8, R0, R10, TEMP_A));
		emit_jump(&g->e, insn_jump_imm(BPF_JLE, R0, (int32_t)at, 0),
			  last);
		use_in(g, insn->a, R3);
		emit_add(&g->e, R3, at);
		touch(g);
	}
	label_bind(&g->e, last);
	use_in(g, insn->a, R3);
	out(g, insn_load(8, R0, R10, TEMP_A));
	out(g, insn_alu(BPF_ADD, R3, R0));
	emit_add(&g->e, R3, -1);
	touch(g);
	label_bind(&g->e, done);
}

static void call_helper(struct gen *g, const struct ir_insn *insn,
			struct spot to, uint32_t size, int helper)
{
	spot_address(g, to, R1);
	if (insn->op == IR_READ_STRING && insn->b)
		most_bytes(g, insn->b, size);
	else
		read_size(g, insn, size);
	use_in(g, insn->a, R3);
	out(g, insn_call(helper));
}

/* The read failed, possibly because of a missing page. */
static void read_again(struct gen *g, const struct ir_insn *insn, uint32_t size,
		       label fault)
{
	int helper = BPF_FUNC_copy_from_user;

	if (insn->op == IR_READ_STRING) {
		touch_pages(g, insn, size);
		helper = BPF_FUNC_probe_read_user_str;
	} else if (!g->config->waits_for_all) {
		read_size(g, insn, size);
		out(g, insn_mov(R5, R2));
		out(g, insn_store(8, R10, TEMP_B, R5));
		count_pageable(g, insn);
		out(g, insn_load(8, R5, R10, TEMP_B));
		emit_jump(&g->e, insn_jump(BPF_JLT, R0, R5, 0), fault);
	}
	struct spot to = insn->op == IR_READ_SCALAR
				 ? scalar_spot()
				 : locate(g, &insn->mem, size, R1, R2);

	call_helper(g, insn, to, size, helper);
}

/* Falls through when the read succeeded. */
static void call_read(struct gen *g, const struct ir_insn *insn, struct spot to,
		      uint32_t size)
{
	label fine = label_new(&g->e), fault = label_new(&g->e);

	call_helper(g, insn, to, size, helper_of(insn));
	emit_jump(&g->e, insn_jump32_imm(BPF_JSGE, R0, 0, 0), fine);
	if (may_read_again(g, insn)) {
		read_again(g, insn, size, fault);
		emit_jump(&g->e, insn_jump32_imm(BPF_JSGE, R0, 0, 0), fine);
	}
	label_bind(&g->e, fault);
	gen_fault(g, insn, FAULT_BADADDR, insn->a);
	label_bind(&g->e, fine);
}

static void read_scalar(struct gen *g, const struct ir_insn *insn)
{
	call_read(g, insn, scalar_spot(), insn->size);
	int dst = target(g, insn->dst, R0);

	out(g, insn_load(insn->size, dst, R10, TEMP_A));
	if (insn->is_signed)
		gen_extend(g, dst, insn->size, true);
	define(g, insn->dst, dst);
}

static void read_block(struct gen *g, const struct ir_insn *insn)
{
	label lost = label_new(&g->e);
	uint32_t size = (uint32_t)insn->imm;

	prepare_write(g, &insn->mem, 0, false, lost);
	call_read(g, insn, locate(g, &insn->mem, size, R1, R2), size);
	label_bind(&g->e, lost);
}

static void read_string(struct gen *g, const struct ir_insn *insn)
{
	label lost = label_new(&g->e), done = label_new(&g->e);
	uint32_t size = (uint32_t)insn->imm;

	prepare_write(g, &insn->mem, 0, false, lost);
	struct spot to = locate(g, &insn->mem, size, R1, R2);

	clear_bytes(g, to, size);
	call_read(g, insn, to, size);
	/* The helper counts the NUL; an empty string in no room at all: 0. */
	out(g, insn_mov32(R0, R0));
	if (insn->dst) {
		label empty = label_new(&g->e);

		emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), empty);
		emit_add(&g->e, R0, -1);
		label_bind(&g->e, empty);
		if (insn->mem.space == IR_SELF) {
			emit_goto(&g->e, done);
			label_bind(&g->e, lost);
			out(g, insn_mov_imm(R0, 0));
			label_bind(&g->e, done);
			define(g, insn->dst, R0);
			return;
		}
		define(g, insn->dst, R0);
	}
	label_bind(&g->e, lost);
	label_bind(&g->e, done);
}

/* copyout(): the one helper that writes to a process. */
static void write_user(struct gen *g, const struct ir_insn *insn)
{
	label fine = label_new(&g->e);
	uint32_t size = (uint32_t)insn->imm;

	spot_address(g, locate(g, &insn->mem, size, R1, R2), R3);
	read_size(g, insn, size);
	/* The helper's arguments come in another order. */
	out(g, insn_mov(R0, R2));
	out(g, insn_mov(R2, R3));
	out(g, insn_mov(R3, R0));
	use_in(g, insn->a, R1);
	out(g, insn_call(BPF_FUNC_probe_write_user));
	emit_jump(&g->e, insn_jump32_imm(BPF_JSGE, R0, 0, 0), fine);
	gen_fault(g, insn, FAULT_BADADDR, insn->a);
	label_bind(&g->e, fine);
}

void gen_read(struct gen *g, const struct ir_insn *insn)
{
	if (insn->op == IR_WRITE_USER)
		write_user(g, insn);
	else if (insn->op == IR_READ_SCALAR)
		read_scalar(g, insn);
	else if (insn->op == IR_READ_STRING)
		read_string(g, insn);
	else
		read_block(g, insn);
}

/*
 * R1 walks over the words of R5 bytes and replaces each NUL in them by a space.
 * With 0x7f added to its low seven bits, only a byte that is 0 has no 0x80;
 * shifted right by two that is the code of a space.
 */
static void blank_nuls(struct gen *g, uint32_t size)
{
	label again = label_new(&g->e), whole = label_new(&g->e);
	label done = label_new(&g->e);

	out(g, insn_mov_imm(R2, (int32_t)((size + 7) / 8)));
	label_bind(&g->e, again);
	emit_jump(&g->e, insn_jump_imm(BPF_JSLE, R5, 0, 0), done);
	out(g, insn_load(8, R0, R1, 0));
	emit_const(&g->e, R4, 0x7f7f7f7f7f7f7f7f);
	out(g, insn_mov(R3, R0));
	out(g, insn_alu(BPF_AND, R3, R4));
	out(g, insn_alu(BPF_ADD, R3, R4));
	out(g, insn_alu(BPF_OR, R3, R0));
	out(g, insn_alu(BPF_OR, R3, R4));
	out(g, insn_alu_imm(BPF_XOR, R3, -1));
	out(g, insn_alu_imm(BPF_RSH, R3, 2));
	emit_jump(&g->e, insn_jump_imm(BPF_JSGE, R5, 8, 0), whole);
	/* the last word: only its bytes that were read */
	out(g, insn_mov_imm(R4, 8));
	out(g, insn_alu(BPF_SUB, R4, R5));
	out(g, insn_alu_imm(BPF_LSH, R4, 3));
	out(g, insn_alu(BPF_LSH, R3, R4));
	out(g, insn_alu(BPF_RSH, R3, R4));
	label_bind(&g->e, whole);
	out(g, insn_alu(BPF_OR, R0, R3));
	out(g, insn_store(8, R1, 0, R0));
	emit_add(&g->e, R1, 8);
	emit_add(&g->e, R5, -8);
	emit_add(&g->e, R2, -1);
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R2, 0, 0), again);
	label_bind(&g->e, done);
}

void gen_read_args(struct gen *g, const struct ir_insn *insn)
{
	label fits = label_new(&g->e), done = label_new(&g->e);
	uint32_t size = (uint32_t)insn->imm;
	struct spot to = locate(g, &insn->mem, size, R1, R2);

	if (insn->mem.space != IR_FRAME)
		emit_fail(&g->e, "arguments are read into the frame only");
	clear_bytes(g, to, (size + 7) & ~7u);
	spot_address(g, to, R1);
	use_in(g, insn->b, R2);
	emit_jump(&g->e, insn_jump_imm(BPF_JLE, R2, (int32_t)size - 1, 0),
		  fits);
	out(g, insn_mov_imm(R2, (int32_t)size - 1));
	label_bind(&g->e, fits);
	out(g, insn_store(8, R10, TEMP_A, R2));
	use_in(g, insn->a, R3);
	out(g, insn_call(BPF_FUNC_probe_read_user));
	out(g, insn_mov(R5, R0));
	out(g, insn_mov_imm(R0, 0));
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R5, 0, 0), done);
	out(g, insn_load(8, R5, R10, TEMP_A));
	spot_address(g, locate(g, &insn->mem, size, R1, R2), R1);
	blank_nuls(g, size);
	out(g, insn_load(8, R0, R10, TEMP_A));
	label_bind(&g->e, done);
	define(g, insn->dst, R0);
}
