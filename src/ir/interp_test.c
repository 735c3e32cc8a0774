/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter: every op of arithmetic, memory, strings, faults, records. */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ir/abi.h"
#include "ir/ir.h"

struct fixture {
	struct arena *arena;
	struct ir_builder b;
	struct ir_world world;
	uint64_t globals[32];
	char kernel[32]; /* at address 0x1000 */
};

static bool read_kernel(void *data, enum ir_space space, uint64_t address,
			void *to, size_t size)
{
	struct fixture *f = data;

	(void)space;
	if (address < 0x1000 || address - 0x1000 > sizeof(f->kernel) - size)
		return false;
	memcpy(to, f->kernel + (address - 0x1000), size);
	return true;
}

static void open_fixture(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->arena = arena_new();
	f->b.program = ir_new(f->arena);
	ir_enter(&f->b, ir_block_new(&f->b, "start"));
	f->b.fault = ir_block_new(&f->b, "fault");
	f->world.globals = (uint8_t *)f->globals;
	f->world.globals_size = sizeof(f->globals);
	f->world.read = read_kernel;
	f->world.data = f;
}

/* Ends the program: what falls through and what faults returns. */
static void run(struct fixture *f)
{
	ir_enter(&f->b, f->b.fault);
	ir_return(&f->b);
	assert_null(ir_verify(f->b.program));
	assert_int_equal(ir_run(f->b.program, &f->world), 0);
}

static void close_fixture(struct fixture *f)
{
	text_free(&f->world.records);
	arena_free(f->arena);
}

static struct ir_mem global(unsigned n)
{
	return ir_mem_of(IR_GLOBAL, n * 8);
}

static void test_arithmetic(void **state)
{
	static const struct {
		enum ir_op op;
		int64_t x, y, result;
	} cases[] = {
		{ IR_ADD, 2, 3, 5 },
		{ IR_ADD, INT64_MAX, 1, INT64_MIN },
		{ IR_SUB, 2, 3, -1 },
		{ IR_MUL, -4, 3, -12 },
		{ IR_UDIV, -1, 2, INT64_MAX },
		{ IR_UMOD, -1, 10, 5 },
		{ IR_SDIV, -7, 2, -3 },
		{ IR_SMOD, -7, 2, -1 },
		{ IR_SDIV, INT64_MIN, -1, INT64_MIN },
		{ IR_SMOD, INT64_MIN, -1, 0 },
		{ IR_AND, 12, 10, 8 },
		{ IR_OR, 12, 10, 14 },
		{ IR_XOR, 12, 10, 6 },
		{ IR_SHL, 1, 63, INT64_MIN },
		{ IR_SHL, 1, 64, 1 },
		{ IR_LSR, -1, 60, 15 },
		{ IR_ASR, -16, 2, -4 },
		{ IR_EQ, 4, 4, 1 },
		{ IR_NE, 4, 4, 0 },
		{ IR_ULT, -1, 1, 0 },
		{ IR_ULE, 1, 1, 1 },
		{ IR_UGT, -1, 1, 1 },
		{ IR_UGE, 1, 2, 0 },
		{ IR_SLT, -1, 1, 1 },
		{ IR_SLE, 2, 1, 0 },
		{ IR_SGT, -1, 1, 0 },
		{ IR_SGE, 1, 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int optimize = 0; optimize < 2; optimize++) {
			struct fixture f;

			open_fixture(&f);
			f.globals[0] = (uint64_t)cases[i].x;
			f.globals[1] = (uint64_t)cases[i].y;

			ir_reg x = ir_load(&f.b, global(0), 8, false);
			ir_reg y = ir_load(&f.b, global(1), 8, false);
			ir_reg cx = ir_const(&f.b, cases[i].x);
			ir_reg cy = ir_const(&f.b, cases[i].y);
			enum ir_op op = cases[i].op;

			ir_store(&f.b, global(2), ir_binary(&f.b, op, x, y), 8);
			ir_store(&f.b, global(3), ir_binary(&f.b, op, cx, cy),
				 8);
			ir_store(&f.b, global(4), ir_binary(&f.b, op, x, cy),
				 8);
			ir_store(&f.b, global(5), ir_binary(&f.b, op, cx, y),
				 8);
			if (optimize) {
				ir_enter(&f.b, f.b.fault);
				ir_return(&f.b);
				ir_optimize(f.b.program);
				assert_null(ir_verify(f.b.program));
				assert_int_equal(ir_run(f.b.program, &f.world),
						 0);
			} else {
				run(&f);
			}
			for (unsigned n = 2; n < 6; n++)
				assert_int_equal(f.globals[n], cases[i].result);
			close_fixture(&f);
		}
	}
}

static void test_extend(void **state)
{
	static const struct {
		int64_t x;
		unsigned size;
		bool is_signed;
		int64_t result;
	} cases[] = {
		{ 0x1ff, 1, false, 0xff },    { 0x1ff, 1, true, -1 },
		{ 0x18000, 2, true, -32768 }, { 0x18000, 2, false, 32768 },
		{ -1, 4, false, 0xffffffff }, { 0xffffffff, 4, true, -1 },
		{ -5, 8, true, -5 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f;

		open_fixture(&f);
		ir_store(&f.b, global(0),
			 ir_extend(&f.b, ir_const(&f.b, cases[i].x),
				   cases[i].size, cases[i].is_signed),
			 8);
		run(&f);
		assert_int_equal(f.globals[0], cases[i].result);
		close_fixture(&f);
	}
}

static void test_memory(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.globals[0] = 0x8182838485868788;
	f.globals[1] = 7;

	struct ir_mem object = ir_object(&f.b, 16, "object");
	struct ir_mem indexed = object;

	ir_clear(&f.b, object, 16);
	ir_copy(&f.b, ir_mem_at(object, 8), global(0), 8);
	ir_store(&f.b, global(2), ir_load(&f.b, ir_mem_at(object, 8), 2, true),
		 8);
	indexed.base = ir_load(&f.b, global(1), 8, false);
	indexed.bound = 8;
	ir_store(&f.b, global(3),
		 ir_load(&f.b, ir_mem_at(indexed, 1), 1, false), 8);
	ir_atomic_add(&f.b, global(1), ir_const(&f.b, 3), 8);
	run(&f);
	assert_int_equal(f.globals[2], (int16_t)0x8788);
	assert_int_equal(f.globals[3], 0x88);
	assert_int_equal(f.globals[1], 10);
	close_fixture(&f);
}

/* A program that leaves its memory is malformed. */
static void test_bad_memory(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	ir_load(&f.b, global(100), 8, false);
	ir_enter(&f.b, f.b.fault);
	ir_return(&f.b);
	assert_int_equal(ir_run(f.b.program, &f.world), -EFAULT);
	close_fixture(&f);
}

static void test_strings(void **state)
{
	static const struct {
		const char *x, *y;
		int order;
	} cases[] = {
		{ "abc", "abc", 0 },	 { "abc", "abd", -1 },
		{ "b", "abc", 1 },	 { "ab", "abc", -1 },
		{ "", "", 0 },		 { "", "a", -1 },
		{ "a\377", "a\001", 1 }, { "abcdefgh", "abcdefg", 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f;
		char x[16] = { 0 }, y[16] = { 0 };

		open_fixture(&f);
		memcpy(x, cases[i].x, strlen(cases[i].x));
		memcpy(y, cases[i].y, strlen(cases[i].y));

		struct ir_mem mx = ir_rodata(f.b.program, x, 16, 8);
		struct ir_mem my = ir_rodata(f.b.program, y, 16, 8);
		struct ir_mem copy = ir_object(&f.b, 4, "copy");

		ir_store(&f.b, global(0),
			 ir_string_test(&f.b, IR_STRING_COMPARE, mx, 16, my,
					16),
			 8);
		ir_store(&f.b, global(1),
			 ir_string_test(&f.b, IR_STRING_EQUAL, mx, 16, my, 16),
			 8);
		ir_store(&f.b, global(2), ir_string_length(&f.b, mx, 16), 8);
		ir_string_copy(&f.b, copy, 4, mx, 16);
		ir_store(&f.b, global(3), ir_load(&f.b, copy, 4, false), 8);
		run(&f);

		int64_t order = (int64_t)f.globals[0];

		assert_int_equal((order > 0) - (order < 0), cases[i].order);
		assert_int_equal(f.globals[1], cases[i].order == 0);
		assert_int_equal(f.globals[2], strlen(cases[i].x));

		char cut[4] = { 0 };

		strncpy(cut, cases[i].x, 3);
		assert_memory_equal(&f.globals[3], cut, 4);
		close_fixture(&f);
	}
}

static void test_reads(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	strcpy(f.kernel, "kernel");

	ir_reg address = ir_const(&f.b, 0x1000);
	struct ir_mem object = ir_object(&f.b, 8, "string");

	ir_store(&f.b, global(0),
		 ir_read_scalar(&f.b, IR_KERNEL, address, 2, false), 8);
	ir_store(&f.b, global(1),
		 ir_read_string(&f.b, object, IR_KERNEL, address, 5), 8);
	ir_store(&f.b, global(2), ir_load(&f.b, object, 4, false), 8);
	ir_read(&f.b, object, IR_USER, ir_const(&f.b, 0xdead), 8);
	ir_store(&f.b, global(3), ir_const(&f.b, 1), 8);
	run(&f);
	assert_int_equal(f.globals[0], 'k' | 'e' << 8);
	assert_int_equal(f.globals[1], 4);
	assert_memory_equal(&f.globals[2], "kern", 4);
	assert_int_equal(f.globals[3], 0);
	assert_int_equal(f.world.fault, FAULT_BADADDR);
	assert_int_equal(f.world.fault_value, 0xdead);
	close_fixture(&f);
}

static void test_records(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);

	struct ir_block *next = ir_block_new(&f.b, "next");
	ir_reg probe = ir_const(&f.b, 9);

	for (int i = 0; i < 2; i++) {
		struct ir_insn *claim = ir_emit(&f.b, IR_RECORD_BEGIN);

		claim->a = probe;
		claim->imm = 32;
		claim->imm2 = i;
		claim->target = next;
		ir_store(&f.b, ir_mem_of(IR_RECORD, 24), ir_const(&f.b, 77), 8);
		ir_emit(&f.b, i ? IR_RECORD_END : IR_RECORD_DROP);
	}
	ir_emit(&f.b, IR_EXIT)->a = probe;
	ir_enter(&f.b, next);
	run(&f);
	assert_int_equal(f.world.records.n, 32);

	const struct abi_record *record = (const void *)f.world.records.p;

	assert_int_equal(record->clause, 1);
	assert_int_equal(record->probe, 9);
	assert_int_equal(record->size, 32);
	assert_int_equal(f.world.records.p[24], 77);
	assert_true(f.world.exited);
	assert_int_equal(f.world.exit_status, 9);
	close_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_extend),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_bad_memory),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
