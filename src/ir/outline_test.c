/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops before and after they became routines, or were written out, do the same:
 * what they leave in globals, and how they fault.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "ir/ir.h"

enum { GLOBALS = 64, LIMIT = 1000 };

struct result {
	uint64_t globals[GLOBALS / 8];
	enum fault fault;
	uint64_t value;
	uint32_t nfaults;
};

static struct ir_mem global(uint32_t n)
{
	return ir_mem_of(IR_GLOBAL, 8 * (int64_t)n);
}

static struct result run(const struct ir_program *program)
{
	struct result result = { 0 };
	struct ir_world world = {
		.globals = (uint8_t *)result.globals,
		.globals_size = sizeof(result.globals),
	};

	assert_int_equal(ir_run(program, &world), 0);
	result.fault = world.fault;
	result.value = world.fault_value;
	result.nfaults = world.nfaults;
	return result;
}

static void verify(const struct ir_program *program)
{
	const char *wrong = ir_verify(program);

	if (wrong) {
		struct text text = { 0 };

		ir_print(program, &text);
		print_message("%s\n%s\n", wrong, text_str(&text));
	}
	assert_null(wrong);
}

/* A program; `fault` is laid out at its end. */
struct bench {
	struct arena *arena;
	struct ir_builder b;
	struct ir_block *fault, *done;
};

static struct bench start(void)
{
	struct bench bench = { .arena = arena_new() };
	struct ir_builder *b = &bench.b;

	b->program = ir_new(bench.arena);
	ir_enter(b, ir_block_new(b, "start"));
	bench.fault = ir_block_new(b, "fault");
	bench.done = ir_block_new(b, "done");
	b->fault = bench.fault;
	return bench;
}

static void finish(struct bench *bench)
{
	struct ir_builder *b = &bench->b;

	ir_goto(b, bench->done);
	ir_enter(b, bench->fault);
	ir_store(b, global(7), ir_query(b, IR_QUERY_FAULT_CODE), 8);
	ir_goto(b, bench->done);
	ir_enter(b, bench->done);
	ir_return(b);
	ir_renumber(b->program);
}

static void compare(struct bench *bench, bool has_deadline)
{
	struct ir_program *program = bench->b.program;

	verify(program);

	struct result before = run(program);

	ir_outline(program, LIMIT, has_deadline);
	verify(program);

	struct result outlined = run(program);

	assert_memory_equal(&before, &outlined, sizeof(before));
	ir_optimize(program);
	verify(program);

	struct result optimized = run(program);

	assert_memory_equal(&before, &optimized, sizeof(before));
}

/* for (i = 0; i < count; i++) with i in a register that `body` gets. */
static void count_to(struct bench *bench, int64_t count,
		     void (*body)(struct bench *bench, ir_reg i,
				  struct ir_block *exit))
{
	struct ir_builder *b = &bench->b;
	ir_reg i = ir_reg_new(b->program);

	ir_move(b, i, ir_const(b, 0));

	struct ir_block *header = ir_loop_begin(b);
	struct ir_block *turn = ir_block_new(b, "turn");
	struct ir_block *exit = ir_block_new(b, "exit");

	ir_branch(b, ir_binary_imm(b, IR_SLT, i, count), turn, exit);
	ir_enter(b, turn);
	body(bench, i, exit);
	ir_move(b, i, ir_binary_imm(b, IR_ADD, i, 1));
	ir_loop_end(b, header, exit);
	ir_store(b, global(6), i, 8);
}

static void add_to(struct ir_builder *b, uint32_t n, ir_reg x)
{
	ir_store(b, global(n),
		 ir_binary(b, IR_ADD, ir_load(b, global(n), 8, false), x), 8);
}

static void sum(struct bench *bench, ir_reg i, struct ir_block *exit)
{
	(void)exit;
	add_to(&bench->b, 0, i);
}

static void sum_twice(struct bench *bench, ir_reg i, struct ir_block *exit)
{
	(void)exit;
	add_to(&bench->b, 1, i);
	count_to(bench, 5, sum);
	/* needed after the inner loop: has a home, too */
	add_to(&bench->b, 2, i);
}

static void sum_thrice(struct bench *bench, ir_reg i, struct ir_block *exit)
{
	count_to(bench, 3, sum_twice);
	count_to(bench, 4, sum);
	sum(bench, i, exit);
}

static void break_at_7(struct bench *bench, ir_reg i, struct ir_block *exit)
{
	struct ir_builder *b = &bench->b;
	struct ir_block *on = ir_block_new(b, "on");

	ir_branch(b, ir_binary_imm(b, IR_EQ, i, 7), exit, on);
	ir_enter(b, on);
	sum(bench, i, exit);
}

static void fault_at_7(struct bench *bench, ir_reg i, struct ir_block *exit)
{
	struct ir_builder *b = &bench->b;

	ir_fault_if(b, ir_binary_imm(b, IR_EQ, i, 7), FAULT_BADINDEX, i);
	sum(bench, i, exit);
}

static void nothing(struct bench *bench, ir_reg i, struct ir_block *exit)
{
	(void)bench;
	(void)i;
	(void)exit;
}

static void check(int64_t count, void (*body)(struct bench *bench, ir_reg i,
					      struct ir_block *exit))
{
	for (int has_deadline = 0; has_deadline < 2; has_deadline++) {
		struct bench bench = start();

		count_to(&bench, count, body);
		finish(&bench);
		compare(&bench, has_deadline);
		arena_free(bench.arena);
	}
}

static void test_counts(void **state)
{
	(void)state;
	check(0, sum);
	check(1, sum);
	check(100, sum);
	check(100, nothing);
}

static void test_nested(void **state)
{
	(void)state;
	check(10, sum_twice);
	check(4, sum_thrice);
}

static void test_leaving(void **state)
{
	(void)state;
	check(10, break_at_7);
	check(7, break_at_7);
	check(10, fault_at_7);
	check(7, fault_at_7);
}

/* The same for loops that are written out, and whether they are. */
static void check_unrolled(int64_t count,
			   void (*body)(struct bench *bench, ir_reg i,
					struct ir_block *exit),
			   bool is_short)
{
	struct bench bench = start();

	count_to(&bench, count, body);
	finish(&bench);

	struct result before = run(bench.b.program);

	ir_unroll(bench.b.program, LIMIT);
	verify(bench.b.program);

	struct result after = run(bench.b.program);

	assert_memory_equal(&before, &after, sizeof(before));
	compare(&bench, true);
	assert_int_equal(bench.b.program->nroutines, !is_short);
	arena_free(bench.arena);
}

static void sum_if_odd(struct bench *bench, ir_reg i, struct ir_block *exit)
{
	struct ir_builder *b = &bench->b;
	struct ir_block *odd = ir_block_new(b, "odd");
	struct ir_block *on = ir_block_new(b, "on");

	ir_branch(b, ir_binary_imm(b, IR_AND, i, 1), odd, on);
	ir_enter(b, odd);
	sum(bench, i, exit);
	ir_enter(b, on);
}

static void sum_much(struct bench *bench, ir_reg i, struct ir_block *exit)
{
	sum(bench, i, exit);
	sum(bench, i, exit);
}

/* The number of turns depends on the body. */
static void skip_some(struct bench *bench, ir_reg i, struct ir_block *exit)
{
	struct ir_builder *b = &bench->b;

	sum(bench, i, exit);
	ir_move(b, i, ir_binary_imm(b, IR_ADD, i, 1));
}

/* A counter that a branch changes. */
static void skip_if_odd(struct bench *bench, ir_reg i, struct ir_block *exit)
{
	struct ir_builder *b = &bench->b;
	struct ir_block *odd = ir_block_new(b, "odd");
	struct ir_block *on = ir_block_new(b, "on");

	sum(bench, i, exit);
	ir_branch(b, ir_binary_imm(b, IR_AND, i, 1), odd, on);
	ir_enter(b, odd);
	ir_move(b, i, ir_binary_imm(b, IR_ADD, i, 3));
	ir_enter(b, on);
}

static void test_unrolled(void **state)
{
	(void)state;
	check_unrolled(0, sum, true);
	check_unrolled(1, sum, true);
	check_unrolled(8, sum, true);
	check_unrolled(8, nothing, true);
	check_unrolled(8, break_at_7, true);
	check_unrolled(8, fault_at_7, true);
	check_unrolled(8, sum_if_odd, true);
	check_unrolled(17, nothing, false);
	check_unrolled(8, sum_much, false);
	check_unrolled(8, skip_some, false);
	check_unrolled(8, skip_if_odd, false);
	check_unrolled(3, sum_twice, false);
}

/* All loops are written out, or none: together they count turns. */
static void check_two(int64_t first, int64_t second, uint32_t limit,
		      uint32_t routines)
{
	struct bench bench = start();
	struct ir_program *program = bench.b.program;

	count_to(&bench, first, sum);
	count_to(&bench, second, sum);
	finish(&bench);
	ir_unroll(program, limit);
	verify(program);
	ir_outline(program, limit, true);
	verify(program);
	assert_int_equal(program->nroutines, routines);

	struct result result = run(program);

	/* a loop of n turns goes to its header n + 1 times */
	assert_int_equal(result.fault == FAULT_LOOPLIMIT,
			 first + second + 2 > limit);
	arena_free(bench.arena);
}

static void test_unrolled_together(void **state)
{
	(void)state;
	check_two(4, 3, 9, 0);
	check_two(4, 3, 8, 2);
	check_two(4, 100, LIMIT, 2);
	check_two(100, 4, LIMIT, 2);
}

static void test_one_after_the_other(void **state)
{
	struct bench bench = start();

	(void)state;
	count_to(&bench, 20, sum);
	count_to(&bench, 30, fault_at_7);
	count_to(&bench, 40, sum);
	finish(&bench);
	compare(&bench, true);
	assert_int_equal(bench.b.program->nroutines, 3);
	arena_free(bench.arena);
}

static void test_limit(void **state)
{
	struct bench bench = start();
	struct ir_program *program = bench.b.program;

	(void)state;
	/* a loop of n turns goes to its header n + 1 times */
	count_to(&bench, LIMIT / 2, sum);
	count_to(&bench, LIMIT / 2, nothing);
	finish(&bench);
	ir_outline(program, LIMIT, true);
	verify(program);

	struct result result = run(program);

	assert_int_equal(result.nfaults, 1);
	assert_int_equal(result.fault, FAULT_LOOPLIMIT);
	assert_int_equal(result.globals[7], FAULT_LOOPLIMIT);
	assert_int_equal(result.globals[0], LIMIT / 2 * (LIMIT / 2 - 1) / 2);
	arena_free(bench.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_leaving),
		cmocka_unit_test(test_unrolled),
		cmocka_unit_test(test_unrolled_together),
		cmocka_unit_test(test_one_after_the_other),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
