/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups that are too large for one program.
 *
 * Programs stay below PART_INSNS instructions where clauses allow it, because
 * the cost of verification grows faster than their size; and what the verifier
 * finds too complex is tried again in smaller pieces.  A group is cut between
 * two of its clauses, or, if one alone is too large for a program, between two
 * of its statements (ir/lower_split.c says where).  The second piece becomes a
 * group of its own after all others.  It is not attached: the first piece calls
 * it when it is done.
 *
 * The pieces of a group find each other in a table that belongs to the first
 * one, its head, by numbers that are assigned once: piece 0 is the head.
 *
 * The number of pieces is limited by how many calls the kernel follows.  Each
 * piece knows how many it may become, and divides that in proportion when it is
 * cut.  So a group that is too large for pieces of PART_INSNS ends up in larger
 * pieces of equal size, not in small ones and a large rest.
 */
#include <errno.h>
#include <string.h>

#include "run/internal.h"

enum {
	PART_INSNS = 4000,
	CARRY_INSNS = 1000,	/* from here on a split is possible */
	CUT_INSNS = 2000,	/* and so is one inside a clause */
	WHOLE_INSNS = 8000,	/* a clause stays whole up to here */
	NO_PROGRAM_INSNS = 32767, /* count for what is too large for one */
	MOST_PARTS = 33,	/* the kernel follows no more calls */
};

static struct group *head_of(struct session *session, const struct group *group)
{
	return &session->groups[group->head];
}

static bool lower_again(struct session *session, struct group *group)
{
	group->ir = lower_group(&session->lowering, &group->probes.lower);
	return group->ir != NULL;
}

/* How many pieces the group may become, and how many it should. */
static uint32_t pieces_left(const struct group *group)
{
	return group->most_pieces ? group->most_pieces : MOST_PARTS;
}

static uint32_t ir_count(const struct ir_program *program)
{
	uint32_t count = 0;

	for (const struct ir_block *block = program->blocks; block;
	     block = block->next)
		for (const struct ir_insn *insn = block->first; insn;
		     insn = insn->next)
			count++;
	return count;
}

/* Without code, it is at least as long as its IR. */
static uint32_t pieces_wanted(const struct group *group)
{
	uint32_t count = group->code ? group->code->count : ir_count(group->ir);
	uint32_t wanted = (count + PART_INSNS - 1) / PART_INSNS;
	uint32_t most = pieces_left(group);

	return wanted < 2 ? 2 : wanted > most ? most : wanted;
}

bool session_split(struct session *session, uint32_t index,
		   enum split_reason reason)
{
	struct group *group = &session->groups[index];
	uint32_t most = pieces_left(group), wanted = pieces_wanted(group);
	uint32_t first = wanted / 2, nclauses = group->probes.lower.nclauses;

	/* groups are referred to by index while tracing: none may move */
	if (most < 2 || nclauses < 2 || session->is_tracing)
		return false;
	uint32_t n = lower_split(&session->lowering, &group->probes.lower,
				 (uint32_t)((uint64_t)nclauses * first /
					    wanted),
				 reason == SPLIT_MUST);
	uint32_t part = head_of(session, group)->nparts + 1;

	if (!n)
		return false;
	if (session->ngroups == session->groups_capacity)
		session->groups =
			must_realloc(session->groups,
				     checked_mul(++session->groups_capacity,
						 sizeof(struct group)));
	group = &session->groups[index];
	head_of(session, group)->nparts = part;
	/* Programs that may sleep cannot continue in others. */
	group->probes.kind.is_sleepable = false;

	struct group *rest = &session->groups[session->ngroups++];

	*rest = *group;
	group->most_pieces = most * first / wanted;
	rest->most_pieces = most - group->most_pieces;
	rest->part = part;
	rest->nparts = 0;
	rest->parts_fd = -1;
	rest->code = NULL;
	rest->probes.lower.is_continued = true;
	rest->probes.lower.clauses += n;
	rest->probes.lower.nclauses -= n;
	group->probes.lower.nclauses = n;
	group->probes.lower.next_part = part;
	return lower_again(session, group) && lower_again(session, rest);
}

void session_expect_split(struct session *session, struct group *group)
{
	uint32_t count = group->code ? group->code->count : NO_PROGRAM_INSNS;
	bool is_small = count < CARRY_INSNS;

	/* places are assigned when maps are created, and never later */
	if (is_small || session->has_maps)
		return;
	if (count > CUT_INSNS)
		lower_cut_clauses(&session->lowering, &group->probes.lower,
				  count);
	lower_carry(&session->lowering, &group->probes.lower,
		    bpf_possible_cpus(), group->probes.kind.overlaps);
	session->sizes.globals_size = session->lowering.globals_size;
	session->sizes.self_size = session->lowering.self_size;
}

bool session_should_split(const struct group *group)
{
	return group->code ? group->code->count > PART_INSNS
			   : ir_count(group->ir) > PART_INSNS;
}

/* More would load on most kernels; 6.1 fails to verify some of it. */
bool session_must_split(const struct group *group)
{
	return (group->code ? group->code->count : ir_count(group->ir)) >
	       WHOLE_INSNS;
}

int session_fail_large(struct session *session, uint32_t index,
		       const struct bpf_problem *problem)
{
	const struct group *group = &session->groups[index];
	const char *advice = "use fewer clauses";

	if (!problem->is_too_large)
		return session_fail(session, -EINVAL, "%s", problem->text);
	if (group->probes.lower.nclauses == 1)
		advice =
			group->probes.lower.clauses[0]->whole
				? "make several of this one statement"
				: "move some of its statements to another clause of the same probe";
	else if (pieces_left(group) > 1)
		advice =
			"what is too much uses the same memory of alloca() or copyin() and cannot be separated: use fewer statements";
	else
		return session_fail(
			session, -E2BIG,
			"%s; the clauses of the probe are %d programs already, and the kernel does not let more follow one another: %s",
			problem->text, MOST_PARTS, advice);
	return session_fail(session, -E2BIG, "%s: %s", problem->text, advice);
}

/* Before it is loaded: where to find its next piece. */
int session_link_parts(struct session *session, struct group *group)
{
	struct group *head = head_of(session, group);

	if (!head->nparts)
		return 0;
	if (head->parts_fd < 0)
		head->parts_fd = bpf_parts_create(MOST_PARTS);
	group->code->parts_fd = head->parts_fd;
	return head->parts_fd < 0 ? head->parts_fd : 0;
}

/* After it was loaded: where the previous piece finds it. */
int session_publish_part(struct session *session, struct group *group)
{
	if (!group->part)
		return 0;
	return bpf_parts_set(head_of(session, group)->parts_fd, group->part,
			     group->probes.program);
}
