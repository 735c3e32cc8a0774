/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statements: which may stand where, and which actions may follow which.
 *
 * The order of actions is that of execution: branches of an `if` do not follow
 * each other, turns of a loop do, and nothing follows a `break`.  So a loop with
 * commit() is refused unless it ends there.
 *
 * Local names live in the scopes of their blocks.  They are stored like this->
 * variables, and start as 0 each time their declaration is executed.
 */
#include "lang/check.h"
#include "lang/inspect.h"

/* ---------------------------------------------------- order of actions */

enum action_class {
	ACTION_OTHER,
	ACTION_RECORD,
	ACTION_SPECULATE,
	ACTION_COMMIT,
	ACTION_AGGREGATE,
	ACTION_DESTRUCTIVE,
	ACTION_EXIT
};

/* A function written in D may have actions of several classes. */
static unsigned classes_of(const struct node *node)
{
	if (node->kind == NODE_AGGREGATION)
		return 1u << ACTION_AGGREGATE;
	if (node->kind != NODE_CALL)
		return 0;
	if (node->call.defined)
		return node->call.defined->actions;

	unsigned flags = node->call.function->flags;

	if (flags & FUNCTION_SPECULATE)
		return 1u << ACTION_SPECULATE;
	if (flags & FUNCTION_COMMIT)
		return 1u << ACTION_COMMIT;
	if (flags & FUNCTION_DISCARD)
		return 1u << ACTION_OTHER;
	if (flags & FUNCTION_EXIT)
		return 1u << ACTION_EXIT;
	if (flags & FUNCTION_DESTRUCTIVE)
		return 1u << ACTION_DESTRUCTIVE;
	if (flags & FUNCTION_RECORDS)
		return 1u << ACTION_RECORD;
	return node->is_action ? 1u << ACTION_OTHER : 0;
}

/* checker->seen */
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
	unsigned classes = classes_of(node);

	for (size_t i = 0; i < sizeof(order_rules) / sizeof(*order_rules); i++)
		if (classes & 1u << order_rules[i].action &&
		    order_rules[i].after & checker->seen) {
			diag_error(&checker->language->diag, &node->place,
				   order_rules[i].tag, "%s",
				   order_rules[i].text);
			if (order_rules[i].action == ACTION_EXIT)
				diag_hint(
					&checker->language->diag,
					"call exit( ) in another clause of this probe");
			return false;
		}
	if (classes & 1u << ACTION_RECORD)
		checker->seen |= AFTER_RECORD;
	if (classes & 1u << ACTION_SPECULATE)
		checker->seen |= AFTER_SPECULATE;
	if (classes & 1u << ACTION_COMMIT)
		checker->seen |= AFTER_COMMIT;
	if (checker->function)
		checker->function->actions |= classes;
	return true;
}

/* ----------------------------------------------------------- statements */

bool check_condition(struct checker *checker, struct node **condition)
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
		return diag_error(
			diag, &node->place, D_CG_EXPR,
			"aggregating function %s( ) may not be called from a D expression (D program context required)",
			node->call.function->name);
	if (!check_not_array(checker, node))
		return false;
	if (!type_is_dynamic(types, node->type))
		return true;
	return diag_error(
		diag, &node->place, D_CG_DYN,
		"expression cannot evaluate to result of dynamic type");
}

static bool check_nothing_more(struct checker *checker, struct node *node)
{
	node->type = checker_base(checker, BASE_VOID);
	node->is_checked = true;
	return true;
}

/* Each branch starts after the condition; what follows sees both. */
static bool check_if(struct checker *checker, struct node *node)
{
	if (!check_condition(checker, &node->ternary.condition))
		return false;

	unsigned before = checker->seen;

	if (!check_block(checker, &node->ternary.then))
		return false;

	unsigned then = checker->seen;

	checker->seen = before;
	if (!check_block(checker, &node->ternary.otherwise))
		return false;
	checker->seen |= then;
	return check_nothing_more(checker, node);
}

bool check_local(struct checker *checker, struct node *node)
{
	struct ident *ident = node->declare.ident;

	ident->is_in_function = checker->function != NULL;
	sight_ident(checker->language, &ident->place, ident);
	if (!node->is_checked && !ident_add_local(checker->language, ident))
		return false;
	/* the parser has refused two of one name */
	scope_declare(checker->scope, checker_arena(checker), ident);
	if (node->declare.assignment) {
		checker->statement = node->declare.assignment;
		node->declare.assignment = check_node(checker,
						      node->declare.assignment);
		if (!node->declare.assignment)
			return false;
	}
	return check_nothing_more(checker, node);
}

/* ---------------------------------------------------------------- loops */

/*
 * Actions that were seen before a turn is left; actions of one turn precede
 * those of the next.
 */
struct loop_check {
	unsigned at_break, at_continue;
};

static bool check_turn(struct checker *checker, struct node *node)
{
	if (node->loop.condition && !node->loop.tests_last &&
	    !check_condition(checker, &node->loop.condition))
		return false;
	if (!check_block(checker, &node->loop.body))
		return false;
	checker->seen |= checker->loop->at_continue;
	if (!check_statements(checker, &node->loop.step))
		return false;
	return !node->loop.condition || !node->loop.tests_last ||
	       check_condition(checker, &node->loop.condition);
}

/*
 * A second look, when a turn has actions, is for their order only: all is
 * checked by then.
 */
static bool check_turns(struct checker *checker, struct node *node)
{
	struct loop_check loop = { 0 }, *outer = checker->loop;
	unsigned before = checker->seen;

	checker->loop = &loop;

	bool is_good = check_turn(checker, node);

	if (is_good && checker->seen & ~before) {
		checker->seen |= before;
		is_good = check_turn(checker, node);
	}
	checker->seen |= before | loop.at_break;
	checker->loop = outer;
	return is_good;
}

static bool check_loop(struct checker *checker, struct node *node)
{
	struct scope scope = { 0 };

	scope_enter(&checker->scope, &scope);

	bool is_good = check_statements(checker, &node->loop.init) &&
		       check_turns(checker, node);

	scope_leave(&checker->scope);
	return is_good && check_nothing_more(checker, node);
}

static bool check_jump(struct checker *checker, struct node *node)
{
	bool is_break = node->kind == NODE_BREAK;

	if (!checker->loop)
		return diag_error(&checker->language->diag, &node->place,
				  is_break ? D_LOOP_BREAK : D_LOOP_CONTINUE,
				  "%s statement is not in a loop",
				  is_break ? "break" : "continue");
	if (is_break)
		checker->loop->at_break |= checker->seen;
	else
		checker->loop->at_continue |= checker->seen;
	checker->seen = 0; /* nothing comes after it */
	return check_nothing_more(checker, node);
}

/* ------------------------------------------------------------------ all */

static bool check_effective(struct checker *checker, struct node **statement)
{
	struct node *node = *statement;
	struct clause *clause = checker->clause;

	checker->statement = node;
	node = check_node(checker, node);
	if (!node || !check_effect(checker, node) ||
	    !check_order(checker, node))
		return false;
	if (node->kind == NODE_CALL &&
	    node->call.function->kind == FUNCTION_ACTION &&
	    node->call.function->flags &
		    (FUNCTION_RECORDS | FUNCTION_SPECULATE | FUNCTION_EXIT))
		clause->records = true;
	if (node->kind == NODE_CALL && node->call.defined &&
	    node->call.defined->effects->records)
		clause->records = true;
	*statement = node;
	return true;
}

static bool check_statement(struct checker *checker, struct node **statement)
{
	struct node *node = *statement;

	switch (node->kind) {
	case NODE_IF:
		return check_if(checker, node);
	case NODE_LOOP:
		return check_loop(checker, node);
	case NODE_BREAK:
	case NODE_CONTINUE:
		return check_jump(checker, node);
	case NODE_BLOCK:
		return check_block(checker, &node->block.statements) &&
		       check_nothing_more(checker, node);
	case NODE_DECLARE:
		return check_local(checker, node);
	case NODE_RETURN:
		return check_return(checker, node) &&
		       check_nothing_more(checker, node);
	default:
		return check_effective(checker, statement);
	}
}

bool check_statements(struct checker *checker, struct node **list)
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

bool check_block(struct checker *checker, struct node **list)
{
	struct scope scope = { 0 };

	scope_enter(&checker->scope, &scope);

	bool is_good = check_statements(checker, list);

	scope_leave(&checker->scope);
	return is_good;
}
