/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a list of clauses may be cut in two programs, and what they share.
 *
 * Verification costs more than linear in the size of a program, and the kernel
 * gives up at some size, so long lists of clauses become several programs, each
 * of which ends by calling the next (IR_CONTINUE).  Of a firing, only what is
 * in maps survives that call.  Two things tie clauses together: this->
 * variables, and strtok(), which remembers where it was.  A clause that sets a
 * variable before it reads it needs nothing from those before it.  A cut
 * between clauses that are not tied is best.
 *
 * Where there is none, what ties them is carried: it has a place among the
 * globals, one for each CPU, where a program stores it at its end and the next
 * one loads it.  Then a long clause can be cut, too (lower_pieces.c).
 *
 * 1. The place belongs to the group.  Of most groups one firing at a time runs
 *    on a CPU, whatever interrupts it, because the kernel skips a program that
 *    is running already.  Those at user probes overlap, but not in a thread:
 *    their place is in the thread's record.
 * 2. The program with the first clause that mentions something starts from
 *    zero, not from what the last firing left.
 * 3. Pointers to scratch memory would be carried, but not the memory: groups
 *    that use any carry no pointers.
 */
#include "ir/lower_internal.h"

/*
 * Something that clauses share: the first of them that mentions it, and the
 * last one that needs what those before it left.
 */
struct tie {
	const struct ident *ident; /* NULL: strtok() */
	uint32_t first, last;
	bool is_set; /* by the current clause */
	struct tie *next;
	struct tie *set_before; /* set, too, before this one was */
};

struct ties {
	struct arena *arena;
	struct types *types;
	struct tie *list;
	struct tie **variables; /* by id of this-> variables */
	uint32_t nvariables;
	struct tie *words; /* strtok() */
	struct tie *set;   /* the last that the clause has set */
	uint32_t clause;
	bool takes_scratch;
};

/* Where the tie of a variable is noted (NULL: of strtok()). */
static struct tie **tie_of(struct ties *ties, const struct ident *ident)
{
	if (!ident)
		return &ties->words;
	while (ties->nvariables <= ident->id) {
		ties->variables = arena_grown(ties->arena, ties->variables,
					      ties->nvariables,
					      sizeof(*ties->variables));
		ties->variables[ties->nvariables++] = NULL;
	}
	return &ties->variables[ident->id];
}

static struct tie *mention(struct ties *ties, const struct ident *ident)
{
	struct tie **tie = tie_of(ties, ident);

	if (!*tie) {
		*tie = arena_new_of(ties->arena, struct tie);
		**tie = (struct tie){
			.ident = ident,
			.first = ties->clause,
			.last = ties->clause,
			.next = ties->list,
		};
		ties->list = *tie;
	}
	return *tie;
}

static void want(struct ties *ties, const struct ident *ident)
{
	struct tie *tie = mention(ties, ident);

	if (!tie->is_set)
		tie->last = ties->clause;
}

static void set(struct ties *ties, const struct ident *ident)
{
	struct tie *tie = mention(ties, ident);

	if (tie->is_set)
		return;
	tie->is_set = true;
	tie->set_before = ties->set;
	ties->set = tie;
}

/* What was set since then may not have been. */
static void unset(struct ties *ties, const struct tie *before)
{
	for (; ties->set != before; ties->set = ties->set->set_before)
		ties->set->is_set = false;
}

/* this->x itself, not a part of it, nor a function's; else NULL. */
static const struct ident *local_of(const struct node *node)
{
	bool is_local = node->kind == NODE_VARIABLE && node->variable.ident &&
			node->variable.ident->kind == IDENT_VARIABLE &&
			node->variable.ident->scope == SCOPE_THIS &&
			!node->variable.ident->is_in_function;

	return is_local ? node->variable.ident : NULL;
}

/* Is the address of D's own bytes wanted?  They are in scratch memory then. */
static bool wants_address(const struct ties *ties, const struct node *node)
{
	const struct node *from = NULL;
	struct type *to = node->type;

	if (node->kind == NODE_UNARY && node->op == OP_ADDRESS)
		return true;
	if (node->kind == NODE_CAST) {
		from = node->cast.operand;
		to = node->cast.to;
	} else if (node->kind == NODE_BINARY && node->op == OP_ASSIGN) {
		from = node->binary.right;
		to = node->binary.left->type;
	} else if (node->kind == NODE_BINARY && node->op == OP_ADD) {
		from = node->binary.left;
	}
	if (!from || !from->type || !to ||
	    type_strip(ties->types, to)->kind != TYPE_POINTER)
		return false;
	return type_is_string(ties->types, from->type) ||
	       type_strip(ties->types, from->type)->kind == TYPE_ARRAY;
}

static void find_ties(void *data, const struct node *node)
{
	struct ties *ties = data;
	const struct ident *local = local_of(node);

	if (local)
		want(ties, local);
	if (wants_address(ties, node))
		ties->takes_scratch = true;
	if (call_has_flag(node, FUNCTION_CONTINUES))
		want(ties, NULL);
	if (call_has_flag(node, FUNCTION_SCRATCH))
		ties->takes_scratch = true;
}

static void find_in_statements(struct ties *ties, const struct node *list);

static void find_in_expression(struct ties *ties, const struct node *node)
{
	const struct ident *local = NULL;

	if (node->kind == NODE_BINARY && node->op == OP_ASSIGN)
		local = local_of(node->binary.left);
	if (!local) {
		struct node alone = *node;

		alone.next = NULL;
		tree_visit(&alone, find_ties, ties);
		return;
	}
	tree_visit(node->binary.right, find_ties, ties);
	if (wants_address(ties, node))
		ties->takes_scratch = true;
	set(ties, local);
}

/* Statements that may be skipped: what they set may not be. */
static void find_in_branch(struct ties *ties, const struct node *list)
{
	const struct tie *before = ties->set;

	find_in_statements(ties, list);
	unset(ties, before);
}

static void find_in_loop(struct ties *ties, const struct node *loop)
{
	find_in_statements(ties, loop->loop.init);
	tree_visit(loop->loop.condition, find_ties, ties);
	find_in_branch(ties, loop->loop.body);
	find_in_branch(ties, loop->loop.step);
}

static void find_in_declaration(struct ties *ties, const struct node *node)
{
	set(ties, node->declare.ident);
	if (node->declare.assignment)
		find_in_expression(ties, node->declare.assignment);
}

static void find_in_statements(struct ties *ties, const struct node *list)
{
	for (const struct node *node = list; node; node = node->next) {
		switch (node->kind) {
		case NODE_IF:
			tree_visit(node->ternary.condition, find_ties, ties);
			find_in_branch(ties, node->ternary.then);
			find_in_branch(ties, node->ternary.otherwise);
			break;
		case NODE_LOOP:
			find_in_loop(ties, node);
			break;
		case NODE_BLOCK:
			find_in_statements(ties, node->block.statements);
			break;
		case NODE_DECLARE:
			find_in_declaration(ties, node);
			break;
		default:
			find_in_expression(ties, node);
			break;
		}
	}
}

static void find_in_clause(struct ties *ties, const struct clause *clause)
{
	unset(ties, NULL);
	tree_visit(clause->predicate, find_ties, ties);
	find_in_statements(ties, clause->statements);
}

static void find_in_group(struct ties *ties, const struct lower_group *group)
{
	for (uint32_t i = 0; i < group->nclauses; i++) {
		ties->clause = i;
		find_in_clause(ties, group->clauses[i]);
		/* ERROR's clauses may run after any of them. */
		for (uint32_t n = 0; n < group->nerror_clauses; n++)
			find_in_clause(ties, group->error_clauses[n]);
	}
}

static const struct carried *find_carried(const struct lower_carry *carry,
					  const struct ident *ident)
{
	if (!carry || !ident)
		return carry ? carry->words : NULL;
	return ident->id < carry->nvariables ? carry->variables[ident->id]
					     : NULL;
}

/*
 * The place nearest to the wanted one after which nothing is needed that is not
 * carried; 0: none.
 */
static uint32_t find_cut(const struct ties *ties,
			 const struct lower_group *group,
			 const struct lower_carry *carry, uint32_t wanted,
			 bool may_cut)
{
	uint32_t nclauses = group->nclauses;
	/* how many ties more, or less, there are at a place than before it */
	int32_t *change = arena_array_of(ties->arena, int32_t,
					 (size_t)nclauses + 2);
	uint32_t best = 0;
	int32_t tied = 0;

	for (const struct tie *tie = ties->list; tie; tie = tie->next)
		if (!find_carried(carry, tie->ident)) {
			change[tie->first + 1]++;
			change[tie->last + 1]--;
		}
	for (uint32_t at = 1; at < nclauses; at++) {
		tied += change[at];
		if (tied ||
		    (group->clauses[at]->skipped && !(carry && may_cut)))
			continue;
		if (best && at > wanted && at - wanted >= wanted - best)
			break;
		best = at;
		if (at >= wanted)
			break;
	}
	return best;
}

uint32_t lower_split(struct lower_session *session,
		     const struct lower_group *group, uint32_t wanted,
		     bool may_cut)
{
	struct ties ties = {
		.arena = session->arena,
		.types = language_types(session->language),
	};

	find_in_group(&ties, group);

	uint32_t cut = find_cut(&ties, group, NULL, wanted, may_cut);

	if (!cut && group->carry)
		cut = find_cut(&ties, group, group->carry, wanted, may_cut);
	return cut;
}

/* ----------------------------------------------------------------- carrying */

static uint32_t carried_size(struct lower *lower, const struct ident *ident)
{
	/* strtok: the string, and the position in it */
	if (!ident)
		return round_up(lower_string_capacity(lower), 8) + 8;
	return round_up(lower_storage_size(lower, ident->type), 8);
}

static bool has_pointer(struct types *types, struct type *type)
{
	if (!type_is_sou(types, type))
		return type_is_pointer(types, type) &&
		       !type_is_char_array(types, type);
	if (!type_complete(types, type))
		return true;

	const struct type *sou = type_strip(types, type);

	for (uint32_t i = 0; i < sou->nmembers; i++)
		if (has_pointer(types, sou->members[i].type))
			return true;
	return false;
}

/* A place for something that clauses from `first` to `last` share. */
static struct carried *carry_one(struct lower *lower,
				 const struct lower_group *group,
				 struct lower_carry *carry,
				 const struct tie *tie, uint32_t size)
{
	struct carried *carried = arena_new_of(lower->session->arena,
					       struct carried);

	*carried = (struct carried){
		.ident = tie->ident,
		.first = &group->clauses[tie->first],
		.last = &group->clauses[tie->last],
		.at = carry->stride,
		.size = size,
	};
	carry->stride += size;
	return carried;
}

static bool has_pieces(const struct lower_group *group)
{
	for (uint32_t i = 0; i < group->nclauses; i++)
		if (group->clauses[i]->whole)
			return true;
	return false;
}

/* Room for everything that is carried. */
static void place_carry(struct lower_session *session,
			struct lower_carry *carry)
{
	uint32_t *used = carry->in_self ? &session->self_size
					: &session->globals_size;

	carry->start = round_up(*used, 8);
	*used = carry->start +
		(carry->in_self ? 1 : carry->ncpus) * carry->stride;
}

void lower_carry(struct lower_session *session, struct lower_group *group,
		 uint32_t ncpus, bool overlaps)
{
	struct lower lower = {
		.session = session,
		.types = language_types(session->language),
	};
	struct ties ties = {
		.arena = session->arena,
		.types = language_types(session->language),
	};
	struct lower_carry *carry;

	if (group->carry || group->is_continued)
		return;
	find_in_group(&ties, group);
	if (!ties.list && !has_pieces(group) && !turns_are_carried(group))
		return;
	carry = arena_new_of(session->arena, struct lower_carry);
	carry->nvariables = ties.nvariables;
	carry->variables = arena_array_of(session->arena, struct carried *,
					  ties.nvariables);
	if (has_pieces(group))
		carry->resumption = carry_one(&lower, group, carry,
					      &(struct tie){ 0 },
					      RESUMPTION_SIZE);
	if (turns_are_carried(group))
		carry->turns = carry_one(&lower, group, carry,
					 &(struct tie){ 0 }, TURNS_SIZE);
	for (const struct tie *tie = ties.list; tie; tie = tie->next) {
		if (tie->first == tie->last ||
		    (tie->ident && !tie->ident->type) ||
		    (ties.takes_scratch && tie->ident &&
		     has_pointer(lower.types, tie->ident->type)))
			continue;
		struct carried *carried = carry_one(&lower, group, carry, tie,
						    carried_size(&lower,
								 tie->ident));

		if (tie->ident)
			carry->variables[tie->ident->id] = carried;
		else
			carry->words = carried;
	}
	carry->ncpus = ncpus;
	carry->in_self = overlaps;
	place_carry(session, carry);
	group->carry = carry;
}

const struct carried *carried_of(const struct lower *lower,
				 const struct ident *ident)
{
	return find_carried(lower->group->carry, ident);
}

/* The clauses of a piece are a piece of the clauses. */
static bool has_clause(const struct lower_group *group,
		       const struct clause *const *clause)
{
	return clause >= group->clauses &&
	       clause < group->clauses + group->nclauses;
}

bool carried_arrives(const struct lower *lower, const struct carried *carried)
{
	return lower->group->is_continued &&
	       !has_clause(lower->group, carried->first);
}

/* Will a later program need what this one mentions? */
static bool leaves(const struct lower *lower, const struct carried *carried)
{
	return carried && !has_clause(lower->group, carried->last);
}

struct ir_mem carried_place(struct lower *lower, const struct carried *carried)
{
	struct ir_builder *b = &lower->b;
	const struct lower_carry *carry = lower->group->carry;
	struct ir_mem mem = ir_mem_of(carry->in_self ? IR_SELF : IR_GLOBAL,
				      carry->start + carried->at);

	if (carry->in_self)
		return mem;
	mem.base = ir_binary_imm(b, IR_MUL, ir_query(b, IR_QUERY_CPU),
				 carry->stride);
	mem.bound = (carry->ncpus - 1) * carry->stride + 1;
	return mem;
}

void carry_store(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	const struct carried *carried;

	if (!lower->group->next_part || !lower->group->carry)
		return;
	turns_leave(lower);
	for (uint32_t i = 0; i < lower->nthis_storage; i++) {
		const struct this_storage *storage = &lower->this_storage[i];

		carried = carried_of(lower, storage->ident);
		if (!leaves(lower, carried))
			continue;
		if (storage->reg)
			ir_store(b, carried_place(lower, carried), storage->reg,
				 8);
		else
			ir_copy(b, carried_place(lower, carried), storage->mem,
				lower_storage_size(lower,
						   storage->ident->type));
	}
	carried = carried_of(lower, NULL);
	if (leaves(lower, carried) && lower->strtok_next) {
		struct ir_mem place = carried_place(lower, carried);

		ir_store(b, place, lower->strtok_next, 8);
		ir_copy(b, ir_mem_at(place, 8), lower->strtok_string,
			lower_string_capacity(lower));
	}
}

void lower_remember_words(struct lower *lower)
{
	struct ir_builder *b = &lower->b;

	if (lower->strtok_next)
		return;
	lower->strtok_string = ir_object(b, lower_string_capacity(lower),
					 "strtok");
	lower->strtok_next = ir_const_at_start(b, 0);
}

void carry_load_strtok(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	const struct carried *carried = carried_of(lower, NULL);
	struct ties ties = {
		.arena = lower->session->arena, .types = lower->types,
	};

	if (!carried || !carried_arrives(lower, carried))
		return;
	find_in_group(&ties, lower->group);
	for (const struct tie *tie = ties.list; tie; tie = tie->next) {
		if (tie->ident)
			continue;
		struct ir_mem place = carried_place(lower, carried);
		uint32_t capacity = lower_string_capacity(lower);

		lower->strtok_string = ir_object(b, capacity, "strtok");
		ir_copy(b, lower->strtok_string, ir_mem_at(place, 8), capacity);
		lower->strtok_next = ir_const(b, 0);
		ir_move(b, lower->strtok_next, ir_load(b, place, 8, false));
	}
}
