/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pieces of long clauses.
 *
 * A clause that is too large for one program is cut between statements.  In the
 * list of its group it is replaced by pieces, a statement each, between which
 * the group may be split like between clauses (lower_split.c).  Pieces that end
 * up in one program are joined again before they are lowered, so a clause whose
 * pieces stay together is unchanged.
 *
 * 1. A program continues a clause only if the one before came to the end of its
 *    piece: not after a false predicate, a fault, or a full buffer.  One
 *    carried word says so.  Another holds the time at which the clause began:
 *    it is the timestamp of all pieces and of all their records.
 * 2. Each piece has a record and a layout of its own, if it records anything;
 *    the consumer makes one line of them.  So what pieces before a fault have
 *    recorded is shown: it was published by then.
 * 3. exit() does not end the clause that calls it: the rest of a clause does
 *    not check the phase.
 * 4. Clauses that speculate stay whole: their record is in another buffer.
 */

#include "ir/lower_internal.h"
#include "lang/internal.h" /* numbers of clauses */

enum { PIECES_FROM = 1000 }; /* instructions of a clause that is cut */

/*
 * What is carried: did the piece before run to its end, and when did it start?
 */
enum { WORD_LIVE = 0, WORD_TIME = 8 };

/* -------------------------------------------------------------- cutting */

static void count_node(void *data, const struct node *node)
{
	uint32_t *count = data;

	(void)node;
	(*count)++;
}

static uint32_t clause_nodes(const struct clause *clause)
{
	uint32_t count = 1;

	tree_visit(clause->predicate, count_node, &count);
	tree_visit(clause->statements, count_node, &count);
	return count;
}

static void look_for_speculate(void *data, const struct node *node)
{
	bool *found = data;

	if (call_has_flag(node, FUNCTION_SPECULATE))
		*found = true;
}

static uint32_t count_statements(const struct clause *clause)
{
	uint32_t count = 0;

	for (const struct node *node = clause->statements; node;
	     node = node->next)
		count++;
	return count;
}

static bool is_long(const struct clause *clause, uint64_t size, uint64_t nodes)
{
	bool speculates = false;

	if (!clause->statements || !clause->statements->next ||
	    size * clause_nodes(clause) / nodes < PIECES_FROM)
		return false;
	tree_visit(clause->statements, look_for_speculate, &speculates);
	return !speculates;
}

static struct node *copy_statement(struct arena *arena,
				   const struct node *statement)
{
	struct node *copy = arena_new_of(arena, struct node);

	*copy = *statement;
	copy->next = NULL;
	return copy;
}

static const struct clause **add_pieces(struct arena *arena,
					const struct clause *clause,
					const struct clause **to)
{
	uint32_t n = 0;

	for (const struct node *node = clause->statements; node;
	     node = node->next) {
		struct clause *piece = arena_new_of(arena, struct clause);

		*piece = *clause;
		piece->whole = clause;
		piece->skipped = n++;
		piece->is_cut = node->next != NULL;
		piece->predicate = piece->skipped ? NULL : clause->predicate;
		piece->statements = copy_statement(arena, node);
		*to++ = piece;
	}
	return to;
}

void lower_cut_clauses(struct lower_session *session, struct lower_group *group,
		       uint32_t size)
{
	uint64_t nodes = 0;
	uint32_t count = 0;

	if (group->is_continued || group->carry)
		return;
	for (uint32_t i = 0; i < group->nclauses; i++) {
		nodes += clause_nodes(group->clauses[i]);
		count += 1 + count_statements(group->clauses[i]);
	}
	const struct clause **pieces =
		arena_array_of(session->arena, const struct clause *, count);
	const struct clause **end = pieces;

	for (uint32_t i = 0; i < group->nclauses; i++) {
		if (is_long(group->clauses[i], size, nodes))
			end = add_pieces(session->arena, group->clauses[i],
					 end);
		else
			*end++ = group->clauses[i];
	}
	group->clauses = pieces;
	group->nclauses = (uint32_t)(end - pieces);
}

/* -------------------------------------------------------------- joining */

const struct clause *pieces_join(struct lower *lower, uint32_t *place)
{
	const struct lower_group *group = lower->group;
	const struct clause *first = group->clauses[(*place)++];
	struct arena *arena = lower->session->arena;

	if (!first->whole)
		return first;
	struct clause *joined = arena_new_of(arena, struct clause);
	struct node **tail;

	*joined = *first;
	joined->statements = copy_statement(arena, first->statements);
	tail = &joined->statements->next;
	while (*place < group->nclauses &&
	       group->clauses[*place]->whole == first->whole) {
		const struct clause *piece = group->clauses[(*place)++];

		*tail = copy_statement(arena, piece->statements);
		tail = &(*tail)->next;
		joined->is_cut = piece->is_cut;
	}
	if (!joined->skipped && !joined->is_cut)
		return first->whole;
	/* different statements: another record */
	joined->id = lower->session->language->nclauses++;
	return joined;
}

bool pieces_resume(const struct lower_group *group)
{
	return group->is_continued && group->clauses[0]->skipped;
}

/* ------------------------------------------------------------ resumption */

static struct ir_mem resumption_word(struct lower *lower, uint32_t word)
{
	return ir_mem_at(carried_place(lower, lower->group->carry->resumption),
			 word);
}

void pieces_start(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	const struct lower_group *group = lower->group;

	if (pieces_resume(group)) {
		lower->is_live = ir_load(b, resumption_word(lower, WORD_LIVE),
					 8, false);
		lower->began = ir_load(b, resumption_word(lower, WORD_TIME), 8,
				       false);
	}
	if (group->next_part && group->clauses[group->nclauses - 1]->is_cut)
		ir_store(b, resumption_word(lower, WORD_LIVE), ir_const(b, 0),
			 8);
}

void piece_begin(struct lower *lower, const struct clause *clause,
		 struct ir_block *next)
{
	struct ir_builder *b = &lower->b;

	if (clause->skipped) {
		struct ir_block *go = ir_block_new(b, "rest of clause");

		ir_branch(b, lower->is_live, go, next);
		ir_enter(b, go);
		lower->timestamp = lower->began;
	} else if (clause->is_cut) {
		lower->timestamp = ir_query(b, IR_QUERY_TIMESTAMP);
	}
}

void piece_end(struct lower *lower, const struct clause *clause)
{
	struct ir_builder *b = &lower->b;

	if (!clause->is_cut)
		return;
	ir_store(b, resumption_word(lower, WORD_LIVE), ir_const(b, 1), 8);
	ir_store(b, resumption_word(lower, WORD_TIME), lower->timestamp, 8);
}
