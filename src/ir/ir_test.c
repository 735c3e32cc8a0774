/* SPDX-License-Identifier: Apache-2.0 */
/* Builder, printer, verifier. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ir/ir.h"

static struct ir_builder begin(struct arena *arena)
{
	struct ir_builder b = { .program = ir_new(arena) };

	ir_enter(&b, ir_block_new(&b, "start"));
	return b;
}

static void test_print(void **state)
{
	struct arena *arena = arena_new();
	struct ir_builder b = begin(arena);
	struct ir_block *yes = ir_block_new(&b, "yes");
	struct ir_block *fault = ir_block_new(&b, "fault");
	struct text out = { 0 };

	(void)state;
	b.fault = fault;
	b.place.line = 3;

	ir_reg x = ir_const(&b, 5);
	ir_reg y = ir_load(&b, ir_mem_of(IR_GLOBAL, 8), 4, true);
	ir_reg z = ir_binary(&b, IR_ADD, x, y);
	struct ir_mem object = ir_object(&b, 12, "this->s");

	ir_store(&b, ir_mem_at(object, 8), z, 8);
	ir_fault_if(&b, ir_binary_imm(&b, IR_EQ, z, 0), FAULT_DIVZERO, 0);
	b.place.line = 4;
	ir_branch(&b, z, yes, fault);
	ir_enter(&b, yes);
	ir_read_string(&b, object, IR_KERNEL, z, 16);
	ir_query(&b, IR_QUERY_PID_TGID);
	ir_enter(&b, fault);
	ir_return(&b);
	ir_renumber(b.program);
	assert_null(ir_verify(b.program));
	ir_print(b.program, &out);
	assert_string_equal(
		text_str(&out),
		"; 6 registers, 0 bytes of rodata, largest record 0\n"
		"; frame0: 16 bytes, this->s\n"
		"block 0 (start):\n"
		"\t; line 3\n"
		"\tr1 = const 5\n"
		"\tr2 = load.4s global[8]\n"
		"\tr3 = add r1, r2\n"
		"\tstore.8 frame0[8], r3\n"
		"\tr4 = eq r3, 0\n"
		"\tfault_if r4, DIVZERO -> block 2\n"
		"\t; line 4\n"
		"\tbranch r3 -> block 1, block 2\n"
		"block 1 (yes):\n"
		"\tr5 = read_string frame0[0], kernel, r3, 16 -> block 2\n"
		"\tr6 = query pid_tgid\n"
		"\tgoto -> block 2\n"
		"block 2 (fault):\n"
		"\treturn\n");
	text_free(&out);
	arena_free(arena);
}

static void test_rodata_is_shared(void **state)
{
	struct arena *arena = arena_new();
	struct ir_program *program = ir_new(arena);

	(void)state;
	assert_int_equal(ir_rodata(program, "abc\0\0\0\0", 8, 8).offset, 0);
	assert_int_equal(ir_rodata(program, "xyz\0\0\0\0", 8, 8).offset, 8);
	assert_int_equal(ir_rodata(program, "abc\0\0\0\0", 8, 8).offset, 0);
	assert_int_equal(program->rodata_size, 16);
	arena_free(arena);
}

/* -------------------------------------------------------------- verifier */

static void no_end(struct ir_builder *b)
{
	ir_const(b, 1);
}

static void undefined_register(struct ir_builder *b)
{
	ir_unary(b, IR_NEG, ir_reg_new(b->program));
	ir_return(b);
}

static void defined_on_one_way(struct ir_builder *b)
{
	struct ir_block *yes = ir_block_new(b, "yes"),
			*join = ir_block_new(b, "join");
	ir_reg late = ir_reg_new(b->program), x = ir_const(b, 1);

	ir_branch(b, x, yes, join);
	ir_enter(b, yes);
	ir_move(b, late, x);
	ir_enter(b, join);
	ir_unary(b, IR_NOT, late);
	ir_return(b);
}

static void defined_after_the_jump(struct ir_builder *b)
{
	ir_reg x = ir_const(b, 1);

	b->fault = ir_block_new(b, "fault");
	ir_fault_if(b, x, FAULT_ILLOP, 0);

	ir_reg y = ir_const(b, 2);

	ir_return(b);
	ir_enter(b, b->fault);
	ir_unary(b, IR_NEG, y);
	ir_return(b);
}

static void backward(struct ir_builder *b)
{
	struct ir_block *first = b->block;

	ir_enter(b, ir_block_new(b, "second"));
	ir_goto(b, first);
}

static void nowhere(struct ir_builder *b)
{
	ir_goto(b, ir_block_new(b, "never placed"));
}

static void outside(struct ir_builder *b)
{
	struct ir_mem object = ir_object(b, 8, NULL);

	ir_store(b, ir_mem_at(object, 4), ir_const(b, 1), 8);
	ir_return(b);
}

static void unbound_index(struct ir_builder *b)
{
	struct ir_mem mem = ir_mem_of(IR_GLOBAL, 0);

	mem.base = ir_const(b, 1);
	ir_load(b, mem, 1, false);
	ir_return(b);
}

static void unchecked(struct ir_builder *b)
{
	ir_load(b, ir_mem_from(IR_KERNEL, ir_const(b, 1), 0), 8, false);
	ir_return(b);
}

static void odd_size(struct ir_builder *b)
{
	ir_load(b, ir_mem_of(IR_GLOBAL, 0), 3, false);
	ir_return(b);
}

static void write_constant(struct ir_builder *b)
{
	struct ir_mem mem = ir_rodata(b->program, "abcdefg", 8, 8);

	ir_store(b, mem, ir_const(b, 1), 8);
	ir_return(b);
}

static void test_verify(void **state)
{
	static const struct {
		void (*make)(struct ir_builder *b);
		const char *message;
	} cases[] = {
		{ no_end, "block 0: const: block has no end" },
		{ undefined_register,
		  "block 0: neg: register may be undefined" },
		{ defined_on_one_way,
		  "block 2: not: register may be undefined" },
		{ defined_after_the_jump,
		  "block 1: neg: register may be undefined" },
		{ backward, "block 1: goto: jumps backward" },
		{ nowhere, "block 0: goto: target was never placed" },
		{ outside, "block 0: store: outside of its object" },
		{ unbound_index, "block 0: load: index without a bound" },
		{ unchecked,
		  "block 0: load: memory that needs a checked read" },
		{ odd_size, "block 0: load: bad size" },
		{ write_constant, "block 0: store: writes what is read-only" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct ir_builder b = begin(arena);

		cases[i].make(&b);

		const char *message = ir_verify(b.program);

		assert_non_null(message);
		assert_string_equal(message, cases[i].message);
		arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_rodata_is_shared),
		cmocka_unit_test(test_verify),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
