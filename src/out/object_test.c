/* SPDX-License-Identifier: Apache-2.0 */
/* print(): numbers at any bit, what is left out, what is not there. */
#include "out/object.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
	struct arena *arena;
	struct types *types;
	struct printer printer;
	struct text text;
};

static int setup(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .arena = arena_new() };
	f.types = types_new(f.arena, 256);
	types_without_kernel(f.types);
	f.printer.types = f.types;
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	text_free(&f->text);
	types_free(f->types);
	arena_free(f->arena);
	return 0;
}

#define BLANKS "                                            "

static void expect(struct fixture *f, struct type *type, const void *bytes,
		   size_t size, const char *pointed, const char *typed)
{
	text_clear(&f->text);
	print_pointed(&f->printer, type, bytes, size, &f->text);
	assert_string_equal(text_str(&f->text), pointed);
	if (!typed)
		return;
	text_clear(&f->text);
	print_typed(&f->printer, type, bytes, size, &f->text);
	assert_string_equal(text_str(&f->text), typed);
}

static void scalars(void **state)
{
	struct fixture *f = *state;
	static const struct {
		enum base_type type;
		uint64_t number;
		const char *pointed, *typed;
	} cases[] = {
		{ BASE_INT, (uint32_t)-1, BLANKS "(int)-1\n",
		  "int 0xffffffff\n" },
		{ BASE_UINT, (uint32_t)-1, BLANKS "(unsigned int)4294967295\n",
		  "unsigned int 0xffffffff\n" },
		{ BASE_SHORT, 456, BLANKS "(short)456\n", "short 0x1c8\n" },
		{ BASE_CHAR, 'a', BLANKS "(char)'a'\n", "char 'a'\n" },
		{ BASE_CHAR, 4, BLANKS "(char)4\n", "char '\\004'\n" },
		{ BASE_CHAR, 0, BLANKS "(char)0\n", "char '\\0'\n" },
		{ BASE_CHAR, 0xff, BLANKS "(char)-1\n", "char '\\377'\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct type *type = types_base(f->types, cases[i].type);

		expect(f, type, &cases[i].number, type_size(f->types, type),
		       cases[i].pointed, cases[i].typed);
	}
}

static void arrays(void **state)
{
	struct fixture *f = *state;
	static const int numbers[] = { 1, 0, 3, 0, 0 };
	struct type *type = type_array(f->types,
				       types_base(f->types, BASE_INT), 5);
	struct type *text = type_array(f->types,
				       types_base(f->types, BASE_CHAR), 4);

	expect(f, type, numbers, sizeof(numbers),
	       BLANKS "(int [5]) [\n"
	       BLANKS " (int)1,\n"
	       BLANKS " (int)0,\n"
	       BLANKS " (int)3,\n"
	       BLANKS "]\n",
	       "int [5] [ 0x1, 0, 0x3, 0, 0 ]\n");
	expect(f, text, "abc", 4, BLANKS "(char [4])\"abc\"\n",
	       "char [4] \"abc\"\n");
	expect(f, text, "abcd", 4, BLANKS "(char [4])\"abcd\"\n",
	       "char [4] \"abcd\"\n");
	expect(f, text, "\4\0\0", 4,
	       BLANKS "(char [4]) [\n" BLANKS " (char)4,\n" BLANKS "]\n",
	       "char [4] [ '\\004', '\\0', '\\0', '\\0' ]\n");
}

/* Cut anywhere, nothing is read behind the cut. */
static void cut(void **state)
{
	struct fixture *f = *state;
	static const int numbers[] = { 1, 2, 3 };
	struct type *type = type_array(f->types,
				       types_base(f->types, BASE_INT), 3);

	expect(f, type, numbers, 8,
	       BLANKS "(int [3]) [\n"
	       BLANKS " (int)1,\n"
	       BLANKS " (int)2,\n"
	       BLANKS " ...\n"
	       BLANKS "]\n", NULL);
	for (size_t size = 0; size < sizeof(numbers); size++) {
		uint8_t *bytes = arena_copy(f->arena, numbers, size ? size : 1);

		text_clear(&f->text);
		print_pointed(&f->printer, type, bytes, size, &f->text);
		print_typed(&f->printer, type, bytes, size, &f->text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(scalars, setup, teardown),
		cmocka_unit_test_setup_teardown(arrays, setup, teardown),
		cmocka_unit_test_setup_teardown(cut, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
