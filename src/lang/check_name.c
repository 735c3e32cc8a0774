/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names: what an identifier stands for where it is used.
 *
 * Looked for in this order: local names, and parameters of the inline or
 * translator whose body is checked (scope.h); D's own names (variables,
 * built-ins, inlines, enumerators, functions), with D libraries read on demand;
 * enumerators of kernel enums.  A name that is assigned and known nowhere
 * becomes a variable, without type until its right side is known.
 *
 * x[i] may be an associative array, a C array, a pointer, a string or an inline
 * with parameters: only here is that decided.
 */
#include "lang/check.h"
#include "lang/inspect.h"

static struct ident *find_local(const struct checker *checker, const char *name)
{
	return scope_find(checker->scope, str_of(name));
}

static struct node *variable_node(struct checker *checker, struct node *name,
				  struct ident *ident)
{
	struct node *node = node_make(checker_arena(checker), NODE_VARIABLE,
				      &name->place);

	node->variable.ident = ident;
	node->type = ident->type;
	node->attr = ident->attr;
	node->is_parenthesised = name->is_parenthesised;
	node->is_scratch = ident->is_scratch;
	node->is_user = ident->is_user;
	ident->is_used = true;
	return node;
}

static struct node *undefined(struct checker *checker, const struct node *name)
{
	static const char *const prefixes[] = { "", "self->", "this->" };
	enum ident_scope scope = (enum ident_scope)name->name.scope;

	if (scope == SCOPE_GLOBAL)
		check_error(checker, &name->place, D_IDENT_UNDEF,
			    "failed to resolve %s: Unknown variable name",
			    name->name.name);
	else
		check_error(checker, &name->place, D_VAR_UNDEF,
			    "%s%s has not yet been declared or assigned",
			    prefixes[scope], name->name.name);
	hint_ident(checker->language, scope, name->name.name);
	return NULL;
}

static struct node *enumerator_node(struct checker *checker,
				    const struct node *name, int64_t value,
				    struct type *type)
{
	struct node *node = node_make_integer(checker_arena(checker),
					      (uint64_t)value, type,
					      &name->place);

	node->integer.spelling = name->name.name;
	node->is_parenthesised = name->is_parenthesised;
	return node;
}

struct node *check_enumerator(struct checker *checker, struct node *node,
			      struct type *type, enum op op)
{
	struct types *types = checker_types(checker);

	if (node->kind != NODE_NAME || node->name.scope != SCOPE_GLOBAL ||
	    node->name.has_keys || find_local(checker, node->name.name))
		return node;
	type = type_strip(types, type);
	if (type->kind != TYPE_ENUM)
		return node;

	const struct enumerator *found = type_enumerator(types, type,
							 node->name.name);

	if (!found)
		return node;

	struct ident *ident = ident_known(checker->language, SCOPE_GLOBAL,
					  node->name.name);

	if (ident && ident->kind != IDENT_ENUMERATOR)
		return check_error(
			checker, &node->place, D_IDENT_AMBIG,
			"ambiguous use of operator %s: %s is both a %s enum tag and a global %s",
			op_name(op), node->name.name, type_name(types, type),
			ident_kind_name(ident));
	return enumerator_node(checker, node, found->value,
			       checker_base(checker, BASE_INT));
}

/* The name is not an array: its keys index what it is. */
static struct node *index_into(struct checker *checker, struct node *name,
			       struct node *object)
{
	struct types *types = checker_types(checker);
	struct node *node = node_make(checker_arena(checker), NODE_BINARY,
				      &name->place);

	if (object->type && !type_is_pointer(types, object->type) &&
	    !type_is_string(types, object->type))
		return check_error(checker, &name->place, D_ARR_BADREF,
				   "cannot access %s as an associative array",
				   name->name.name);
	node->op = OP_INDEX;
	node->is_parenthesised = name->is_parenthesised;
	node->binary.left = object;
	node->binary.right = name->name.keys;
	return check_index(checker, node);
}

static struct node *new_variable(struct checker *checker, struct node *name,
				 enum name_use use, struct ident **made)
{
	bool is_array = name->name.has_keys;

	if (is_array && name->name.scope == SCOPE_THIS)
		return check_error(
			checker, &name->place, D_ARR_LOCAL,
			"local variables may not be used as associative arrays: %s",
			name->name.name);

	struct ident *ident = ident_new(checker->language,
					is_array ? IDENT_ARRAY : IDENT_VARIABLE,
					(enum ident_scope)name->name.scope,
					name->name.name, &name->place);

	if (!ident)
		return NULL;
	if (use == USE_MODIFY)
		ident->type = checker_base(checker, BASE_INT64);
	*made = ident;
	return name;
}

static struct node *check_variable(struct checker *checker, struct node *name,
				   struct ident *ident, enum name_use use)
{
	struct node *node;

	if (ident->kind == IDENT_ARRAY && !name->name.has_keys) {
		node = variable_node(checker, name, ident);
		node->type = checker_base(checker, BASE_DYNAMIC);
		return node;
	}
	if (!ident->type && use == USE_MODIFY)
		ident->type = checker_base(checker, BASE_INT64);
	bool is_indexed = ident->kind == IDENT_VARIABLE && name->name.has_keys;

	if (!ident->type && (use == USE_READ || is_indexed))
		return undefined(checker, name);

	node = variable_node(checker, name, ident);
	node->is_lvalue = true;
	node->is_writable = true;
	node->is_checked = true;
	if (ident->kind == IDENT_VARIABLE)
		return name->name.has_keys ? index_into(checker, name, node)
					   : node;
	node->variable.keys = name->name.keys;
	if (!check_keys(checker, ident, &node->variable.keys, &name->place))
		return NULL;
	return node;
}

static struct node *check_builtin(struct checker *checker, struct node *name,
				  struct ident *ident)
{
	const struct builtin_variable *builtin = ident->builtin;

	if (!check_attr(checker, &name->place, ident->attr,
			ident_kind_name(ident), ident->name))
		return NULL;
	if (!ident->type && builtin->type)
		ident->type = language_parse_type(checker->language,
						  builtin->type);
	if (!ident->type && !builtin->is_array)
		return check_error(checker, &name->place, D_TYPE_ERR,
				   "failed to lookup %s",
				   builtin->type ? builtin->type : "int64_t");

	struct node *node = variable_node(checker, name, ident);

	node->is_writable = builtin->is_writable;
	node->is_lvalue = true;
	if (!builtin->is_array) {
		node->is_checked = true;
		if (builtin->check && !builtin->check(checker, node))
			return NULL;
		return name->name.has_keys ? index_into(checker, name, node)
					   : node;
	}
	if (!name->name.has_keys) {
		node->type = checker_base(checker, BASE_DYNAMIC);
		return node;
	}
	node->variable.keys = name->name.keys;
	return check_builtin_array(checker, node);
}

static struct node *kernel_enumerator(struct checker *checker,
				      struct node *name)
{
	int64_t value;

	if (name->name.scope != SCOPE_GLOBAL || name->name.has_keys ||
	    !types_enumerator(checker_types(checker), name->name.name, &value))
		return undefined(checker, name);

	/* Kernel enumerators beyond int keep their value. */
	enum base_type type = value == (int32_t)value ? BASE_INT : BASE_LONG;

	return enumerator_node(checker, name, value,
			       checker_base(checker, type));
}

static struct node *check_ident(struct checker *checker, struct node *name,
				struct ident *ident, enum name_use use)
{
	struct node *node;

	switch (ident->kind) {
	case IDENT_VARIABLE:
	case IDENT_ARRAY:
		return check_variable(checker, name, ident, use);
	case IDENT_BUILTIN:
	case IDENT_BUILTIN_ARRAY:
		return check_builtin(checker, name, ident);
	case IDENT_INLINE:
		return inline_expand(checker, ident, name);
	case IDENT_ENUMERATOR:
		return enumerator_node(checker, name, ident->value,
				       ident->type);
	case IDENT_PARAMETER:
		node = variable_node(checker, name, ident);
		node->is_checked = true;
		return name->name.has_keys ? index_into(checker, name, node)
					   : node;
	case IDENT_FUNCTION:
	case IDENT_AGGREGATION:
		break;
	}
	return check_error(checker, &name->place, D_IDENT_BADREF,
			   "%s '%s' may not be referenced as %s",
			   ident_kind_name(ident), ident->name,
			   name->name.has_keys ? "associative array"
					       : "scalar");
}

struct node *check_name(struct checker *checker, struct node *node,
			enum name_use use)
{
	enum ident_scope scope = (enum ident_scope)node->name.scope;
	struct ident *ident = NULL;

	if (scope == SCOPE_GLOBAL)
		ident = find_local(checker, node->name.name);
	if (!ident)
		ident = language_find(checker->language, scope,
				      node->name.name);
	if (checker->language->diag.failed)
		return NULL;
	if (!ident && use == USE_READ)
		return kernel_enumerator(checker, node);
	if (!ident && !new_variable(checker, node, use, &ident))
		return NULL;
	sight_ident(checker->language, &node->place, ident);
	return check_ident(checker, node, ident, use);
}
