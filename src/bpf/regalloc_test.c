/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Register allocation on hand-made and random flows: no two values that are
 * alive at the same time share a home, and nothing that lives across a call is
 * in a register that calls destroy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/regalloc.h"

enum { STEPS = 400, REGS = 60, BLOCKS = 20 };

static struct flow_step step(uint32_t writes, uint32_t read1, uint32_t read2,
			     bool clobbers)
{
	struct flow_step s = { .exit = FLOW_NOWHERE, .clobbers = clobbers };

	if (writes)
		s.writes[s.nwrites++] = writes;
	if (read1)
		s.reads[s.nreads++] = read1;
	if (read2)
		s.reads[s.nreads++] = read2;
	return s;
}

static void test_straight(void **state)
{
	struct flow_step steps[] = {
		step(1, 0, 0, false), step(2, 0, 0, false),
		step(3, 1, 2, false),	/* 1 and 2 die, 3 is born */
		step(4, 0, 0, true),	/* 3 lives across a call */
		step(0, 3, 4, false),
	};
	struct flow_block block = { 0, 5, { FLOW_NOWHERE, FLOW_NOWHERE } };
	struct flow flow = { steps, 5, &block, 1, 6 };
	struct arena *arena = arena_new();
	struct allocation a = regalloc(arena, &flow);

	(void)state;
	for (unsigned reg = 1; reg <= 4; reg++)
		assert_int_equal(a.homes[reg].kind, HOME_REGISTER);
	assert_true(a.homes[1].number != a.homes[2].number);
	assert_true(a.homes[3].number >= 6);
	assert_true(a.homes[3].number != a.homes[4].number);
	assert_int_equal(a.homes[5].kind, HOME_NONE);
	assert_int_equal(a.nslots, 0);
	arena_free(arena);
}

/* A value that is only read beyond an exit from the middle of a block. */
static void test_exit(void **state)
{
	struct flow_step steps[] = {
		step(1, 0, 0, false),
		step(2, 0, 0, true),
		step(0, 2, 0, false),
		step(0, 1, 0, false),	/* the exit's block */
		step(3, 0, 0, false),
	};
	struct flow_block blocks[] = {
		{ 0, 3, { 2, FLOW_NOWHERE } },
		{ 3, 4, { FLOW_NOWHERE, FLOW_NOWHERE } },
		{ 4, 5, { FLOW_NOWHERE, FLOW_NOWHERE } },
	};
	struct flow flow = { steps, 5, blocks, 3, 4 };
	struct arena *arena = arena_new();

	(void)state;
	steps[2].exit = 1;
	struct allocation a = regalloc(arena, &flow);

	assert_true(a.homes[1].kind == HOME_SLOT || a.homes[1].number >= 6);
	assert_true(a.homes[1].kind != a.homes[2].kind ||
		    a.homes[1].number != a.homes[2].number);
	arena_free(arena);
}

static void test_undefined_at_entry(void **state)
{
	struct flow_step steps[] = {
		step(2, 1, 0, false), step(0, 2, 0, false),
	};
	struct flow_block block = { 0, 2, { FLOW_NOWHERE, FLOW_NOWHERE } };
	struct flow flow = { steps, 2, &block, 1, 3 };
	struct arena *arena = arena_new();
	struct allocation a = regalloc(arena, &flow);

	(void)state;
	assert_true(a.live_at_entry[1]);
	assert_false(a.live_at_entry[2]);
	arena_free(arena);
}

/*
 * Run a flow: homes hold the number of the value written last.  A read that
 * finds another value is a broken allocation.  Branches are taken at random.
 */
struct machine {
	uint32_t registers[10], slots[REGS];
};

static uint32_t *cell(struct machine *m, struct home home)
{
	return home.kind == HOME_REGISTER ? &m->registers[home.number]
					  : &m->slots[home.number];
}

static void check_read(struct machine *m, const struct allocation *a,
		       const bool *written, uint32_t reg)
{
	if (written[reg])
		assert_int_equal(*cell(m, a->homes[reg]), reg);
}

static void run_flow(const struct flow *flow, const struct allocation *a)
{
	struct machine m;
	bool written[REGS] = { false };
	int32_t block = 0;

	memset(&m, 0xff, sizeof(m));
	while (block >= 0) {
		const struct flow_block *b = &flow->blocks[block];
		int32_t next = b->next[random() % 2];

		if (next < 0)
			next = b->next[0] >= 0 ? b->next[0] : b->next[1];
		for (uint32_t i = b->first; i < b->end; i++) {
			const struct flow_step *s = &flow->steps[i];

			for (unsigned n = 0; s->clobbers && n <= 5; n++)
				m.registers[n] = UINT32_MAX;
			for (unsigned n = 0; n < s->nreads; n++)
				check_read(&m, a, written, s->reads[n]);
			if (s->exit >= 0 && random() % 4 == 0) {
				next = s->exit;
				break;
			}
			for (unsigned n = 0; n < s->nwrites; n++) {
				*cell(&m,
				      a->homes[s->writes[n]]) = s->writes[n];
				written[s->writes[n]] = true;
			}
		}
		block = next;
	}
}

static int32_t later_block(uint32_t from)
{
	return from + 1 < BLOCKS
		       ? (int32_t)(from + 1 +
				   (uint32_t)random() % (BLOCKS - from - 1))
		       : FLOW_NOWHERE;
}

static void test_random(void **state)
{
	(void)state;
	srandom(1);
	for (unsigned round = 0; round < 60; round++) {
		struct arena *arena = arena_new();
		struct flow_step *steps =
			arena_array_of(arena, struct flow_step, STEPS);
		struct flow_block blocks[BLOCKS];
		struct flow flow = { steps, STEPS, blocks, BLOCKS, REGS };

		for (uint32_t i = 0; i < STEPS; i++)
			steps[i] = step(1 + (uint32_t)random() % (REGS - 1),
					1 + (uint32_t)random() % (REGS - 1),
					1 + (uint32_t)random() % (REGS - 1),
					random() % 4 == 0);
		for (uint32_t i = 0; i < BLOCKS; i++) {
			blocks[i].first = i * (STEPS / BLOCKS);
			blocks[i].end = (i + 1) * (STEPS / BLOCKS);
			blocks[i].next[0] = later_block(i);
			blocks[i].next[1] = later_block(i);
			steps[blocks[i].first + 3].exit = later_block(i);
		}
		struct allocation a = regalloc(arena, &flow);

		for (unsigned run = 0; run < 50; run++)
			run_flow(&flow, &a);
		arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_straight),
		cmocka_unit_test(test_exit),
		cmocka_unit_test(test_undefined_at_entry),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
