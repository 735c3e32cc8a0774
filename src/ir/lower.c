/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program of a group of probes, from prologue to last clause.
 *
 *	prologue	right phase? which probe? this-> variables are 0
 *	clause 0	predicate -> next; claim; statements; publish -> next
 *	  fault		give the record back; report; ERROR clauses -> next
 *	clause 1	...
 *	done		return
 *
 * 1. A fault leaves its clause, never the program: the next clause runs.
 * 2. The record is claimed between predicate and first statement (or by
 *    speculate(): lower_claim.c), and published after the last.  If a clause
 *    turns out to record nothing, claim and publication are removed.
 * 3. ERROR's clauses are laid out after every clause that can fault, since
 *    control only goes forward.  They see the fault that was noted; a fault in
 *    one of them is counted, and execution continues with the next one.
 * 4. exit() changes the phase, so clauses after one that calls exit() check the
 *    phase again.  All clauses of END run.
 */

#include <stddef.h>
#include <string.h>

#include "ir/abi.h"
#include "ir/lower_internal.h"

enum { ERROR_PROBE_ID = 3, DEFAULT_LOOPLIMIT = 1000000 };

/* Arguments that ERROR's clauses read; arg3 is an offset that is not known. */
enum {
	ERROR_PROBE = 1, ERROR_STATEMENT, ERROR_OFFSET, ERROR_CODE,
	ERROR_VALUE,
};

/* --------------------------------------------------------------- prologue */

static void check_phase(struct lower *lower, struct ir_block *otherwise)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *go = ir_block_new(b, "right phase");
	ir_reg phase = ir_load(b,
			       ir_mem_of(IR_STATE,
					 offsetof(struct abi_state, phase)),
			       4, false);

	ir_branch(b, ir_binary_imm(b, IR_EQ, phase, lower->group->phase), go,
		  otherwise);
	ir_enter(b, go);
}

/*
 * A clock that fires faster than this machine can handle keeps the consumer,
 * and everything else that could end the run, from ever running.  So its
 * firings check the consumer's deadline themselves, and stop everything after
 * it.
 */
static void check_deadline(struct lower *lower, struct ir_block *otherwise)
{
	struct ir_builder *b = &lower->b;

	if (!lower->group->is_periodic)
		return;
	struct ir_block *alive = ir_block_new(b, "consumer alive");
	struct ir_block *dead = ir_block_new(b, "consumer dead");
	ir_reg deadline = ir_load(b,
				  ir_mem_of(IR_STATE, offsetof(struct abi_state,
							       deadline)),
				  8, false);

	ir_branch(b,
		  ir_binary(b, IR_UGT, ir_query(b, IR_QUERY_TIMESTAMP),
			    deadline),
		  dead, alive);
	ir_enter(b, dead);
	ir_store(b, ir_mem_of(IR_STATE, offsetof(struct abi_state, killed)),
		 ir_const(b, 1), 4);
	ir_store(b, ir_mem_of(IR_STATE, offsetof(struct abi_state, phase)),
		 ir_const(b, PHASE_STOPPED), 4);
	ir_goto(b, otherwise);
	ir_enter(b, alive);
}

/* -x cpu: BEGIN and END are run there, others may be anywhere. */
static void check_cpu(struct lower *lower, struct ir_block *otherwise)
{
	const struct lower_session *session = lower->session;
	struct ir_builder *b = &lower->b;

	if (!session->has_cpu || lower->group->phase != PHASE_ACTIVE)
		return;
	struct ir_block *go = ir_block_new(b, "right CPU");

	ir_branch(b,
		  ir_binary_imm(b, IR_EQ, ir_query(b, IR_QUERY_CPU),
				session->cpu),
		  go, otherwise);
	ir_enter(b, go);
}

static ir_reg load_probe_id(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	const struct lower_group *group = lower->group;

	if (group->nprobes == 1)
		return ir_const(b, group->probes[0].id);

	uint32_t *ids = arena_array_of(lower->session->arena, uint32_t,
				       group->nprobes);

	for (uint32_t i = 0; i < group->nprobes; i++)
		ids[i] = group->probes[i].id;

	struct ir_mem mem = ir_rodata(b->program, ids,
				      group->nprobes * sizeof(*ids), 8);

	mem.base = ir_binary_imm(b, IR_MUL, lower->probe_index, sizeof(*ids));
	mem.bound = (group->nprobes - 1) * (uint32_t)sizeof(*ids) + 1;
	return ir_load(b, mem, sizeof(*ids), false);
}

static void lower_prologue(struct lower *lower, struct ir_block *none)
{
	struct ir_builder *b = &lower->b;
	const struct lower_group *group = lower->group;

	ir_enter(b, ir_block_new(b, "prologue"));
	b->fault = none;
	if (!pieces_resume(group))
		check_phase(lower, none);
	check_cpu(lower, none);
	check_deadline(lower, none);
	lower->probe_index = group->select && group->nprobes
				     ? group->select(lower)
				     : ir_const(b, 0);
	lower->probe_id = load_probe_id(lower);
	lower_this_variables(lower);
	carry_load_strtok(lower);
	pieces_start(lower);
	turns_start(lower);
	lower_scratch_start(lower);
}

/* ------------------------------------------------------------- statements */

bool lower_branch(struct lower *lower, const struct node *list)
{
	struct lower_cache cache = lower_cache_save(lower);
	uint32_t guard = lower->guard;

	lower->guard = GUARD_WANTED;

	bool good = lower_statements(lower, list, false);

	lower->guard = guard;
	lower_cache_restore(lower, &cache);
	return good;
}

static bool lower_if(struct lower *lower, const struct node *node)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *yes = ir_block_new(b, "then"),
			*no = ir_block_new(b, "else"),
			*join = ir_block_new(b, "join"), *end = NULL;

	if (!lower_condition(lower, node->ternary.condition, yes, no))
		return false;

	struct claims_state before = claims_state(lower);

	ir_enter(b, yes);
	if (!lower_branch(lower, node->ternary.then))
		return false;
	if (!ir_is_closed(b)) {
		ir_goto(b, join);
		end = b->block;
	}

	struct claims_state after = claims_state(lower);

	claims_set_state(lower, before);
	ir_enter(b, no);
	if (!lower_branch(lower, node->ternary.otherwise))
		return false;
	if (ir_is_closed(b))
		claims_set_state(lower, after);
	else if (end)
		claims_join(lower, end, after);
	ir_enter(b, join);
	return true;
}

static bool lower_statement(struct lower *lower, const struct node *node)
{
	struct value ignored = { 0 };

	lower_before_statement(lower, node);
	switch (node->kind) {
	case NODE_IF:
		return lower_if(lower, node);
	case NODE_LOOP:
		return lower_loop(lower, node);
	case NODE_BREAK:
	case NODE_CONTINUE:
		lower_jump(lower, node);
		return true;
	case NODE_RETURN:
		return lower_return(lower, node);
	case NODE_BLOCK:
		return lower_statements(lower, node->block.statements, false);
	case NODE_DECLARE:
		lower_local_storage(lower, node->declare.ident);
		lower_declaration(lower, node);
		if (!node->declare.assignment)
			return true;
		lower->statement = node->declare.assignment;
		return lower_expression(lower, node->declare.assignment,
					&ignored);
	case NODE_CALL:
		return lower_action(lower, node);
	default:
		return lower_expression(lower, node, &ignored);
	}
}

/* Nothing comes after these in their list. */
static bool is_jump(const struct node *node)
{
	return node->kind == NODE_BREAK || node->kind == NODE_CONTINUE ||
	       node->kind == NODE_RETURN;
}

bool lower_statements(struct lower *lower, const struct node *list, bool is_top)
{
	for (const struct node *node = list; node; node = node->next) {
		if (is_top)
			lower->b.statement++;
		lower->b.place = node->place;
		if (lower->expansion && !lower->expansion->is_hidden)
			lower->b.in_function = node->place;
		lower->statement = node;
		if (!lower_statement(lower, node))
			return false;
		if (is_jump(node))
			break;
		/* some paths end here: what follows is not in all records */
		if (tree_leaves(node))
			lower->guard = GUARD_WANTED;
	}
	return true;
}

/* ----------------------------------------------------------------- clauses */

bool is_targeted(const struct ir_block *first, const struct ir_block *goal)
{
	for (const struct ir_block *block = first; block; block = block->next) {
		if (block->is_header && block->limited->target == goal)
			return true;
		for (const struct ir_insn *insn = block->first; insn;
		     insn = insn->next)
			if (insn->target == goal || insn->otherwise == goal)
				return true;
	}
	return false;
}

/* One reading of the time, before anything that may be skipped. */
static void read_timestamp(struct lower *lower, const struct node *list)
{
	unsigned clocks = lower->timestamp && lower->walltime
				  ? 0
				  : tree_clocks(list);

	if (!lower->timestamp && (clocks & CLOCK_TIME))
		lower->timestamp = ir_query(&lower->b, IR_QUERY_TIMESTAMP);
	if (!lower->walltime && (clocks & CLOCK_WALLTIME))
		lower->walltime = ir_query(&lower->b, IR_QUERY_WALLTIME);
}

static bool lower_predicate(struct lower *lower, const struct clause *clause,
			    struct ir_block *next)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *body = ir_block_new(b, "body");

	if (!clause->predicate)
		return true;
	b->statement = 0;
	b->place = clause->predicate->place;
	read_timestamp(lower, clause->predicate);
	if (!lower_condition(lower, clause->predicate, body, next))
		return false;
	ir_enter(b, body);
	return true;
}

static void count_error_drop(struct lower *lower)
{
	struct ir_builder *b = &lower->b;

	ir_atomic_add(b,
		      ir_mem_of(IR_STATE,
				offsetof(struct abi_state, error_drops)),
		      ir_const(b, 1), 8);
}

static bool lower_error_clauses(struct lower *lower,
				const struct clause *faulted,
				struct ir_block *next);

/* What a fault of the clause does: both kinds of clause end here. */
static bool lower_fault(struct lower *lower, const struct clause *clause,
			struct ir_block *next)
{
	struct ir_builder *b = &lower->b;

	if (lower->in_error_clause) {
		count_error_drop(lower);
		ir_goto(b, next);
		return true;
	}

	struct ir_insn *report = ir_emit(b, IR_FAULT_RECORD);

	report->a = lower->probe_id;
	report->imm2 = clause->whole ? clause->whole->id : clause->id;
	return lower_error_clauses(lower, clause, next);
}

static bool lower_clause(struct lower *lower, const struct clause *clause,
			 struct ir_block *next)
{
	struct ir_builder *b = &lower->b;
	const struct ir_block *first = b->block;
	struct ir_block *fault = ir_block_new(b, "fault");
	struct ir_block *body_fault = ir_block_new(b, "fault in body");

	lower->clause = clause;
	lower->timestamp = 0;
	lower->walltime = 0;
	b->clause = clause->id;
	b->statement = 0;
	b->place = clause->place;
	b->fault = fault;
	lower->guard = 0;
	lower_scratch_reset(lower);
	piece_begin(lower, clause, next);
	/* a function in the predicate has no record to care for */
	lower->claims = (struct claims){ .next = next, .fault = fault };
	if (!lower_predicate(lower, clause, next))
		return false;
	read_timestamp(lower, clause->statements);

	claims_begin(lower, next, fault, body_fault);
	b->statement = clause->skipped;
	if (!lower_statements(lower, clause->statements, true))
		return false;
	b->place = clause->place;
	claims_close(lower);
	piece_end(lower, clause);
	ir_goto(b, next);

	/* Not built when nothing can fault. */
	b->fault = next;
	for (struct record *record = lower->claims.first; record;
	     record = record->next)
		if (record->fault && is_targeted(first, record->fault)) {
			ir_enter(b, record->fault);
			claims_drop(lower, record);
			ir_goto(b, fault);
		}
	claims_settle(lower);
	if (!is_targeted(first, fault))
		return true;
	ir_enter(b, fault);
	return lower_fault(lower, clause, next);
}

/* ------------------------------------------------------------------ ERROR */

/* Which statement of the clause the noted fault was in: by site. */
static ir_reg load_statement(struct lower *lower, const struct clause *clause)
{
	struct ir_builder *b = &lower->b;
	const struct ir_program *program = b->program;
	uint32_t first = program->nsites;

	/* its sites are the last ones */
	while (first && program->sites[first - 1].clause == clause->id)
		first--;

	uint32_t count = program->nsites - first;
	uint32_t *statements = arena_array_of(lower->session->arena, uint32_t,
					      count + 1);

	for (uint32_t i = 0; i < count; i++)
		statements[i] = program->sites[first + i].statement;

	struct ir_mem mem = ir_rodata(b->program, statements,
				      (count + 1) * sizeof(*statements), 8);
	ir_reg index = ir_binary_imm(b, IR_SUB,
				     ir_query(b, IR_QUERY_FAULT_SITE), first);

	mem.base = ir_binary_imm(b, IR_MUL, index, sizeof(*statements));
	mem.bound = count * (uint32_t)sizeof(*statements) + 1;
	return ir_load(b, mem, sizeof(*statements), false);
}

static void read_error_arguments(struct lower *lower,
				 const struct clause *faulted,
				 ir_reg *arguments)
{
	struct ir_builder *b = &lower->b;

	memset(arguments, 0, sizeof(lower->arguments));
	arguments[0] = ir_const(b, 0);
	arguments[ERROR_PROBE] = lower->probe_id;
	arguments[ERROR_STATEMENT] = load_statement(lower, faulted);
	arguments[ERROR_OFFSET] = ir_const(b, -1);
	arguments[ERROR_CODE] = ir_query(b, IR_QUERY_FAULT_CODE);
	arguments[ERROR_VALUE] = ir_query(b, IR_QUERY_FAULT_VALUE);
}

static bool lower_error_clauses(struct lower *lower,
				const struct clause *faulted,
				struct ir_block *next)
{
	const struct lower_group *group = lower->group;
	struct ir_builder *b = &lower->b;
	ir_reg arguments[sizeof(lower->arguments) / sizeof(ir_reg)];
	ir_reg probe_id = lower->probe_id;
	bool good = true;

	if (!group->nerror_clauses) {
		ir_goto(b, next);
		return true;
	}
	read_error_arguments(lower, faulted, arguments);

	struct turns_aside aside = turns_begin_error(lower);
	struct ir_block *leave = ir_block_new(b, "after ERROR");

	lower->in_error_clause = true;
	lower->probe_id = ir_const(b, ERROR_PROBE_ID);
	for (uint32_t i = 0; i < group->nerror_clauses && good; i++) {
		bool is_last = i + 1 == group->nerror_clauses;
		struct ir_block *last = aside.done ? leave : next;
		struct ir_block *after =
			is_last ? last : ir_block_new(b, "next ERROR clause");

		memcpy(lower->arguments, arguments, sizeof(arguments));
		good = lower_clause(lower, group->error_clauses[i], after);
		if (!is_last)
			ir_enter(b, after);
	}
	if (aside.done) {
		ir_enter(b, leave);
		turns_end_error(lower, &aside);
		ir_goto(b, next);
	}
	lower->in_error_clause = false;
	lower->probe_id = probe_id;
	lower->clause = faulted;
	return good;
}

/* ------------------------------------------------------------------ group */

static bool lower_clauses(struct lower *lower, struct ir_block *done)
{
	const struct lower_group *group = lower->group;
	struct ir_builder *b = &lower->b;

	/* the clause that continues may have called exit() before */
	lower->has_exit = pieces_resume(group);
	for (uint32_t i = 0; i < group->nclauses;) {
		lower->place = i;

		const struct clause *clause = pieces_join(lower, &i);
		bool is_last = i == group->nclauses;
		struct ir_block *next = is_last ? done
						: ir_block_new(b,
							       "next clause");

		if (lower->has_exit && group->phase != PHASE_END &&
		    !clause->skipped)
			check_phase(lower, done);
		memset(lower->arguments, 0, sizeof(lower->arguments));
		if (!lower_clause(lower, clause, next))
			return false;
		if (!is_last)
			ir_enter(b, next);
	}
	return true;
}

struct ir_program *lower_group(struct lower_session *session,
			       const struct lower_group *group)
{
	struct lower lower = {
		.session = session, .group = group,
		.types = language_types(session->language),
		.b = { .program = ir_new(session->arena) },
	};
	struct ir_program *program = lower.b.program;
	uint32_t looplimit = session->looplimit ? session->looplimit
						: DEFAULT_LOOPLIMIT;
	struct ir_block *done = ir_block_new(&lower.b, "done");
	/*
	 * a firing that does not count here must not count in the next program
	 */
	struct ir_block *none = group->next_part
					? ir_block_new(&lower.b, "none")
					: done;

	session->error = NULL;
	program->skip_frames = group->skip_frames;
	program->marks_function = group->marks_function;
	lower.first_epid = session->nepids + 1;
	session->nepids += group->nprobes * group->nclauses;
	if (!group->nprobes) {
		lower_fail(&lower, NULL, "no probe to compile a program for");
		return NULL;
	}
	lower_prologue(&lower, none);
	/* a provider's hook can fail only by reporting an error */
	if (!lower_clauses(&lower, done) || session->error)
		return NULL;
	ir_enter(&lower.b, done);
	carry_store(&lower);
	if (group->next_part) {
		ir_emit(&lower.b, IR_CONTINUE)->imm = group->next_part;
		ir_enter(&lower.b, none);
	}
	ir_return(&lower.b);
	program->aggregations = session->aggregations;
	program->naggregations = session->naggregations;
	program->arrays = session->arrays;
	program->narrays = session->narrays;
	if (!session->without_passes)
		ir_unroll(program, looplimit);
	/* BEGIN and END stop nobody else's work. */
	ir_outline(program, looplimit, group->phase == PHASE_ACTIVE);
	if (!session->without_passes)
		ir_optimize(program);
	return program;
}
