/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of D functions, and the check of their bodies.
 *
 * Arguments are converted to the types of parameters as C does.  What else is
 * known of them (where a pointer leads, what is translated) is a property of
 * the instance that is called: defined_function.h.
 *
 * A body is checked like that of a clause without a probe: args[] has no type
 * in it.  What it does (actions, stability) is noted in a clause of its own
 * (`effects`), and counts for every clause that calls it.
 */
#include "lang/check.h"

enum {
	MAX_DEPTH = 64,	      /* calls in calls */
	MAX_EXPANDED = 20000, /* statements, with those of calls */
};

/* What the caller knows of an argument, beyond the parameter's type. */
struct origin {
	bool is_user, is_scratch;
	const struct node *translation; /* NODE_XLATE, or NULL */
};

/* ------------------------------------------------------------ arguments */

static bool leads_somewhere(struct types *types, struct type *type)
{
	type = type_strip(types, type);
	return type->kind == TYPE_POINTER || type_is_sou(types, type);
}

static struct origin origin_of(struct types *types, struct type *param,
			       const struct node *arg)
{
	struct type *type = arg->type ? type_strip(types, arg->type) : NULL;
	struct origin origin = { 0 };

	if (!leads_somewhere(types, param) || node_is_null_constant(arg))
		return origin;
	origin.is_user = arg->is_user ||
			 (type && type->kind == TYPE_POINTER && type->is_user);
	origin.is_scratch = arg->is_scratch;
	return origin;
}

/* curpsinfo for psinfo_t *p: what is translated is passed. */
static bool pass_translation(struct checker *checker, struct type *param,
			     struct node **arg, struct origin *origin)
{
	struct node *node = translation_kept(checker, *arg);

	if (node->kind != NODE_XLATE ||
	    !type_same(checker_types(checker), node->cast.to, param))
		return false;
	*arg = node->cast.operand;
	*origin = origin_of(checker_types(checker), (*arg)->type, *arg);
	origin->translation = node;
	return true;
}

/*
 * Pointers keep their own type, which may be what the kernel knows.  Integers
 * are cut to the parameter's size: a variable of that type may hold more.
 */
static struct node *pass_value(struct checker *checker, struct type *param,
			       struct node *arg)
{
	struct types *types = checker_types(checker);

	if (type_is_pointer(types, param) && !type_is_string(types, param) &&
	    !node_is_integer_constant(arg))
		return arg;
	return type_is_integer(types, param)
		       ? node_converted(checker, arg, param)
		       : node_as(checker, arg, param);
}

static bool pass_argument(struct checker *checker, const struct node *call,
			  uint32_t n, struct type *param, struct node **arg,
			  struct origin *origin)
{
	if (pass_translation(checker, param, arg, origin))
		return true;
	if (!check_assignable(checker, param, *arg))
		return check_argument_error(checker, call, n,
					    type_name(checker_types(checker),
						      param),
					    *arg);
	*origin = origin_of(checker_types(checker), param, *arg);
	*arg = pass_value(checker, param, *arg);
	return true;
}

static bool pass_arguments(struct checker *checker, struct node *call,
			   const struct function_definition *definition,
			   struct origin *origins)
{
	struct node **link = &call->call.args;
	uint32_t n = definition->nparams;

	if (!check_argument_count(checker, call, n, n))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		struct node *arg = *link, *next = arg->next;

		if (!pass_argument(checker, call, i,
				   definition->type->params[i], &arg,
				   &origins[i]))
			return false;
		if (arg != *link)
			arg = node_copy(checker_arena(checker), arg);
		arg->next = next;
		*link = arg;
		link = &arg->next;
	}
	return true;
}

/* ------------------------------------------------------------ instances */

static bool is_for(const struct defined_function *instance,
		   const struct origin *origins)
{
	for (uint32_t i = 0; i < instance->definition->nparams; i++) {
		const struct ident *param = instance->params[i];
		const struct node *xlate = origins[i].translation;

		if (param->is_user != origins[i].is_user ||
		    param->is_scratch != origins[i].is_scratch ||
		    !param->translation != !xlate ||
		    (xlate && (param->translation->cast.translator !=
				       xlate->cast.translator ||
			       param->type != xlate->cast.operand->type)))
			return false;
	}
	return true;
}

static struct defined_function *instance_find(
	const struct function_definition *definition,
	const struct origin *origins)
{
	struct defined_function *instance = definition->instances;

	while (instance &&
	       (!instance->is_checked || !is_for(instance, origins)))
		instance = instance->next;
	return instance;
}

static struct ident *make_param(struct language *language,
				const struct function_definition *definition,
				uint32_t n, const struct origin *origin)
{
	struct ident *ident = arena_new_of(language->arena, struct ident);
	const char *name = definition->param_names[n];

	ident->name = name ? name : "";
	ident->kind = IDENT_VARIABLE;
	ident->scope = SCOPE_THIS;
	ident->type = type_unqualified(
		origin->translation ? origin->translation->cast.operand->type
				    : definition->type->params[n]);
	ident->attr = ATTR_STABLE;
	ident->place = definition->param_places[n];
	ident->is_declared = true;
	ident->is_local = true;
	ident->is_in_function = true;
	ident->is_user = origin->is_user;
	ident->is_scratch = origin->is_scratch;
	ident->knows_scratch = true;
	ident->translation = origin->translation;
	return ident_add_local(language, ident) ? ident : NULL;
}

static struct defined_function *instance_new(
	struct checker *checker, struct function_definition *definition,
	const struct origin *origins)
{
	struct language *language = checker->language;
	struct defined_function *instance =
		arena_new_of(language->arena, struct defined_function);

	instance->definition = definition;
	instance->function.name = definition->name;
	instance->function.attr = ATTR_STABLE;
	instance->result = definition->type->target;
	instance->effects = arena_new_of(language->arena, struct clause);
	instance->caller = checker->function;
	instance->params = arena_array_of(language->arena, struct ident *,
					  definition->nparams + 1);
	for (uint32_t i = 0; i < definition->nparams; i++) {
		instance->params[i] = make_param(language, definition, i,
						 &origins[i]);
		if (!instance->params[i])
			return NULL;
	}
	instance->next = definition->instances;
	definition->instances = instance;
	instance->number = language->ninstances++;
	instance->before = language->last_instance;
	language->last_instance = instance;
	return instance;
}

void functions_forget(struct language *language, uint32_t count)
{
	while (language->ninstances > count) {
		struct defined_function *last = language->last_instance;

		last->definition->instances = last->next;
		language->last_instance = last->before;
		language->ninstances--;
	}
}

/* --------------------------------------------------------------- bodies */

static bool falls_through(const struct node *list);

static bool has_jump(const struct node *list, enum node_kind kind)
{
	for (; list; list = list->next) {
		if (list->kind == kind)
			return true;
		if (list->kind == NODE_IF &&
		    (has_jump(list->ternary.then, kind) ||
		     has_jump(list->ternary.otherwise, kind)))
			return true;
		if (list->kind == NODE_BLOCK &&
		    has_jump(list->block.statements, kind))
			return true;
	}
	return false;
}

static bool loop_ends(const struct node *loop)
{
	const struct node *condition = loop->loop.condition;
	bool is_endless = !condition || (condition->kind == NODE_INTEGER &&
					 condition->integer.value);

	if (has_jump(loop->loop.body, NODE_BREAK))
		return true;
	if (loop->loop.tests_last && !falls_through(loop->loop.body))
		return has_jump(loop->loop.body, NODE_CONTINUE) && !is_endless;
	return !is_endless;
}

/* Can execution come to the end of the statements? */
static bool falls_through(const struct node *list)
{
	for (; list; list = list->next) {
		if (list->kind == NODE_RETURN || list->kind == NODE_BREAK ||
		    list->kind == NODE_CONTINUE)
			return false;
		if (list->kind == NODE_BLOCK &&
		    !falls_through(list->block.statements))
			return false;
		if (list->kind == NODE_IF &&
		    !falls_through(list->ternary.then) &&
		    !falls_through(list->ternary.otherwise))
			return false;
		if (list->kind == NODE_LOOP && !loop_ends(list))
			return false;
	}
	return true;
}

static bool check_all_return(struct language *language,
			     const struct defined_function *instance)
{
	const struct function_definition *definition = instance->definition;

	if (type_is_void(language->types, instance->result) ||
	    !falls_through(instance->body))
		return true;
	return diag_error(&language->diag, &definition->end, D_FUNC_RETURN,
			  "function %s( ) may end without returning a value",
			  definition->name);
}

static bool check_all_used(struct language *language,
			   const struct defined_function *instance)
{
	const struct function_definition *definition = instance->definition;

	for (uint32_t i = 0; i < definition->nparams; i++) {
		const char *name = definition->param_names[i];

		if (!name || instance->params[i]->is_used)
			continue;
		diag_error(&language->diag, &definition->param_places[i],
			   D_FUNC_UNUSED,
			   "parameter %s of function %s( ) is not used", name,
			   definition->name);
		diag_hint(&language->diag,
			  "leave out its name, or write  (void)%s;", name);
		return false;
	}
	return true;
}

/* Those that keep their value need no storage. */
static void settle_params(struct defined_function *instance)
{
	for (uint32_t i = 0; i < instance->definition->nparams; i++) {
		struct ident *param = instance->params[i];

		if (!param->is_written && !param->has_address)
			param->kind = IDENT_PARAMETER;
	}
}

/* How a body is tried, as clauses are; the later ones if a name was unknown. */
enum order { TEXT_ORDER, TYPES_FIRST, NEW_OPERANDS, ORDERS };

static bool check_in_order(struct language *language,
			   struct defined_function *instance, enum order order)
{
	struct function_definition *definition = instance->definition;
	struct checker checker = {
		.language = language,
		.clause = instance->effects,
		.function = instance,
		.makes_operands = order == NEW_OPERANDS,
	};
	struct scope scope = { 0 };

	scope_enter(&checker.scope, &scope);
	for (uint32_t i = 0; i < definition->nparams; i++)
		if (definition->param_names[i])
			scope_declare(&scope, language->arena,
				      instance->params[i]);
	if (order >= TYPES_FIRST)
		check_collect_types(&checker, definition->body);
	checker.expansions = definition->nstatements;
	instance->actions = 0;
	instance->depth = 0;
	instance->result_is_user = instance->result_is_scratch = false;
	*instance->effects = (struct clause){ .statement_attr = ATTR_STABLE,
					      .place = definition->place };
	instance->body = node_clone_list(language->arena, definition->body);
	if (!check_statements(&checker, &instance->body) ||
	    !check_all_return(language, instance) ||
	    !check_all_used(language, instance))
		return false;
	instance->expansions = checker.expansions;
	instance->function.kind = instance->actions ? FUNCTION_ACTION
						    : FUNCTION_SUBROUTINE;
	instance->function.attr = instance->effects->statement_attr;
	instance->effects->statements = instance->body;
	return true;
}

/* A name that a function below it lacks is for that one to find. */
static bool is_in_text(const struct function_definition *definition,
		       const struct place *place)
{
	return place->source == definition->place.source &&
	       place->offset > definition->place.offset &&
	       place->offset < definition->end.offset;
}

static bool check_body(struct language *language,
		       struct defined_function *instance)
{
	struct function_definition *definition = instance->definition;
	struct ident_mark mark = ident_mark(language);
	struct diag first = { 0 };

	definition->is_tried = true;
	for (enum order order = TEXT_ORDER; order < ORDERS; order++) {
		if (check_in_order(language, instance, order)) {
			settle_params(instance);
			instance->is_checked = true;
			instance->caller = NULL;
			return true;
		}
		ident_rollback(language, mark);
		if (order == TEXT_ORDER)
			first = language->diag;
		if (!check_is_worth_retrying(&first) ||
		    !is_in_text(definition, &first.place))
			break;
		diag_clear(&language->diag);
	}
	language->diag = first;
	return false;
}

static bool check_instance(struct language *language,
			   struct defined_function *instance)
{
	bool was_in_library = language->in_library;

	language->in_library = instance->definition->is_from_library;
	bool ok = check_body(language, instance);
	language->in_library = was_in_library;
	return ok;
}

/* ------------------------------------------------------------------ call */

/* "f calls g calls f": from the first call of it to this one. */
static void put_cycle(const struct defined_function *caller, const char *name,
		      struct text *out)
{
	if (strcmp(caller->definition->name, name))
		put_cycle(caller->caller, name, out);
	text_printf(out, "%s calls ", caller->definition->name);
}

static bool check_not_recursive(struct checker *checker,
				const struct node *call,
				const struct function_definition *definition)
{
	const struct defined_function *caller = checker->function;
	struct text cycle = { 0 };
	uint32_t depth = 0;

	for (; caller && caller->definition != definition;
	     caller = caller->caller)
		depth++;
	if (!caller && depth < MAX_DEPTH)
		return true;
	if (!caller) {
		check_error(checker, &call->place, D_FUNC_RECURSE,
			    "functions call each other more than %d deep",
			    MAX_DEPTH);
		return false;
	}
	put_cycle(checker->function, definition->name, &cycle);
	check_error(checker, &call->place, D_FUNC_RECURSE,
		    "function %s( ) may not call itself: %s%s",
		    definition->name, text_str(&cycle), definition->name);
	text_free(&cycle);
	return false;
}

/* What the function does, its caller does. */
static bool note_call(struct checker *checker, const struct node *call,
		      const struct defined_function *called)
{
	struct defined_function *caller = checker->function;
	struct clause *clause = checker->clause;

	if (clause && called->effects->is_destructive)
		clause->is_destructive = true;
	if (caller && called->depth >= caller->depth)
		caller->depth = called->depth + 1;
	if (caller && caller->depth > MAX_DEPTH) {
		check_error(checker, &call->place, D_FUNC_RECURSE,
			    "functions call each other more than %d deep",
			    MAX_DEPTH);
		return false;
	}
	checker->expansions += called->expansions + 1;
	if (checker->expansions > MAX_EXPANDED) {
		check_error(checker, &call->place, D_UNKNOWN,
			    "functions expand to more than %d statements",
			    MAX_EXPANDED);
		return false;
	}
	return check_attr(checker, &call->place, called->function.attr,
			  "function", called->function.name);
}

struct node *check_defined_call(struct checker *checker, struct node *call,
				struct function_definition *definition)
{
	struct language *language = checker->language;
	struct origin *origins = arena_array_of(language->arena, struct origin,
						definition->nparams + 1);
	struct defined_function *called;

	if (!check_not_recursive(checker, call, definition) ||
	    !pass_arguments(checker, call, definition, origins))
		return NULL;
	called = instance_find(definition, origins);
	if (!called) {
		called = instance_new(checker, definition, origins);
		if (!called || !check_instance(language, called))
			return NULL;
	}
	if (!note_call(checker, call, called))
		return NULL;
	call->call.defined = called;
	call->call.function = &called->function;
	call->is_action = called->actions != 0;
	call->type = type_unqualified(called->result);
	call->is_user = called->result_is_user;
	call->is_scratch = called->result_is_scratch;
	return call;
}

bool functions_check_rest(struct language *language)
{
	struct checker checker = { .language = language };

	for (struct function_definition *f = language->functions; f;
	     f = f->next) {
		struct origin *origins;
		struct defined_function *instance;

		if (f->is_tried || f->is_from_library)
			continue;
		f->is_tried = true;
		origins = arena_array_of(language->arena, struct origin,
					 f->nparams + 1);
		instance = instance_new(&checker, f, origins);
		if (!instance || !check_instance(language, instance))
			return false;
	}
	return true;
}

/* ---------------------------------------------------------------- return */

static bool check_result(struct checker *checker, struct node *node)
{
	struct defined_function *function = checker->function;
	struct types *types = checker_types(checker);
	struct node *value = check_operand(checker, node->leave.value);

	if (!value)
		return false;
	if (!check_assignable(checker, function->result, value)) {
		check_error(
			checker, &value->place, D_FUNC_RETURN,
			"function %s( ) returns incompatible types: \"%s\" = \"%s\"",
			function->function.name,
			type_name(types, function->result),
			node_type_name(checker, value));
		return false;
	}

	struct origin origin = origin_of(types, function->result, value);

	function->result_is_user |= origin.is_user;
	function->result_is_scratch |= origin.is_scratch;
	node->leave.value = pass_value(checker, function->result, value);
	return check_no_action(checker);
}

bool check_return(struct checker *checker, struct node *node)
{
	const struct defined_function *function = checker->function;
	bool is_void = type_is_void(checker_types(checker), function->result);

	if (is_void && node->leave.value) {
		check_error(checker, &node->place, D_FUNC_RETURN,
			    "void function %s( ) may not return a value",
			    function->function.name);
		return false;
	}
	if (!is_void && !node->leave.value) {
		check_error(checker, &node->place, D_FUNC_RETURN,
			    "function %s( ) must return a value of type %s",
			    function->function.name,
			    type_name(checker_types(checker),
				      function->result));
		return false;
	}
	checker->seen = 0; /* nothing comes after it */
	return is_void || check_result(checker, node);
}
