/* SPDX-License-Identifier: Apache-2.0 */
/*
 * args[n]: the typed arguments of the probe.
 *
 * The probe's provider says which native type argument n has and as which
 * type D sees it; a `provider` declaration in D overrides the provider.  When
 * the two differ, args[n] is a translation and its members are the
 * translator's expressions; when there is nothing to translate it is the
 * native argument.  After checking, the key of args[] is the number of the
 * native argument.
 *
 * All probes of the clause must agree on argument n, else the set is
 * "unstable".  Only probes of clauses that mention args[] are compared.
 */
#include "lang/check.h"
#include "lang/inspect.h"

struct argument {
	struct type *native, *translated;
	uint32_t mapping;
	int status; /* 1 found, 0 no such argument, -1 no types */
};

static struct argument argument_of(struct checker *checker,
				   const struct probe_info *probe, uint32_t n)
{
	const struct probe_oracle *oracle = checker->language->config.oracle;
	struct argument argument = { .mapping = n };
	struct declared_argument declared = { .mapping = n };

	argument.status = language_declared(checker->language, probe->provider,
					    probe->name, n, probe->is_user,
					    &declared);
	if (argument.status >= 0) {
		argument.mapping = declared.mapping;
		argument.native = declared.native;
		argument.translated = declared.output;
		return argument;
	}
	argument.status = 0;
	if (oracle->argument)
		argument.status = oracle->argument(oracle->context, probe, n,
						   &argument.native,
						   &argument.translated,
						   &argument.mapping);
	if (argument.status > 0 && !argument.translated)
		argument.translated = argument.native;
	return argument;
}

/* ------------------------------------------------- do all probes agree? */

struct agreement {
	struct checker *checker;
	uint32_t n;
	struct argument first;
	bool has_first, differs;
};

static bool same_type(struct types *types, struct type *a, struct type *b)
{
	return a == b || (a && b && type_same(types, a, b));
}

static bool compare_probe(void *data, const struct probe_info *probe)
{
	struct agreement *agreement = data;
	struct types *types = checker_types(agreement->checker);
	struct argument argument = argument_of(agreement->checker, probe,
					       agreement->n);
	struct argument *first = &agreement->first;

	if (!agreement->has_first) {
		agreement->first = argument;
		agreement->has_first = true;
		return true;
	}
	agreement->differs =
		argument.status != first->status ||
		(argument.status > 0 &&
		 (argument.mapping != first->mapping ||
		  !same_type(types, argument.native, first->native) ||
		  !same_type(types, argument.translated, first->translated)));
	return !agreement->differs;
}

static bool arguments_differ(struct checker *checker, uint32_t n)
{
	const struct probe_oracle *oracle = checker->language->config.oracle;
	struct agreement agreement = { .checker = checker, .n = n };
	struct probe_error error = { 0 };

	if (checker->nprobes < 2)
		return false;
	for (const struct probe_desc *desc = checker->clause->descs; desc;
	     desc = desc->next) {
		oracle->match(oracle->context, desc, compare_probe, &agreement,
			      &error);
		if (agreement.differs)
			return true;
	}
	return false;
}

/* ---------------------------------------------------------------- check */

static bool check_constant_key(struct checker *checker, struct node *node)
{
	struct types *types = checker_types(checker);
	struct type *int64 = checker_base(checker, BASE_INT64);
	struct signature one = { &int64, 1, NULL };
	const char *name = node->variable.ident->name;

	if (!check_list(checker, &node->variable.keys))
		return false;

	const struct node *key = node->variable.keys;

	if (list_count(key) != 1)
		return check_keys_prototype(checker, name, &one,
					    node->variable.keys, &node->place);
	if (key->kind == NODE_INTEGER && type_is_integer(types, key->type))
		return true;
	check_error(
		checker, &key->place, D_PROTO_ARG,
		"%s[ ] key #1 is incompatible with prototype:\n\tprototype: integer constant\n\t      key: %s",
		name, node_type_name(checker, key));
	return false;
}

static struct node *translate(struct checker *checker, struct node *node,
			      const struct argument *argument, int64_t index)
{
	struct types *types = checker_types(checker);
	struct type *to = argument->translated;

	node->is_checked = true;
	if (same_type(types, argument->native, to)) {
		node->type = to;
		return node;
	}

	struct translator *translator = translator_find(checker->language,
							argument->native, to);

	if (translator) {
		struct node *xlate = node_make(checker_arena(checker),
					       NODE_XLATE, &node->place);

		xlate->cast.to = to;
		xlate->cast.operand = node;
		xlate->cast.translator = translator;
		xlate->type = checker_base(checker, BASE_DYNAMIC);
		return xlate;
	}
	if (type_is_scalar(types, argument->native) &&
	    (type_is_integer(types, to) ||
	     type_is_integer(types, argument->native) ||
	     type_pointers_compatible(types, argument->native, to)))
		return node_converted(checker, node, to);
	if (type_is_stringlike(types, argument->native) &&
	    type_is_stringlike(types, to))
		return node_converted(checker, node, to);
	return check_error(
		checker, &node->place, D_ARGS_XLATOR,
		"translator for %s[%lld] from %s to %s is not defined",
		node->variable.ident->name, (long long)index,
		type_name(types, argument->native), type_name(types, to));
}

static struct node *no_type(struct checker *checker, struct node *node,
			    int64_t index)
{
	const struct probe_oracle *oracle = checker->language->config.oracle;
	const char *problem =
		oracle->argument_problem
			? oracle->argument_problem(oracle->context,
						   &checker->first_probe,
						   (uint32_t)index)
			: NULL;

	return check_error(checker, &node->place, D_ARGS_TYPE,
			   "failed to resolve native type for %s[%lld]%s%s",
			   node->variable.ident->name, (long long)index,
			   problem ? ": " : "", problem ? problem : "");
}

struct node *check_args(struct checker *checker, struct node *node)
{
	const char *name = node->variable.ident->name;

	if (checker->function) {
		check_error(
			checker, &node->place, D_ARGS_NONE,
			"%s[ ] may not be referenced in a function: its types are those of the probe",
			name);
		diag_hint(&checker->language->diag,
			  "pass what is needed of it to the function");
		return NULL;
	}
	if (!checker->clause || !checker->nprobes) {
		if (checker->clause) { /* -Z: the arguments are unknown */
			inspect_moot(checker->language);
			return check_error(
				checker, &node->place, D_ARGS_TYPE,
				"failed to resolve native type for %s[0]",
				name);
		}
		return check_error(
			checker, &node->place, D_ARGS_NONE,
			"%s[ ] may not be referenced outside of a probe clause",
			name);
	}
	if (!check_constant_key(checker, node))
		return NULL;

	struct node *key = node->variable.keys;
	int64_t index = (int64_t)key->integer.value;

	if (index < 0 || index > UINT16_MAX)
		return check_error(checker, &node->place, D_ARGS_IDX,
				   "index %lld is out of range for %s %s[ ]",
				   (long long)index, checker->desc_text, name);
	if (arguments_differ(checker, (uint32_t)index))
		return check_error(
			checker, &node->place, D_ARGS_MULTI,
			"%s[ ] may not be referenced because probe description %s matches an unstable set of probes",
			name, checker->desc_text);

	struct argument argument = argument_of(checker, &checker->first_probe,
					       (uint32_t)index);

	if (!argument.status)
		return check_error(checker, &node->place, D_ARGS_IDX,
				   "index %lld is out of range for %s %s[ ]",
				   (long long)index, checker->desc_text, name);
	if (argument.status < 0 || !argument.native)
		return no_type(checker, node, index);
	if (!check_attr(checker, &node->place, checker->first_probe.arg_attr,
			"associative array", name))
		return NULL;
	sight_argument(checker->language, node, index, argument.translated);
	key = node_copy(checker_arena(checker), key);
	key->integer.value = argument.mapping;
	node->variable.keys = key;
	node->type = argument.native;
	return translate(checker, node, &argument, index);
}
