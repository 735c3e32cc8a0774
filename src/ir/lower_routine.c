/* SPDX-License-Identifier: Apache-2.0 */
/*
 * D functions that are compiled once.
 *
 * A function that is called often is a routine of the program: its code is
 * there once, and the kernel verifies it once.  A call stores the arguments in
 * the frame, invokes it, and loads the result.
 *
 * A routine sees the frame and the world, but neither the probe's context nor
 * the registers of its caller.  Whether that is enough is found by trying: the
 * body is lowered, and if what came out needs more (arguments of the probe,
 * this-> variables in registers, alloca's memory), it is thrown away and all
 * calls are expanded.  What records is expanded without a try, because a record
 * belongs to its clause.
 *
 * 1. The time is passed like an argument: timestamp is the same in the whole
 *    clause.
 * 2. A fault in a routine is noted in the frame.  The caller takes it up, and
 *    gives it sites of its own, so that messages name the caller's statement
 *    and the function's line.
 */

#include <string.h>

#include "ir/lower_internal.h"
#include "lang/defined_function.h"

enum {
	SMALL = 24,  /* nodes of a body that is always expanded */
	SAVED = 400, /* nodes that must be saved by not expanding */
};

/* Words of the frame that every routine has. */
enum {
	WORD_NOTE = 0,
	WORD_VALUE = 8,
	WORD_TIME = 16,
	WORD_WALL = 24,
	WORDS = 32
};

struct routine {
	const struct defined_function *function;
	bool is_worth_it, is_tried, is_good;
	uint32_t number;
	struct ir_mem words;
	struct location *params; /* where arguments go */
	struct location result;
	uint32_t first_site, nsites;
	bool uses_time, uses_wall;
	struct routine *next;
};

/* ------------------------------------------------------------ is it worth it */

struct census {
	const struct defined_function *function;
	uint32_t calls;
	bool belongs;
};

static void count_node(void *data, const struct node *node)
{
	uint32_t *count = data;

	(void)node;
	(*count)++;
}

static void look_at_call(void *data, const struct node *node)
{
	struct census *census = data;

	if (node->kind != NODE_CALL)
		return;
	if (node->call.defined == census->function)
		census->calls++;
	if ((node->call.function &&
	     node->call.function->kind == FUNCTION_ACTION) ||
	    call_has_flag(node, FUNCTION_CONTINUES))
		census->belongs = true;
}

/* To its clause: it records, or goes on with the clause's words (strtok). */
static bool belongs(const struct defined_function *function)
{
	struct census census = { 0 };

	tree_visit(function->body, look_at_call, &census);
	return census.belongs;
}

static uint32_t count_calls(const struct lower *lower,
			    const struct defined_function *function)
{
	const struct lower_group *group = lower->group;
	struct census census = { .function = function };

	for (uint32_t i = 0; i < group->nclauses; i++) {
		tree_visit(group->clauses[i]->predicate, look_at_call, &census);
		tree_visit(group->clauses[i]->statements, look_at_call,
			   &census);
	}
	return census.calls;
}

static bool is_worth_it(const struct lower *lower,
			const struct defined_function *function)
{
	uint32_t nodes = 0;

	tree_visit(function->body, count_node, &nodes);
	return nodes > SMALL &&
	       nodes * (count_calls(lower, function) - 1) > SAVED;
}

/* -------------------------------------------------------------- what it needs */

/*
 * Does the code need what routines have not got?  Registers up to `outside`
 * are the caller's: what is written to them would be lost.
 */
static bool needs_more(const struct ir_block *first, ir_reg outside)
{
	bool found = false;

	for (const struct ir_block *block = first; block; block = block->next)
		for (const struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			ir_reg reads[IR_MAX_READS];

			for (unsigned n = ir_reads(insn, reads); n-- > 0;)
				found |= reads[n] <= outside;
			found |= insn->dst && insn->dst <= outside;
			found |= insn->mem.space == IR_CONTEXT ||
				 insn->mem.space == IR_RECORD ||
				 insn->source.space == IR_CONTEXT ||
				 insn->op == IR_INTRINSIC ||
				 insn->op == IR_STACK || insn->op == IR_USTACK;
			found |= insn->op == IR_QUERY &&
				 insn->imm == IR_QUERY_FAULT_PROBE;
		}
	return found;
}

static bool is_read(const struct ir_block *first, ir_reg reg)
{
	for (const struct ir_block *block = first; block; block = block->next)
		for (const struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			ir_reg reads[IR_MAX_READS];

			for (unsigned n = ir_reads(insn, reads); n-- > 0;)
				if (reads[n] == reg)
					return true;
		}
	return false;
}

/* -------------------------------------------------------------------- making */

/* A place in the frame, whatever the type. */
static struct location frame_place(struct lower *lower, struct type *type)
{
	uint32_t size = lower_storage_size(lower, type);

	return (struct location){
		.type = type,
		.mem = ir_object(&lower->b, size < 8 ? 8 : size, "call"),
		.capacity = lower_size(lower, type),
		.keeps_word = type_keeps_word(lower, type),
		.has_null = type_is_string(lower->types, type),
	};
}

static void make_places(struct lower *lower, struct routine *routine)
{
	const struct defined_function *function = routine->function;
	uint32_t count = function->definition->nparams;
	uint32_t depth = lower->b.loop_depth;

	/* they are filled by every call, not zeroed in turns of a loop */
	lower->b.loop_depth = 0;
	routine->words = ir_object(&lower->b, WORDS, function->function.name);
	routine->params = arena_array_of(lower->session->arena, struct location,
					 count + 1);
	for (uint32_t i = 0; i < count; i++)
		routine->params[i] = frame_place(lower,
						 function->params[i]->type);
	if (!type_is_void(lower->types, function->result))
		routine->result = frame_place(lower, function->result);
	lower->b.loop_depth = depth;
}

/* In the routine: parameters have the values that the caller has stored. */
static bool take_arguments(struct lower *lower, const struct routine *routine,
			   struct binding *bindings)
{
	const struct defined_function *function = routine->function;

	for (uint32_t i = 0; i < function->definition->nparams; i++) {
		struct ident *param = function->params[i];
		struct binding *binding = &bindings[i];

		binding->ident = param;
		if (!location_load(lower, function->body, &routine->params[i],
				   &binding->value))
			return false;
		if (param->kind == IDENT_PARAMETER) {
			binding->outer = lower->bindings;
			lower->bindings = binding;
		} else if (!lower_store_param(lower, function->body, param,
					      &binding->value)) {
			return false;
		}
	}
	return true;
}

static struct ir_mem word_at(const struct routine *routine, uint32_t at)
{
	return ir_mem_at(routine->words, at);
}

static bool lower_code(struct lower *lower, struct routine *routine)
{
	struct ir_builder *b = &lower->b;
	const struct defined_function *function = routine->function;
	struct binding *bindings =
		arena_array_of(lower->session->arena, struct binding,
			       function->definition->nparams + 1);
	struct expansion expansion = {
		.function = function,
		.place = routine->result,
		.end = ir_block_new(b, "end of function"),
	};
	struct ir_block *fault = ir_block_new(b, "fault");

	/* no record is open, and faults stay in the routine */
	lower->claims = (struct claims){ .fault = fault };
	b->fault = fault;
	b->function = function->function.name;
	lower->expansion = &expansion;
	lower->timestamp = ir_load(b, word_at(routine, WORD_TIME), 8, false);
	lower->walltime = ir_load(b, word_at(routine, WORD_WALL), 8, false);
	if (!take_arguments(lower, routine, bindings) ||
	    !lower_statements(lower, function->body, false))
		return false;
	ir_enter(b, expansion.end);
	ir_leave(b, 0);
	ir_enter(b, fault);
	ir_store(b, word_at(routine, WORD_NOTE),
		 ir_query(b, IR_QUERY_FAULT_NOTE), 8);
	ir_store(b, word_at(routine, WORD_VALUE),
		 ir_query(b, IR_QUERY_FAULT_VALUE), 8);
	ir_leave(b, 1);
	return true;
}

static bool make(struct lower *lower, struct routine *routine)
{
	struct lower saved = *lower;
	struct ir_program *program = lower->b.program;
	struct ir_function_state aside;
	ir_reg outside = program->nregs;

	routine->is_tried = true;
	make_places(lower, routine);
	routine->first_site = program->nsites;
	ir_function_begin(&lower->b, &aside);
	/* nothing of the caller's is known here */
	lower->bindings = NULL;
	lower->later = NULL;
	lower->loop = NULL;
	lower->guard = 0;
	memset(lower->arguments, 0, sizeof(lower->arguments));

	bool good = lower_code(lower, routine);
	const struct ir_block *first = program->blocks;

	routine->nsites = program->nsites - routine->first_site;
	routine->is_good = good && !needs_more(first, outside);
	routine->uses_time = is_read(first, lower->timestamp);
	routine->uses_wall = is_read(first, lower->walltime);
	if (routine->is_good)
		routine->number =
			ir_function_end(&lower->b, &aside,
					routine->function->function.name);
	else
		ir_function_drop(&lower->b, &aside);
	/* storage that locals have got stays; all else is the caller's again */
	saved.this_storage = lower->this_storage;
	saved.nthis_storage = lower->nthis_storage;
	saved.routines = lower->routines;
	saved.b = lower->b;
	*lower = saved;
	return good;
}

/* What is known of the function here; nothing is made yet. */
static struct routine *routine_of(struct lower *lower,
				  const struct defined_function *function)
{
	struct routine *routine = lower->routines;

	while (routine && routine->function != function)
		routine = routine->next;
	if (routine)
		return routine;
	routine = arena_new_of(lower->session->arena, struct routine);
	routine->function = function;
	routine->is_worth_it = is_worth_it(lower, function);
	routine->is_tried = belongs(function);
	routine->next = lower->routines;
	lower->routines = routine;
	return routine;
}

/* ------------------------------------------------------------------- calling */

static bool store_arguments(struct lower *lower, const struct node *call,
			    const struct routine *routine)
{
	uint32_t count = routine->function->definition->nparams;
	struct value *values = arena_array_of(lower->session->arena,
					      struct value, count + 1);
	uint32_t i = 0;

	/* all before the first is stored: f(f(1)) */
	for (const struct node *arg = call->call.args; arg; arg = arg->next)
		if (!lower_expression(lower, arg, &values[i++]))
			return false;
	i = 0;
	for (const struct node *arg = call->call.args; arg;
	     arg = arg->next, i++)
		if (!location_store(lower, arg, &routine->params[i],
				    &values[i]))
			return false;
	return true;
}

static void store_times(struct lower *lower, const struct routine *routine)
{
	struct ir_builder *b = &lower->b;

	if (routine->uses_time)
		ir_store(b, word_at(routine, WORD_TIME), lower->timestamp, 8);
	if (routine->uses_wall)
		ir_store(b, word_at(routine, WORD_WALL), lower->walltime, 8);
}

/* The routine's fault is one of this statement's. */
static void take_fault(struct lower *lower, const struct routine *routine,
		       ir_reg faulted)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *good = ir_block_new(b, "returned");
	struct ir_block *bad = ir_block_new(b, "fault in function");

	ir_branch(b, faulted, bad, good);
	ir_enter(b, bad);

	uint32_t first = ir_sites_copy(b, routine->first_site, routine->nsites);
	ir_reg note = ir_load(b, word_at(routine, WORD_NOTE), 8, false);
	ir_reg value = ir_load(b, word_at(routine, WORD_VALUE), 8, false);
	struct ir_insn *again;

	note = ir_binary_imm(b, IR_ADD, note,
			     (int64_t)first - (int64_t)routine->first_site);
	again = ir_emit(b, IR_FAULT_AGAIN);
	again->a = note;
	again->b = value;
	again->target = b->fault;
	ir_enter(b, good);
}

static bool call_routine(struct lower *lower, const struct node *call,
			 const struct routine *routine, struct value *value)
{
	struct ir_builder *b = &lower->b;

	if (!store_arguments(lower, call, routine))
		return false;
	store_times(lower, routine);

	ir_reg faulted = ir_invoke(b, routine->number);

	if (routine->nsites)
		take_fault(lower, routine, faulted);
	if (type_is_void(lower->types, routine->function->result))
		return true;
	/* the next call overwrites what is in the frame */
	return location_load(lower, call, &routine->result, value) &&
	       (value->kind != VALUE_MEMORY ||
		lower_copy_value(lower, call, routine->function->result,
				 value));
}

bool lower_routine_call(struct lower *lower, const struct node *call,
			struct value *value, bool *is_done)
{
	const struct defined_function *function = call->call.defined;
	struct routine *routine = routine_of(lower, function);

	*is_done = false;
	if (!routine->is_worth_it)
		return true;
	if (!routine->is_tried && !make(lower, routine))
		return false;
	if (!routine->is_good)
		return true;
	*is_done = true;
	return call_routine(lower, call, routine, value);
}
