/* SPDX-License-Identifier: Apache-2.0 */
#include "java/classfile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "java/class_code.h"

static void test_kinds(void **state)
{
	static const struct {
		const char *descriptor;
		int count;
		const char *kinds;
		char result;
	} cases[] = {
		{ "()V", 0, "", 'V' },
		{ "(ZBSCIJFD)I", 8, "IIIIIJFD", 'I' },
		{ "(Ljava/lang/String;[Ljava/lang/String;[[IJ)LX;", 4, "SLLJ",
		  'L' },
		{ "(LString;)Ljava/lang/String;", 1, "L", 'S' },
		{ "", -1, "", 0 },
		{ "I", -1, "", 0 },
		{ "(", -1, "", 0 },
		{ "(V)V", -1, "", 0 },
		{ "(I)", -1, "", 0 },
		{ "(I)VV", -1, "", 0 },
		{ "(LX)V", -1, "", 0 },
		{ "([)V", -1, "", 0 },
		{ "(Q)V", -1, "", 0 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char kinds[CLASSFILE_ARGUMENTS + 1] = "", result = 0;

		assert_int_equal(classfile_kinds(cases[i].descriptor, kinds,
						 CLASSFILE_ARGUMENTS, &result),
				 cases[i].count);
		if (cases[i].count < 0)
			continue;
		assert_string_equal(kinds, cases[i].kinds);
		assert_int_equal(result, cases[i].result);
	}
}

static void test_bytes_end(void **state)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5 };
	struct in in = { bytes, sizeof(bytes), 0, false };

	(void)state;
	assert_int_equal(in_get(&in, 2), 0x102);
	struct in part = in_part(&in, 2);

	assert_int_equal(in_get(&part, 2), 0x304);
	assert_false(part.is_bad);
	assert_int_equal(in_get(&part, 1), 0);
	assert_true(part.is_bad);
	assert_false(in.is_bad);
	in_skip(&in, SIZE_MAX);
	assert_true(in.is_bad);
	assert_int_equal(in_get(&in, 1), 0);
}

static void test_entries_once(void **state)
{
	struct pool pool = { .count = 1, .next = 1 };

	(void)state;
	uint32_t method = pool_method(&pool, "A", "b", "()V");
	size_t size = pool.more.size;

	assert_int_equal(pool_method(&pool, "A", "b", "()V"), method);
	assert_int_equal(pool.more.size, size);
	assert_int_not_equal(pool_method(&pool, "A", "b", "()I"), method);
	assert_int_equal(pool_integer(&pool, 7), pool_integer(&pool, 7));
	pool_free(&pool);
}

/*
 * A class with one method of this code, whose pool is: 1 "f", 2 descriptor, 3 "Code",
 * 4 "A", 5 class A.
 */
static uint8_t *class_of(const char *descriptor, const uint8_t *code,
			 size_t size, size_t *class_size)
{
	struct pool pool = { .count = 1, .next = 1 };
	struct out out = { 0 };

	pool_text(&pool, "f");
	pool_text(&pool, descriptor);
	pool_text(&pool, "Code");
	pool_class(&pool, "A");
	out_put(&out, 0xcafebabe, 4);
	out_put(&out, 52, 4);
	out_put(&out, pool.next, 2);
	out_bytes(&out, pool.more.bytes, pool.more.size);
	out_put(&out, 1, 2);
	out_put(&out, 5, 2);
	for (int i = 0; i < 3; i++)
		out_put(&out, 0, 2); /* no super, interfaces, fields */
	out_put(&out, 1, 2);
	out_put(&out, 8, 2); /* static f */
	out_put(&out, 1, 2);
	out_put(&out, 2, 2);
	out_put(&out, 1, 2);
	out_put(&out, 3, 2);
	out_put(&out, (uint32_t)size + 12, 4);
	out_put(&out, 2, 2);
	out_put(&out, 4, 2);
	out_put(&out, (uint32_t)size, 4);
	out_bytes(&out, code, size);
	for (int i = 0; i < 3; i++)
		out_put(&out, 0, 2); /* handlers, tables; of the class */
	pool_free(&pool);
	*class_size = out.size;
	return out.bytes;
}

static struct classfile_method wish(const char *descriptor)
{
	return (struct classfile_method){
		.name = "f",
		.descriptor = descriptor,
		.number = 7,
		.entry = true,
		.leave = true,
		.entry_wants = ~0u,
		.leave_wants = ~0u,
	};
}

static uint8_t *rewrite(const uint8_t *class, size_t size,
			struct classfile_method *method, size_t *new_size)
{
	const char *problem;

	return classfile_rewrite(class, size, "Help", method, 1, new_size,
				 &problem);
}

/* Code as it is, and what is expected: a problem or none. */
static void test_code(void **state)
{
	enum { NOP = 0, GOTO = 167, LOAD = 26, RETURN_INT = 172 };
	static const struct {
		const char *descriptor;
		uint8_t code[24];
		uint8_t size;
		bool is_good;
	} cases[] = {
		{ "()V", { 177 }, 1, true },
		{ "(I)I", { LOAD, RETURN_INT }, 2, true },
		{ "(JLjava/lang/String;)V", { 177 }, 1, true },
		/* parameters that do not fit into its variables */
		{ "(JJI)V", { 177 }, 1, false },
		/* jumps: to itself, into an instruction, out of the code */
		{ "()V", { GOTO, 0, 0 }, 3, true },
		{ "()V", { GOTO, 0, 1, 177 }, 4, false },
		{ "()V", { GOTO, 0x7f, 0xff, 177 }, 4, false },
		{ "()V", { GOTO, 0xff, 0xff, 177 }, 4, false },
		/* instructions that end too late, or are none */
		{ "()V", { GOTO, 0 }, 2, false },
		{ "()V", { 186, 0, 1 }, 3, false },
		{ "()V", { 255 }, 1, false },
		{ "()V", { 196 }, 1, false },
		/* switches: one key, more keys than there are bytes */
		{ "()V",
		  { NOP, NOP, NOP, 171, 0, 0, 0, 17, 0,	 0,  0,
		    1,	 0,   0,   0,	5, 0, 0, 0,  17, 177 },
		  21,
		  true },
		{ "()V",
		  { NOP, NOP, NOP, 171, 0, 0, 0, 17, 0x7f, 0xff, 0xff, 0xff,
		    177 },
		  13,
		  false },
		{ "()V",
		  { NOP, NOP, NOP, 170, 0, 0, 0, 0, 0x80, 0, 0, 0, 0x7f, 0xff,
		    0xff, 0xff, 177 },
		  17,
		  false },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct classfile_method method = wish(cases[i].descriptor);
		size_t size, new_size;
		uint8_t *class = class_of(cases[i].descriptor, cases[i].code,
					  cases[i].size, &size);
		uint8_t *fresh = rewrite(class, size, &method, &new_size);

		if (!!fresh != cases[i].is_good)
			print_message("case %u: %s\n", i,
				      method.problem ? method.problem : "");
		assert_int_equal(!!fresh, cases[i].is_good);
		assert_int_equal(method.is_done, cases[i].is_good);
		assert_int_equal(!method.problem, cases[i].is_good);
		if (fresh) {
			struct classfile_method again =
				wish(cases[i].descriptor);
			size_t last_size;
			uint8_t *last = rewrite(fresh, new_size, &again,
						&last_size);

			assert_non_null(last);
			assert_true(new_size > size && last_size > new_size);
			free(last);
		}
		free(fresh);
		free(class);
	}
}

/* A file that ends anywhere is refused, and what is behind it is not read. */
static void test_short_files(void **state)
{
	static const uint8_t code[] = { 26, 172 };
	size_t size, new_size;
	uint8_t *class = class_of("(I)I", code, sizeof(code), &size);

	(void)state;
	for (size_t n = 0; n < size; n++) {
		struct classfile_method method = wish("(I)I");
		uint8_t *piece = malloc(n + 1);

		memcpy(piece, class, n);
		uint8_t *fresh = rewrite(piece, n, &method, &new_size);

		/* the last two bytes count the class's own attributes */
		assert_true(!fresh || n >= size - 2);
		free(fresh);
		free(piece);
	}
	free(class);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_bytes_end),
		cmocka_unit_test(test_entries_once),
		cmocka_unit_test(test_code),
		cmocka_unit_test(test_short_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
