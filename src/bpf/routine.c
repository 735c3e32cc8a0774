/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Routines: turns of loops, which bpf_loop() calls, and D's functions.
 *
 * A routine is a function of its own for the kernel, with registers and a stack
 * of its own.  It is planned like a program (a "unit"), but what it shares with
 * the program is made there, once: the scratch slot is claimed, frame memory is
 * zeroed.  The program passes a pointer to 16 bytes of its stack, in which are
 * the context and the slot.  The verifier knows such pointers again when the
 * routine loads them.
 *
 * A function is a global one for the verifier, which verifies it once, by
 * itself, however often it is called.  Such a function may only get a pointer
 * to memory of a size that its type says: the slot.
 *
 * Routines are planned before the program, which leaves them the stack they
 * need: kernels allow 512 bytes for the deepest chain of calls.
 */
#include "bpf/gen.h"

#include <string.h>

enum { FRAME_ALIGN = 32 }; /* the verifier rounds frames up to that */

/* A unit's plan while another one is in struct gen. */
struct unit {
	struct code_block *blocks;
	uint32_t nblocks;
	uint32_t *block_index;
	struct step *steps;
	uint32_t nsteps;
	const struct ir_insn **constants;
	uint32_t *nreads, *nwrites;
	struct allocation homes;
	uint32_t stack_objects;
};

bool starts_routine(const struct gen *g, const struct ir_block *block)
{
	return g->is_entry && g->is_entry[block->number];
}

static void mark_entries(struct gen *g)
{
	const struct ir_program *program = g->program;
	uint32_t highest = 0;

	if (!program->nroutines)
		return;
	for (const struct ir_block *block = program->blocks; block;
	     block = block->next)
		if (block->number > highest)
			highest = block->number;
	g->is_entry = arena_array_of(g->arena, bool, highest + 1);
	for (uint32_t i = 0; i < program->nroutines; i++)
		if (program->routines[i].entry)
			g->is_entry[program->routines[i].entry->number] = true;
}

const struct ir_block *unit_first(const struct gen *g)
{
	return g->routine ? g->routine->entry : g->program->blocks;
}

const struct ir_block *unit_next(const struct gen *g,
				 const struct ir_block *block)
{
	const struct ir_block *next = block->next;

	return next && starts_routine(g, next) ? NULL : next;
}

static struct unit put_away(struct gen *g)
{
	struct unit unit = {
		.blocks = g->blocks, .nblocks = g->nblocks,
		.block_index = g->block_index,
		.steps = g->steps, .nsteps = g->nsteps,
		.constants = g->constants,
		.nreads = g->nreads, .nwrites = g->nwrites,
		.homes = g->homes,
		.stack_objects = g->stack_objects,
	};

	g->blocks = NULL;
	g->steps = NULL;
	g->nblocks = g->nsteps = 0;
	return unit;
}

static void take_up(struct gen *g, const struct unit *unit)
{
	g->blocks = unit->blocks;
	g->nblocks = unit->nblocks;
	g->block_index = unit->block_index;
	g->steps = unit->steps;
	g->nsteps = unit->nsteps;
	g->constants = unit->constants;
	g->nreads = unit->nreads;
	g->nwrites = unit->nwrites;
	g->homes = unit->homes;
	g->stack_objects = unit->stack_objects;
}

/* May the thread have a record after this that it had not before? */
static bool writes_self(const struct gen *g)
{
	for (uint32_t i = 0; i < g->nblocks; i++)
		for (const struct ir_insn *insn = g->blocks[i].ir->first; insn;
		     insn = insn->next)
			if ((writes_mem(insn) && insn->mem.space == IR_SELF) ||
			    (ir_calls_routine(insn) &&
			     g->routines[insn->imm].writes_self))
				return true;
	return false;
}

bool has_loop(const struct gen *g)
{
	for (uint32_t i = 0; i < g->nblocks; i++)
		for (const struct ir_insn *insn = g->blocks[i].ir->first; insn;
		     insn = insn->next)
			if (insn->op == IR_LOOP)
				return true;
	return false;
}

static bool plan_routine(struct gen *g, uint32_t n);

/* The routines that this one calls: how deep they are. */
static bool plan_called(struct gen *g, const struct ir_routine *routine)
{
	g->routine = routine;
	for (const struct ir_block *block = unit_first(g); block;
	     block = unit_next(g, block))
		for (const struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			if (ir_calls_routine(insn) &&
			    !plan_routine(g, (uint32_t)insn->imm))
				return false;
			g->routine = routine;
		}
	return true;
}

static bool plan_routine(struct gen *g, uint32_t n)
{
	const struct ir_routine *routine = &g->program->routines[n];
	struct routine_use *use = &g->routines[n];

	if (use->is_planned || !routine->entry)
		return true;
	use->is_planned = true;
	if (!plan_called(g, routine) || !plan_blocks(g))
		return false;
	/* All of a routine's objects are in the slot, whatever else is. */
	frame_layout(g);
	g->stack_objects = has_loop(g) ? PASSED_SIZE : 0;
	if (!plan_steps(g))
		return false;
	g->homes = regalloc(g->arena, plan_flow(g));
	uint32_t own = TEMP_SIZE + g->stack_objects + 8 * g->homes.nslots;
	const bool *live = g->homes.live_at_entry;

	use->depth = (own + FRAME_ALIGN - 1) / FRAME_ALIGN * FRAME_ALIGN +
		     deepest_call(g);
	use->needs_context = live[hidden_reg(g, HIDDEN_CONTEXT)];
	use->needs_scratch = live[hidden_reg(g, HIDDEN_SCRATCH)];
	use->writes_self = writes_self(g);
	if (use->needs_context && routine->is_function) {
		emit_fail(&g->e, "a function that needs the context");
		return false;
	}
	g->units[n] = put_away(g);
	return true;
}

bool plan_routines(struct gen *g)
{
	const struct ir_program *program = g->program;
	bool good = true;

	mark_entries(g);
	g->nroutines = program->nroutines;
	g->units = arena_array_of(g->arena, struct unit, program->nroutines);
	g->routines = arena_array_of(g->arena, struct routine_use,
				     program->nroutines);
	for (uint32_t i = 0; i < program->nroutines && good; i++)
		good = plan_routine(g, i);
	g->routine = NULL;
	return good;
}

void gen_routines(struct gen *g)
{
	for (uint32_t i = 0; i < g->program->nroutines; i++) {
		if (!g->routines[i].is_planned)
			continue;
		g->routine = &g->program->routines[i];
		g->routines[i].start = g->e.count;
		take_up(g, &g->units[i]);
		gen_unit(g);
	}
	for (uint32_t i = 0; i < g->ncalls; i++) {
		const struct routine_call *call = &g->calls[i];

		g->e.insns[call->insn].imm =
			(int32_t)(g->routines[call->routine].start -
				  call->insn - 1);
	}
	g->routine = NULL;
}

static int16_t passed(uint32_t offset)
{
	return (int16_t)((int32_t)offset - TEMP_SIZE - PASSED_SIZE);
}

static void note_call(struct gen *g, const struct ir_insn *insn)
{
	g->calls = arena_grown(g->arena, g->calls, g->ncalls,
			       sizeof(*g->calls));
	g->calls[g->ncalls++] = (struct routine_call){
		.insn = g->e.count,
		.routine = (uint32_t)insn->imm,
	};
}

static void gen_loop(struct gen *g, const struct ir_insn *insn)
{
	const struct routine_use *routine = &g->routines[insn->imm];

	if (routine->needs_context)
		out(g, insn_store(8, R10, passed(PASSED_CONTEXT),
				  use(g, hidden_reg(g, HIDDEN_CONTEXT), R0)));
	if (routine->needs_scratch)
		out(g, insn_store(8, R10, passed(PASSED_SCRATCH),
				  use(g, hidden_reg(g, HIDDEN_SCRATCH), R0)));
	use_in(g, insn->a, R1);
	note_call(g, insn);
	emit_function(&g->e, R2);
	out(g, insn_mov(R3, R10));
	emit_add(&g->e, R3, passed(0));
	out(g, insn_mov_imm(R4, 0));
	out(g, insn_call(BPF_FUNC_loop));
}

static void gen_invoke(struct gen *g, const struct ir_insn *insn)
{
	use_in(g, hidden_reg(g, HIDDEN_SCRATCH), R1);
	note_call(g, insn);
	out(g, insn_call_function(0));
}

void gen_routine_call(struct gen *g, const struct ir_insn *insn)
{
	if (insn->op == IR_LOOP)
		gen_loop(g, insn);
	else
		gen_invoke(g, insn);
	/* The thread may have a record now that it had not before. */
	if (g->routines[insn->imm].writes_self &&
	    !is_dead(g, hidden_reg(g, HIDDEN_SELF))) {
		/* the call there destroys what is not in R6-R9 */
		out(g, insn_store(8, R10, TEMP_A, R0));
		gen_self_get(g);
		out(g, insn_load(8, R0, R10, TEMP_A));
	}
	define(g, insn->dst, R0);
}

/* long function(slot): for the verifier it may be NULL */
static void gen_function_entry(struct gen *g)
{
	label good = label_new(&g->e);

	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R1, 0, 0), good);
	out(g, insn_mov_imm(R0, 1));
	out(g, insn_exit());
	label_bind(&g->e, good);
	if (g->homes.live_at_entry[hidden_reg(g, HIDDEN_SCRATCH)])
		define(g, hidden_reg(g, HIDDEN_SCRATCH), R1);
}

/* long turn(number, passed) */
static void gen_turn_entry(struct gen *g)
{
	static const struct {
		enum hidden hidden;
		int16_t at;
	} pointers[] = {
		{ HIDDEN_CONTEXT, PASSED_CONTEXT },
		{ HIDDEN_SCRATCH, PASSED_SCRATCH },
	};
	uint32_t turn = hidden_reg(g, HIDDEN_TURN);

	if (g->homes.live_at_entry[turn])
		define(g, turn, R1);
	for (size_t i = 0; i < sizeof(pointers) / sizeof(pointers[0]); i++) {
		uint32_t reg = hidden_reg(g, pointers[i].hidden);

		if (!g->homes.live_at_entry[reg])
			continue;
		out(g, insn_load(8, R0, R2, pointers[i].at));
		define(g, reg, R0);
	}
}

void gen_routine_entry(struct gen *g)
{
	if (g->routine->is_function)
		gen_function_entry(g);
	else
		gen_turn_entry(g);
}
