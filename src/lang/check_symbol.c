/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel symbols: `name and module`name.
 *
 * A symbol has its type from BTF; without one, only its address can be taken.
 * Scripts of other systems read variables of their kernels, whose values are
 * elsewhere in this one: the library kernel.d defines _kernel_NAME for those.
 * It is used where the kernel has no symbol of that name, or none that can be
 * read.
 */
#include "lang/check.h"
#include "lang/inspect.h"

static const char *module_of(const struct node *node)
{
	return node->symbol.module ? node->symbol.module : "";
}

static const char *module_shown(const struct node *node)
{
	return *module_of(node) ? node->symbol.module : "vmlinux";
}

static struct type *kernel_type(struct checker *checker,
				const struct node *node)
{
	struct types *types = checker_types(checker);
	struct type *type = types_variable(types, module_of(node),
					   node->symbol.name);

	return type ? type
		    : types_function(types, module_of(node), node->symbol.name);
}

/* The kernel itself, under its names here and on other systems. */
static bool is_core(const char *module)
{
	static const char *const names[] = { "", "vmlinux", "genunix", "unix" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(module, names[i]))
			return true;
	return false;
}

/* As a name of the library, or NULL: it has none. */
static struct node *known_elsewhere(struct checker *checker,
				    const struct node *node)
{
	struct arena *arena = checker_arena(checker);
	const char *name = arena_printf(arena, "_kernel_%s", node->symbol.name);

	if (node->symbol.is_user || !is_core(module_of(node)) ||
	    !language_find(checker->language, SCOPE_GLOBAL, name))
		return NULL;
	struct node *known = node_make(arena, NODE_NAME, &node->place);

	known->name.name = name;
	known->name.scope = SCOPE_GLOBAL;
	known->is_parenthesised = node->is_parenthesised;
	return known;
}

struct node *check_symbol(struct checker *checker, struct node *node,
			  bool address_only)
{
	const struct probe_oracle *oracle = checker->language->config.oracle;
	const char *module = module_of(node), *name = node->symbol.name;
	uint64_t address, size;

	if (node->is_checked)
		return node;
	if (node->symbol.is_user)
		return check_error(
			checker, &node->place, D_SYM_BADREF,
			"user module '%s' symbol '%s' may not be referenced as a kernel symbol",
			module, name);
	if (!address_only && !kernel_type(checker, node)) {
		struct node *known = known_elsewhere(checker, node);

		if (known || checker->language->diag.failed)
			return known ? check_node(checker, known) : NULL;
	}
	if (!oracle || !oracle->symbol ||
	    oracle->symbol(oracle->context, module, name, &address, &size) <= 0)
		return check_error(
			checker, &node->place, D_IDENT_UNDEF,
			"failed to resolve %s`%s: Unknown symbol name", module,
			name);

	struct type *type = kernel_type(checker, node);

	if (!type && !address_only)
		return check_error(
			checker, &node->place, D_SYM_NOTYPES,
			"no symbolic type information is available for %s`%s: %s",
			module_shown(node), name, "Unknown type name");
	if (!check_attr(checker, &node->place, ATTR_PRIVATE, "symbol", name))
		return NULL;
	node->type = type ? type : checker_base(checker, BASE_VOID);
	node->is_lvalue = true;
	node->is_checked = true;
	sight_symbol(checker->language, node);
	return node;
}

/* `name[n], where the library defines the name. */
struct node *check_symbol_index(struct checker *checker, struct node *node)
{
	const struct node *symbol = node->binary.left;
	struct node *known = kernel_type(checker, symbol)
				     ? NULL
				     : known_elsewhere(checker, symbol);

	if (!known)
		return NULL;
	known->name.keys = node->binary.right;
	known->name.has_keys = true;
	return known;
}
