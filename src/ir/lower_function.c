/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of functions that are written in D.
 *
 * A call is expanded: its arguments are evaluated, parameters stand for them,
 * and the body follows in place.  What the body records becomes part of the
 * clause's record.  Faults leave the clause, and their sites name the function.
 *
 * 1. All arguments are evaluated before any parameter has its value, so that
 *    f(f(1)) works with one set of parameters.
 * 2. A parameter that is never written is bound to its argument, like that of
 *    an inline: nothing is copied, and pointers that the verifier knows stay
 *    so.  Only bytes that the body might change are copied.
 * 3. `return` goes to the end of the call.  What follows a statement that may
 *    return may not run: its actions have a guard of their own
 *    (lower_record.c).  If the only return is the last statement, its value is
 *    that of the call.
 */
#include "ir/lower_internal.h"
#include "lang/defined_function.h"

/* ------------------------------------------------------------ arguments */

/* A place for a value of this type. */
static struct location make_place(struct lower *lower, struct type *type)
{
	struct ir_builder *b = &lower->b;
	struct location place = {
		.type = type,
		.capacity = lower_size(lower, type),
		.keeps_word = type_keeps_word(lower, type),
		.has_null = type_is_string(lower->types, type),
	};

	if (type_in_register(lower, type))
		place.reg = ir_reg_new(b->program);
	else
		place.mem = ir_object(b, lower_storage_size(lower, type),
				      "call");
	return place;
}

bool lower_copy_value(struct lower *lower, const struct node *node,
		      struct type *type, struct value *value)
{
	struct location place = make_place(lower, type);

	return location_store(lower, node, &place, value) &&
	       location_load(lower, node, &place, value);
}

/* Is it bytes that somebody may change? */
static bool may_change(const struct value *value)
{
	return value->kind == VALUE_MEMORY && !value->literal &&
	       value->mem.space != IR_RODATA;
}

/* f(NULL) for a string */
static bool is_null_string(struct lower *lower, const struct value *value,
			   struct type *type)
{
	return value->kind == VALUE_SCALAR &&
	       type_is_string(lower->types, type);
}

static bool lower_arguments(struct lower *lower, const struct node *call,
			    struct binding *bindings)
{
	const struct defined_function *called = call->call.defined;
	bool assigns = tree_assigns(called->body);
	uint32_t i = 0;

	for (const struct node *arg = call->call.args; arg;
	     arg = arg->next, i++) {
		struct binding *binding = &bindings[i];
		struct value *value = &binding->value;
		struct type *type = called->params[i]->type;

		if (!lower_expression(lower, arg, value))
			return false;
		binding->ident = called->params[i];
		binding->typed = lower_typed_root(lower, arg);
		if (called->params[i]->kind != IDENT_PARAMETER)
			continue;
		if ((is_null_string(lower, value, type) ||
		     (assigns && may_change(value) &&
		      !type_in_register(lower, type))) &&
		    !lower_copy_value(lower, arg, type, value))
			return false;
	}
	return true;
}

bool lower_store_param(struct lower *lower, const struct node *arg,
		       struct ident *param, struct value *value)
{
	struct node variable = { .kind = NODE_VARIABLE, .type = param->type };
	struct location location = { 0 };

	variable.variable.ident = param;
	lower_local_storage(lower, param);
	return lower_variable_location(lower, &variable, &location) &&
	       location_store(lower, arg, &location, value);
}

/* Parameters get their values: by a binding, or in storage of their own. */
static bool pass_arguments(struct lower *lower, const struct node *call,
			   struct binding *bindings)
{
	const struct defined_function *called = call->call.defined;
	uint32_t i = 0;

	for (const struct node *arg = call->call.args; arg;
	     arg = arg->next, i++) {
		struct binding *binding = &bindings[i];

		if (called->params[i]->kind == IDENT_PARAMETER) {
			binding->outer = lower->bindings;
			lower->bindings = binding;
		} else if (!lower_store_param(lower, arg, called->params[i],
					      &binding->value)) {
			return false;
		}
	}
	return true;
}

/* --------------------------------------------------------------- return */

static bool returns_last(const struct node *body)
{
	const struct node *last = body;

	while (last && last->next)
		last = last->next;
	return last && last->kind == NODE_RETURN &&
	       tree_count_returns(body) == 1;
}

static void look_for_storage(void *data, const struct node *node)
{
	const struct ident *ident = node->kind == NODE_VARIABLE
					    ? node->variable.ident
					    : NULL;

	if (ident && ident->is_local && ident->kind == IDENT_VARIABLE)
		*(bool *)data = true;
}

/* Might the value be bytes of a local variable, which the next call reuses? */
static bool is_in_local(const struct node *node)
{
	bool found = false;

	if (node->kind != NODE_CALL)
		tree_visit(node, look_for_storage, &found);
	return found;
}

static void leave(struct lower *lower, struct expansion *expansion)
{
	struct return_path *path = arena_new_of(lower->session->arena,
						struct return_path);

	lower_leave_loops(lower, expansion->loop);
	ir_goto(&lower->b, expansion->end);
	path->block = lower->b.block;
	path->leaves_loop = lower->loop != expansion->loop;
	path->claims = claims_state(lower);
	path->next = expansion->paths;
	expansion->paths = path;
}

bool lower_return(struct lower *lower, const struct node *node)
{
	struct expansion *expansion = lower->expansion;
	const struct node *from = node->leave.value;
	struct value value = { 0 };

	if (from && !lower_expression(lower, from, &value))
		return false;
	if (expansion->returns_last) {
		struct type *type = expansion->function->result;
		bool is_safe = !from ||
			       (!is_null_string(lower, &value, type) &&
				(!may_change(&value) || !is_in_local(from)));

		expansion->result = value;
		return is_safe ||
		       lower_copy_value(lower, from, type, &expansion->result);
	}
	if (from && !location_store(lower, from, &expansion->place, &value))
		return false;
	leave(lower, expansion);
	return true;
}

/*
 * A record can end where it was begun only: a path that leaves a loop gets a
 * block outside, in which it may.
 */
static void leave_loops(struct lower *lower, struct expansion *expansion)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *rest = NULL;

	for (struct return_path *path = expansion->paths; path;
	     path = path->next) {
		if (!path->leaves_loop)
			continue;

		struct ir_block *outside = ir_block_new(b, "left by return");

		if (!ir_is_closed(b)) {
			rest = ir_block_new(b, "end of body");
			ir_goto(b, rest);
		}
		path->block->last->target = outside;
		ir_enter(b, outside);
		ir_goto(b, expansion->end);
		path->block = outside;
	}
	if (rest)
		ir_enter(b, rest);
}

/*
 * Paths that meet at the end agree on the clause's record: lower_claim.c.  Each
 * is joined with the one that comes last in the text.  What that does for one
 * of them the others may not know yet, so they are asked twice.
 */
static void join_paths(struct lower *lower, struct expansion *expansion)
{
	struct ir_builder *b = &lower->b;
	struct return_path *paths = expansion->paths;

	leave_loops(lower, expansion);
	if (paths && ir_is_closed(b)) {
		struct ir_block *last = ir_block_new(b, "last return");

		paths->block->last->target = last;
		ir_enter(b, last);
		claims_set_state(lower, paths->claims);
		paths = paths->next;
	}
	for (int i = 0; i < 2; i++)
		for (struct return_path *path = paths; path;
		     path = path->next) {
			claims_join(lower, path->block, path->claims);
			path->claims = claims_state(lower);
		}
}

/* ----------------------------------------------------------------- calls */

static bool lower_body(struct lower *lower, struct expansion *expansion)
{
	struct ir_builder *b = &lower->b;
	const struct defined_function *called = expansion->function;
	struct lower_cache cache = lower_cache_save(lower);

	expansion->returns_last = returns_last(called->body);
	if (expansion->returns_last)
		return lower_statements(lower, called->body, false);
	bool is_void = type_is_void(lower->types, called->result);

	if (!is_void)
		expansion->place = make_place(lower, called->result);
	expansion->end = ir_block_new(b, "end of call");
	if (!lower_statements(lower, called->body, false))
		return false;
	join_paths(lower, expansion);
	ir_enter(b, expansion->end);
	/* what was read after a return may not have been */
	if (expansion->paths)
		lower_cache_restore(lower, &cache);
	return is_void || location_load(lower, called->body, &expansion->place,
					&expansion->result);
}

bool lower_inlined_call(struct lower *lower, const struct node *call,
			struct value *value)
{
	const struct defined_function *called = call->call.defined;
	struct binding *bindings =
		arena_array_of(lower->session->arena, struct binding,
			       called->definition->nparams + 1);
	struct expansion expansion = { .function = called,
				       .loop = lower->loop,
				       .outer = lower->expansion };

	if (!lower_arguments(lower, call, bindings))
		return false;

	/* what the statement around the call has in progress */
	struct binding *outer = lower->bindings;
	const struct node *statement = lower->statement;
	struct ir_block *later = lower->later;
	const char *function = lower->b.function;
	struct place in_function = lower->b.in_function;
	uint32_t guard = lower->guard;

	lower->expansion = &expansion;
	lower->later = NULL;
	/* embedded libraries are not the user's */
	expansion.is_hidden = called->definition->is_from_library &&
			      !called->definition->is_from_directory;
	if (!expansion.is_hidden)
		lower->b.function = called->function.name;

	bool good = pass_arguments(lower, call, bindings) &&
		    lower_body(lower, &expansion);

	lower->expansion = expansion.outer;
	lower->bindings = outer;
	lower->statement = statement;
	lower->later = later;
	lower->b.function = function;
	lower->b.in_function = in_function;
	/* one that the body has made is good for what follows, too */
	if (expansion.paths)
		lower->guard = guard;
	*value = expansion.result;
	return good;
}

bool lower_defined_call(struct lower *lower, const struct node *call,
			struct value *value)
{
	bool is_done;

	return lower_routine_call(lower, call, value, &is_done) &&
	       (is_done || lower_inlined_call(lower, call, value));
}
