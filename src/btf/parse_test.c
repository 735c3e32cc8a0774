/* SPDX-License-Identifier: Apache-2.0 */
/* Type names read and printed; what is not a type name is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "btf/type.h"

static struct types *make(struct arena *arena)
{
	struct types *types = types_new(arena, 256);

	types_without_kernel(types);
	struct type *point = types_declare_tag(types, TAG_STRUCT, "point");

	type_add_member(types, point, "x", types_base(types, BASE_INT), 0);
	type_add_member(types, point, "y", types_base(types, BASE_INT), 0);
	type_finish_sou(types, point);
	types_declare_tag(types, TAG_UNION, "either");
	return types;
}

static void test_parse(void **state)
{
	static const struct {
		const char *text;
		const char *printed; /* NULL: refused */
		uint64_t size;
	} cases[] = {
		{ "int", "int", 4 },
		{ "  int  ", "int", 4 },
		{ "signed", "int", 4 },
		{ "unsigned", "unsigned int", 4 },
		{ "int unsigned", "unsigned int", 4 },
		{ "long", "long", 8 },
		{ "long int long unsigned", "unsigned long long", 8 },
		{ "int long", "long", 8 },
		{ "long unsigned int", "unsigned long", 8 },
		{ "short", "short", 2 },
		{ "unsigned short int", "unsigned short", 2 },
		{ "char signed", "signed char", 1 },
		{ "unsigned char", "unsigned char", 1 },
		{ "double long", "long double", 16 },
		{ "float", "float", 4 },
		{ "_Bool", "_Bool", 1 },
		{ "void", "void", 0 },
		{ "string", "string", 256 },
		{ "stack", "stack", 0 },
		{ "uint8_t", "uint8_t", 1 },
		{ "u_longlong_t", "u_longlong_t", 8 },
		{ "processorid_t *", "processorid_t *", 8 },
		{ "caddr_t", "caddr_t", 8 },
		{ "const char *", "const char *", 8 },
		{ "char const *", "const char *", 8 },
		{ "char *const", "char *const", 8 },
		{ "const char *const *volatile", "const char *const *volatile",
		  8 },
		{ "char **", "char **", 8 },
		{ "char [16]", "char [16]", 16 },
		{ "char[]", "char []", 0 },
		{ "int [2][3]", "int [2][3]", 24 },
		{ "int [0x10]", "int [16]", 64 },
		{ "int *[4]", "int *[4]", 32 },
		{ "int (*)[4]", "int (*)[4]", 8 },
		{ "int (*)()", "int (*)()", 8 },
		{ "void (*)(int, char *name, ...)", "void (*)()", 8 },
		{ "char *(*)(void)", "char *(*)()", 8 },
		{ "int (*(*)(void))[3]", "int (*(*)())[3]", 8 },
		{ "int (*[2])()", "int (*[2])()", 16 },
		{ "int (*const)()", "int (*const)()", 8 },
		{ "int ()", "int ()", 0 },
		{ "struct point", "struct point", 8 },
		{ "struct point *", "struct point *", 8 },
		{ "struct D`point [2]", "struct point [2]", 16 },
		{ "D`int64_t", "int64_t", 8 },
		{ "union either *", "union either *", 8 },
		{ "const struct point", "const struct point", 8 },
		{ "userland char *", "char *", 8 },
		{ "", NULL, 0 },
		{ "nonesuch", NULL, 0 },
		{ "struct", NULL, 0 },
		{ "struct nonesuch *", NULL, 0 },
		{ "struct point point", NULL, 0 },
		{ "int int", NULL, 0 },
		{ "short long", NULL, 0 },
		{ "long long long", NULL, 0 },
		{ "unsigned signed", NULL, 0 },
		{ "unsigned double", NULL, 0 },
		{ "unsigned string", NULL, 0 },
		{ "int x", NULL, 0 },
		{ "int [", NULL, 0 },
		{ "int [x]", NULL, 0 },
		{ "int [-1]", NULL, 0 },
		{ "int [99999999999999999999]", NULL, 0 },
		{ "int (", NULL, 0 },
		{ "int (*", NULL, 0 },
		{ "int (*)(nonesuch)", NULL, 0 },
		{ "int )", NULL, 0 },
		{ "*", NULL, 0 },
		{ "const", NULL, 0 },
		{ "`", NULL, 0 },
		{ "D`", NULL, 0 },
		{ "vmlinux`int", NULL, 0 },
		{ "int $", NULL, 0 },
	};
	struct arena *arena = arena_new();
	struct types *types = make(arena);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct type *type = types_parse(types, cases[i].text);

		if (!type != !cases[i].printed)
			fail_msg("\"%s\" is %s", cases[i].text,
				 type ? type_name(types, type) : "refused");
		if (!type)
			continue;
		assert_string_equal(type_name(types, type), cases[i].printed);
		assert_int_equal(type_size(types, type), cases[i].size);
		/* and again what was printed */
		struct type *again = types_parse(types, cases[i].printed);

		assert_non_null(again);
		assert_true(type_same(types, type, again));
	}
	types_free(types);
	arena_free(arena);
}

/* Deep nesting is refused and does not overflow the stack. */
static void test_depth(void **state)
{
	static const char *const pieces[] = { "(", "(*", "*", "[1]", "int (" };
	struct arena *arena = arena_new();
	struct types *types = make(arena);

	(void)state;
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		struct text text = { 0 };

		text_puts(&text, "int ");
		for (unsigned n = 0; n < 20000; n++)
			text_puts(&text, pieces[i]);
		types_parse(types, text_str(&text));
		text_free(&text);
	}
	types_free(types);
	arena_free(arena);
}

static void test_declarations(void **state)
{
	static const struct {
		const char *type, *declaration;
	} cases[] = {
		{ "int", "int name" },
		{ "char *", "char *name" },
		{ "char *const", "char *const name" },
		{ "int [4]", "int name[4]" },
		{ "char *[4]", "char *name[4]" },
		{ "int (*)()", "int (*name)()" },
		{ "int (*)[4]", "int (*name)[4]" },
		{ "struct point [2]", "struct point name[2]" },
	};
	struct arena *arena = arena_new();
	struct types *types = make(arena);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct text text = { 0 };

		type_print_declaration(types, types_parse(types, cases[i].type),
				       "name", &text);
		assert_string_equal(text_str(&text), cases[i].declaration);
		text_free(&text);
	}
	struct type *anonymous = types_declare_tag(types, TAG_STRUCT, NULL);

	type_finish_sou(types, anonymous);
	assert_string_equal(type_name(types, anonymous), "struct");
	types_free(types);
	arena_free(arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_declarations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
