/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clauses: probes, predicate, statements.
 *
 * Variables get their types from assignments in the order of the text, and the
 * statements of a clause count before its predicate, so that `/self->t/ {
 * self->t = 1; }` is complete by itself.  Where that order leaves a name
 * unknown, the opposite order is tried, and finally any order within the
 * clause.
 *
 * A clause keeps its parsed form, because variables may turn out to be wider
 * than they were when it was checked (infer.c).
 *
 * A clause with several descriptions is one clause as long as it means the same
 * for all of them.  Where args[] has different types for different
 * descriptions, there is one clause for each.  Every retry works on a fresh
 * clone of what was parsed and forgets the variables that the failed attempt
 * created.
 */
#include <string.h>

#include "lang/check.h"
#include "lang/inspect.h"

/* ------------------------------------------------------------- probes */

struct match {
	struct checker *checker;
	uint32_t count;
};

static bool visit_probe(void *data, const struct probe_info *probe)
{
	struct match *match = data;
	struct checker *checker = match->checker;
	struct clause *clause = checker->clause;

	if (!checker->nprobes++)
		checker->first_probe = *probe;
	clause->probe_attr = attr_min(clause->probe_attr, probe->attr);
	match->count++;
	return true;
}

const char *probe_error_print(struct arena *arena,
			      const struct probe_error *error)
{
	return arena_printf(arena, "[%s] %s", tag_name(error->tag),
			    error->text);
}

/* The number of a process that $target has without one. */
static bool ends_with_zero(const struct probe_desc *desc)
{
	size_t length = strlen(desc->provider);

	return length && desc->provider[length - 1] == '0';
}

static bool bad_description(struct checker *checker,
			    const struct probe_desc *desc,
			    const struct probe_error *error)
{
	struct diag *diag = &checker->language->diag;

	if (error->text) {
		diag_error(diag, &desc->place, error->tag, "%s", error->text);
		if (error->tag == D_PROC_BADPID && ends_with_zero(desc) &&
		    !checker->language->config.target)
			diag_hint(
				diag,
				"$target is 0: give a process with -p PID, or start one with -c COMMAND");
		return false;
	}
	return diag_error(
		diag, &desc->place, D_PDESC_INVAL,
		"invalid probe description \"%s\": No probe matches description",
		probe_desc_print(checker_arena(checker), desc));
}

static bool no_probe(struct checker *checker, const struct probe_desc *desc)
{
	const struct language *language = checker->language;
	const struct probe_oracle *oracle = language->config.oracle;

	if (desc->id)
		return diag_error(
			&checker->language->diag, &desc->place, D_PDESC_INVAL,
			"invalid probe identifier %u: Unknown probe identifier",
			desc->id);
	/* looks at all probes: not if nobody hears it */
	const char *hint = oracle->suggest && !language->is_deaf
				   ? oracle->suggest(oracle->context, desc)
				   : NULL;

	/* users of a tool have not written it: its text tells them nothing */
	if (hint && language->parameters.usage)
		return diag_error(&checker->language->diag, NULL, D_PDESC_ZERO,
				  "no probe %s:%s:%s:%s here: %s",
				  desc->provider, desc->module, desc->function,
				  desc->name, hint);
	diag_error(&checker->language->diag, &desc->place, D_PDESC_ZERO,
		   "probe description %s:%s:%s:%s does not match any probes",
		   desc->provider, desc->module, desc->function, desc->name);
	/* vnode_t *x; in a script from another system */
	if (!*desc->provider && !*desc->module && !*desc->function)
		hint_unknown_type(checker->language, str_of(desc->name));
	if (hint)
		diag_hint(&checker->language->diag, "%s", hint);
	return false;
}

static bool match_description(struct checker *checker,
			      const struct probe_desc *desc)
{
	const struct language *language = checker->language;
	const struct probe_oracle *oracle = language->config.oracle;
	struct match match = { .checker = checker };
	struct probe_error error = { 0 };
	int result = oracle->match(oracle->context, desc, visit_probe, &match,
				   &error);

	sight_desc(checker->language, desc);
	if (result < 0)
		return bad_description(checker, desc, &error) ||
		       inspect_doubt(checker->language, desc);
	if (match.count)
		return true;
	if (option_on(language->config.options, OPTION_ZDEFS)) {
		if (!checker->nprobes && oracle->match_silent &&
		    oracle->match_silent(oracle->context, desc,
					 &checker->first_probe))
			checker->nprobes = 1;
		return true;
	}
	return no_probe(checker, desc) ||
	       inspect_doubt(checker->language, desc);
}

bool clause_waits(const struct language *language, const struct clause *clause)
{
	const struct probe_oracle *oracle = language->config.oracle;

	if (!oracle || !oracle->waits)
		return false;
	for (const struct probe_desc *desc = clause->descs; desc;
	     desc = desc->next)
		if (oracle->waits(oracle->context, desc))
			return true;
	return false;
}

/* -x amin holds for probes as for names. */
static bool check_minimum(struct checker *checker)
{
	const struct option_value *minimum =
		&checker->language->config.options->values[OPTION_AMIN];
	struct clause *clause = checker->clause;
	struct text words = { 0 };
	struct attr least;

	if (!minimum->is_set || !minimum->text ||
	    !attr_parse(minimum->text, &least) ||
	    !attr_below(clause->probe_attr, least))
		return true;
	attr_print(clause->probe_attr, &words);
	diag_error(
		&checker->language->diag, &clause->descs->place, D_ATTR_MIN,
		"attributes for probe description %s (%s) are less than predefined minimum",
		checker->desc_text, text_str(&words));
	text_free(&words);
	return false;
}

static bool match_probes(struct checker *checker)
{
	struct clause *clause = checker->clause;

	clause->probe_attr = ATTR_MAX;
	for (struct probe_desc *desc = clause->descs; desc; desc = desc->next)
		if (!match_description(checker, desc))
			return false;
	checker->desc_text = probe_desc_print(checker_arena(checker),
					      clause->descs);
	return check_minimum(checker);
}

/* -------------------------------------------------------------- clauses */

static bool check_predicate(struct checker *checker)
{
	struct clause *clause = checker->clause;
	bool ok;

	if (!clause->predicate)
		return true;
	checker->in_predicate = true;
	ok = check_condition(checker, &clause->predicate);
	checker->in_predicate = false;
	return ok;
}

/* How a clause is tried; the later ones if a name was unknown. */
enum order {
	STATEMENTS_FIRST, PREDICATE_FIRST, TYPES_FIRST, NEW_OPERANDS, ORDERS,
};

static void collect_types(struct checker *checker, const struct node *list);

void check_collect_types(struct checker *checker, const struct node *list)
{
	struct scope scope = { 0 };

	scope_enter(&checker->scope, &scope);
	collect_types(checker, list);
	scope_leave(&checker->scope);
}

static void collect_in_loop(struct checker *checker, const struct node *loop)
{
	struct scope scope = { 0 };

	scope_enter(&checker->scope, &scope);
	collect_types(checker, loop->loop.init);
	collect_types(checker, loop->loop.condition);
	check_collect_types(checker, loop->loop.body);
	collect_types(checker, loop->loop.step);
	scope_leave(&checker->scope);
}

static void collect_from(struct checker *checker, const struct node *parsed)
{
	struct language *language = checker->language;
	struct ident_mark mark = ident_mark(language);
	struct node *node = node_clone(checker_arena(checker), parsed);
	bool is_good = node->kind == NODE_DECLARE
			       ? check_local(checker, node)
			       : check_node(checker, node) != NULL;

	if (is_good)
		return;
	ident_rollback(language, mark);
	diag_clear(&language->diag);
}

/*
 * For variables that are read above their assignment in the same clause:
 * statements that make sense alone leave their variables' types.
 */
static void collect_types(struct checker *checker, const struct node *list)
{
	for (; list; list = list->next) {
		switch (list->kind) {
		case NODE_IF:
			check_collect_types(checker, list->ternary.then);
			check_collect_types(checker, list->ternary.otherwise);
			break;
		case NODE_LOOP:
			collect_in_loop(checker, list);
			break;
		case NODE_BLOCK:
			check_collect_types(checker, list->block.statements);
			break;
		default:
			collect_from(checker, list);
			break;
		}
	}
}

static bool check_in_order(struct checker *checker, enum order order)
{
	struct clause *clause = checker->clause;

	if (order >= TYPES_FIRST)
		check_collect_types(checker, clause->statements);
	checker->makes_operands = order == NEW_OPERANDS;
	clause->statement_attr = ATTR_STABLE;
	clause->records = !clause->statements;
	clause->is_destructive = false;
	if (order == PREDICATE_FIRST && !check_predicate(checker))
		return false;
	if (!check_block(checker, &clause->statements))
		return false;
	return order == PREDICATE_FIRST || check_predicate(checker);
}

bool check_is_worth_retrying(const struct diag *diag)
{
	return diag->tag == D_VAR_UNDEF || diag->tag == D_IDENT_UNDEF;
}

/* A clause as it was parsed, and the probes it matches. */
struct unchecked_clause {
	struct clause parsed;
	struct checker matched;
};

/* What follows may use the variables of a clause that is wrong elsewhere. */
static void keep_types(struct language *language,
		       const struct unchecked_clause *unchecked)
{
	struct checker checker = unchecked->matched;
	struct diag first = language->diag;

	if (!language->inspection)
		return;
	diag_clear(&language->diag);
	check_collect_types(&checker, unchecked->parsed.statements);
	language->diag = first;
}

/* On failure the clause is as parsed and the first attempt's report stands. */
static bool check_matched(struct language *language, struct clause *clause,
			  struct unchecked_clause *unchecked)
{
	struct arena *arena = language->arena;
	struct ident_mark mark = ident_mark(language);
	const struct clause *parsed = &unchecked->parsed;
	struct diag first = { 0 };

	for (enum order order = STATEMENTS_FIRST; order < ORDERS; order++) {
		struct checker checker = unchecked->matched;

		diag_clear(&language->diag);
		*clause = *parsed;
		clause->unchecked = unchecked;
		clause->statements = node_clone_list(arena, parsed->statements);
		clause->predicate = node_clone(arena, parsed->predicate);
		if (check_in_order(&checker, order))
			return true;
		ident_rollback(language, mark);
		if (order == STATEMENTS_FIRST)
			first = language->diag;
		if (!check_is_worth_retrying(&first))
			break;
	}
	language->diag = first;
	keep_types(language, unchecked);
	*clause = *parsed;
	return false;
}

static bool check_clause(struct language *language, struct clause *clause)
{
	struct unchecked_clause *unchecked =
		arena_new_of(language->arena, struct unchecked_clause);

	unchecked->matched = (struct checker){ .language = language,
					       .clause = clause };
	if (!match_probes(&unchecked->matched))
		return false;
	unchecked->parsed = *clause;
	return check_matched(language, clause, unchecked);
}

bool check_clause_again(struct language *language, struct clause *clause)
{
	struct clause *next = clause->next;
	uint32_t id = clause->id;
	bool good = check_matched(language, clause, clause->unchecked);

	clause->next = next;
	clause->id = id;
	return good;
}

static void append(struct language *language, struct program *program,
		   struct clause *clause)
{
	if (program->last_clause)
		program->last_clause->next = clause;
	else
		program->clauses = clause;
	program->last_clause = clause;
	clause->next = NULL;
	clause->id = language->nclauses++;
	program->nclauses++;
	program->probe_attr = attr_min(program->probe_attr, clause->probe_attr);
	program->statement_attr = attr_min(program->statement_attr,
					   clause->statement_attr);
}

/* One clause for each description. */
static bool split(struct language *language, struct program *program,
		  const struct clause *parsed)
{
	for (struct probe_desc *desc = parsed->descs; desc; desc = desc->next) {
		struct clause *clause = arena_copy(language->arena, parsed,
						   sizeof(*parsed));

		clause->descs = arena_copy(language->arena, desc,
					   sizeof(*desc));
		clause->descs->next = NULL;
		if (!check_clause(language, clause))
			return false;
		append(language, program, clause);
	}
	return true;
}

bool enter_clause(struct language *language, struct program *program,
		  struct clause *clause)
{
	if (check_clause(language, clause)) {
		append(language, program, clause);
		return true;
	}
	if (language->diag.tag != D_ARGS_MULTI || !clause->descs->next)
		return false;

	struct diag whole = language->diag;

	diag_clear(&language->diag);
	if (split(language, program, clause))
		return true;
	if (language->diag.tag == D_ARGS_IDX)
		language->diag = whole;
	return false;
}
