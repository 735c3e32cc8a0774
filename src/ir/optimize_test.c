/* SPDX-License-Identifier: Apache-2.0 */
/* Passes: what a small program looks like afterwards. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ir/ir.h"

static struct ir_mem global(unsigned n)
{
	return ir_mem_of(IR_GLOBAL, n * 8);
}

static void constants(struct ir_builder *b)
{
	ir_reg x = ir_binary(b, IR_MUL, ir_const(b, 6), ir_const(b, 7));

	ir_store(b, global(0), ir_extend(b, x, 4, true), 8);
}

static void branch(struct ir_builder *b)
{
	struct ir_block *yes = ir_block_new(b, "yes"),
			*no = ir_block_new(b, "no"),
			*join = ir_block_new(b, "join");
	ir_reg x = ir_reg_new(b->program);

	ir_branch(b, ir_const(b, 0), yes, no);
	ir_enter(b, yes);
	ir_move(b, x, ir_const(b, 1));
	ir_goto(b, join);
	ir_enter(b, no);
	ir_move(b, x, ir_const(b, 2));
	ir_enter(b, join);
	ir_store(b, global(0), x, 8);
}

static void impossible_fault(struct ir_builder *b)
{
	ir_reg y = ir_const(b, 3);

	ir_fault_if(b, ir_binary_imm(b, IR_EQ, y, 0), FAULT_DIVZERO, 0);
	ir_store(b, global(0),
		 ir_binary(b, IR_UDIV, ir_load(b, global(1), 8, false), y), 8);
}

static void sure_fault(struct ir_builder *b)
{
	ir_fault_if(b, ir_const(b, 1), FAULT_ILLOP, 0);
	ir_store(b, global(0), ir_const(b, 1), 8);
}

static void unused(struct ir_builder *b)
{
	struct ir_mem object = ir_object(b, 64, "unused");

	ir_clear(b, object, 64);
	ir_load(b, global(0), 8, false);
	ir_query(b, IR_QUERY_TIMESTAMP);
	ir_emit(b, IR_COMM)->mem = object;
}

static void repeated_queries(struct ir_builder *b)
{
	struct ir_block *then = ir_block_new(b, "then"),
			*end = ir_block_new(b, "end");
	ir_reg x = ir_query(b, IR_QUERY_PID_TGID);

	ir_branch(b, x, then, end);
	ir_enter(b, then);
	ir_store(b, global(0), ir_query(b, IR_QUERY_PID_TGID), 8);
	ir_store(b, global(1), ir_query(b, IR_QUERY_TIMESTAMP), 8);
	ir_store(b, global(2), ir_query(b, IR_QUERY_TIMESTAMP), 8);
	ir_enter(b, end);
}

static void repeated_names(struct ir_builder *b)
{
	for (unsigned i = 0; i < 2; i++) {
		struct ir_mem object = ir_object(b, 16, "comm");

		ir_emit(b, IR_COMM)->mem = object;
		ir_copy(b, global(i * 2), object, 16);
	}
}

static void redundant_extension(struct ir_builder *b)
{
	ir_reg x = ir_load(b, global(0), 4, true);

	ir_store(b, global(1), ir_extend(b, x, 4, true), 8);
	ir_store(b, global(2), ir_extend(b, x, 4, false), 8);
}

static void copies(struct ir_builder *b)
{
	ir_reg x = ir_load(b, global(0), 8, false);
	ir_reg y = ir_reg_new(b->program), z = ir_reg_new(b->program);

	/* y changes after z was copied from it */
	ir_move(b, y, x);
	ir_move(b, z, y);
	ir_move(b, y, ir_const(b, 5));
	ir_store(b, global(1), z, 8);
	ir_store(b, global(2), y, 8);
}

static void extension_of_extension(struct ir_builder *b)
{
	ir_reg x = ir_binary_imm(b, IR_LSR, ir_load(b, global(0), 8, false),
				 32);
	ir_reg y = ir_load(b, global(0), 8, false);

	ir_store(b, global(1), ir_extend(b, ir_extend(b, x, 4, true), 4, false),
		 8);
	/* the first one decides about the upper half */
	ir_store(b, global(2), ir_extend(b, ir_extend(b, y, 4, false), 8, true),
		 8);
}

/* A number of four bytes and one of eight, as the parts of a key. */
static void numbers_in_key(struct ir_builder *b)
{
	struct ir_mem key = ir_object(b, 16, "key");

	ir_clear(b, key, 16);
	ir_store(b, key, ir_load(b, global(0), 8, false), 4);
	ir_store(b, ir_mem_at(key, 8), ir_load(b, global(1), 8, false), 8);
	ir_copy(b, global(2), key, 16);
}

static void string_in_key(struct ir_builder *b)
{
	struct ir_mem name = ir_object(b, 16, "name");
	struct ir_mem key = ir_object(b, 16, "key");
	ir_reg x = ir_load(b, global(0), 8, false);

	ir_store(b, name, x, 8);
	ir_store(b, ir_mem_at(name, 8), ir_load(b, global(1), 8, false), 8);
	ir_string_copy(b, key, 16, name, 16);
	ir_copy(b, global(2), key, 16);
}

/* Zeros that are read, and a word that has something in it already. */
static void words_in_use(struct ir_builder *b)
{
	struct ir_mem key = ir_object(b, 8, "key");
	ir_reg x = ir_load(b, global(0), 8, false);

	ir_clear(b, key, 8);
	ir_copy(b, global(1), key, 8);
	ir_store(b, ir_mem_at(key, 4), x, 4);
	ir_store(b, key, x, 4);
	ir_copy(b, global(2), key, 8);
}

/* What is copied is what the register held then. */
static void changed_register(struct ir_builder *b)
{
	struct ir_mem name = ir_object(b, 8, "name");
	struct ir_mem key = ir_object(b, 8, "key");
	ir_reg x = ir_load(b, global(0), 8, false);

	ir_store(b, name, x, 8);
	ir_load(b, global(1), 8, false);
	b->block->last->dst = x;
	ir_copy(b, key, name, 8);
	ir_copy(b, global(2), key, 8);
	ir_store(b, global(3), x, 8);
}

static void common(struct ir_builder *b)
{
	ir_reg x = ir_load(b, global(0), 8, false);

	ir_store(b, global(1), ir_binary_imm(b, IR_ADD, x, 5), 8);
	ir_store(b, global(2), ir_binary_imm(b, IR_ADD, x, 5), 8);
}

static const struct {
	const char *name;
	void (*make)(struct ir_builder *b);
	const char *after;
} cases[] = {
	{ "constants", constants,
	  "\tr4 = const 42\n\tstore.8 global[0], r4\n\treturn\n" },
	{ "branch", branch,
	  "\tr1 = const 2\n\tstore.8 global[0], r1\n\treturn\n" },
	{ "impossible fault", impossible_fault,
	  "\tr3 = load.8 global[8]\n\tr4 = udiv r3, 3\n"
	  "\tstore.8 global[0], r4\n\treturn\n" },
	{ "sure fault", sure_fault, "\tfault ILLOP -> block 1\n\treturn\n" },
	{ "unused", unused, "\treturn\n" },
	{ "repeated queries", repeated_queries,
	  "\tr1 = query pid_tgid\n\tbranch r1 -> block 1, block 2\n"
	  "\tstore.8 global[0], r1\n\tr3 = query timestamp\n"
	  "\tstore.8 global[8], r3\n\tr4 = query timestamp\n"
	  "\tstore.8 global[16], r4\n\tgoto -> block 2\n\treturn\n" },
	{ "repeated names", repeated_names,
	  "\tcomm frame0[0]\n\tcopy global[0], frame0[0], 16\n"
	  "\tcopy global[16], frame0[0], 16\n\treturn\n" },
	{ "redundant extension", redundant_extension,
	  "\tr1 = load.4s global[0]\n\tstore.8 global[8], r1\n"
	  "\tr3 = extend.4 r1\n\tstore.8 global[16], r3\n\treturn\n" },
	{ "copies", copies,
	  "\tr1 = load.8 global[0]\n\tr2 = const 5\n"
	  "\tstore.8 global[8], r1\n\tstore.8 global[16], r2\n\treturn\n" },
	{ "extension of extension", extension_of_extension,
	  "\tr1 = load.8 global[0]\n\tr2 = lsr r1, 32\n"
	  "\tr3 = load.8 global[0]\n\tstore.8 global[8], r2\n"
	  "\tr6 = extend.4 r3\n\tstore.8 global[16], r6\n\treturn\n" },
	{ "numbers in key", numbers_in_key,
	  "\tr1 = load.8 global[0]\n\tr3 = extend.4 r1\n"
	  "\tstore.8 frame0[0], r3\n\tr2 = load.8 global[8]\n"
	  "\tstore.8 frame0[8], r2\n"
	  "\tcopy global[16], frame0[0], 16\n\treturn\n" },
	{ "string in key", string_in_key,
	  "\tr1 = load.8 global[0]\n\tr2 = load.8 global[8]\n"
	  "\tstore.8 frame0[0], r1\n\tr3 = shl r2, 8\n"
	  "\tr4 = lsr r3, 8\n\tstore.8 frame0[8], r4\n"
	  "\tcopy global[16], frame0[0], 16\n\treturn\n" },
	{ "words in use", words_in_use,
	  "\tr1 = load.8 global[0]\n\tclear frame0[0], 8\n"
	  "\tcopy global[8], frame0[0], 8\n\tstore.4 frame0[4], r1\n"
	  "\tstore.4 frame0[0], r1\n\tcopy global[16], frame0[0], 8\n"
	  "\treturn\n" },
	{ "changed register", changed_register,
	  "\tr1 = load.8 global[0]\n\tstore.8 frame0[0], r1\n"
	  "\tr1 = load.8 global[8]\n\tcopy frame1[0], frame0[0], 8\n"
	  "\tcopy global[16], frame1[0], 8\n"
	  "\tstore.8 global[24], r1\n\treturn\n" },
	{ "common", common,
	  "\tr1 = load.8 global[0]\n\tr2 = add r1, 5\n"
	  "\tstore.8 global[8], r2\n\tstore.8 global[16], r2\n\treturn\n" },
};

/* Only the instructions: headers and labels are the printer's test. */
static void instructions(const struct ir_program *program, struct text *out)
{
	struct text all = { 0 };
	char *line, *rest;

	ir_print(program, &all);
	for (line = strtok_r(all.p, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		if (*line == '\t')
			text_printf(out, "%s\n", line);
	text_free(&all);
}

static void test_passes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct ir_builder b = { .program = ir_new(arena) };
		struct text out = { 0 };

		ir_enter(&b, ir_block_new(&b, "start"));
		b.fault = ir_block_new(&b, "end");
		cases[i].make(&b);
		ir_enter(&b, b.fault);
		ir_return(&b);
		assert_null(ir_verify(b.program));
		ir_optimize(b.program);
		assert_null(ir_verify(b.program));
		instructions(b.program, &out);
		if (strcmp(text_str(&out), cases[i].after))
			fail_msg("%s: got\n%s", cases[i].name, text_str(&out));
		text_free(&out);
		arena_free(arena);
	}
}

/* Two paths that hold the answer in different registers hold none. */
static void test_queries_meet(void **state)
{
	struct arena *arena = arena_new();
	struct ir_builder b = { .program = ir_new(arena) };
	struct text out = { 0 };

	(void)state;
	ir_enter(&b, ir_block_new(&b, "start"));

	struct ir_block *yes = ir_block_new(&b, "yes"),
			*join = ir_block_new(&b, "join");

	ir_branch(&b, ir_load(&b, global(0), 8, false), yes, join);
	ir_enter(&b, yes);
	ir_store(&b, global(1), ir_query(&b, IR_QUERY_CPU), 8);
	ir_enter(&b, join);
	ir_store(&b, global(2), ir_query(&b, IR_QUERY_CPU), 8);
	ir_return(&b);
	ir_optimize(b.program);
	instructions(b.program, &out);
	assert_non_null(strstr(text_str(&out), "r3 = query cpu"));
	text_free(&out);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_passes),
		cmocka_unit_test(test_queries_meet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
