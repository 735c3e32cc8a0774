/* SPDX-License-Identifier: Apache-2.0 */
/* Live registers: across jumps from the middle of blocks, around loops, and the work it takes to find them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ir/internal.h"

static struct ir_mem global(uint32_t n)
{
	return ir_mem_of(IR_GLOBAL, 8 * (int64_t)n);
}

static bool is_live(const struct ir_live *live, const struct ir_block *block,
		    ir_reg reg)
{
	const struct ir_live_registers *at = &live->at[block->number];

	for (uint32_t i = 0; i < at->count; i++)
		if (at->regs[i] == reg)
			return true;
	return false;
}

static struct ir_builder begin(struct arena *arena, struct ir_block **fault)
{
	struct ir_builder b = { .program = ir_new(arena) };

	*fault = ir_block_new(&b, "fault");
	b.fault = *fault;
	ir_enter(&b, ir_block_new(&b, "start"));
	return b;
}

/* A fault leaves the block before the register has its new value. */
static void test_middle_of_block(void **state)
{
	struct arena *arena = arena_new();
	struct ir_block *fault;
	struct ir_builder b = begin(arena, &fault);
	struct ir_block *middle = ir_block_new(&b, "middle");
	ir_reg before = ir_load(&b, global(0), 8, false);
	ir_reg after = ir_load(&b, global(1), 8, false);

	(void)state;
	ir_enter(&b, middle);
	ir_move(&b, after, ir_const(&b, 1));
	ir_fault_if(&b, ir_load(&b, global(2), 8, false), FAULT_DIVZERO, 0);
	ir_move(&b, before, ir_const(&b, 2));
	ir_store(&b, global(3), before, 8);
	ir_return(&b);
	ir_enter(&b, fault);
	ir_store(&b, global(4), before, 8);
	ir_store(&b, global(5), after, 8);
	ir_return(&b);
	ir_renumber(b.program);

	const struct ir_live *live = ir_find_live(b.program, arena);

	assert_true(is_live(live, fault, before));
	assert_true(is_live(live, fault, after));
	assert_true(is_live(live, middle, before));
	assert_false(is_live(live, middle, after));
	assert_int_equal(live->at[b.program->blocks->number].count, 0);
	arena_free(arena);
}

/* for (i = 0; i < 100; i++) sum += i, with registers of its own. */
static struct ir_block *add_loop(struct ir_builder *b, ir_reg sum,
				 ir_reg *counter)
{
	struct ir_block *body = ir_block_new(b, "body");
	struct ir_block *exit = ir_block_new(b, "exit");
	ir_reg i = ir_reg_new(b->program);

	ir_move(b, i, ir_const(b, 0));

	struct ir_block *header = ir_loop_begin(b);

	ir_branch(b, ir_binary_imm(b, IR_SLT, i, 100), body, exit);
	ir_enter(b, body);
	ir_move(b, sum, ir_binary(b, IR_ADD, sum, i));
	ir_move(b, i, ir_binary_imm(b, IR_ADD, i, 1));
	ir_loop_end(b, header, exit);
	if (counter)
		*counter = i;
	return header;
}

static void finish(struct ir_builder *b, struct ir_block *fault, ir_reg sum)
{
	ir_store(b, global(1), sum, 8);
	ir_return(b);
	ir_enter(b, fault);
	ir_return(b);
	ir_renumber(b->program);
}

static void test_loop(void **state)
{
	struct arena *arena = arena_new();
	struct ir_block *fault;
	struct ir_builder b = begin(arena, &fault);
	ir_reg sum = ir_load(&b, global(0), 8, false);
	ir_reg kept = ir_load(&b, global(2), 8, false), i;
	struct ir_block *header = add_loop(&b, sum, &i);

	(void)state;
	/* needed only where the limit of turns leaves the loop */
	ir_store(&b, global(1), sum, 8);
	ir_return(&b);
	ir_enter(&b, fault);
	ir_store(&b, global(3), kept, 8);
	ir_return(&b);
	ir_renumber(b.program);

	const struct ir_live *live = ir_find_live(b.program, arena);

	assert_true(is_live(live, header, sum));
	assert_true(is_live(live, header, i));
	assert_true(is_live(live, header, kept));
	assert_true(is_live(live, header->exit, sum));
	assert_false(is_live(live, header->exit, i));
	arena_free(arena);
}

static uint64_t work_of(uint32_t loops)
{
	struct arena *arena = arena_new();
	struct ir_block *fault;
	struct ir_builder b = begin(arena, &fault);
	ir_reg sum = ir_load(&b, global(0), 8, false);

	for (uint32_t i = 0; i < loops; i++)
		add_loop(&b, sum, NULL);
	finish(&b, fault, sum);

	uint64_t work = ir_find_live(b.program, arena)->work;

	arena_free(arena);
	return work;
}

/* Ten times the loops are ten times the work. */
static void test_work(void **state)
{
	(void)state;
	assert_in_range(work_of(1000), 1, 11 * work_of(100));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_middle_of_block),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
