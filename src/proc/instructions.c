/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which bytes of a function start instructions.
 *
 * A breakpoint must never be put into data.  Compilers put no data between
 * instructions, assembler programmers do.  So a function is decoded twice: from
 * its start to its end, and by following its jumps.  Jump targets are code.
 * The rest is taken for code only if both agree on all of it, and there are
 * paths to it that cannot be seen: an indirect jump (a switch), or an unwinder
 * that catches exceptions.
 */
#include "proc/instructions.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"

enum { IN_LINE = 1, REACHED = 2 };

static bool mark_in_line(struct instructions *all)
{
	unsigned length;
	uint64_t at = 0;

	for (; at < all->size; at += length) {
		length = arch_instruction_length(all->code + at,
						 all->size - at);
		if (!length)
			return false;
		all->marks[at] = IN_LINE;
	}
	return true;
}

static bool reach(struct instructions *all, uint64_t at)
{
	if (at >= all->size || all->marks[at] & REACHED ||
	    !arch_instruction_length(all->code + at, all->size - at))
		return false;
	all->marks[at] |= REACHED;
	return true;
}

/* From one instruction on until there is nothing new; jumps wait in `todo`. */
static void follow(struct instructions *all, uint64_t at, uint64_t *todo,
		   size_t *ntodo)
{
	for (;;) {
		const uint8_t *code = all->code + at;
		size_t left = all->size - at;
		int64_t distance = 0;
		enum arch_flow flow = arch_flow(code, left, &distance);
		uint64_t target = at + (uint64_t)distance;

		if ((flow == GOES_BRANCH || flow == GOES_JUMP) &&
		    reach(all, target))
			todo[(*ntodo)++] = target;
		all->has_indirect |= flow == GOES_INDIRECT;
		if (flow != GOES_ON && flow != GOES_BRANCH)
			return;
		at += arch_instruction_length(code, left);
		if (!reach(all, at))
			return;
	}
}

static void mark_reached(struct instructions *all)
{
	/* each instruction waits once at most */
	uint64_t *todo = must_alloc(checked_mul(all->size, sizeof(*todo)));
	size_t ntodo = 0;

	if (reach(all, 0))
		todo[ntodo++] = 0;
	while (ntodo) {
		uint64_t at = todo[--ntodo];

		follow(all, at, todo, &ntodo);
	}
	free(todo);
}

static bool do_both_agree(const struct instructions *all)
{
	for (uint64_t at = 0; at < all->size; at++)
		if (all->marks[at] == REACHED)
			return false;
	return true;
}

void instructions_find(struct instructions *all, const uint8_t *code,
		       uint64_t size)
{
	*all = (struct instructions){
		.code = code,
		.size = size,
		.marks = must_alloc(size),
	};
	memset(all->marks, 0, size);
	bool is_decoded = mark_in_line(all);

	mark_reached(all);
	all->is_all_code = is_decoded && do_both_agree(all);
}

void instructions_free(struct instructions *all)
{
	free(all->marks);
	all->marks = NULL;
}

bool instructions_is_reached(const struct instructions *all, uint64_t at)
{
	return at < all->size && all->marks[at] & REACHED;
}

bool instructions_is_one(const struct instructions *all, uint64_t at,
			 bool has_hidden)
{
	return instructions_is_reached(all, at) ||
	       (at < all->size && all->marks[at] & IN_LINE &&
		all->is_all_code && (all->has_indirect || has_hidden));
}

uint64_t instructions_before(const struct instructions *all, uint64_t at)
{
	while (at && !all->marks[--at])
		;
	return at;
}
