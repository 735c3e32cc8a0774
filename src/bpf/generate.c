/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bpf_generate(): from IR to instructions, by the parts of gen.h.
 *
 * Plan, lay out the frame, give registers, then walk the steps.  When spills
 * and frame objects do not fit the stack together, the objects are sent to
 * the scratch slot and everything but the blocks is planned again.
 */
#include "bpf/chunk.h"
#include "bpf/gen.h"
#include "bpf/link.h"

#include <string.h>

enum { MOST_MAPS = 64 }; /* of a program; the kernel's limit */

static void gen_zero(struct gen *g, uint32_t object)
{
	const struct object_home *home = &g->objects[object];
	struct ir_mem mem = { .space = IR_FRAME, .object = object };
	struct spot spot = locate(g, &mem, home->size, R1, R2);

	for (uint32_t i = 0, run; i < home->size / 8; i += run ? run : 1) {
		for (run = 0; i + run < home->size / 8; run++) {
			uint32_t word = home->first_word + i + run;

			if (!(g->zero_words[word / 64] >> (word % 64) & 1))
				break;
		}
		if (run)
			clear_bytes(g, spot_at(g, spot, 8 * i, 8 * run, R2),
				    8 * run);
	}
}

static label block_label(const struct gen *g, const struct ir_block *block)
{
	return g->blocks[block_of(g, block)].label;
}

/* `following`: the block laid out next, or NULL. */
static void gen_branch(struct gen *g, const struct step *step,
		       const struct ir_block *following)
{
	const struct ir_insn *insn = step->insn;
	bool invert = insn->target == following;
	const struct ir_block *jump = invert ? insn->otherwise : insn->target;
	const struct ir_block *other = invert ? insn->target : insn->otherwise;

	if (step->compare)
		gen_compare_jump(g, step->compare, invert,
				 block_label(g, jump));
	else
		emit_jump(&g->e,
			  insn_jump_imm(invert ? BPF_JEQ : BPF_JNE,
					use(g, insn->a, R0), 0, 0),
			  block_label(g, jump));
	if (other != following)
		emit_goto(&g->e, block_label(g, other));
}

static void gen_fault_if(struct gen *g, const struct step *step)
{
	label fine = label_new(&g->e);

	if (step->compare)
		gen_compare_jump(g, step->compare, true, fine);
	else
		emit_jump(&g->e,
			  insn_jump_imm(BPF_JEQ, use(g, step->insn->a, R0), 0,
					0),
			  fine);
	gen_fault(g, step->insn, (enum fault)step->insn->imm, step->insn->b);
	label_bind(&g->e, fine);
}

static void gen_return(struct gen *g)
{
	g->has_return = true;
	if (g->scratch_size) {
		emit_goto(&g->e, g->leave);
		return;
	}
	gen_release(g, false);
	out(g, insn_mov_imm(R0, 0));
	out(g, insn_exit());
}

/* The next program needs nothing from this one, and is always there. */
static void gen_continue(struct gen *g, const struct ir_insn *insn)
{
	if (g->scratch_size) {
		label bare = label_new(&g->e);

		gen_scratch_release(g, bare);
		label_bind(&g->e, bare);
	}
	use_in(g, hidden_reg(g, HIDDEN_CONTEXT), R1);
	gen_release(g, true);
	emit_map(&g->e, R2, MAP_PARTS, 0);
	out(g, insn_mov_imm(R3, (int32_t)insn->imm));
	out(g, insn_call(BPF_FUNC_tail_call));
	out(g, insn_mov_imm(R0, 0));
	out(g, insn_exit());
}

static void gen_insn(struct gen *g, const struct step *step,
		     const struct ir_block *following)
{
	const struct ir_insn *insn = step->insn;

	switch (insn->op) {
	case IR_LOAD:
	case IR_STORE:
	case IR_ATOMIC_ADD:
	case IR_COPY:
	case IR_CLEAR:
	case IR_ADDRESS:
		gen_memory(g, insn);
		break;
	case IR_READ:
	case IR_READ_STRING:
	case IR_READ_SCALAR:
	case IR_WRITE_USER:
		gen_read(g, insn);
		break;
	case IR_STRING_COPY:
	case IR_STRING_TAKE:
	case IR_STRING_COMPARE:
	case IR_STRING_EQUAL:
	case IR_STRING_LENGTH:
		gen_string(g, insn);
		break;
	case IR_CALL_READ:
	case IR_CALL_WRITE:
		gen_call(g, insn);
		break;
	case IR_QUERY:
		gen_query(g, insn);
		break;
	case IR_COMM:
		gen_comm(g, insn);
		break;
	case IR_READ_ARGS:
		gen_read_args(g, insn);
		break;
	case IR_STACK:
		gen_stack(g, insn);
		break;
	case IR_USTACK:
		gen_ustack(g, insn);
		break;
	case IR_GOTO:
		if (insn->target != following)
			emit_goto(&g->e, block_label(g, insn->target));
		break;
	case IR_BRANCH:
		gen_branch(g, step, following);
		break;
	case IR_RETURN:
		gen_return(g);
		break;
	case IR_CONTINUE:
		gen_continue(g, insn);
		break;
	case IR_FAULT_IF:
		gen_fault_if(g, step);
		break;
	case IR_FAULT:
		gen_fault(g, insn, (enum fault)insn->imm, insn->b);
		break;
	case IR_FAULT_AGAIN:
		gen_fault_again(g, insn);
		break;
	case IR_LOOP:
	case IR_INVOKE:
		gen_routine_call(g, insn);
		break;
	case IR_LEAVE:
		out(g, insn_mov_imm(R0, (int32_t)insn->imm));
		out(g, insn_exit());
		break;
	case IR_RECORD_BEGIN:
	case IR_RECORD_END:
	case IR_RECORD_DROP:
	case IR_FAULT_RECORD:
		gen_record(g, step);
		break;
	case IR_EXIT:
		gen_exit(g, insn);
		break;
	case IR_SPECULATION:
		gen_speculation(g, insn);
		break;
	case IR_COMMIT:
	case IR_DISCARD:
		gen_retire(g, insn);
		break;
	case IR_AGGREGATE:
		gen_aggregate(g, insn);
		break;
	case IR_ARRAY_LOAD:
	case IR_ARRAY_READ:
	case IR_ARRAY_STORE:
	case IR_ARRAY_WRITE:
	case IR_ARRAY_DELETE:
	case IR_ARRAY_ADD:
	case IR_ARRAY_SWEEP:
		gen_array(g, insn);
		break;
	case IR_INTRINSIC:
		gen_intrinsic(g, insn);
		break;
	default:
		gen_arith(g, insn);
	}
}

static void gen_step(struct gen *g, const struct step *step,
		     const struct ir_block *following)
{
	g->e.place = step->insn->place;
	switch (step->kind) {
	case STEP_SELF:
		gen_self_get(g);
		break;
	case STEP_SCRATCH:
		gen_scratch_claim(g);
		break;
	case STEP_ZERO:
		gen_zero(g, step->object);
		break;
	case STEP_IR:
		gen_insn(g, step, following);
		break;
	}
}

/*
 * From 6.13 the JIT gives kprobe programs with 64 or more bytes of stack one
 * stack per CPU instead of the task's, on the grounds that they do not nest in
 * themselves.  At user probes they do: a task that is preempted or sleeps in
 * the program finds its spilled values overwritten by the next one that runs
 * it.  A program that calls others cannot have such a stack, and whether it
 * does is decided by looking at the instructions before any of them is
 * verified.  So there is such a call after a branch that is always taken; the
 * verifier then removes both.
 */
static void gen_own_stack(struct gen *g)
{
	label past = label_new(&g->e);

	out(g, insn_mov_imm(R0, 0));
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), past);
	out(g, insn_call(BPF_FUNC_tail_call));
	label_bind(&g->e, past);
}

/* Does the unit get it from whoever calls it? */
static bool is_passed(const struct gen *g, uint32_t reg)
{
	return reg == hidden_reg(g, HIDDEN_CONTEXT) ||
	       (g->routine && (reg == hidden_reg(g, HIDDEN_SCRATCH) ||
			       reg == hidden_reg(g, HIDDEN_TURN)));
}

/* What is read on some path before anything wrote it starts as 0. */
static void gen_entry(struct gen *g)
{
	uint32_t context = hidden_reg(g, HIDDEN_CONTEXT);
	uint32_t count = g->program->nregs + 1 + HIDDEN_COUNT;
	bool has_zero = false;

	if (g->routine) {
		gen_routine_entry(g);
	} else {
		if (g->config->kind.overlaps)
			gen_own_stack(g);
		gen_hold(g);
		if (g->homes.live_at_entry[context])
			define(g, context, R1);
	}
	for (uint32_t reg = 1; reg < count; reg++) {
		if (!g->homes.live_at_entry[reg] || is_passed(g, reg))
			continue;
		if (!has_zero)
			out(g, insn_mov_imm(R0, 0));
		has_zero = true;
		define(g, reg, R0);
	}
}

void gen_unit(struct gen *g)
{
	for (uint32_t i = 0; i < g->nblocks; i++)
		g->blocks[i].label = label_new(&g->e);
	gen_entry(g);
	for (uint32_t i = 0; i < g->nblocks; i++) {
		struct code_block *block = &g->blocks[i];
		const struct ir_block *following = i + 1 < g->nblocks
							   ? block[1].ir
							   : NULL;

		label_bind(&g->e, block->label);
		for (uint32_t n = block->first; n < block->end; n++)
			gen_step(g, &g->steps[n], following);
	}
}

static void gen_blocks(struct gen *g)
{
	g->leave = label_new(&g->e);
	g->leave_bare = label_new(&g->e);
	gen_unit(g);
	label_bind(&g->e, g->leave);
	if (!g->scratch_size) {
		label_bind(&g->e, g->leave_bare);
	} else {
		if (g->has_return)
			gen_scratch_release(g, g->leave_bare);
		label_bind(&g->e, g->leave_bare);
		gen_release(g, false);
		out(g, insn_mov_imm(R0, 0));
		out(g, insn_exit());
	}
	gen_routines(g);
	if (g->nsweeps)
		gen_array_callback(g);
	else if (g->nchills)
		gen_chill_callback(g);
	if (g->nchunk_calls)
		gen_chunk_function(g);
}

/* Constants of the program, and zeros for a missing self record. */
static void add_rodata(struct gen *g, struct bpf_code *code)
{
	uint32_t size = (g->program->rodata_size + 7) & ~7u;

	if (!g->self_zeros) {
		code->rodata = g->program->rodata;
		code->rodata_size = g->program->rodata_size;
		return;
	}
	uint8_t *bytes = arena_alloc(g->arena,
				     checked_add(size, g->self_zeros));

	if (g->program->rodata_size)
		memcpy(bytes, g->program->rodata, g->program->rodata_size);
	code->rodata = bytes;
	code->rodata_size = size + g->self_zeros;
}

uint32_t deepest_call(const struct gen *g)
{
	uint32_t deepest = 0;

	for (uint32_t i = 0; i < g->nblocks; i++)
		for (const struct ir_insn *insn = g->blocks[i].ir->first; insn;
		     insn = insn->next) {
			uint32_t depth = 0;

			if (insn->op == IR_CALL_READ ||
			    insn->op == IR_CALL_WRITE)
				depth = link_stack(insn->function);
			else if (insn->op == IR_USTACK)
				depth = link_stack(FUNCTION_unwind);
			else if (mem_span(g, insn) > LIBRARY_BYTES ||
				 source_span(insn) > LIBRARY_BYTES ||
				 insn->op == IR_RECORD_BEGIN)
				depth = link_stack(FUNCTION_hash);
			else if (ir_calls_routine(insn))
				depth = g->routines[insn->imm].depth;
			if (insn->op == IR_AGGREGATE && depth < CHUNK_STACK)
				depth = CHUNK_STACK;
			if (may_read_again(g, insn) &&
			    !g->config->waits_for_all &&
			    depth < link_stack(FUNCTION_pageable))
				depth = link_stack(FUNCTION_pageable);
			if (depth > deepest)
				deepest = depth;
		}
	return deepest;
}

static bool give_homes(struct gen *g)
{
	static const uint32_t budgets[] = { STACK_OBJECTS, 64, 0 };
	uint32_t limit = STACK_SIZE - deepest_call(g);

	for (unsigned i = 0; i < 3; i++) {
		g->stack_budget = budgets[i];
		frame_layout(g);
		if (!plan_steps(g))
			return false;
		g->homes = regalloc(g->arena, plan_flow(g));
		if (TEMP_SIZE + g->stack_objects + 8 * g->homes.nslots <= limit)
			return true;
	}
	emit_fail_large(
		&g->e,
		"the program is too complex: it needs more than 512 bytes of stack");
	return false;
}

static bool is_same_map(const struct bpf_reloc *a, const struct bpf_reloc *b)
{
	return a->role == b->role &&
	       (a->role != MAP_ARRAY || a->index == b->index);
}

/*
 * The kernel only says "too large" about a program with more maps than it
 * allows.  Only associative arrays can be that many.
 */
static void check_maps(struct gen *g)
{
	const struct bpf_reloc *maps[MOST_MAPS];
	uint32_t count = 0;

	for (uint32_t i = 0; i < g->e.nrelocs; i++) {
		const struct bpf_reloc *reloc = &g->e.relocs[i];
		uint32_t n = 0;

		while (n < count && !is_same_map(maps[n], reloc))
			n++;
		if (n < count)
			continue;
		if (count == MOST_MAPS) {
			emit_fail_large(
				&g->e,
				"the program is too large: the kernel allows 64 maps in a program, and every associative array is one");
			return;
		}
		maps[count++] = reloc;
	}
}

struct bpf_code *bpf_generate(struct arena *arena,
			      const struct ir_program *program,
			      const struct bpf_generate_config *config,
			      struct bpf_problem *problem)
{
	struct gen *g = arena_new_of(arena, struct gen);
	struct bpf_code *code = arena_new_of(arena, struct bpf_code);

	*g = (struct gen){
		.arena = arena,
		.program = program,
		.config = config,
		.e.arena = arena,
	};
	if (plan_routines(g) && plan_blocks(g) && give_homes(g)) {
		g->zeros_offset = (program->rodata_size + 7) & ~7u;
		gen_blocks(g);
		emit_finish(&g->e);
		link_functions(g);
		check_maps(g);
	}
	if (g->e.problem.text) {
		*problem = g->e.problem;
		return NULL;
	}
	*code = (struct bpf_code){
		.insns = g->e.insns,
		.count = g->e.count,
		.places = g->e.places,
		.relocs = g->e.relocs,
		.nrelocs = g->e.nrelocs,
		.functions = g->functions,
		.nfunctions = g->nfunctions,
		.scratch_size = g->scratch_size,
		.scratch_stride_insn = g->stride_insn,
		.looks_at_mappings = g->looks_at_mappings,
		.parts_fd = -1,
		.stack_used = TEMP_SIZE + g->stack_objects +
			      8 * g->homes.nslots,
		.spills = g->homes.nslots,
	};
	add_rodata(g, code);
	return code;
}
