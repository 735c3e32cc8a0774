/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plan of a program: its reachable blocks, their dominators, and the steps
 * from which templates are built.
 *
 * Three things are not in the IR and are put where they run at most once on
 * every path: getting the self record, claiming a scratch slot, zeroing frame
 * memory that might be read before it was written.  Each goes right before the
 * first use in the block that dominates all uses, so a firing that leaves early
 * (an unwanted system call, a false predicate) pays nothing.
 *
 * Two things are taken away: constants, which are immediates wherever they are
 * used, and comparisons whose only use is the branch after them.
 */
#include "bpf/gen.h"

#include <string.h>

/* ------------------------------------------------ what instructions touch */

bool reads_mem(const struct ir_insn *insn)
{
	return (ir_op_flags(insn->op) & IR_READS_MEM) != 0;
}

bool writes_mem(const struct ir_insn *insn)
{
	return (ir_op_flags(insn->op) & IR_WRITES_MEM) != 0;
}

bool reads_source(const struct ir_insn *insn)
{
	return (ir_op_flags(insn->op) & IR_READS_SOURCE) != 0;
}

uint32_t mem_span(const struct gen *g, const struct ir_insn *insn)
{
	if (!reads_mem(insn) && !writes_mem(insn))
		return 0;
	switch (insn->op) {
	case IR_LOAD:
	case IR_STORE:
	case IR_ATOMIC_ADD:
		return insn->size;
	case IR_COMM:
		return 16;
	case IR_AGGREGATE:
		return g->program->aggregations[insn->imm].key_size;
	case IR_ARRAY_READ:
	case IR_ARRAY_WRITE:
		return g->program->arrays[insn->imm].value_size;
	default:
		return (uint32_t)insn->imm;
	}
}

uint32_t source_span(const struct ir_insn *insn)
{
	if (!reads_source(insn))
		return 0;
	if (insn->op == IR_USTACK)
		return IR_WALK_SIZE;
	return (uint32_t)(insn->op == IR_COPY ? insn->imm : insn->imm2);
}

bool uses_space(const struct ir_insn *insn, enum ir_space space)
{
	return ((reads_mem(insn) || writes_mem(insn)) &&
		insn->mem.space == space) ||
	       (reads_source(insn) && insn->source.space == space);
}

int32_t block_of(const struct gen *g, const struct ir_block *block)
{
	return (int32_t)g->block_index[block->number] - 1;
}

/* ------------------------------------------------------------------ blocks */

static bool leaves_midway(const struct ir_insn *insn)
{
	return (ir_op_flags(insn->op) & IR_MAY_JUMP) != 0;
}

static void mark_reachable(const struct gen *g, bool *reached)
{
	reached[unit_first(g)->number] = true;
	/* Layout order is flow order, so one pass finds everything. */
	for (const struct ir_block *block = unit_first(g); block;
	     block = unit_next(g, block)) {
		if (!reached[block->number])
			continue;
		for (const struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			if (insn->target)
				reached[insn->target->number] = true;
			if (insn->otherwise)
				reached[insn->otherwise->number] = true;
		}
	}
}

static int32_t common_dominator(const struct gen *g, int32_t a, int32_t b)
{
	while (a != b) {
		while (a > b)
			a = g->blocks[a].dominator;
		while (b > a)
			b = g->blocks[b].dominator;
	}
	return a;
}

static void edge(struct gen *g, int32_t from, const struct ir_block *to)
{
	struct code_block *block = &g->blocks[block_of(g, to)];

	block->dominator = block->dominator < 0
				   ? from
				   : common_dominator(g, block->dominator,
						      from);
}

static void find_dominators(struct gen *g)
{
	for (uint32_t i = 0; i < g->nblocks; i++)
		g->blocks[i].dominator = i ? -1 : 0;
	for (uint32_t i = 0; i < g->nblocks; i++)
		for (const struct ir_insn *insn = g->blocks[i].ir->first; insn;
		     insn = insn->next) {
			if (insn->target)
				edge(g, (int32_t)i, insn->target);
			if (insn->otherwise)
				edge(g, (int32_t)i, insn->otherwise);
		}
}

static void count_registers(struct gen *g)
{
	uint32_t count = g->program->nregs + 1;

	g->nreads = arena_array_of(g->arena, uint32_t, count);
	g->nwrites = arena_array_of(g->arena, uint32_t, count);
	g->constants = arena_array_of(g->arena, const struct ir_insn *, count);
	for (uint32_t i = 0; i < g->nblocks; i++)
		for (const struct ir_insn *insn = g->blocks[i].ir->first; insn;
		     insn = insn->next) {
			ir_reg reads[IR_MAX_READS];
			unsigned n = ir_reads(insn, reads);

			while (n--)
				g->nreads[reads[n]]++;
			if (!insn->dst)
				continue;
			g->nwrites[insn->dst]++;
			g->constants[insn->dst] = insn->op == IR_CONST ? insn
								       : NULL;
		}
	for (uint32_t reg = 0; reg < count; reg++)
		if (g->nwrites[reg] != 1)
			g->constants[reg] = NULL;
}

bool plan_blocks(struct gen *g)
{
	uint32_t highest = 0, count = 0;

	for (const struct ir_block *block = unit_first(g); block;
	     block = unit_next(g, block), count++)
		if (block->number > highest)
			highest = block->number;
	if (!count) {
		emit_fail(&g->e, "a program without instructions");
		return false;
	}
	bool *reached = arena_array_of(g->arena, bool, highest + 1);

	g->block_index = arena_array_of(g->arena, uint32_t, highest + 1);
	g->blocks = arena_array_of(g->arena, struct code_block, count);
	g->nblocks = 0;
	mark_reachable(g, reached);
	for (const struct ir_block *block = unit_first(g); block;
	     block = unit_next(g, block)) {
		if (!reached[block->number])
			continue;
		if (!block->last ||
		    !(ir_op_flags(block->last->op) & IR_ENDS_BLOCK)) {
			emit_fail(&g->e, "a block of the program has no end");
			return false;
		}
		g->blocks[g->nblocks].ir = block;
		g->block_index[block->number] = ++g->nblocks;
	}
	find_dominators(g);
	count_registers(g);
	return true;
}

/* -------------------------------------------------- what must happen once */

/* A step that goes before the first use of what it provides. */
struct once {
	enum step_kind kind;
	uint32_t object;
	int32_t block;	   /* dominates all uses; -1: none */
	int32_t first_use; /* the first block that has one */
	bool has_more;	   /* and others have, too */
	struct once *next; /* in the same block */
};

enum { ONCE_SCRATCH, ONCE_SELF, ONCE_ZERO /* + number of the object */ };

static const struct ir_mem *frame_mem(const struct ir_insn *insn)
{
	return (reads_mem(insn) || writes_mem(insn)) &&
			       insn->mem.space == IR_FRAME
		       ? &insn->mem
		       : NULL;
}

static const struct ir_mem *frame_source(const struct ir_insn *insn)
{
	return reads_source(insn) && insn->source.space == IR_FRAME
		       ? &insn->source
		       : NULL;
}

static bool touches_object(const struct gen *g, const struct ir_insn *insn,
			   uint32_t object)
{
	if (ir_calls_routine(insn))
		return g->objects[object].in_routine;
	const struct ir_mem *mem = frame_mem(insn);
	const struct ir_mem *source = frame_source(insn);

	return (mem && mem->object == object) ||
	       (source && source->object == object);
}

static bool is_in_scratch(const struct gen *g, const struct ir_mem *mem)
{
	return mem && !g->objects[mem->object].on_stack;
}

/*
 * Without a free slot the firing ends; no record may be open then, so
 * claiming a record counts as a use as well.
 */
static bool touches_scratch(const struct gen *g, const struct ir_insn *insn)
{
	return insn->op == IR_RECORD_BEGIN || ir_calls_routine(insn) ||
	       is_in_scratch(g, frame_mem(insn)) ||
	       is_in_scratch(g, frame_source(insn));
}

static bool is_use(const struct gen *g, const struct once *once,
		   const struct ir_insn *insn)
{
	switch (once->kind) {
	case STEP_SCRATCH:
		return touches_scratch(g, insn);
	case STEP_SELF:
		return uses_space(insn, IR_SELF);
	default:
		return touches_object(g, insn, once->object);
	}
}

/* Uses come from the last block to the first. */
static void note_use(const struct gen *g, struct once *once, int32_t block)
{
	once->has_more |= once->block >= 0 && once->first_use != block;
	once->first_use = block;
	once->block = once->block < 0 ? block
				      : common_dominator(g, once->block, block);
}

static void note_uses(const struct gen *g, struct once *onces,
		      const struct ir_insn *insn, int32_t block)
{
	const struct ir_mem *mem = frame_mem(insn);
	const struct ir_mem *source = frame_source(insn);

	if (touches_scratch(g, insn))
		note_use(g, &onces[ONCE_SCRATCH], block);
	if (uses_space(insn, IR_SELF))
		note_use(g, &onces[ONCE_SELF], block);
	if (mem)
		note_use(g, &onces[ONCE_ZERO + mem->object], block);
	if (source)
		note_use(g, &onces[ONCE_ZERO + source->object], block);
	for (uint32_t i = 0; ir_calls_routine(insn) && i < g->program->nobjects;
	     i++)
		if (g->objects[i].in_routine)
			note_use(g, &onces[ONCE_ZERO + i], block);
}

static bool object_needs_zero(const struct gen *g, uint32_t object)
{
	const struct object_home *home = &g->objects[object];

	for (uint32_t i = 0; home->is_used && i < home->size / 8; i++) {
		uint32_t word = home->first_word + i;

		if (g->zero_words[word / 64] >> (word % 64) & 1)
			return true;
	}
	return false;
}

static bool is_needed(const struct gen *g, const struct once *once)
{
	if (once->block < 0)
		return false;
	/* The program does the rest before it calls a routine. */
	if (g->routine)
		return once->kind == STEP_SELF;
	if (once->kind == STEP_SCRATCH)
		return g->scratch_size > 0;
	return once->kind == STEP_SELF || object_needs_zero(g, once->object);
}

/* What must happen once in each block, in one walk over all instructions. */
static struct once **find_onces(const struct gen *g)
{
	uint32_t count = ONCE_ZERO + g->program->nobjects;
	struct once *onces = arena_array_of(g->arena, struct once, count);
	struct once **in_block = arena_array_of(g->arena, struct once *,
						g->nblocks);

	for (uint32_t i = 0; i < count; i++) {
		onces[i].kind = i == ONCE_SCRATCH ? STEP_SCRATCH
				: i == ONCE_SELF  ? STEP_SELF
						  : STEP_ZERO;
		onces[i].object = i < ONCE_ZERO ? 0 : i - ONCE_ZERO;
		onces[i].block = -1;
	}
	/* Backwards, so that a common dominator is never far. */
	for (int32_t i = (int32_t)g->nblocks; i-- > 0;)
		for (const struct ir_insn *insn = g->blocks[i].ir->first; insn;
		     insn = insn->next)
			note_uses(g, onces, insn, i);
	for (uint32_t i = count; i-- > 0;) {
		if (!is_needed(g, &onces[i]))
			continue;
		onces[i].next = in_block[onces[i].block];
		in_block[onces[i].block] = &onces[i];
	}
	return in_block;
}

/* ------------------------------------------------------------------- steps */

static struct step *add_step(struct gen *g, enum step_kind kind,
			     const struct ir_insn *insn)
{
	g->steps = arena_grown(g->arena, g->steps, g->nsteps,
			       sizeof(*g->steps));

	struct step *step = &g->steps[g->nsteps++];

	*step = (struct step){ .kind = kind, .insn = insn };
	return step;
}

static bool is_comparison(enum ir_op op)
{
	return op >= IR_EQ && op <= IR_SGE;
}

/* Instructions that leave no step of their own. */
static bool is_silent(const struct gen *g, const struct ir_insn *insn)
{
	return insn->op == IR_NOP ||
	       (insn->op == IR_CONST && g->constants[insn->dst]);
}

/* The branch or check that alone uses a comparison right before it. */
static const struct ir_insn *fusing(const struct gen *g,
				    const struct ir_insn *compare)
{
	const struct ir_insn *next = compare->next;

	if (!is_comparison(compare->op) || g->nreads[compare->dst] != 1 ||
	    g->nwrites[compare->dst] != 1)
		return NULL;
	while (next && is_silent(g, next))
		next = next->next;
	if (next && (next->op == IR_BRANCH || next->op == IR_FAULT_IF) &&
	    next->a == compare->dst)
		return next;
	return NULL;
}

/*
 * Before its first use, and, if other blocks have uses, before anything that
 * jumps out of the block's middle.
 */
static bool is_due(const struct gen *g, const struct once *once,
		   const struct ir_insn *insn)
{
	return is_use(g, once, insn) || (once->has_more && insn->target) ||
	       !insn->next;
}

static void add_due(struct gen *g, struct once **list,
		    const struct ir_insn *insn)
{
	while (*list) {
		struct once *once = *list;

		if (!is_due(g, once, insn)) {
			list = &once->next;
			continue;
		}
		add_step(g, once->kind, insn)->object = once->object;
		*list = once->next;
	}
}

static void block_steps(struct gen *g, int32_t index, struct once *onces)
{
	const struct ir_insn *compare = NULL;

	for (const struct ir_insn *insn = g->blocks[index].ir->first; insn;
	     insn = insn->next) {
		add_due(g, &onces, insn);
		if (is_silent(g, insn))
			continue;
		if (fusing(g, insn)) {
			compare = insn;
			continue;
		}
		add_step(g, STEP_IR, insn)->compare = compare;
		compare = NULL;
	}
}

/* A path into a block with a record of `size` open; paths must agree. */
static bool enter_with(const struct gen *g, int64_t *at_start,
		       const struct ir_block *block, int64_t size)
{
	if (!block)
		return true;
	int64_t *there = &at_start[block_of(g, block)];

	if (*there >= 0 && *there != size)
		return false;
	*there = size;
	return true;
}

/*
 * RECORD_END publishes a size that only RECORD_BEGIN knows: carried forward
 * over the blocks.
 */
static bool spread_in_block(struct gen *g, uint32_t block, int64_t *at_start)
{
	int64_t size = at_start[block];

	for (uint32_t n = g->blocks[block].first; n < g->blocks[block].end;
	     n++) {
		struct step *step = &g->steps[n];
		const struct ir_insn *insn = step->insn;

		if (step->kind != STEP_IR)
			continue;
		if (!enter_with(g, at_start, insn->target, size) ||
		    !enter_with(g, at_start, insn->otherwise, size))
			return false;
		if (insn->op == IR_RECORD_BEGIN)
			size = insn->imm;
		if (insn->op != IR_RECORD_END && insn->op != IR_RECORD_DROP)
			continue;
		if (size <= 0)
			return false;
		step->record_size = (uint32_t)size;
		size = 0;
	}
	return true;
}

static bool spread_record_sizes(struct gen *g)
{
	int64_t *at_start = arena_array_of(g->arena, int64_t, g->nblocks);

	for (uint32_t i = 1; i < g->nblocks; i++)
		at_start[i] = -1;
	for (uint32_t i = 0; i < g->nblocks; i++)
		if (!spread_in_block(g, i, at_start))
			return false;
	return true;
}

bool plan_steps(struct gen *g)
{
	struct once **onces = find_onces(g);

	g->nsteps = 0;
	for (uint32_t i = 0; i < g->nblocks; i++) {
		struct code_block *block = &g->blocks[i];
		const struct ir_insn *end = block->ir->last;

		block->first = g->nsteps;
		block_steps(g, (int32_t)i, onces[i]);
		block->end = g->nsteps;
		block->next[0] = end->target ? block_of(g, end->target)
					     : FLOW_NOWHERE;
		block->next[1] = end->otherwise ? block_of(g, end->otherwise)
						: FLOW_NOWHERE;
	}
	if (spread_record_sizes(g))
		return true;
	emit_fail(&g->e, "a record is ended that was not begun on every path");
	return false;
}

/* -------------------------------------------------------- flow of registers */

static void flow_read(const struct gen *g, struct flow_step *step, uint32_t reg)
{
	if (reg && reg <= g->program->nregs && g->constants[reg])
		return;
	if (reg)
		step->reads[step->nreads++] = reg;
}

static void flow_write(struct flow_step *step, uint32_t reg)
{
	if (reg)
		step->writes[step->nwrites++] = reg;
}

static void flow_mem(const struct gen *g, struct flow_step *step,
		     const struct ir_mem *mem, bool writes)
{
	switch (mem->space) {
	case IR_FRAME:
		if (!g->objects[mem->object].on_stack)
			flow_read(g, step, hidden_reg(g, HIDDEN_SCRATCH));
		break;
	case IR_SELF:
		flow_read(g, step, hidden_reg(g, HIDDEN_SELF));
		if (writes)
			flow_write(step, hidden_reg(g, HIDDEN_SELF));
		break;
	case IR_RECORD:
		flow_read(g, step, hidden_reg(g, HIDDEN_RECORD));
		break;
	case IR_CONTEXT:
		flow_read(g, step, hidden_reg(g, HIDDEN_CONTEXT));
		break;
	default:
		break;
	}
}

static void flow_fault(const struct gen *g, struct flow_step *step)
{
	step->exit_writes[step->nexit_writes++] = hidden_reg(g, HIDDEN_NOTE);
	step->exit_writes[step->nexit_writes++] =
		hidden_reg(g, HIDDEN_FAULT_VALUE);
}

/* What an instruction reads and writes besides what IR says. */
static void flow_hidden(const struct gen *g, struct flow_step *step,
			const struct ir_insn *insn)
{
	switch (insn->op) {
	case IR_READ:
	case IR_READ_STRING:
	case IR_READ_SCALAR:
	case IR_WRITE_USER:
	case IR_FAULT_IF:
		flow_fault(g, step);
		break;
	case IR_FAULT:
	case IR_FAULT_AGAIN:
		flow_write(step, hidden_reg(g, HIDDEN_NOTE));
		flow_write(step, hidden_reg(g, HIDDEN_FAULT_VALUE));
		break;
	case IR_LOOP:
	case IR_INVOKE:
		if (g->routines[insn->imm].needs_context)
			flow_read(g, step, hidden_reg(g, HIDDEN_CONTEXT));
		if (g->routines[insn->imm].needs_scratch)
			flow_read(g, step, hidden_reg(g, HIDDEN_SCRATCH));
		if (g->routines[insn->imm].writes_self)
			flow_write(step, hidden_reg(g, HIDDEN_SELF));
		break;
	case IR_RECORD_BEGIN:
		flow_write(step, hidden_reg(g, HIDDEN_RECORD));
		break;
	case IR_RECORD_END:
	case IR_RECORD_DROP:
		flow_read(g, step, hidden_reg(g, HIDDEN_RECORD));
		break;
	case IR_FAULT_RECORD:
		flow_read(g, step, hidden_reg(g, HIDDEN_NOTE));
		flow_read(g, step, hidden_reg(g, HIDDEN_FAULT_VALUE));
		flow_write(step, hidden_reg(g, HIDDEN_FAULT_PROBE));
		break;
	case IR_QUERY:
		if (insn->imm == IR_QUERY_FAULT_CODE ||
		    insn->imm == IR_QUERY_FAULT_SITE ||
		    insn->imm == IR_QUERY_FAULT_NOTE)
			flow_read(g, step, hidden_reg(g, HIDDEN_NOTE));
		if (insn->imm == IR_QUERY_FAULT_VALUE)
			flow_read(g, step, hidden_reg(g, HIDDEN_FAULT_VALUE));
		if (insn->imm == IR_QUERY_FAULT_PROBE)
			flow_read(g, step, hidden_reg(g, HIDDEN_FAULT_PROBE));
		if (insn->imm == IR_QUERY_TURN)
			flow_read(g, step, hidden_reg(g, HIDDEN_TURN));
		break;
	case IR_INTRINSIC:
	case IR_STACK:
		flow_read(g, step, hidden_reg(g, HIDDEN_CONTEXT));
		break;
	case IR_CONTINUE:
		flow_read(g, step, hidden_reg(g, HIDDEN_CONTEXT));
		/* fallthrough */
	case IR_RETURN:
		if (!g->scratch_size)
			break;
		flow_read(g, step, hidden_reg(g, HIDDEN_SCRATCH_BASE));
		flow_read(g, step, hidden_reg(g, HIDDEN_SCRATCH_BIT));
		break;
	default:
		break;
	}
}

/* Does its template use more than R0-R2? */
static bool clobbers(const struct ir_insn *insn)
{
	if (writes_mem(insn) && insn->mem.space == IR_SELF)
		return true;
	switch (insn->op) {
	case IR_SDIV:
	case IR_SMOD:
		return insn->b != 0;
	case IR_COPY:
	case IR_CLEAR:
		return insn->imm > INLINE_BYTES || insn->b;
	default:
		return !(insn->op <= IR_ATOMIC_ADD || insn->op == IR_ADDRESS ||
			 (insn->op >= IR_GOTO && insn->op <= IR_FAULT));
	}
}

static void flow_insn(const struct gen *g, struct flow_step *step,
		      const struct ir_insn *insn)
{
	ir_reg reads[IR_MAX_READS];
	unsigned n = ir_reads(insn, reads);

	for (unsigned i = 0; i < n; i++)
		flow_read(g, step, reads[i]);
	if (reads_mem(insn) || writes_mem(insn))
		flow_mem(g, step, &insn->mem, writes_mem(insn));
	if (reads_source(insn))
		flow_mem(g, step, &insn->source, false);
	flow_hidden(g, step, insn);
	flow_write(step, insn->dst);
}

static void flow_step(const struct gen *g, struct flow_step *flow,
		      const struct step *step)
{
	flow->exit = FLOW_NOWHERE;
	switch (step->kind) {
	case STEP_SELF:
		flow->clobbers = true;
		flow_write(flow, hidden_reg(g, HIDDEN_SELF));
		return;
	case STEP_SCRATCH:
		flow->clobbers = true;
		flow_write(flow, hidden_reg(g, HIDDEN_SCRATCH));
		flow_write(flow, hidden_reg(g, HIDDEN_SCRATCH_BASE));
		flow_write(flow, hidden_reg(g, HIDDEN_SCRATCH_BIT));
		return;
	case STEP_ZERO:
		flow->clobbers = true;
		if (!g->objects[step->object].on_stack)
			flow_read(g, flow, hidden_reg(g, HIDDEN_SCRATCH));
		return;
	case STEP_IR:
		break;
	}
	const struct ir_insn *insn = step->insn;

	flow_insn(g, flow, insn);
	flow->clobbers = clobbers(insn);
	if (leaves_midway(insn))
		flow->exit = block_of(g, insn->target);
	if (!step->compare)
		return;
	/* The comparison's operands are read here, its result nowhere. */
	for (unsigned i = 0; i < flow->nreads; i++)
		if (flow->reads[i] == step->compare->dst)
			flow->reads[i] = flow->reads[--flow->nreads];
	flow_read(g, flow, step->compare->a);
	flow_read(g, flow, step->compare->b);
}

struct flow *plan_flow(struct gen *g)
{
	struct flow *flow = arena_new_of(g->arena, struct flow);

	flow->nregs = g->program->nregs + 1 + HIDDEN_COUNT;
	flow->nsteps = g->nsteps;
	flow->steps = arena_array_of(g->arena, struct flow_step, g->nsteps);
	for (uint32_t i = 0; i < g->nsteps; i++)
		flow_step(g, &flow->steps[i], &g->steps[i]);
	flow->nblocks = g->nblocks;
	flow->blocks = arena_array_of(g->arena, struct flow_block, g->nblocks);
	for (uint32_t i = 0; i < g->nblocks; i++) {
		flow->blocks[i].first = g->blocks[i].first;
		flow->blocks[i].end = g->blocks[i].end;
		memcpy(flow->blocks[i].next, g->blocks[i].next,
		       sizeof(g->blocks[i].next));
	}
	return flow;
}
