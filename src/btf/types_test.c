/* SPDX-License-Identifier: Apache-2.0 */
/* D's own definitions: tags, typedefs, members, sameness, suggestions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "btf/type.h"

static struct arena *arena;
static struct types *types;

static int setup(void **state)
{
	(void)state;
	arena = arena_new();
	types = types_new(arena, 256);
	types_without_kernel(types);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	types_free(types);
	arena_free(arena);
	return 0;
}

static struct type *parse(const char *text)
{
	struct type *type = types_parse(types, text);

	if (!type)
		fail_msg("no type \"%s\"", text);
	return type;
}

static void test_base(void **state)
{
	(void)state;
	for (int i = 0; i < BASE_COUNT; i++)
		assert_non_null(types_base(types, (enum base_type)i));
	assert_true(type_is_signed(types, parse("char")));
	assert_true(type_is_signed(types, parse("int8_t")));
	assert_false(type_is_signed(types, parse("uint64_t")));
	assert_string_equal(type_name(types, types_base(types, BASE_SIZE)),
			    "size_t");
	assert_string_equal(type_name(types, types_base(types, BASE_DYNAMIC)),
			    "<DYN>");
	assert_string_equal(type_name(types, types_base(types, BASE_FUNCTION)),
			    "int ()");
	/* a look-up finds the same object again */
	assert_ptr_equal(types_base(types, BASE_INT64),
			 types_lookup(types, NULL, TAG_NONE, STR("int64_t")));
	assert_null(types_lookup(types, NULL, TAG_NONE, STR("")));
	assert_null(types_lookup(types, "ext4", TAG_NONE, STR("int")));
}

static void test_classes(void **state)
{
	/* i integer, f float, p pointer, s scalar, S string, l string-like,
	 * c char array, o struct or union, v void */
	static const struct {
		const char *text, *classes;
	} cases[] = {
		{ "int", "is" },
		{ "const volatile char", "is" },
		{ "enum colour", "is" },
		{ "float", "f" },
		{ "void *", "ps" },
		{ "char *", "psl" },
		{ "const unsigned char *", "psl" },
		{ "char [4]", "plc" },
		{ "int [4]", "p" },
		{ "caddr_t", "psl" },
		{ "string", "Sl" },
		{ "struct outer", "o" },
		{ "struct unknown", "o" },
		{ "void", "v" },
		{ "int (*)()", "ps" },
	};
	struct type *colour = types_declare_tag(types, TAG_ENUM, "colour");

	(void)state;
	type_add_enumerator(types, colour, "RED", 1);
	type_finish_enum(types, colour);
	type_finish_sou(types, types_declare_tag(types, TAG_STRUCT, "outer"));
	types_declare_tag(types, TAG_STRUCT, "unknown");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct type *t = parse(cases[i].text);
		char found[16] = "";

		strcat(found, type_is_integer(types, t) ? "i" : "");
		strcat(found, type_is_float(types, t) ? "f" : "");
		strcat(found, type_is_pointer(types, t) ? "p" : "");
		strcat(found, type_is_scalar(types, t) ? "s" : "");
		strcat(found, type_is_string(types, t) ? "S" : "");
		strcat(found, type_is_stringlike(types, t) ? "l" : "");
		strcat(found, type_is_char_array(types, t) ? "c" : "");
		strcat(found, type_is_sou(types, t) ? "o" : "");
		strcat(found, type_is_void(types, t) ? "v" : "");
		if (strcmp(found, cases[i].classes))
			fail_msg("%s is \"%s\", not \"%s\"", cases[i].text,
				 found, cases[i].classes);
	}
}

static void test_tags(void **state)
{
	struct type *list = types_declare_tag(types, TAG_STRUCT, "list");

	(void)state;
	assert_int_equal(list->kind, TYPE_FORWARD);
	assert_ptr_equal(list, types_declare_tag(types, TAG_STRUCT, "list"));
	struct type *pointer = type_pointer(types, list);

	assert_ptr_equal(pointer, type_pointer(types, list));
	assert_int_equal(type_size(types, list), 0);
	assert_false(type_complete(types, list));
	assert_true(type_add_member(types, list, "next", pointer, 0));
	assert_true(type_add_member(types, list, "value", parse("int"), 0));
	assert_false(type_add_member(types, list, "next", pointer, 0));
	type_finish_sou(types, list);

	assert_int_equal(list->kind, TYPE_STRUCT);
	assert_int_equal(type_size(types, pointer->target), 16);
	assert_true(type_complete(types, list));
	assert_null(types_declare_tag(types, TAG_STRUCT, "list"));
	assert_non_null(types_declare_tag(types, TAG_UNION, "list"));
	assert_ptr_equal(types_lookup(types, "D", TAG_STRUCT, STR("list")),
			 list);
	assert_null(types_lookup(types, "vmlinux", TAG_STRUCT, STR("list")));
}

static void test_anonymous_members(void **state)
{
	struct type *inner = types_declare_tag(types, TAG_UNION, NULL);
	struct type *outer = types_declare_tag(types, TAG_STRUCT, "outer");
	struct member found;

	(void)state;
	type_add_member(types, inner, "number", parse("long"), 0);
	type_add_member(types, inner, "letters", parse("char [12]"), 0);
	type_finish_sou(types, inner);
	type_add_member(types, outer, "first", parse("int"), 0);
	assert_true(type_add_member(types, outer, NULL, inner, 0));
	assert_false(type_add_member(types, outer, "letters", parse("int"), 0));
	assert_false(type_add_member(types, outer, NULL, inner, 0));
	type_add_member(types, outer, "flag", parse("unsigned"), 3);
	type_finish_sou(types, outer);

	assert_true(type_member(types, outer, "letters", &found));
	assert_int_equal(found.bit_offset, 64);
	assert_string_equal(type_name(types, found.type), "char [12]");
	assert_true(type_member(types, parse("const struct outer"), "flag",
				&found));
	assert_int_equal(found.bit_offset, 24 * 8);
	assert_int_equal(found.bit_width, 3);
	assert_false(type_member(types, outer, "nonesuch", &found));
	assert_false(type_member(types, parse("int"), "first", &found));

	struct type *bits = type_bitfield(types, found.type, 3);

	assert_int_equal(bits->bits, 3);
	assert_int_equal(type_size(types, bits), 4);
	assert_false(type_is_signed(types, bits));
}

static void test_typedefs(void **state)
{
	(void)state;
	assert_true(types_define_typedef(types, "word_t", parse("long")));
	assert_true(types_define_typedef(types, "word_t", parse("int64_t")));
	assert_false(types_define_typedef(types, "word_t", parse("int")));
	assert_string_equal(type_name(types, parse("word_t *")), "word_t *");
	/* the language's own names cannot be redefined, a library's can */
	assert_false(types_define_typedef(types, "uint8_t", parse("int")));
	assert_true(types_define_typedef(types, "uint8_t",
					 parse("unsigned char")));
	assert_true(types_define_typedef(types, "hrtime_t", parse("int")));
	assert_int_equal(type_size(types, parse("hrtime_t")), 4);
	assert_false(types_define_typedef(types, "hrtime_t", parse("char")));
}

static void test_same(void **state)
{
	static const struct {
		const char *a, *b;
		bool is_same, is_compatible;
	} cases[] = {
		{ "int", "int", true, false },
		{ "int", "const id_t", true, false },
		{ "int", "unsigned", false, false },
		{ "int", "long", false, false },
		{ "long", "long long", true, false },
		{ "int", "enum colour", false, false },
		{ "char *", "const char *", true, true },
		{ "char *", "int8_t *", true, true },
		{ "char *", "unsigned char *", false, false },
		{ "char *", "void *", false, true },
		{ "void *", "struct outer *", false, true },
		{ "struct outer *", "struct other *", false, false },
		{ "char [4]", "char *", false, true },
		{ "char [4]", "char [5]", false, true },
		{ "char **", "char **", true, true },
		{ "char **", "void **", false, false },
		{ "int (*)()", "void (*)(int)", true, true },
		{ "string", "string", true, false },
		{ "string", "char *", false, false },
		{ "int", "int *", false, false },
	};

	(void)state;
	type_finish_sou(types, types_declare_tag(types, TAG_STRUCT, "outer"));
	type_finish_sou(types, types_declare_tag(types, TAG_STRUCT, "other"));
	type_finish_enum(types, types_declare_tag(types, TAG_ENUM, "colour"));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct type *a = parse(cases[i].a), *b = parse(cases[i].b);

		if (type_same(types, a, b) != cases[i].is_same ||
		    type_same(types, b, a) != cases[i].is_same)
			fail_msg("same: %s, %s", cases[i].a, cases[i].b);
		if (type_pointers_compatible(types, a, b) !=
			    cases[i].is_compatible ||
		    type_pointers_compatible(types, b, a) !=
			    cases[i].is_compatible)
			fail_msg("compatible: %s, %s", cases[i].a, cases[i].b);
	}
}

static void test_nearest(void **state)
{
	(void)state;
	types_declare_tag(types, TAG_STRUCT, "widget");
	assert_string_equal(types_nearest(types, "uint46_t"), "uint64_t");
	assert_string_equal(types_nearest(types, "sting"), "string");
	assert_string_equal(types_nearest(types, "widgte"), "widget");
	assert_null(types_nearest(types, "completely_else"));
	assert_null(types_nearest(types, ""));
}

static void test_huge(void **state)
{
	struct type *huge = type_array(types, parse("long"), UINT64_MAX / 2);

	(void)state;
	assert_int_equal(type_size(types, huge), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_base, setup, teardown),
		cmocka_unit_test_setup_teardown(test_classes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_tags, setup, teardown),
		cmocka_unit_test_setup_teardown(test_anonymous_members, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_typedefs, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_same, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nearest, setup, teardown),
		cmocka_unit_test_setup_teardown(test_huge, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
