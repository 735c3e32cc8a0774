/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays: D's associative ones, their keys, and C's.
 *
 * The first use (or the declaration) of an associative array or aggregation
 * fixes the number and the types of its keys; later keys must fit, integers
 * being cast to the first use's type.  Keys are scalars, strings, char arrays
 * and structs; an aggregation may also have stacks and symbols.
 */
#include "lang/check.h"

uint32_t list_count(const struct node *list)
{
	uint32_t count = 0;

	for (; list; list = list->next)
		count++;
	return count;
}

/* ----------------------------------------------------------------- keys */

/* The type that a key has in the signature; NULL: it cannot be a key. */
static struct type *key_type(struct checker *checker, const struct node *key,
			     bool in_aggregation)
{
	struct types *types = checker_types(checker);
	struct type *type = type_strip(types, key->type);

	switch (type->kind) {
	case TYPE_VOID:
	case TYPE_DYNAMIC:
	case TYPE_FUNCTION:
	case TYPE_FORWARD:
		return NULL;
	case TYPE_STACK:
	case TYPE_SYMADDR:
	case TYPE_USYMADDR:
		return in_aggregation ? key->type : NULL;
	case TYPE_ARRAY:
		return type_is_char_array(types, type)
			       ? checker_base(checker, BASE_STRING)
			       : NULL;
	default:
		return type_unqualified(key->type);
	}
}

static bool check_key(struct checker *checker, const struct ident *ident,
		      const struct node *key, uint32_t number,
		      struct type **type)
{
	bool in_aggregation = ident->kind == IDENT_AGGREGATION;

	*type = key_type(checker, key, in_aggregation);
	if (*type)
		return true;
	check_error(checker, &key->place, D_KEY_TYPE,
		    "%s expression may not be used as %s index: key #%u",
		    node_type_name(checker, key), ident_kind_name(ident),
		    number);
	return false;
}

/* The most bytes that a string key can have, judging by its tree. */
static uint32_t key_width(const struct node *key)
{
	const struct ident *ident = key->kind == NODE_VARIABLE
					    ? key->variable.ident
					    : NULL;

	if (key->kind == NODE_STRING)
		return (uint32_t)key->string.length + 1;
	if (ident && ident->kind == IDENT_BUILTIN && ident->builtin->capacity &&
	    !ident->builtin->probe_name)
		return ident->builtin->capacity;
	return UINT32_MAX;
}

/* Keys in memory need only be as wide as the widest use. */
static void note_widths(struct arena *arena, struct signature *signature,
			const struct node *keys)
{
	uint32_t i = 0;

	if (!signature->widths)
		signature->widths = arena_array_of(arena, uint32_t,
						   signature->count + 1);
	for (const struct node *key = keys; key && i < signature->count;
	     key = key->next, i++)
		if (key_width(key) > signature->widths[i])
			signature->widths[i] = key_width(key);
}

bool check_keys(struct checker *checker, struct ident *ident,
		struct node **keys, const struct place *place)
{
	bool was_in_key = checker->in_aggregation_key;
	struct arena *arena = checker_arena(checker);

	checker->in_aggregation_key = ident->kind == IDENT_AGGREGATION;
	bool ok = check_list(checker, keys);
	checker->in_aggregation_key = was_in_key;
	if (!ok)
		return false;

	uint32_t count = list_count(*keys), i = 0;
	struct signature *signature = arena_new_of(arena, struct signature);

	signature->count = count;
	signature->types = arena_array_of(arena, struct type *, count + 1);
	for (struct node *key = *keys; key; key = key->next, i++)
		if (!check_key(checker, ident, key, i + 1,
			       &signature->types[i]))
			return false;
	note_widths(arena, ident->signature ? ident->signature : signature,
		    *keys);
	if (!ident->signature) {
		ident->signature = signature;
		return true;
	}

	const char *name = ident->kind == IDENT_AGGREGATION
				   ? arena_printf(arena, "@%s", ident->name)
				   : ident->name;

	return check_keys_prototype(checker, name, ident->signature, *keys,
				    place);
}

/* -------------------------------------------------------- C's indexing */

/* A kernel array of one element may be the start of a longer one. */
static bool check_bounds(struct checker *checker, const struct node *node)
{
	struct types *types = checker_types(checker);
	struct type *array = type_strip(types, node->binary.left->type);
	const struct node *index = node->binary.right;
	const struct node *root = node_root(node->binary.left);

	if (array->kind != TYPE_ARRAY || index->kind != NODE_INTEGER ||
	    !array->count || index->integer.value < array->count ||
	    (root->kind != NODE_VARIABLE && array->count == 1))
		return true;
	check_error(checker, &index->place, D_ARR_BOUNDS,
		    "index outside array bounds: %llu, max is %llu",
		    (unsigned long long)index->integer.value,
		    (unsigned long long)array->count - 1);
	return false;
}

static bool check_index_value(struct checker *checker, struct node *node)
{
	struct types *types = checker_types(checker);

	if (!check_list(checker, &node->binary.right))
		return false;

	struct node *index = node->binary.right;

	if (index && !index->next && !index->is_action &&
	    type_is_integer(types, index->type))
		return true;
	check_error(checker, &node->place, D_ARR_BADREF,
		    "cannot access %s as an associative array",
		    node_type_name(checker, node->binary.left));
	return false;
}

struct node *check_index(struct checker *checker, struct node *node)
{
	struct types *types = checker_types(checker);
	struct node *left = node->binary.left;

	if (left->kind == NODE_AGGREGATION)
		return check_error(
			checker, &node->place, D_AGG_MDIM,
			"improper attempt to reference @%s as a multi-dimensional array",
			left->name.name);
	if (left->kind == NODE_SYMBOL) {
		struct node *known = check_symbol_index(checker, node);

		if (known)
			return check_node(checker, known);
	}
	left = check_operand(checker, left);
	if (!left || !check_not_dynamic(checker, "[ ]", left))
		return NULL;
	node->binary.left = left;
	if (!type_is_string(types, left->type) &&
	    !type_is_pointer(types, left->type))
		return check_error(checker, &node->place, D_ARR_BADREF,
				   "cannot access %s as an associative array",
				   node_type_name(checker, left));
	if (!check_index_value(checker, node))
		return NULL;
	node->attr = attr_min(left->attr, node->binary.right->attr);
	if (type_is_string(types, left->type)) {
		node->type = checker_base(checker, BASE_CHAR);
		node->is_lvalue = node->is_writable = left->is_writable;
		return node;
	}

	struct type *type = type_strip(types, left->type);

	if (!type_size(types, type->target))
		return check_error(
			checker, &node->place, D_OP_VFPTR,
			"operator + requires left-hand scalar operand of known size");
	if (!check_bounds(checker, node))
		return NULL;
	node->type = type->target;
	node->is_lvalue = true;
	node->is_writable = type->kind == TYPE_POINTER || left->is_writable;
	node->is_user = left->is_user || type->is_user;
	return node;
}

/* ------------------------------------------- uregs[], fds[] and friends */

struct node *check_builtin_array(struct checker *checker, struct node *node)
{
	struct ident *ident = node->variable.ident;
	struct types *types = checker_types(checker);
	struct type *key_types[] = { checker_base(checker, BASE_INT64) };
	struct signature one = { key_types, 1, NULL };

	if (ident->builtin->check_element)
		return ident->builtin->check_element(checker, node);
	if (!check_list(checker, &node->variable.keys) ||
	    !check_keys_prototype(checker, ident->name, &one,
				  node->variable.keys, &node->place))
		return NULL;
	node->is_checked = true;
	if (ident->builtin->check && !ident->builtin->check(checker, node))
		return NULL;
	if (!node->type || type_is_dynamic(types, node->type))
		return check_error(checker, &node->place, D_TYPE_ERR,
				   "failed to lookup %s",
				   ident->builtin->type ? ident->builtin->type
							: "int64_t");
	return node;
}
