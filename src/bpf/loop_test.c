/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops and functions in the kernel: loops verify without a bound, functions
 * are called from many places, and both leave what the interpreter leaves.
 */

#include "bpf/test_kernel.h"

static struct ir_mem global(uint32_t n)
{
	return ir_mem_of(IR_GLOBAL, 8 * (int64_t)n);
}

static void add_to(struct ir_builder *b, uint32_t n, ir_reg x)
{
	ir_store(b, global(n),
		 ir_binary(b, IR_ADD, ir_load(b, global(n), 8, false), x), 8);
}

static void set_input(struct bench *t, uint32_t n, uint64_t value)
{
	memcpy(t->inputs + 8 * n, &value, sizeof(value));
}

static void test_sum(void)
{
	struct bench t;
	struct ir_builder *b = &t.b;

	bench_start(&t);
	set_input(&t, 0, 900);

	struct counter c = count_begin(b, ir_load(b, global(0), 8, false));

	add_to(b, 1, c.i);
	count_end(b, c);
	ir_store(b, global(2), c.i, 8);
	bench_run(&t);
	bench_end(&t);
}

static void test_constant(void)
{
	struct bench t;
	struct ir_builder *b = &t.b;

	bench_start(&t);

	struct counter c = count_begin(b, ir_const(b, 990));

	add_to(b, 1, c.i);
	count_end(b, c);
	ir_store(b, global(2), c.i, 8);
	bench_run(&t);
	bench_end(&t);
}

/* Four deep, with values that are needed before and after each. */
static void nest(struct ir_builder *b, unsigned depth)
{
	struct counter c = count_begin(b, ir_const(b, 3));

	add_to(b, depth, c.i);
	if (depth)
		nest(b, depth - 1);
	add_to(b, depth + 8, c.i);
	count_end(b, c);
}

static void test_nested(void)
{
	struct bench t;

	bench_start(&t);
	nest(&t.b, 3);
	bench_run(&t);
	bench_end(&t);
	/* deeper than functions could be called */
	bench_start(&t);
	struct counter outer = count_begin(&t.b, ir_const(&t.b, 1));

	for (unsigned i = 0; i < 2; i++)
		nest(&t.b, 2);
	count_end(&t.b, outer);
	bench_run(&t);
	bench_end(&t);
}

static void test_strings(void)
{
	struct bench t;
	struct ir_builder *b = &t.b;

	bench_start(&t);
	memcpy(t.inputs + 1024, "a,bc,def,,ghij", 15);

	struct ir_mem text = ir_object(b, 64, "text");
	struct ir_mem from = ir_mem_of(IR_GLOBAL, 1024);

	ir_string_copy(b, text, 64, from, 64);

	ir_reg length = ir_string_length(b, text, 64);
	struct counter c = count_begin(b, length);
	struct ir_mem at = text;

	at.base = c.i;
	at.bound = 64;

	struct ir_block *comma = ir_block_new(b, "comma");
	struct ir_block *other = ir_block_new(b, "other");
	struct ir_block *join = ir_block_new(b, "join");

	ir_branch(b, ir_binary_imm(b, IR_EQ, ir_load(b, at, 1, false), ','),
		  comma, other);
	ir_enter(b, comma);
	add_to(b, 0, ir_const(b, 1));
	ir_goto(b, join);
	ir_enter(b, other);
	add_to(b, 1, ir_load(b, at, 1, false));
	ir_enter(b, join);
	/* an object of the loop: zeroed in each turn */
	struct ir_mem object = ir_object(b, 16, "object");

	add_to(b, 2, ir_load(b, object, 8, false));
	ir_store(b, object, ir_const(b, 7), 8);
	count_end(b, c);
	bench_run(&t);
	bench_end(&t);
}

static void test_fault(void)
{
	struct bench t;
	struct ir_builder *b = &t.b;

	bench_start(&t);

	struct counter c = count_begin(b, ir_const(b, 100));

	add_to(b, 0, c.i);
	ir_fault_if(b, ir_binary_imm(b, IR_EQ, c.i, 41), FAULT_BADINDEX, c.i);
	add_to(b, 1, c.i);
	count_end(b, c);
	ir_return(b);
	ir_enter(b, t.fault);
	ir_store(b, global(2), ir_query(b, IR_QUERY_FAULT_CODE), 8);
	ir_store(b, global(3), ir_query(b, IR_QUERY_FAULT_VALUE), 8);
	ir_store(b, global(4), ir_query(b, IR_QUERY_FAULT_SITE), 8);
	bench_run(&t);
	bench_end(&t);
}

static void test_limit(void)
{
	struct bench t;
	struct ir_builder *b = &t.b;

	bench_start(&t);

	struct ir_block *header = ir_loop_begin(b);
	struct ir_block *exit = ir_block_new(b, "exit");

	add_to(b, 0, ir_const(b, 1));
	ir_loop_end(b, header, exit);
	ir_return(b);
	ir_enter(b, t.fault);
	ir_store(b, global(2), ir_query(b, IR_QUERY_FAULT_CODE), 8);
	bench_run(&t);
	bench_end(&t);
}

/* global(n) += 1 + ... + x, by a function; x and n are in memory */
struct summer {
	uint32_t routine;
	struct ir_mem frame;
};

static struct summer sum_function(struct bench *t)
{
	struct ir_builder *b = &t->b;
	struct ir_function_state aside;
	struct summer f = { .frame = ir_object(b, 40, "frame") };

	ir_function_begin(b, &aside);
	struct ir_block *fault = b->fault = ir_block_new(b, "fault");
	ir_reg x = ir_load(b, f.frame, 8, false);
	ir_reg sum = ir_reg_new(b->program);

	ir_fault_if(b, ir_binary_imm(b, IR_EQ, x, 13), FAULT_BADADDR, x);
	ir_move(b, sum, ir_const(b, 0));

	struct counter c = count_begin(b, x);

	ir_move(b, sum, ir_binary(b, IR_ADD, sum, c.i));
	count_end(b, c);
	ir_store(b, ir_mem_at(f.frame, 8), ir_binary(b, IR_ADD, sum, x), 8);
	add_to(b, 5, x);
	ir_leave(b, 0);
	ir_enter(b, fault);
	ir_store(b, ir_mem_at(f.frame, 16), ir_query(b, IR_QUERY_FAULT_NOTE),
		 8);
	ir_store(b, ir_mem_at(f.frame, 24), ir_query(b, IR_QUERY_FAULT_VALUE),
		 8);
	ir_leave(b, 1);
	f.routine = ir_function_end(b, &aside, "sum");
	return f;
}

static ir_reg call_sum(struct bench *t, struct summer f, ir_reg x)
{
	struct ir_builder *b = &t->b;
	struct ir_block *good = ir_block_new(b, "good"),
			*bad = ir_block_new(b, "bad");

	ir_store(b, f.frame, x, 8);
	ir_branch(b, ir_invoke(b, f.routine), bad, good);
	ir_enter(b, bad);
	ir_reg note = ir_load(b, ir_mem_at(f.frame, 16), 8, false);
	ir_reg value = ir_load(b, ir_mem_at(f.frame, 24), 8, false);
	struct ir_insn *again = ir_emit(b, IR_FAULT_AGAIN);

	again->a = note;
	again->b = value;
	again->target = t->fault;
	ir_enter(b, good);
	return ir_load(b, ir_mem_at(f.frame, 8), 8, false);
}

static void test_function(void)
{
	struct bench t;
	struct ir_builder *b = &t.b;

	bench_start(&t);

	struct summer f = sum_function(&t);

	for (unsigned i = 0; i < 10; i++)
		add_to(b, 0, call_sum(&t, f, ir_const(b, i)));
	/* from a loop, too */
	struct counter c = count_begin(b, ir_const(b, 20));

	add_to(b, 1, call_sum(&t, f, c.i));
	count_end(b, c);
	ir_return(b);
	ir_enter(b, t.fault);
	ir_store(b, global(2), ir_query(b, IR_QUERY_FAULT_CODE), 8);
	ir_store(b, global(3), ir_query(b, IR_QUERY_FAULT_VALUE), 8);
	bench_run(&t);
	bench_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(test_sum),	  BENCH_TEST(test_constant),
		BENCH_TEST(test_nested),  BENCH_TEST(test_strings),
		BENCH_TEST(test_fault),	  BENCH_TEST(test_limit),
		BENCH_TEST(test_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
