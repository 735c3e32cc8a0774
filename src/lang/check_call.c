/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls: functions, their prototypes, and the messages for what does not fit.
 *
 * A prototype is text: "string (const char *, [int])".  In it
 *
 *	@	any type, aggregations and stacks too
 *	[T]	this argument and those after it may be left out
 *	...	any number of further arguments
 *
 * Actions and aggregating functions are statements.  Their nodes say so
 * (is_action), and code that needs a value refuses them; a few actions
 * (FUNCTION_KEY: stack(), sym() ...) may also be keys and arguments.  What the
 * others demand beyond their prototypes is checked where they are statements:
 * elsewhere the mistake is the place itself.
 */
#include "lang/check.h"
#include "lang/inspect.h"

#include <ctype.h>

struct node *call_argument(const struct node *call, uint32_t n)
{
	struct node *arg = call->call.args;

	while (arg && n--)
		arg = arg->next;
	return arg;
}

uint32_t call_count(const struct node *call)
{
	return list_count(call->call.args);
}

bool call_has_flag(const struct node *node, unsigned flag)
{
	return node->kind == NODE_CALL && node->call.function &&
	       node->call.function->flags & flag;
}

/* ----------------------------------------------------------- prototypes */

enum { PARAMS_MAX = 16 };

struct param {
	const char *text;
	struct type *type; /* NULL: any */
};

struct prototype {
	struct type *result;
	struct param params[PARAMS_MAX];
	uint32_t count, required;
	bool is_variadic;
};

static char *trimmed(struct arena *arena, const char *start, const char *end)
{
	while (start < end && isspace((unsigned char)*start))
		start++;
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	return arena_strndup(arena, start, (size_t)(end - start));
}

/* "[int" and "int]]" lose the brackets that mark optional arguments. */
static char *without_marks(struct arena *arena, char *text, bool *is_optional)
{
	int depth = 0;

	while (*text == '[' || *text == ' ') {
		*is_optional |= *text == '[';
		text++;
	}
	for (char *p = text; *p; p++) {
		depth += (*p == '[') - (*p == ']');
		if (depth < 0)
			return trimmed(arena, text, p);
	}
	return text;
}

static bool add_param(struct language *language, struct prototype *prototype,
		      char *text, bool *is_optional)
{
	struct param *param = &prototype->params[prototype->count];

	text = without_marks(language->arena, text, is_optional);
	if (!*text || !strcmp(text, "void"))
		return true;
	if (!strcmp(text, "...")) {
		prototype->is_variadic = true;
		return true;
	}
	if (prototype->count == PARAMS_MAX)
		return false;
	param->text = text;
	if (strcmp(text, "@")) {
		param->type = language_parse_type(language, text);
		if (!param->type)
			return diag_error(&language->diag, NULL, D_TYPE_ERR,
					  "failed to lookup %s", text);
		param->text = type_name(language->types, param->type);
	}
	prototype->count++;
	if (!*is_optional)
		prototype->required = prototype->count;
	return true;
}

/* The parenthesis that opens the parameters: the last at depth 0. */
static const char *params_start(const char *text)
{
	const char *start = NULL;
	int depth = 0;

	for (; *text; text++) {
		if (*text == '(' && depth++ == 0)
			start = text;
		if (*text == ')')
			depth--;
	}
	return start;
}

static bool prototype_parse(struct language *language, const char *text,
			    struct prototype *prototype)
{
	const char *open = params_start(text);
	const char *start = open ? open + 1 : text;
	bool is_optional = false;
	int depth = 0;

	*prototype = (struct prototype){ 0 };
	prototype->result = types_base(language->types, BASE_VOID);
	if (!open)
		return true;

	char *result = trimmed(language->arena, text, open);

	if (*result && strcmp(result, "@") && strcmp(result, "void")) {
		prototype->result = language_parse_type(language, result);
		if (!prototype->result)
			return diag_error(&language->diag, NULL, D_TYPE_ERR,
					  "failed to lookup %s", result);
	}
	for (const char *p = start;; p++) {
		if (*p == '(')
			depth++;
		bool is_close = *p == ')' && depth-- == 0;

		if ((*p == ',' && !depth) || !*p || is_close) {
			if (!add_param(language, prototype,
				       trimmed(language->arena, start, p),
				       &is_optional))
				return false;
			if (*p != ',')
				return true;
			start = p + 1;
		}
	}
}

/* --------------------------------------------------------------- checks */

bool check_argument_count(struct checker *checker, const struct node *call,
			  uint32_t least, uint32_t most)
{
	uint32_t passed = call_count(call);
	uint32_t expected = passed > most ? most : least;
	const char *bound = least == most   ? ""
			    : passed > most ? "at most "
					    : "at least ";

	if (passed >= least && passed <= most)
		return true;
	check_error(checker, &call->place, D_PROTO_LEN,
		    "%s( ) prototype mismatch: %u arg%s passed, %s%u expected",
		    call->call.name, passed, passed == 1 ? "" : "s", bound,
		    expected);
	return diag_where(&checker->language->diag, "%s", call->call.name);
}

static bool check_count(struct checker *checker, const struct node *call,
			const struct prototype *prototype)
{
	return check_argument_count(checker, call, prototype->required,
				    prototype->is_variadic ? UINT32_MAX
							   : prototype->count);
}

bool check_argument_error(struct checker *checker, const struct node *call,
			  uint32_t n, const char *expected,
			  const struct node *arg)
{
	check_error(
		checker, &arg->place, D_PROTO_ARG,
		"%s( ) argument #%u is incompatible with prototype:\n\tprototype: %s\n\t argument: %s",
		call->call.name, n + 1, expected, node_type_name(checker, arg));
	return diag_where(&checker->language->diag, "%s #%u", call->call.name,
			  n + 1);
}

/* A string stands for the address of its bytes where an address is needed. */
static bool is_address_of_string(struct checker *checker,
				 const struct param *param,
				 const struct node *arg)
{
	struct types *types = checker_types(checker);

	return arg->type && type_is_string(types, arg->type) &&
	       (!strcmp(param->text, "void *") ||
		!strcmp(param->text, "uintptr_t"));
}

static bool check_types(struct checker *checker, struct node *call,
			const struct prototype *prototype)
{
	uint32_t i = 0;

	for (struct node *arg = call->call.args; arg && i < prototype->count;
	     arg = arg->next, i++) {
		const struct param *param = &prototype->params[i];

		if (!param->type ||
		    check_assignable(checker, param->type, arg) ||
		    is_address_of_string(checker, param, arg))
			continue;
		return check_argument_error(checker, call, i, param->text, arg);
	}
	return true;
}

bool check_prototype(struct checker *checker, struct node *call,
		     const char *text)
{
	struct prototype prototype;

	return prototype_parse(checker->language, text, &prototype) &&
	       check_count(checker, call, &prototype) &&
	       check_types(checker, call, &prototype);
}

bool check_keys_prototype(struct checker *checker, const char *name,
			  const struct signature *signature, struct node *keys,
			  const struct place *place)
{
	uint32_t passed = list_count(keys), i = 0;

	if (passed != signature->count) {
		check_error(
			checker, place, D_PROTO_LEN,
			"%s[ ] prototype mismatch: %u key%s passed, %u expected",
			name, passed, passed == 1 ? "" : "s", signature->count);
		return false;
	}
	for (struct node *key = keys; key; key = key->next, i++) {
		if (check_assignable(checker, signature->types[i], key))
			continue;
		check_error(
			checker, &key->place, D_PROTO_ARG,
			"%s[ ] key #%u is incompatible with prototype:\n\tprototype: %s\n\t      key: %s",
			name, i + 1,
			type_name(checker_types(checker), signature->types[i]),
			node_type_name(checker, key));
		return false;
	}
	return true;
}

/* ----------------------------------------------------------------- call */

static struct ident *undefined(struct checker *checker, const struct node *call)
{
	struct language *language = checker->language;
	const char *name = call->call.name;

	if (language->diag.failed)
		return NULL;
	if (function_has_prototype(language, name)) {
		check_error(checker, &call->place, D_FUNC_UNDEF,
			    "function %s( ) is declared, but not defined",
			    name);
		return NULL;
	}
	check_error(checker, &call->place, D_FUNC_UNDEF,
		    "undefined function name: %s", name);
	hint_function(language, name);
	return NULL;
}

static struct ident *find_function(struct checker *checker,
				   const struct node *call)
{
	struct language *language = checker->language;
	const char *name = call->call.name;
	struct ident *ident = language_find(language, SCOPE_GLOBAL, name);

	/* It may be defined below. */
	if (!ident && language->parser &&
	    parser_find_function(language->parser, name))
		ident = ident_known(language, SCOPE_GLOBAL, name);
	if (!ident)
		return undefined(checker, call);
	sight_ident(language, &call->place, ident);
	if (ident->kind != IDENT_FUNCTION) {
		check_error(checker, &call->place, D_FUNC_IDKIND,
			    "%s '%s' may not be referenced as a function",
			    ident_kind_name(ident), ident->name);
		return NULL;
	}
	if (!check_attr(checker, &call->place, ident->attr,
			ident_kind_name(ident), ident->name))
		return NULL;
	return ident;
}

/* An action that cannot even be a key, among the operands of something. */
static bool is_misplaced(const struct checker *checker, const struct node *call)
{
	return call->is_action && call != checker->statement &&
	       !(call->call.function->flags & FUNCTION_KEY);
}

static bool check_argument(struct checker *checker, const struct node *arg)
{
	if (is_misplaced(checker, arg))
		check_note_action(checker, arg);
	return check_not_array(checker, arg);
}

static bool check_value_scalar(struct checker *checker, const struct node *call)
{
	const struct node *value = call->call.args;

	if (call->call.function->kind != FUNCTION_AGGREGATE || !value ||
	    node_is_scalar(checker, value))
		return true;
	check_error(checker, &value->place, D_AGG_SCALAR,
		    "%s( ) argument #1 must be of scalar type",
		    call->call.name);
	return false;
}

struct node *check_call(struct checker *checker, struct node *node)
{
	const struct ident *ident = find_function(checker, node);
	const struct function *function = ident ? ident->function : NULL;
	struct prototype prototype;

	if (!ident || !check_list(checker, &node->call.args))
		return NULL;
	for (struct node *arg = node->call.args; arg; arg = arg->next) {
		if (!check_argument(checker, arg))
			return NULL;
		node->attr = attr_min(node->attr, arg->attr);
	}
	if (ident->definition)
		return check_defined_call(checker, node, ident->definition);
	node->call.function = function;
	node->call.name = function->name;
	node->is_action = function->kind != FUNCTION_SUBROUTINE;
	node->is_scratch = function->flags & FUNCTION_SCRATCH;
	if (checker->clause && function->flags & FUNCTION_DESTRUCTIVE)
		checker->clause->is_destructive = true;
	if (!prototype_parse(checker->language,
			     function->prototype ? function->prototype : "void",
			     &prototype))
		return NULL;
	node->type = prototype.result;
	if (function->prototype && !function->checks_prototype &&
	    (!check_count(checker, node, &prototype) ||
	     !check_value_scalar(checker, node) ||
	     !check_types(checker, node, &prototype)))
		return NULL;
	if (function->check && !is_misplaced(checker, node) &&
	    !function->check(checker, node))
		return NULL;
	return node;
}
