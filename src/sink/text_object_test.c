/* SPDX-License-Identifier: Apache-2.0 */
/* print(): numbers at any bit, what is omitted, what is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sink/render.h"

static const struct schema_object int_type = {
	.kind = OBJECT_INTEGER, .name = "int", .size = 4, .is_signed = true,
}, uint_type = {
	.kind = OBJECT_INTEGER, .name = "unsigned int", .size = 4,
}, short_type = {
	.kind = OBJECT_INTEGER, .name = "short", .size = 2, .is_signed = true,
}, char_type = {
	.kind = OBJECT_INTEGER, .name = "char", .size = 1, .is_signed = true,
	.is_char = true,
};

#define BLANKS "                                            "

static void expect(const struct schema_object *type, const void *bytes,
		   uint64_t size, const char *pointed, const char *typed)
{
	struct text text = { 0 };

	render_pointed(type, bytes, size, &text);
	assert_string_equal(text_str(&text), pointed);
	if (typed) {
		text_clear(&text);
		render_typed(type, bytes, size, &text);
		assert_string_equal(text_str(&text), typed);
	}
	text_free(&text);
}

static void scalars(void **state)
{
	static const struct {
		const struct schema_object *type;
		uint64_t number;
		const char *pointed, *typed;
	} cases[] = {
		{ &int_type, (uint32_t)-1, BLANKS "(int)-1\n",
		  "int 0xffffffff\n" },
		{ &uint_type, (uint32_t)-1, BLANKS "(unsigned int)4294967295\n",
		  "unsigned int 0xffffffff\n" },
		{ &short_type, 456, BLANKS "(short)456\n", "short 0x1c8\n" },
		{ &char_type, 'a', BLANKS "(char)'a'\n", "char 'a'\n" },
		{ &char_type, 4, BLANKS "(char)4\n", "char '\\004'\n" },
		{ &char_type, 0, BLANKS "(char)0\n", "char '\\0'\n" },
		{ &char_type, 0xff, BLANKS "(char)-1\n", "char '\\377'\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		expect(cases[i].type, &cases[i].number, cases[i].type->size,
		       cases[i].pointed, cases[i].typed);
}

static void arrays(void **state)
{
	static const int numbers[] = { 1, 0, 3, 0, 0 };
	static const struct schema_object type = {
		.kind = OBJECT_ARRAY, .name = "int [5]", .size = 20,
		.element = &int_type, .count = 5,
	}, text = {
		.kind = OBJECT_ARRAY, .name = "char [4]", .size = 4,
		.element = &char_type, .count = 4,
	};

	(void)state;
	expect(&type, numbers, sizeof(numbers),
	       BLANKS "(int [5]) [\n" BLANKS " (int)1,\n" BLANKS
		      " (int)0,\n" BLANKS " (int)3,\n" BLANKS "]\n",
	       "int [5] [ 0x1, 0, 0x3, 0, 0 ]\n");
	expect(&text, "abc", 4, BLANKS "(char [4])\"abc\"\n",
	       "char [4] \"abc\"\n");
	expect(&text, "abcd", 4, BLANKS "(char [4])\"abcd\"\n",
	       "char [4] \"abcd\"\n");
	expect(&text, "\4\0\0", 4,
	       BLANKS "(char [4]) [\n" BLANKS " (char)4,\n" BLANKS "]\n",
	       "char [4] [ '\\004', '\\0', '\\0', '\\0' ]\n");
}

/* Members at any bit, enumerators by name, anonymous members. */
static void structs(void **state)
{
	struct object_enumerator names[] = { { "RED", 0 }, { "BLUE", 2 } };
	const struct schema_object colour = {
		.kind = OBJECT_ENUM, .name = "enum colour", .size = 4,
		.enumerators = names, .nenumerators = 2,
	};
	struct object_member inner[] = { { "deep", 0, 0, &short_type } };
	const struct schema_object nested = {
		.kind = OBJECT_STRUCT, .name = "struct (anon)", .size = 2,
		.members = inner, .nmembers = 1,
	};
	struct object_member members[] = {
		{ "low", 0, 3, &uint_type }, { "high", 3, 5, &int_type },
		{ "colour", 32, 0, &colour }, { NULL, 64, 0, &nested },
	};
	const struct schema_object type = {
		.kind = OBJECT_STRUCT, .name = "struct parts", .size = 12,
		.members = members, .nmembers = 4,
	};
	static const uint8_t bytes[12] = {
		5 | 0x1e << 3, 0, 0, 0, 2, 0, 0, 0, 7
	};

	(void)state;
	expect(&type, bytes, sizeof(bytes),
	       BLANKS
	       "(struct parts) {\n" BLANKS " .low = (unsigned int)5,\n" BLANKS
	       " .high = (int)-2,\n" BLANKS
	       " .colour = (enum colour)BLUE,\n" BLANKS
	       " (struct (anon)) {\n" BLANKS "  .deep = (short)7,\n" BLANKS
	       " },\n" BLANKS "}\n",
	       "struct parts {\n"
	       "    unsigned int low :3 = 0x5\n"
	       "    int high :5 = 0x1e\n"
	       "    enum colour colour = BLUE\n"
	       "    struct (anon) = {\n"
	       "        short deep = 0x7\n"
	       "    }\n"
	       "}");
}

/* Truncated anywhere, nothing is read after the cut. */
static void cut(void **state)
{
	static const int numbers[] = { 1, 2, 3 };
	static const struct schema_object type = {
		.kind = OBJECT_ARRAY, .name = "int [3]", .size = 12,
		.element = &int_type, .count = 3,
	};

	(void)state;
	expect(&type, numbers, 8,
	       BLANKS "(int [3]) [\n" BLANKS " (int)1,\n" BLANKS
		      " (int)2,\n" BLANKS " ...\n" BLANKS "]\n",
	       NULL);
	for (size_t size = 0; size < sizeof(numbers); size++) {
		uint8_t *bytes = malloc(size ? size : 1);
		struct text text = { 0 };

		memcpy(bytes, numbers, size);
		render_pointed(&type, bytes, size, &text);
		render_typed(&type, bytes, size, &text);
		text_free(&text);
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scalars), cmocka_unit_test(arrays),
		cmocka_unit_test(structs), cmocka_unit_test(cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
