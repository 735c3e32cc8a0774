/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clauses: probes, predicate, statements.
 *
 * Variables get their types from assignments in the order of the text, and
 * the statements of a clause count before its predicate, so that
 * `/self->t/ { self->t = 1; }` stands alone.  Where that order leaves a name
 * unknown, the other one is tried, and at last any order within the clause.
 *
 * A clause keeps what it was parsed to, because variables may turn out to be
 * wider than it was told (infer.c).
 *
 * A clause with several descriptions is one clause as long as it means the
 * same for all of them.  Where args[] has other types for another
 * description, there is one clause for each.  All ways of trying again work
 * on a fresh clone of what was parsed and forget the variables that the
 * failed attempt had made.
 */
#include "lang/check.h"

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

/*
 * A provider that knows better gives the tag with its words:
 * "[D_PROC_FUNC] failed to lookup 'f' in module 'm'".
 */
static bool bad_description(struct checker *checker,
			    const struct probe_desc *desc, const char *error)
{
	struct arena *arena = checker_arena(checker);
	const char *end = error && *error == '[' ? strchr(error, ']') : NULL;

	if (end) {
		enum tag tag = tag_lookup(arena_strndup(
			arena, error + 1, (size_t)(end - error - 1)));

		if (tag != TAG_COUNT) {
			for (end++; *end == ' ';)
				end++;
			return diag_error(&checker->language->diag,
					  &desc->place, tag, "%s", end);
		}
	}
	return diag_error(&checker->language->diag, &desc->place,
			  D_PDESC_INVAL, "invalid probe description \"%s\": %s",
			  probe_desc_print(arena, desc),
			  error ? error : "No probe matches description");
}

static bool match_description(struct checker *checker,
			      const struct probe_desc *desc)
{
	const struct language *language = checker->language;
	const struct probe_oracle *oracle = language->config.oracle;
	struct match match = { .checker = checker };
	const char *error = NULL;
	int result = oracle->match(oracle->context, desc, visit_probe, &match,
				   &error);

	if (result < 0)
		return bad_description(checker, desc, error);
	if (match.count || option_on(language->config.options, OPTION_ZDEFS))
		return true;
	if (desc->id)
		return diag_error(&checker->language->diag, &desc->place,
				  D_PDESC_INVAL,
				  "invalid probe identifier %u: Unknown probe identifier",
				  desc->id);
	diag_error(&checker->language->diag, &desc->place, D_PDESC_ZERO,
		   "probe description %s:%s:%s:%s does not match any probes",
		   desc->provider, desc->module, desc->function, desc->name);
	/* vnode_t *x; of a script from elsewhere */
	if (!*desc->provider && !*desc->module && !*desc->function)
		hint_unknown_type(checker->language, str_of(desc->name));
	const char *hint = oracle->suggest
				   ? oracle->suggest(oracle->context, desc)
				   : NULL;

	if (hint)
		diag_hint(&checker->language->diag, "%s", hint);
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
	diag_error(&checker->language->diag, &clause->descs->place, D_ATTR_MIN,
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

/* ---------------------------------------------------- order of actions */

enum action_class { ACTION_OTHER, ACTION_RECORD, ACTION_SPECULATE,
		    ACTION_COMMIT, ACTION_AGGREGATE, ACTION_DESTRUCTIVE,
		    ACTION_EXIT };

static enum action_class classify(const struct node *node)
{
	if (node->kind == NODE_AGGREGATION)
		return ACTION_AGGREGATE;
	if (node->kind != NODE_CALL)
		return ACTION_OTHER;

	unsigned flags = node->call.function->flags;

	if (flags & FUNCTION_SPECULATE)
		return ACTION_SPECULATE;
	if (flags & FUNCTION_COMMIT)
		return ACTION_COMMIT;
	if (flags & FUNCTION_DISCARD)
		return ACTION_OTHER;
	if (flags & FUNCTION_EXIT)
		return ACTION_EXIT;
	if (flags & FUNCTION_DESTRUCTIVE)
		return ACTION_DESTRUCTIVE;
	return flags & FUNCTION_RECORDS ? ACTION_RECORD : ACTION_OTHER;
}

enum follows { AFTER_RECORD = 1, AFTER_SPECULATE = 2, AFTER_COMMIT = 4 };

/* What may not follow what; the first row that applies is reported. */
static const struct {
	enum action_class action;
	enum follows after;
	enum tag tag;
	const char *text;
} order_rules[] = {
	{ ACTION_COMMIT, AFTER_COMMIT, D_COMM_COMM,
	  "commit( ) may not follow commit( )" },
	{ ACTION_COMMIT, AFTER_RECORD, D_COMM_DREC,
	  "commit( ) may not follow data-recording action(s)" },
	{ ACTION_SPECULATE, AFTER_SPECULATE, D_SPEC_SPEC,
	  "speculate( ) may not follow speculate( )" },
	{ ACTION_SPECULATE, AFTER_COMMIT, D_SPEC_COMM,
	  "speculate( ) may not follow commit( )" },
	{ ACTION_SPECULATE, AFTER_RECORD, D_SPEC_DREC,
	  "speculate( ) may not follow data-recording action(s)" },
	{ ACTION_AGGREGATE, AFTER_COMMIT, D_AGG_COMM,
	  "aggregating actions may not follow commit( )" },
	{ ACTION_AGGREGATE, AFTER_SPECULATE, D_AGG_SPEC,
	  "aggregating actions may not follow speculate( )" },
	{ ACTION_DESTRUCTIVE, AFTER_SPECULATE, D_ACT_SPEC,
	  "destructive actions may not follow speculate( )" },
	{ ACTION_EXIT, AFTER_SPECULATE, D_EXIT_SPEC,
	  "exit( ) may not follow speculate( )" },
	{ ACTION_RECORD, AFTER_COMMIT, D_DREC_COMM,
	  "data-recording actions may not follow commit( )" },
	{ ACTION_EXIT, AFTER_COMMIT, D_DREC_COMM,
	  "data-recording actions may not follow commit( )" },
};

static bool check_order(struct checker *checker, const struct node *node)
{
	enum action_class action = classify(node);
	unsigned seen = (checker->has_record ? AFTER_RECORD : 0u) |
			(checker->has_speculate ? AFTER_SPECULATE : 0u) |
			(checker->has_commit ? AFTER_COMMIT : 0u);

	for (size_t i = 0; i < sizeof(order_rules) / sizeof(*order_rules); i++)
		if (order_rules[i].action == action &&
		    order_rules[i].after & seen) {
			diag_error(&checker->language->diag, &node->place,
				   order_rules[i].tag, "%s",
				   order_rules[i].text);
			if (action == ACTION_EXIT)
				diag_hint(&checker->language->diag,
					  "call exit( ) in another clause of this probe");
			return false;
		}
	checker->has_record |= action == ACTION_RECORD;
	checker->has_speculate |= action == ACTION_SPECULATE;
	checker->has_commit |= action == ACTION_COMMIT;
	checker->has_aggregation |= action == ACTION_AGGREGATE;
	return true;
}

/* ----------------------------------------------------------- statements */

static bool check_condition(struct checker *checker, struct node **condition)
{
	*condition = check_operand(checker, *condition);
	if (!*condition)
		return false;
	if (node_is_scalar(checker, *condition))
		return check_no_action(checker);
	return diag_error(&checker->language->diag, &(*condition)->place,
			  D_PRED_SCALAR,
			  "predicate result must be of scalar type");
}

static bool check_effect(struct checker *checker, const struct node *node)
{
	struct diag *diag = &checker->language->diag;
	struct types *types = checker_types(checker);

	if (node->kind == NODE_AGGREGATION) {
		if (node->variable.call)
			return true;
		return diag_error(diag, &node->place, D_AGG_NULL,
				  "expression has null effect: @%s",
				  node->variable.ident->name);
	}
	if (node->kind == NODE_CALL &&
	    node->call.function->kind == FUNCTION_AGGREGATE)
		return diag_error(diag, &node->place, D_CG_EXPR,
				  "aggregating function %s( ) may not be called from a D expression (D program context required)",
				  node->call.function->name);
	if (!check_not_array(checker, node))
		return false;
	if (!type_is_dynamic(types, node->type))
		return true;
	return diag_error(diag, &node->place, D_CG_DYN,
			  "expression cannot evaluate to result of dynamic type");
}

static bool check_statements(struct checker *checker, struct node **list);

/* Each branch starts where the condition left; what follows sees both. */
static bool check_if(struct checker *checker, struct node *node)
{
	struct checker before;

	if (!check_condition(checker, &node->ternary.condition))
		return false;
	before = *checker;
	if (!check_statements(checker, &node->ternary.then))
		return false;

	bool record = checker->has_record, speculate = checker->has_speculate;
	bool commit = checker->has_commit;

	checker->has_record = before.has_record;
	checker->has_speculate = before.has_speculate;
	checker->has_commit = before.has_commit;
	if (!check_statements(checker, &node->ternary.otherwise))
		return false;
	checker->has_record |= record;
	checker->has_speculate |= speculate;
	checker->has_commit |= commit;
	node->type = checker_base(checker, BASE_VOID);
	node->is_checked = true;
	return true;
}

static bool check_statement(struct checker *checker, struct node **statement)
{
	struct node *node = *statement;
	struct clause *clause = checker->clause;

	if (node->kind == NODE_IF)
		return check_if(checker, node);
	checker->statement = node;
	node = check_node(checker, node);
	if (!node || !check_effect(checker, node) ||
	    !check_order(checker, node))
		return false;
	if (node->kind == NODE_CALL &&
	    node->call.function->kind == FUNCTION_ACTION &&
	    node->call.function->flags & (FUNCTION_RECORDS |
					  FUNCTION_SPECULATE |
					  FUNCTION_EXIT))
		clause->records = true;
	*statement = node;
	return true;
}

static bool check_statements(struct checker *checker, struct node **list)
{
	for (struct node **link = list; *link; link = &(*link)->next) {
		struct node *next = (*link)->next;
		struct node *node = *link;

		if (!check_statement(checker, &node))
			return false;
		if (node != *link)
			node = node_copy(checker_arena(checker), node);
		node->next = next;
		*link = node;
	}
	return true;
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

/* How a clause is tried; the later ones when a name was not known. */
enum order {
	STATEMENTS_FIRST, PREDICATE_FIRST, TYPES_FIRST, NEW_OPERANDS, ORDERS,
};

/*
 * For variables that are read above their assignment in the same clause:
 * statements that make sense alone leave their variables' types.
 */
static void collect_types(struct checker *checker, const struct node *list)
{
	struct language *language = checker->language;

	for (; list; list = list->next) {
		struct ident_mark mark = ident_mark(language);
		struct node *node = node_clone(checker_arena(checker), list);

		if (list->kind == NODE_IF) {
			collect_types(checker, list->ternary.then);
			collect_types(checker, list->ternary.otherwise);
		} else if (!check_node(checker, node)) {
			ident_rollback(language, mark);
			diag_clear(&language->diag);
		}
	}
}

static bool check_in_order(struct checker *checker, enum order order)
{
	struct clause *clause = checker->clause;

	if (order >= TYPES_FIRST)
		collect_types(checker, clause->statements);
	checker->makes_operands = order == NEW_OPERANDS;
	clause->statement_attr = ATTR_STABLE;
	clause->records = !clause->statements;
	clause->is_destructive = false;
	if (order == PREDICATE_FIRST && !check_predicate(checker))
		return false;
	if (!check_statements(checker, &clause->statements))
		return false;
	return order == PREDICATE_FIRST || check_predicate(checker);
}

static bool is_worth_retrying(const struct diag *diag)
{
	return diag->tag == D_VAR_UNDEF || diag->tag == D_IDENT_UNDEF;
}

/* A clause as it was parsed, and the probes it matches. */
struct unchecked_clause {
	struct clause parsed;
	struct checker matched;
};

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
		if (!is_worth_retrying(&first))
			break;
	}
	language->diag = first;
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
	program->probe_attr = attr_min(program->probe_attr,
				       clause->probe_attr);
	program->statement_attr = attr_min(program->statement_attr,
					   clause->statement_attr);
}

/* One clause for each description. */
static bool split(struct language *language, struct program *program,
		  const struct clause *parsed)
{
	for (struct probe_desc *desc = parsed->descs; desc;
	     desc = desc->next) {
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
