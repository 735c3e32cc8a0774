/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops, and the names that are declared in them.
 *
 *	init		after what all turns share
 *	header		condition -> body, exit
 *	body		break -> exit, continue -> step
 *	step		-> header
 *	faults		of records that a turn may have left open
 *	exit
 *
 * do ... while has its condition after the step, which it does not have.
 *
 * 1. A loop that records starts and ends its turns without an open record, so
 *    break and continue close the one that is open.  Loops in it do, too: their
 *    turns are turns of the same routine (outline.c).  Around a loop that does
 *    not record, the clause's record stays open.
 * 2. Expressions may have loops, too, in functions that they call.  In a loop
 *    that records, such a statement starts without an open record.  An action
 *    opens one before it evaluates its arguments, so those with loops are
 *    evaluated before.
 * 3. What lowering makes at first use and keeps for the rest of the firing is
 *    made before the outermost loop.
 */

#include "ir/lower_internal.h"

struct loop {
	bool records;
	struct ir_block *step, *exit;
	struct loop *outer;
};

/* A function that only aggregates is an action, too, but records nothing. */
static void look_for_action(void *data, const struct node *node)
{
	bool *found = data;

	if (node->kind == NODE_CALL && node->call.function &&
	    !node->call.defined && node->call.function->kind == FUNCTION_ACTION)
		*found = true;
}

bool loop_records(const struct node *loop)
{
	struct node alone = *loop;
	bool found = false;

	alone.next = NULL;
	tree_visit(&alone, look_for_action, &found);
	return found;
}

static void look_for_strtok(void *data, const struct node *node)
{
	if (call_has_flag(node, FUNCTION_CONTINUES))
		lower_remember_words(data);
}

/* The loop may never read it, so reading it must do no harm. */
static void look_for_argument(void *data, const struct node *node)
{
	struct lower *lower = data;
	struct value ignored = { 0 };

	if (node->kind == NODE_VARIABLE && node->variable.ident->builtin &&
	    node->variable.ident->builtin->is_argument)
		lower_expression(lower, node, &ignored);
}

/* What is kept over the turns. */
static void prepare(struct lower *lower, const struct node *loop)
{
	struct node alone = *loop;

	alone.next = NULL;
	if (!lower->b.loop_depth)
		tree_visit(&alone, look_for_strtok, lower);
	if (!lower->b.loop_depth && lower->group->has_sure_arguments)
		tree_visit(&alone, look_for_argument, lower);
}

static bool lower_test(struct lower *lower, const struct node *condition,
		       struct ir_block *exit)
{
	struct ir_block *go = ir_block_new(&lower->b, "go on");

	if (!condition)
		return true;
	if (!lower_condition(lower, condition, go, exit))
		return false;
	ir_enter(&lower->b, go);
	return true;
}

static bool lower_turn(struct lower *lower, const struct node *node,
		       const struct loop *loop)
{
	bool tests_last = node->loop.tests_last;

	if (!tests_last && !lower_test(lower, node->loop.condition, loop->exit))
		return false;
	if (!lower_branch(lower, node->loop.body))
		return false;
	if (loop->records && !ir_is_closed(&lower->b))
		claims_close(lower);
	ir_enter(&lower->b, loop->step);
	if (!lower_statements(lower, node->loop.step, false))
		return false;
	if (loop->records)
		claims_close(lower);
	return !tests_last ||
	       lower_test(lower, node->loop.condition, loop->exit);
}

bool lower_loop(struct lower *lower, const struct node *node)
{
	struct ir_builder *b = &lower->b;
	struct loop loop = {
		.records = loop_records(node) ||
			   (lower->loop && lower->loop->records),
		.step = ir_block_new(b, "next turn"),
		.exit = ir_block_new(b, "after loop"),
		.outer = lower->loop,
	};

	prepare(lower, node);
	if (!lower_statements(lower, node->loop.init, false))
		return false;
	if (loop.records)
		claims_close(lower);

	struct lower_cache cache = lower_cache_save(lower);
	struct claims_state state = claims_state(lower);
	const struct record *last = lower->claims.last;
	struct ir_block *header = ir_loop_begin(b);

	lower->loop = &loop;

	bool good = lower_turn(lower, node, &loop);

	lower->loop = loop.outer;
	if (!good)
		return false;
	if (!ir_is_closed(b))
		ir_goto(b, header);
	claims_drop_in_loop(lower, last, header);
	ir_loop_end(b, header, loop.exit);
	lower_cache_restore(lower, &cache);
	claims_leave_loop(lower, state);
	return true;
}

void lower_jump(struct lower *lower, const struct node *node)
{
	const struct loop *loop = lower->loop;

	if (loop->records)
		claims_close(lower);
	ir_goto(&lower->b, node->kind == NODE_BREAK ? loop->exit : loop->step);
}

void lower_leave_loops(struct lower *lower, const struct loop *outer)
{
	for (const struct loop *loop = lower->loop; loop != outer;
	     loop = loop->outer)
		if (loop->records)
			claims_close(lower);
}

struct mention {
	const struct ident *ident;
	bool found;
};

static void look_for_ident(void *data, const struct node *node)
{
	struct mention *mention = data;

	if (node->kind == NODE_VARIABLE &&
	    node->variable.ident == mention->ident)
		mention->found = true;
}

void lower_declaration(struct lower *lower, const struct node *node)
{
	const struct node *assignment = node->declare.assignment;
	struct mention mention = { .ident = node->declare.ident };

	/* int i = 0; need not be cleared before. */
	if (assignment)
		tree_visit(assignment->binary.right, look_for_ident, &mention);
	if (!assignment || mention.found)
		lower_clear_this(lower, node->declare.ident);
}

/* ------------------------------------------------- arguments with loops */

static void look_for_loop(void *data, const struct node *node)
{
	if (node->kind == NODE_LOOP)
		*(bool *)data = true;
}

static bool has_loop(const struct node *node)
{
	struct node alone = *node;
	bool found = false;

	alone.next = NULL;
	tree_visit(&alone, look_for_loop, &found);
	return found;
}

void lower_before_statement(struct lower *lower, const struct node *node)
{
	if (lower->loop && lower->loop->records && has_loop(node))
		claims_close(lower);
}

/* Bytes that others may change, or that may not be there. */
static bool is_in_memory(struct lower *lower, const struct node *arg,
			 const struct value *value)
{
	if (value->kind == VALUE_SCALAR) /* the address of a string */
		return type_is_string(lower->types, arg->type);
	return value->kind == VALUE_MEMORY && !value->literal;
}

/*
 * The argument's value now, and a name for it.  What would be a fault when the
 * action records it is one here.
 */
static struct node *evaluate(struct lower *lower, const struct node *arg)
{
	struct arena *arena = lower->session->arena;
	struct binding *binding = arena_new_of(arena, struct binding);
	struct ident *ident = arena_new_of(arena, struct ident);
	struct node *name = arena_new_of(arena, struct node);
	struct value *value = &binding->value;

	if (!lower_expression(lower, arg, value))
		return NULL;
	if (value->null && !value->null_is_recorded)
		ir_fault_if(&lower->b, value->null, FAULT_BADADDR, 0);
	value->null = 0;
	if (is_in_memory(lower, arg, value) &&
	    !lower_copy_value(lower, arg, arg->type, value))
		return NULL;
	*ident = (struct ident){ .name = "argument",
				 .kind = IDENT_PARAMETER,
				 .type = arg->type };
	*name = *arg;
	name->kind = NODE_VARIABLE;
	name->variable.ident = ident;
	name->variable.keys = NULL;
	name->variable.call = NULL;
	binding->ident = ident;
	binding->outer = lower->bindings;
	lower->bindings = binding;
	return name;
}

static bool is_constant(const struct node *arg)
{
	return arg->kind == NODE_INTEGER || arg->kind == NODE_STRING ||
	       arg->kind == NODE_AGGREGATION || arg->kind == NODE_TYPE;
}

/* sym(), ustack() ...: stored by themselves; their arguments are evaluated. */
static bool stores_itself(const struct node *arg)
{
	return arg->kind == NODE_CALL && arg->call.function &&
	       arg->call.function->store;
}

static const struct node *last_with_loop(const struct node *args)
{
	const struct node *last = NULL;

	for (const struct node *arg = args; arg; arg = arg->next)
		if (has_loop(arg))
			last = arg;
	return last;
}

/*
 * A call with names for the arguments up to `last`, evaluated from left to
 * right, because loops in later ones may change what they are made of.
 */
static bool evaluate_arguments(struct lower *lower, struct node *call,
			       const struct node *last)
{
	const struct node *arg = call->call.args;
	struct node **link = &call->call.args;

	for (; arg; arg = arg->next) {
		struct node *now = arena_new_of(lower->session->arena,
						struct node);

		*now = *arg;
		if (last && stores_itself(arg)) {
			if (!evaluate_arguments(lower, now, arg))
				return false;
		} else if (last && !is_constant(arg)) {
			now = evaluate(lower, arg);
			if (!now)
				return false;
		}
		if (arg == last)
			last = NULL;
		now->next = NULL;
		*link = now;
		link = &now->next;
	}
	return true;
}

bool lower_action(struct lower *lower, const struct node *call)
{
	struct binding *outer = lower->bindings;
	struct node action = *call;
	struct value ignored = { 0 };
	const struct node *last = last_with_loop(call->call.args);

	if (!lower->b.loop_depth || !last || call->call.defined ||
	    call->call.function->kind != FUNCTION_ACTION)
		return lower_expression(lower, call, &ignored);
	if (!evaluate_arguments(lower, &action, last))
		return false;
	lower->statement = &action;

	bool good = lower_expression(lower, &action, &ignored);

	lower->bindings = outer;
	return good;
}
