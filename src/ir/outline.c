/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops become routines.
 *
 * No kernel verifies a loop whose end it cannot foresee, but all of ours have
 * bpf_loop(), which calls a function again and again.  So an outermost loop,
 * with all loops inside it, is moved into code of its own, a routine, and
 * IR_LOOP stays in its place.  One turn of the routine goes from a header to
 * the next jump backward:
 *
 *	entry		which header is it? -> header 0, 1, ...
 *	...		the loop's blocks; jumps forward stay as they are
 *	again k		remember header k; leave with 0: another turn
 *	out j		remember exit j; leave with 1
 *
 * Nested loops need no routine of their own: their headers are further places
 * where a turn may start.  So nesting costs neither stack nor levels of calls,
 * of which kernels allow eight.
 *
 * A turn has registers of its own.  A register of the loop that is needed where
 * a turn starts, or after the loop, gets a home in memory: read and written
 * there in the routine, stored before the loop, loaded after it.  Constants are
 * made again instead.
 *
 * After the loop, exit j goes where the jump out of it would have gone.  No exit
 * was remembered: the limit of turns was reached.  The exit is a time: that was
 * too long; it is the fault's value.  Where time matters, a routine looks at the
 * clock after so many turns as it can do in about a millisecond.  A turn that
 * calls a function with a loop may take any time, so it looks first.  Short
 * loops never look, but what they take is added up, and when that is a
 * millisecond the next loop looks before it starts.  All loops of a firing share
 * the count of turns and the deadline.
 *
 * What is known of the whole program (live registers, definitions, who jumps to
 * a loop) is found once, before the first loop is moved, so that hundreds of
 * loops are no problem.  It stays right: a loop is left with the same registers
 * as before, and the block that calls it stands for its header.
 */

#include <stddef.h>
#include <string.h>

#include "ir/internal.h"

enum {
	/* A guess at the cost of a turn, to decide how often to look. */
	INSN_NS = 2, CALL_NS = 100, LONG_NS = 2000,
	MOST_CHECKED = 1 << 15, /* turns between two looks */
};

/* Words of the loop's object that are not homes of registers. */
enum { WORD_HEADER, WORD_EXIT, WORD_NOTE, WORD_VALUE, WORD_BEGAN, WORD_HOMES };
struct jump_out {
	struct ir_block *target;
	bool is_fault;
	struct ir_block *stub;
};

/* What is known of registers while a loop is moved; empty between loops. */
struct registers {
	uint32_t count;	    /* those before the first loop was moved */
	uint32_t *home;	    /* by register: word; 0: none */
	ir_reg *made_again; /* by register: the constant in the routine */
	bool *is_mentioned; /* by register: in the loop */
	bool *is_defined;   /* by register: in the loop */
	ir_reg *now;	    /* by register: holds its home's value */
	ir_reg *in_loop;    /* those mentioned */
	uint32_t nin_loop;
	ir_reg *in_block; /* those with `now` */
	uint32_t nin_block;
};

/* An outermost loop. */
struct nest {
	struct ir_block *header;
	struct ir_block *call; /* what will be in its place */
};

struct outline {
	struct ir_program *program;
	struct ir_builder b;
	struct arena *scratch;
	const struct ir_live *live;
	struct ir_definitions defs;
	struct registers *registers;
	/* the loop: blocks first .. last by number */
	struct ir_block *header, *call;
	uint32_t first, last;
	struct ir_block **headers;
	struct ir_block **again; /* stubs, by header */
	uint32_t nheaders;
	struct jump_out *outs;
	uint32_t nouts;
	struct ir_mem object;
	uint32_t nhomes;
	uint32_t asked[IR_QUERY_COUNT]; /* answers from before: word; 0: none */
	bool functions_loop;
	uint32_t looplimit;
	bool has_deadline;
};

static const struct ir_live_registers *live_at(const struct outline *o,
					       const struct ir_block *block)
{
	return &o->live->at[block->number];
}

/* -------------------------------------------------------------------- loop */

static bool is_inside(const struct outline *o, const struct ir_block *block)
{
	return block->number >= o->first && block->number <= o->last;
}

static void mention(struct outline *o, ir_reg reg)
{
	struct registers *r = o->registers;

	if (r->is_mentioned[reg])
		return;
	r->is_mentioned[reg] = true;
	r->in_loop[r->nin_loop++] = reg;
}

/* Blocks of the loop in layout order: `header` to the one before its exit. */
static void find_loop(struct outline *o)
{
	struct ir_block *block = o->header;
	ir_reg reads[IR_MAX_READS];

	o->first = block->number;
	for (; block && block != o->header->exit; block = block->next) {
		o->last = block->number;
		if (block->is_header) {
			o->headers = arena_grown(o->scratch, o->headers,
						 o->nheaders,
						 sizeof(*o->headers));
			o->headers[o->nheaders++] = block;
		}
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			for (unsigned n = ir_reads(insn, reads); n-- > 0;)
				mention(o, reads[n]);
			if (!insn->dst)
				continue;
			mention(o, insn->dst);
			o->registers->is_defined[insn->dst] = true;
		}
	}
}

static void forget_loop(struct registers *r)
{
	while (r->nin_loop) {
		ir_reg reg = r->in_loop[--r->nin_loop];

		r->home[reg] = 0;
		r->made_again[reg] = 0;
		r->is_mentioned[reg] = r->is_defined[reg] = false;
	}
}

static bool is_fault_op(enum ir_op op)
{
	return op == IR_FAULT || op == IR_FAULT_IF || op == IR_FAULT_AGAIN ||
	       op == IR_READ || op == IR_READ_STRING || op == IR_READ_SCALAR ||
	       op == IR_WRITE_USER;
}

static void note_out(struct outline *o, struct ir_block *target, bool is_fault)
{
	if (!target || is_inside(o, target))
		return;
	for (uint32_t i = 0; i < o->nouts; i++)
		if (o->outs[i].target == target &&
		    o->outs[i].is_fault == is_fault)
			return;
	o->outs = arena_grown(o->scratch, o->outs, o->nouts, sizeof(*o->outs));
	o->outs[o->nouts++] = (struct jump_out){ .target = target,
						 .is_fault = is_fault };
}

static void find_outs(struct outline *o)
{
	for (struct ir_block *block = o->header; block != o->header->exit;
	     block = block->next)
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			note_out(o, insn->target, is_fault_op(insn->op));
			note_out(o, insn->otherwise, false);
		}
}

/* ------------------------------------------------------------------- homes */

static bool can_be_made_again(const struct outline *o, ir_reg reg)
{
	const struct ir_insn *def = o->defs.last[reg];

	return o->defs.count[reg] == 1 &&
	       (def->op == IR_CONST ||
		(def->op == IR_QUERY && (def->imm == IR_QUERY_TASK_TYPED ||
					 def->imm == IR_QUERY_USER_REGS)));
}

static void give_home(struct outline *o, ir_reg reg)
{
	struct registers *r = o->registers;

	if (r->home[reg] || r->made_again[reg])
		return;
	if (can_be_made_again(o, reg))
		r->made_again[reg] = ir_reg_new(o->program);
	else
		r->home[reg] = WORD_HOMES + o->nhomes++;
}

/* What is known of a fault before the loop, which the routine cannot ask. */
static bool asks_before(const struct ir_block *block,
			const struct ir_insn *insn)
{
	return insn->op == IR_QUERY && insn->imm >= IR_QUERY_FAULT_CODE &&
	       insn->imm <= IR_QUERY_FAULT_PROBE &&
	       block->last->op != IR_FAULT_AGAIN; /* its own */
}

static void find_questions(struct outline *o)
{
	for (struct ir_block *block = o->header; block != o->header->exit;
	     block = block->next)
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next)
			if (asks_before(block, insn) && !o->asked[insn->imm])
				o->asked[insn->imm] = WORD_HOMES + o->nhomes++;
}

static void find_homes(struct outline *o)
{
	const struct registers *r = o->registers;

	for (uint32_t i = 0; i < o->nheaders; i++) {
		const struct ir_live_registers *live = live_at(o,
							       o->headers[i]);

		for (uint32_t n = 0; n < live->count; n++)
			if (r->is_mentioned[live->regs[n]])
				give_home(o, live->regs[n]);
	}
	for (uint32_t i = 0; i < o->nouts; i++) {
		const struct ir_live_registers *live =
			live_at(o, o->outs[i].target);

		for (uint32_t n = 0; n < live->count; n++)
			if (r->is_defined[live->regs[n]])
				give_home(o, live->regs[n]);
	}
	find_questions(o);
	o->object = ir_object(&o->b, 8 * (WORD_HOMES + o->nhomes), "loop");
	/* All of it is stored before the loop, or before it is loaded. */
	ir_object_raw(&o->b, o->object);
}

static struct ir_mem word(const struct outline *o, uint32_t n)
{
	return ir_mem_at(o->object, 8 * (int64_t)n);
}

static void store_number(struct outline *o, uint32_t n, int64_t value)
{
	ir_store(&o->b, word(o, n), ir_const(&o->b, value), 8);
}

/* ----------------------------------------------------------------- routine */

/* From now on in this block, `held` is what the home of `reg` holds. */
static void hold(struct registers *r, ir_reg reg, ir_reg held)
{
	if (!r->now[reg])
		r->in_block[r->nin_block++] = reg;
	r->now[reg] = held;
}

/* An instruction of the loop reads `*reg`: what its home holds. */
static void read_home(struct outline *o, ir_reg *reg)
{
	struct registers *r = o->registers;

	if (!*reg || *reg > r->count)
		return;
	if (r->made_again[*reg]) {
		*reg = r->made_again[*reg];
		return;
	}
	if (!r->home[*reg])
		return;
	if (!r->now[*reg])
		hold(r, *reg, ir_load(&o->b, word(o, r->home[*reg]), 8, false));
	*reg = r->now[*reg];
}

static void read_homes(struct outline *o, struct ir_insn *insn)
{
	read_home(o, &insn->a);
	read_home(o, &insn->b);
	read_home(o, &insn->mem.base);
	read_home(o, &insn->source.base);
	read_home(o, &insn->speculation);
	if (!insn->slots)
		return;
	insn->slots = arena_copy(o->program->arena, insn->slots,
				 sizeof(*insn->slots));
	for (uint32_t i = 0; i < insn->slots->count; i++) {
		struct ir_slot_change *change = &insn->slots->changes[i];

		read_home(o, &change->index);
		read_home(o, &change->value);
		read_home(o, &change->high);
	}
}

static struct ir_block *stub_of(const struct outline *o,
				const struct ir_block *from,
				struct ir_block *target, bool is_fault)
{
	if (!target)
		return NULL;
	if (is_inside(o, target)) {
		if (target->number > from->number)
			return target;
		for (uint32_t i = 0; i < o->nheaders; i++)
			if (o->headers[i] == target)
				return o->again[i];
	}
	for (uint32_t i = 0; i < o->nouts; i++)
		if (o->outs[i].target == target &&
		    o->outs[i].is_fault == is_fault)
			return o->outs[i].stub;
	return target;
}

/* Questions about the fault before the loop have been answered before it. */
static void answer_questions(struct outline *o, struct ir_block *block)
{
	for (struct ir_insn *insn = block->first; insn; insn = insn->next) {
		if (!asks_before(block, insn))
			continue;
		insn->op = IR_LOAD;
		insn->mem = word(o, o->asked[insn->imm]);
		insn->size = 8;
		insn->imm = 0;
	}
}

/* The block's instructions again, with homes; the builder is in it. */
static void rewrite(struct outline *o, struct ir_block *block)
{
	struct registers *r = o->registers;
	struct ir_insn *insn = block->first;

	while (r->nin_block)
		r->now[r->in_block[--r->nin_block]] = 0;
	block->first = block->last = NULL;
	o->b.block = block;
	while (insn) {
		struct ir_insn *next = insn->next;
		ir_reg dst = insn->dst;

		o->b.place = insn->place;
		read_homes(o, insn);
		insn->target = stub_of(o, block, insn->target,
				       is_fault_op(insn->op));
		insn->otherwise = stub_of(o, block, insn->otherwise, false);
		insn->next = NULL;
		if (block->last)
			block->last->next = insn;
		else
			block->first = insn;
		block->last = insn;
		if (dst && (r->home[dst] || r->made_again[dst])) {
			insn->dst = ir_reg_new(o->program);
			hold(r, dst, insn->dst);
			if (r->home[dst])
				ir_store(&o->b, word(o, r->home[dst]),
					 insn->dst, 8);
		}
		insn = next;
	}
}

static uint32_t turn_cost(const struct outline *o)
{
	uint32_t cost = 1;

	for (const struct ir_block *block = o->header; block;
	     block = block->next)
		for (const struct ir_insn *insn = block->first; insn;
		     insn = insn->next)
			cost += ir_is_arithmetic(insn->op) ||
						insn->op == IR_LOAD ||
						insn->op == IR_STORE ||
						insn->op == IR_GOTO ||
						insn->op == IR_BRANCH
					? INSN_NS
				: insn->op == IR_CALL_READ ||
						insn->op == IR_CALL_WRITE ||
						insn->op == IR_USTACK ||
						insn->op == IR_STACK
					? LONG_NS
				: insn->op == IR_INVOKE && o->functions_loop
					? LOOPS_LOOK_NS
					: CALL_NS;
	return cost;
}

static bool shares(const struct outline *o)
{
	return o->program->turns.space != 0;
}

static struct ir_mem shared(const struct outline *o, uint32_t word)
{
	return ir_mem_at(o->program->turns, word);
}

static struct ir_mem began_word(const struct outline *o)
{
	return shares(o) ? shared(o, TURNS_BEGAN) : word(o, WORD_BEGAN);
}

/*
 * Looks at the clock: goes on if it is not too late, or enters `over` with the
 * time that loops have taken, which becomes the exit, as which there is none.
 */
static void look(struct outline *o, struct ir_block *over, struct ir_block *go)
{
	struct ir_builder *b = &o->b;
	struct ir_block *first = ir_block_new(b, "first look");
	struct ir_block *later = ir_block_new(b, "later look");
	ir_reg now = ir_query(b, IR_QUERY_TIMESTAMP);
	ir_reg began = ir_load(b, began_word(o), 8, false);

	ir_branch(b, ir_binary_imm(b, IR_EQ, began, 0), first, later);
	ir_enter(b, first);
	ir_store(b, began_word(o), now, 8);
	ir_goto(b, go);
	ir_enter(b, later);

	ir_reg elapsed = ir_binary(b, IR_SUB, now, began);

	ir_branch(b, ir_binary_imm(b, IR_UGT, elapsed, LOOPS_MOST_NS), over,
		  go);
	ir_enter(b, over);
	ir_store(b, word(o, WORD_EXIT), elapsed, 8);
}

/* The routine looks at the clock now and then. */
static void look_in_turn(struct outline *o, uint32_t cost)
{
	struct ir_builder *b = &o->b;
	struct ir_block *wants = ir_block_new(b, "look at clock");
	struct ir_block *over = ir_block_new(b, "too long");
	struct ir_block *go = ir_block_new(b, "go on");
	uint32_t turns = 1;

	while (turns < MOST_CHECKED &&
	       turns * 2 * (uint64_t)cost < LOOPS_LOOK_NS)
		turns *= 2;

	ir_reg phase = ir_binary_imm(b, IR_AND, ir_query(b, IR_QUERY_TURN),
				     turns - 1);

	ir_branch(b, ir_binary_imm(b, IR_EQ, phase, turns - 1), wants, go);
	ir_enter(b, wants);
	look(o, over, go);
	if (shares(o)) /* the next loop of the firing looks at once */
		ir_store(b, shared(o, TURNS_UNSEEN), ir_const(b, LOOPS_LOOK_NS),
			 8);
	ir_leave(b, 1);
	ir_enter(b, go);
}

/* A loop looks before it starts, if those before it were too short to look. */
static void look_before(struct outline *o, struct ir_block *after)
{
	struct ir_builder *b = &o->b;
	struct ir_block *wants = ir_block_new(b, "look at clock");
	struct ir_block *over = ir_block_new(b, "too long");
	struct ir_block *seen = ir_block_new(b, "seen");
	struct ir_block *go = ir_block_new(b, "go on");
	ir_reg unseen = ir_load(b, shared(o, TURNS_UNSEEN), 8, false);

	ir_branch(b, ir_binary_imm(b, IR_UGE, unseen, LOOPS_LOOK_NS), wants,
		  go);
	ir_enter(b, wants);
	look(o, over, seen);
	ir_goto(b, after);
	ir_enter(b, seen);
	ir_store(b, shared(o, TURNS_UNSEEN), ir_const(b, 0), 8);
	ir_enter(b, go);
}

static void dispatch(struct outline *o)
{
	struct ir_builder *b = &o->b;
	ir_reg which = o->nheaders > 1
			       ? ir_load(b, word(o, WORD_HEADER), 8, false)
			       : 0;

	for (uint32_t i = o->nheaders; i-- > 1;) {
		struct ir_block *next = ir_block_new(b, "which header");

		ir_branch(b, ir_binary_imm(b, IR_EQ, which, i), o->headers[i],
			  next);
		ir_enter(b, next);
	}
	ir_goto(b, o->headers[0]);
}

static void make_again(struct outline *o)
{
	const struct registers *r = o->registers;

	for (uint32_t i = 0; i < r->nin_loop; i++) {
		ir_reg reg = r->in_loop[i];

		if (!r->made_again[reg])
			continue;
		struct ir_insn *insn = ir_emit(&o->b, o->defs.last[reg]->op);

		insn->imm = o->defs.last[reg]->imm;
		insn->dst = r->made_again[reg];
	}
}

static void make_stubs(struct outline *o)
{
	struct ir_builder *b = &o->b;

	for (uint32_t i = 0; i < o->nheaders; i++) {
		ir_enter(b, o->again[i]);
		if (o->nheaders > 1)
			store_number(o, WORD_HEADER, i);
		ir_leave(b, 0);
	}
	for (uint32_t i = 0; i < o->nouts; i++) {
		ir_enter(b, o->outs[i].stub);
		if (o->outs[i].is_fault) {
			ir_store(b, word(o, WORD_NOTE),
				 ir_query(b, IR_QUERY_FAULT_NOTE), 8);
			ir_store(b, word(o, WORD_VALUE),
				 ir_query(b, IR_QUERY_FAULT_VALUE), 8);
		}
		store_number(o, WORD_EXIT, i + 1);
		ir_leave(b, 1);
	}
}

static void make_routine(struct outline *o, uint32_t cost)
{
	struct ir_program *program = o->program;
	struct ir_builder *b = &o->b;
	struct ir_block *entry = ir_block_new(b, "routine");
	struct ir_block *block = o->header;

	program->routines = arena_grown(program->arena, program->routines,
					program->nroutines,
					sizeof(*program->routines));
	program->routines[program->nroutines++] = (struct ir_routine){
		.entry = entry,
		.name = "turn",
		.place = o->header->limited->place,
	};
	o->again = arena_array_of(o->scratch, struct ir_block *, o->nheaders);
	for (uint32_t i = 0; i < o->nheaders; i++)
		o->again[i] = ir_block_new(b, "again");
	for (uint32_t i = 0; i < o->nouts; i++)
		o->outs[i].stub = ir_block_new(b, "out");

	b->block = NULL; /* after the last block */
	b->place = o->header->limited->place;
	ir_enter(b, entry);
	make_again(o);
	if (o->has_deadline)
		look_in_turn(o, cost);
	dispatch(o);
	while (block) {
		struct ir_block *next = block->next;

		block->next = b->block->next;
		b->block->next = block;
		if (program->last_block == b->block)
			program->last_block = block;
		answer_questions(o, block);
		rewrite(o, block);
		b->block = block;
		block = next;
	}
	make_stubs(o);
}

/* ------------------------------------------------------- around the routine */

/* Values of before the loop into their homes. */
static void store_homes(struct outline *o)
{
	const struct ir_live_registers *live = live_at(o, o->header);
	const struct registers *r = o->registers;

	for (uint32_t i = 0; i < live->count; i++) {
		ir_reg reg = live->regs[i];

		if (r->home[reg])
			ir_store(&o->b, word(o, r->home[reg]), reg, 8);
	}
	for (uint32_t i = 0; i < IR_QUERY_COUNT; i++)
		if (o->asked[i])
			ir_store(&o->b, word(o, o->asked[i]),
				 ir_query(&o->b, i), 8);
}

/* What the loop has assigned and others need, out of its home. */
static void load_homes(struct outline *o, const struct ir_block *target)
{
	const struct ir_live_registers *live = live_at(o, target);
	const struct registers *r = o->registers;

	for (uint32_t i = 0; i < live->count; i++) {
		ir_reg reg = live->regs[i];
		struct ir_insn *insn;

		if (!r->is_defined[reg])
			continue;
		if (r->made_again[reg]) {
			insn = ir_emit(&o->b, o->defs.last[reg]->op);
			insn->imm = o->defs.last[reg]->imm;
		} else {
			insn = ir_emit(&o->b, IR_LOAD);
			insn->mem = word(o, r->home[reg]);
			insn->size = 8;
		}
		insn->dst = reg;
	}
}

static void take_exit(struct outline *o, const struct jump_out *out)
{
	struct ir_builder *b = &o->b;

	load_homes(o, out->target);
	if (!out->is_fault) {
		ir_goto(b, out->target);
		return;
	}
	ir_reg note = ir_load(b, word(o, WORD_NOTE), 8, false);
	ir_reg value = ir_load(b, word(o, WORD_VALUE), 8, false);
	struct ir_insn *again = ir_emit(b, IR_FAULT_AGAIN);

	again->a = note;
	again->b = value;
	again->target = out->target;
}

/*
 * How many turns are left of those that the firing may do.  A loop and those of
 * the functions that it calls may have done more together: each knew only how
 * many were left when it started.
 */
static ir_reg turns_left(struct outline *o)
{
	struct ir_builder *b = &o->b;
	ir_reg limit = ir_const(b, o->looplimit);

	if (!shares(o))
		return limit;

	ir_reg done = ir_load(b, shared(o, TURNS_DONE), 8, false);
	ir_reg none = ir_binary_imm(b, IR_UGE, done, o->looplimit);

	return ir_binary(b, IR_AND, ir_binary(b, IR_SUB, limit, done),
			 ir_binary_imm(b, IR_SUB, none, 1));
}

static void add_to_shared(struct outline *o, uint32_t word, ir_reg more)
{
	struct ir_builder *b = &o->b;
	ir_reg sum = ir_load(b, shared(o, word), 8, false);

	ir_store(b, shared(o, word), ir_binary(b, IR_ADD, sum, more), 8);
}

static ir_reg call_routine(struct outline *o, uint32_t routine, uint32_t cost)
{
	struct ir_builder *b = &o->b;
	struct ir_block *after = ir_block_new(b, "after loop");
	bool counts_time = o->has_deadline && shares(o);

	if (counts_time)
		look_before(o, after);

	ir_reg most = turns_left(o);
	struct ir_insn *loop = ir_emit(b, IR_LOOP);
	ir_reg turns = ir_reg_new(o->program);

	loop->imm = routine;
	loop->a = most;
	loop->dst = turns;
	if (shares(o))
		add_to_shared(o, TURNS_DONE, turns);
	if (counts_time) {
		add_to_shared(o, TURNS_UNSEEN,
			      ir_binary_imm(b, IR_MUL, turns, cost));
		ir_enter(b, after);
	}
	return ir_load(b, word(o, WORD_EXIT), 8, false);
}

/* In place of the loop: homes, IR_LOOP, and where it was left for. */
static void make_call(struct outline *o, struct ir_block *before,
		      uint32_t routine, uint32_t cost)
{
	struct ir_builder *b = &o->b;

	b->block = before;
	b->place = o->header->limited->place;
	ir_enter(b, o->call);
	store_homes(o);
	if (o->nheaders > 1)
		store_number(o, WORD_HEADER, 0);
	store_number(o, WORD_EXIT, 0);
	if (o->has_deadline && !shares(o))
		store_number(o, WORD_BEGAN, 0);

	ir_reg exit = call_routine(o, routine, cost);

	for (uint32_t i = 0; i < o->nouts; i++) {
		struct ir_block *out = ir_block_new(b, "left loop");
		struct ir_block *next = ir_block_new(b, "which exit");

		ir_branch(b, ir_binary_imm(b, IR_EQ, exit, i + 1), out, next);
		ir_enter(b, out);
		take_exit(o, &o->outs[i]);
		ir_enter(b, next);
	}
	load_homes(o, o->header->limited->target);

	struct ir_insn *limited = ir_emit(b, IR_FAULT);
	struct ir_insn *next = limited->next;

	*limited = *o->header->limited;
	limited->next = next;
	if (o->has_deadline)
		limited->b = exit;
}

static void outline_loop(struct outline *o, struct ir_block *before)
{
	struct ir_program *program = o->program;

	find_loop(o);
	find_outs(o);
	find_homes(o);
	ir_take_loop(program, before)->next = NULL;

	uint32_t cost = turn_cost(o);

	make_call(o, before, program->nroutines, cost);
	make_routine(o, cost);
	for (uint32_t i = 0; i < o->nheaders; i++)
		o->headers[i]->is_header = false;
	forget_loop(o->registers);
}

/* --------------------------------------------------------- the whole program */

static struct registers make_registers(const struct ir_program *program,
				       struct arena *scratch)
{
	uint32_t count = program->nregs + 1;

	return (struct registers){
		.count = program->nregs,
		.home = arena_array_of(scratch, uint32_t, count),
		.made_again = arena_array_of(scratch, ir_reg, count),
		.is_mentioned = arena_array_of(scratch, bool, count),
		.is_defined = arena_array_of(scratch, bool, count),
		.now = arena_array_of(scratch, ir_reg, count),
		.in_loop = arena_array_of(scratch, ir_reg, count),
		.in_block = arena_array_of(scratch, ir_reg, count),
	};
}

static struct nest *find_nests(struct ir_builder *b, struct arena *scratch,
			       uint32_t *count)
{
	struct ir_block *before = ir_before_loop(b->program->blocks);
	struct nest *nests = NULL;

	while (before) {
		struct ir_block *header = before->next;
		struct ir_block *call = ir_block_new(b, "call loop");

		call->number = header->number;
		nests = arena_grown(scratch, nests, *count, sizeof(*nests));
		nests[(*count)++] = (struct nest){ header, call };
		/* another one may follow at once */
		while (before->next != header->exit)
			before = before->next;
		before = ir_before_loop(before);
	}
	return nests;
}

static void redirect_one(struct ir_block **target, const struct nest *nests,
			 uint32_t count, const struct ir_block *inside)
{
	uint32_t low = 0, high = count;

	if (!*target || !(*target)->is_header || *target == inside)
		return;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (nests[middle].header->number <= (*target)->number)
			low = middle;
		else
			high = middle;
	}
	if (nests[low].header == *target)
		*target = nests[low].call;
}

/* Jumps into an outermost loop will be jumps to its call. */
static void redirect(struct ir_program *program, const struct nest *nests,
		     uint32_t count)
{
	const struct ir_block *inside = NULL;
	uint32_t next = 0;

	for (struct ir_block *block = program->blocks; block;
	     block = block->next) {
		if (inside && block == inside->exit)
			inside = NULL;
		if (next < count && block == nests[next].header)
			inside = nests[next++].header;
		if (block->is_header)
			redirect_one(&block->limited->target, nests, count,
				     inside);
		for (struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			redirect_one(&insn->target, nests, count, inside);
			redirect_one(&insn->otherwise, nests, count, inside);
		}
	}
}

/* Functions are laid out after the program. */
static void lay_out_functions(struct ir_program *program)
{
	for (uint32_t i = 0; i < program->nroutines; i++) {
		struct ir_routine *routine = &program->routines[i];

		program->last_block->next = routine->entry;
		program->last_block = routine->last;
		routine->last = NULL;
	}
}

void ir_turns_make(struct ir_builder *b)
{
	b->program->turns = ir_object(b, TURNS_SIZE, "turns");
	ir_object_raw(b, b->program->turns);
}

/* Words that are 0 when the program starts. */
static void make_turns(struct ir_builder *b)
{
	struct ir_block *block = b->program->blocks;
	struct ir_block start = { 0 };

	b->block = &start;
	ir_turns_make(b);
	for (uint32_t at = 0; at < TURNS_OF_ERROR; at += 8)
		ir_store(b, ir_mem_at(b->program->turns, at), ir_const(b, 0),
			 8);
	b->block = NULL;
	start.last->next = block->first;
	block->first = start.first;
}

void ir_outline(struct ir_program *program, uint32_t looplimit,
		bool has_deadline)
{
	struct ir_builder b = { .program = program };
	bool is_in_function = ir_functions_loop(program);
	uint32_t count = 0;

	lay_out_functions(program);
	if (!ir_before_loop(program->blocks)) {
		ir_renumber(program);
		return;
	}
	ir_renumber(program);

	struct arena *scratch = arena_new();
	struct nest *nests = find_nests(&b, scratch, &count);

	if (!program->turns.space && (is_in_function || count > 1))
		make_turns(&b);

	struct registers registers = make_registers(program, scratch);
	struct outline all = {
		.program = program, .b = b, .scratch = scratch,
		.live = ir_find_live(program, scratch),
		.defs = ir_find_definitions(program, scratch),
		.registers = &registers, .functions_loop = is_in_function,
		.looplimit = looplimit, .has_deadline = has_deadline,
	};
	struct ir_block *before = program->blocks;

	redirect(program, nests, count);
	for (uint32_t i = 0; i < count; i++) {
		struct outline o = all;

		before = ir_before_loop(before);
		o.header = nests[i].header;
		o.call = nests[i].call;
		outline_loop(&o, before);
	}
	ir_renumber(program);
	arena_free(scratch);
}
