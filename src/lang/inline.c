/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inlines: names that stand for expressions.
 *
 *	inline int FOO = 5;
 *	inline int isme[pid_t p] = p == pid;
 *
 * The body is checked once, when it is defined; every use shares it.  A use
 * with parameters binds them by NODE_LET, so that each argument is evaluated
 * once and nothing has to be substituted.  Inlines of D libraries are checked
 * at their first use: a library may mention kernel types that this kernel does
 * not have, and names that are not used should cost nothing.
 */
#include "lang/check.h"
#include "lang/inspect.h"

/* Integers of the same size and sign: converting truncates nothing. */
static bool is_same_integer(struct types *types, struct type *a, struct type *b)
{
	return type_is_integer(types, a) && type_is_integer(types, b) &&
	       type_size(types, a) == type_size(types, b) &&
	       type_is_signed(types, a) == type_is_signed(types, b);
}

struct node *node_as(struct checker *checker, struct node *node,
		     struct type *type)
{
	struct node *retyped;

	if (node->type == type)
		return node;
	if (type_is_dynamic(checker_types(checker), node->type) ||
	    !is_same_integer(checker_types(checker), node->type, type))
		return node_converted(checker, node, type);
	retyped = node_copy(checker_arena(checker), node);
	retyped->type = type;
	return retyped;
}

struct node *node_converted(struct checker *checker, struct node *node,
			    struct type *type)
{
	struct types *types = checker_types(checker);
	struct arena *arena = checker_arena(checker);
	struct node *wrapped;

	if (type_is_dynamic(types, node->type))
		return node;
	if (node->type == type && !type_is_integer(types, type))
		return node;
	if (node->kind == NODE_INTEGER) {
		struct node *constant = node_copy(arena, node);

		constant->type = type;
		constant->integer.value = fold_truncate(types, type,
							node->integer.value);
		return constant;
	}
	if (type_is_string(types, type)) {
		if (type_is_string(types, node->type))
			return node;
		wrapped = node_make(arena, NODE_STRINGOF, &node->place);
		wrapped->unary.operand = node;
	} else if (type_is_scalar(types, type)) {
		if (type_is_string(types, node->type))
			return node;
		wrapped = node_make(arena, NODE_CAST, &node->place);
		wrapped->cast.to = type;
		wrapped->cast.operand = node;
	} else {
		return node;
	}
	wrapped->type = type;
	wrapped->attr = node->attr;
	wrapped->is_user = node->is_user;
	wrapped->is_scratch = node->is_scratch;
	wrapped->is_checked = true;
	return wrapped;
}

bool check_expansion(struct checker *checker, const struct place *place,
		     uint32_t expansions)
{
	enum { EXPANSIONS_MAX = 20000 };

	checker->expansions += expansions + 1;
	if (checker->expansions <= EXPANSIONS_MAX)
		return true;
	check_error(checker, place, D_UNKNOWN,
		    "inlines and translators expand to more than %d expressions",
		    EXPANSIONS_MAX);
	return false;
}

/* ----------------------------------------------------------- definition */

static bool check_body(struct language *language, struct ident *ident)
{
	struct scope scope = {
		.idents = ident->params,
		.count = ident->signature ? ident->signature->count : 0,
	};
	struct checker checker = { .language = language, .scope = &scope };
	struct node *parsed = ident->body, *body;

	ident->body = NULL; /* an inline may not mention itself */
	body = check_operand(&checker, parsed);
	if (!body)
		return false;

	struct type *type = node_is_translation(body)
				    ? translation_of(body)->cast.to
				    : body->type;
	bool fits = node_is_translation(body)
			    ? type_same(language->types, ident->type, type)
			    : check_assignable(&checker, ident->type, body);

	if (!fits)
		return diag_error(
			&language->diag, &ident->place, D_OP_INCOMPAT,
			"inline %s definition uses incompatible types: \"%s\" = \"%s\"",
			ident->name, type_name(language->types, ident->type),
			node_type_name(&checker, body));
	if (!check_no_action(&checker))
		return false;
	ident->body = node_as(&checker, body, ident->type);
	ident->expansions = checker.expansions;
	return true;
}

static void make_params(struct language *language, struct ident *ident,
			const struct inline_definition *definition)
{
	uint32_t count = definition->signature ? definition->signature->count
					       : 0;

	ident->params = arena_array_of(language->arena, struct ident *,
				       count + 1);
	for (uint32_t i = 0; i < count; i++) {
		struct ident *param = arena_new_of(language->arena,
						   struct ident);

		param->name = definition->param_names[i];
		param->kind = IDENT_PARAMETER;
		param->type = definition->signature->types[i];
		param->attr = ATTR_MAX;
		param->place = definition->place;
		ident->params[i] = param;
	}
}

static bool redefined(struct language *language,
		      const struct inline_definition *definition,
		      const struct ident *previous)
{
	return diag_error(
		&language->diag, &definition->place, D_DECL_IDRED,
		"identifier redefined: %s\n\t current: inline definition\n\tprevious: %s %s",
		definition->name,
		previous->kind == IDENT_INLINE ? "inline"
					       : ident_kind_name(previous),
		previous->kind == IDENT_INLINE ? "definition" : previous->name);
}

bool enter_inline(struct language *language,
		  const struct inline_definition *definition)
{
	struct ident *previous = ident_known(language, SCOPE_GLOBAL,
					     definition->name);
	struct ident *ident;

	/* A library may define built-in names and yields to the user. */
	if (previous && language->in_library && !previous->builtin)
		return true;
	if (previous && !language->in_library && !ident_gives_way(previous))
		return redefined(language, definition, previous);
	if (type_is_void(language->types, definition->type))
		return diag_error(&language->diag, &definition->place,
				  D_DECL_VOIDOBJ,
				  "cannot declare void inline: %s",
				  definition->name);
	ident = arena_new_of(language->arena, struct ident);
	ident->name = arena_strdup(language->arena, definition->name);
	ident->kind = IDENT_INLINE;
	ident->type = definition->type;
	ident->attr = ATTR_STABLE;
	ident->place = definition->place;
	ident->signature = definition->signature;
	ident->body = definition->body;
	ident->is_from_library = language->in_library;
	ident->is_declared = true;
	make_params(language, ident, definition);
	sight_ident(language, &ident->place, ident);
	pragma_attributes(language, NULL, definition->name, &ident->attr);
	/* Embedded ones may mention what a kernel lacks: check on use. */
	if ((!language->in_library || language->in_directory) &&
	    !check_body(language, ident))
		return false;
	table_put(&language->globals, str_of(ident->name), ident);
	return true;
}

/* ------------------------------------------------------------------ use */

static bool complete(struct language *language, struct ident *ident)
{
	bool was_in_library = language->in_library;

	if (ident->body && ident->body->is_checked)
		return true;
	if (!ident->body)
		return diag_error(&language->diag, &ident->place, D_IDENT_UNDEF,
				  "failed to resolve %s: Unknown variable name",
				  ident->name);
	language->in_library = ident->is_from_library;
	bool ok = check_body(language, ident);
	language->in_library = was_in_library;
	return ok;
}

static struct node *bind_params(struct checker *checker, struct ident *ident,
				struct node *name, struct node *body)
{
	struct arena *arena = checker_arena(checker);
	uint32_t i = 0;

	if (!check_list(checker, &name->name.keys) ||
	    !check_keys_prototype(checker, ident->name, ident->signature,
				  name->name.keys, &name->place))
		return NULL;
	for (struct node *key = name->name.keys; key; key = key->next, i++) {
		struct node *let = node_make(arena, NODE_LET, &name->place);

		let->let.ident = ident->params[i];
		let->let.value = node_as(checker, node_copy(arena, key),
					 ident->params[i]->type);
		let->let.body = body;
		let->type = body->type;
		let->attr = attr_min(body->attr, key->attr);
		let->is_checked = true;
		body = let;
	}
	return body;
}

struct node *inline_expand(struct checker *checker, struct ident *ident,
			   struct node *name)
{
	struct arena *arena = checker_arena(checker);

	if (!complete(checker->language, ident) ||
	    !check_expansion(checker, &name->place, ident->expansions) ||
	    !check_attr(checker, &name->place, ident->attr,
			ident_kind_name(ident), ident->name))
		return NULL;
	if (ident->signature && !name->name.has_keys)
		return check_error(checker, &name->place, D_IDENT_BADREF,
				   "%s '%s' may not be referenced as scalar",
				   ident_kind_name(ident), ident->name);
	if (ident->signature)
		return bind_params(checker, ident, name, ident->body);

	struct node *body = node_copy(arena, ident->body);

	body->place = name->place;
	body->is_parenthesised = name->is_parenthesised;
	body->is_lvalue = body->is_writable = false;
	if (body->kind == NODE_INTEGER)
		body->integer.spelling = ident->name;
	if (!name->name.has_keys)
		return body;

	struct node *index = node_make(arena, NODE_BINARY, &name->place);

	index->op = OP_INDEX;
	index->binary.left = body;
	index->binary.right = name->name.keys;
	return check_index(checker, index);
}
