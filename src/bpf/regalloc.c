/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which virtual register lives where.
 *
 * Every step has two positions: 2i, where it reads, and 2i + 1, where it has
 * written.  Liveness, computed backwards over the blocks until nothing
 * changes, gives each virtual register a list of ranges of positions.  Homes
 * are then given in order of worth (accesses per position covered): the first
 * machine register whose occupied positions do not meet the ranges, else the
 * first stack slot.
 *
 * 1. A virtual register has one home for all of its life: there is no
 *    splitting and no code on edges.
 * 2. R6-R9 survive calls.  R3-R5 are given only to registers that are not
 *    live where a clobbering step reads; one written by such a step is fine,
 *    because templates write their result last.
 * 3. A register that dies where another is born may share its home.
 */
#include "bpf/regalloc.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_REGISTER = 3, LAST_REGISTER = 9, FIRST_SAVED = 6 };

struct range {
	uint32_t start, end; /* positions, end included */
	struct range *next;
};

struct life {
	uint32_t reg;
	struct range *ranges;
	uint32_t accesses, length;
};

struct allocator {
	struct arena *arena;
	const struct flow *flow;
	uint32_t words;	    /* of a set of virtual registers */
	uint64_t *live_in;  /* sets, by block */
	struct life *lives; /* by virtual register */
	uint32_t position_words;
};

static bool set_has(const uint64_t *set, uint32_t n)
{
	return set[n / 64] >> (n % 64) & 1;
}

static void set_add(uint64_t *set, uint32_t n)
{
	set[n / 64] |= (uint64_t)1 << (n % 64);
}

static void set_remove(uint64_t *set, uint32_t n)
{
	set[n / 64] &= ~((uint64_t)1 << (n % 64));
}

/* The first member from `n` on; `end`: none. */
static uint32_t set_next(const uint64_t *set, uint32_t n, uint32_t end)
{
	while (n < end) {
		uint64_t rest = set[n / 64] >> (n % 64);

		if (rest)
			return n + (uint32_t)__builtin_ctzll(rest);
		n = (n / 64 + 1) * 64;
	}
	return end;
}

static uint64_t *live_in(const struct allocator *a, int32_t block)
{
	return a->live_in + (size_t)block * a->words;
}

static void live_out(const struct allocator *a, const struct flow_block *block,
		     uint64_t *set)
{
	memset(set, 0, a->words * sizeof(*set));
	for (unsigned i = 0; i < 2; i++)
		for (uint32_t w = 0; block->next[i] >= 0 && w < a->words; w++)
			set[w] |= live_in(a, block->next[i])[w];
}

/* Of word `w`: what is live where a step may jump to, and not written by it. */
static uint64_t live_beyond(const struct allocator *a,
			    const struct flow_step *step, uint32_t w)
{
	uint64_t beyond = live_in(a, step->exit)[w];

	for (unsigned i = 0; i < step->nexit_writes; i++)
		if (step->exit_writes[i] / 64 == w)
			beyond &= ~((uint64_t)1 << step->exit_writes[i] % 64);
	return beyond;
}

/* What is live before a step, given what is live after it. */
static void step_back(const struct allocator *a, const struct flow_step *step,
		      uint64_t *set)
{
	for (unsigned i = 0; i < step->nwrites; i++)
		set_remove(set, step->writes[i]);
	for (uint32_t w = 0; step->exit >= 0 && w < a->words; w++)
		set[w] |= live_beyond(a, step, w);
	for (unsigned i = 0; i < step->nreads; i++)
		set_add(set, step->reads[i]);
}

static void find_liveness(struct allocator *a)
{
	const struct flow *flow = a->flow;
	uint64_t *set = arena_array_of(a->arena, uint64_t, a->words);
	bool changed = true;

	while (changed) {
		changed = false;
		for (int32_t b = (int32_t)flow->nblocks - 1; b >= 0; b--) {
			const struct flow_block *block = &flow->blocks[b];

			live_out(a, block, set);
			for (uint32_t i = block->end; i-- > block->first;)
				step_back(a, &flow->steps[i], set);
			if (!memcmp(set, live_in(a, b),
				    a->words * sizeof(*set)))
				continue;
			memcpy(live_in(a, b), set, a->words * sizeof(*set));
			changed = true;
		}
	}
}

/* `reg` is live from `start` to `end`; blocks and steps come in any order. */
static void add_range(struct allocator *a, uint32_t reg, uint32_t start,
		      uint32_t end)
{
	struct life *life = &a->lives[reg];
	struct range *range = arena_new_of(a->arena, struct range);

	*range = (struct range){ start, end, life->ranges };
	life->ranges = range;
	life->length += end - start + 1;
}

/*
 * The ranges of one block, found backwards: those that are open at the current
 * step are in the set, and last[reg] is their last position.
 */
struct open_ranges {
	uint64_t *set;
	uint32_t *last;
};

static void open_range(struct open_ranges *open, uint32_t reg, uint32_t last)
{
	if (set_has(open->set, reg))
		return;
	set_add(open->set, reg);
	open->last[reg] = last;
}

static void step_ranges(struct allocator *a, uint32_t i,
			struct open_ranges *open)
{
	const struct flow_step *step = &a->flow->steps[i];

	for (unsigned n = 0; n < step->nwrites; n++) {
		uint32_t reg = step->writes[n];

		open_range(open, reg, 2 * i + 1);
		add_range(a, reg, 2 * i + 1, open->last[reg]);
		a->lives[reg].accesses++;
	}
	for (unsigned n = 0; n < step->nwrites; n++)
		set_remove(open->set, step->writes[n]);
	for (uint32_t w = 0; step->exit >= 0 && w < a->words; w++) {
		uint64_t born = live_beyond(a, step, w) & ~open->set[w];

		for (; born; born &= born - 1)
			open_range(open,
				   w * 64 + (uint32_t)__builtin_ctzll(born),
				   2 * i);
	}
	for (unsigned n = 0; n < step->nreads; n++) {
		open_range(open, step->reads[n], 2 * i);
		a->lives[step->reads[n]].accesses++;
	}
}

static void block_ranges(struct allocator *a, const struct flow_block *block,
			 struct open_ranges *open)
{
	uint32_t nregs = a->flow->nregs;
	uint32_t reg;

	live_out(a, block, open->set);
	for (reg = set_next(open->set, 0, nregs); reg < nregs;
	     reg = set_next(open->set, reg + 1, nregs))
		open->last[reg] = 2 * block->end - 1;
	for (uint32_t i = block->end; i-- > block->first;)
		step_ranges(a, i, open);
	for (reg = set_next(open->set, 0, nregs); reg < nregs;
	     reg = set_next(open->set, reg + 1, nregs))
		add_range(a, reg, 2 * block->first, open->last[reg]);
}

static void find_ranges(struct allocator *a)
{
	const struct flow *flow = a->flow;
	struct open_ranges open = {
		.set = arena_array_of(a->arena, uint64_t, a->words),
		.last = arena_array_of(a->arena, uint32_t, flow->nregs),
	};

	for (uint32_t b = 0; b < flow->nblocks; b++)
		block_ranges(a, &flow->blocks[b], &open);
}

static bool is_free(const uint64_t *taken, const struct life *life)
{
	for (const struct range *r = life->ranges; r; r = r->next)
		for (uint32_t p = r->start; p <= r->end;) {
			if (p % 64 == 0 && p + 63 <= r->end) {
				if (taken[p / 64])
					return false;
				p += 64;
				continue;
			}
			if (set_has(taken, p))
				return false;
			p++;
		}
	return true;
}

static void take(uint64_t *taken, const struct life *life)
{
	for (const struct range *r = life->ranges; r; r = r->next)
		for (uint32_t p = r->start; p <= r->end; p++)
			set_add(taken, p);
}

/* Most accesses per position first; the order must be deterministic. */
static int by_worth(const void *x, const void *y)
{
	const struct life *a = x, *b = y;

	if (!a->length != !b->length)
		return a->length ? -1 : 1;
	uint64_t wa = (uint64_t)a->accesses * b->length;
	uint64_t wb = (uint64_t)b->accesses * a->length;

	if (wa != wb)
		return wa > wb ? -1 : 1;
	return a->reg < b->reg ? -1 : a->reg > b->reg;
}

struct homes {
	uint64_t *taken[LAST_REGISTER + 1];
	uint64_t **slots;
	uint32_t nslots;
};

static uint64_t *new_positions(struct allocator *a)
{
	return arena_array_of(a->arena, uint64_t, a->position_words);
}

static struct home give_slot(struct allocator *a, struct homes *homes,
			     const struct life *life)
{
	for (uint32_t i = 0; i < homes->nslots; i++) {
		if (!is_free(homes->slots[i], life))
			continue;
		take(homes->slots[i], life);
		return (struct home){ HOME_SLOT, i };
	}
	homes->slots = arena_grown(a->arena, homes->slots, homes->nslots,
				   sizeof(*homes->slots));
	homes->slots[homes->nslots] = new_positions(a);
	take(homes->slots[homes->nslots], life);
	return (struct home){ HOME_SLOT, homes->nslots++ };
}

static struct home give(struct allocator *a, struct homes *homes,
			const struct life *life)
{
	for (uint32_t r = FIRST_REGISTER; r <= LAST_REGISTER; r++) {
		if (!is_free(homes->taken[r], life))
			continue;
		take(homes->taken[r], life);
		return (struct home){ HOME_REGISTER, r };
	}
	return give_slot(a, homes, life);
}

static void mark_clobbers(const struct allocator *a, struct homes *homes)
{
	for (uint32_t i = 0; i < a->flow->nsteps; i++)
		for (uint32_t r = FIRST_REGISTER;
		     a->flow->steps[i].clobbers && r < FIRST_SAVED; r++)
			set_add(homes->taken[r], 2 * i);
}

/*
 * Those with ranges first; how many.  A unit mentions few of the registers of a
 * program with many units, so the others are not sorted.
 */
static uint32_t keep_living(struct life *lives, uint32_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++)
		if (lives[i].ranges)
			lives[kept++] = lives[i];
	return kept;
}

struct allocation regalloc(struct arena *arena, const struct flow *flow)
{
	struct allocator a = {
		.arena = arena,
		.flow = flow,
		.words = flow->nregs / 64 + 1,
		.position_words = flow->nsteps * 2 / 64 + 1,
	};
	struct allocation result = {
		.homes = arena_array_of(arena, struct home, flow->nregs),
		.live_at_entry = arena_array_of(arena, bool, flow->nregs),
	};
	struct homes homes = { 0 };

	a.live_in = arena_array_of(arena, uint64_t,
				   checked_mul(a.words, flow->nblocks));
	a.lives = arena_array_of(arena, struct life, flow->nregs);
	for (uint32_t reg = 0; reg < flow->nregs; reg++)
		a.lives[reg].reg = reg;
	find_liveness(&a);
	find_ranges(&a);
	for (uint32_t reg = 0; reg < flow->nregs; reg++)
		result.live_at_entry[reg] = set_has(live_in(&a, 0), reg);

	for (uint32_t r = FIRST_REGISTER; r <= LAST_REGISTER; r++)
		homes.taken[r] = new_positions(&a);
	mark_clobbers(&a, &homes);

	uint32_t nlives = keep_living(a.lives, flow->nregs);

	qsort(a.lives, nlives, sizeof(*a.lives), by_worth);
	for (uint32_t i = 0; i < nlives; i++)
		result.homes[a.lives[i].reg] = give(&a, &homes, &a.lives[i]);
	result.nslots = homes.nslots;
	result.live_in = a.live_in;
	result.words = a.words;
	return result;
}
