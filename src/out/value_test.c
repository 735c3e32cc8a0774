/* SPDX-License-Identifier: Apache-2.0 */
/* Values without a format, byte for byte. */
#include "out/out.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct fixture {
	struct arena *arena;
	struct types *types;
	struct options options;
	struct printer printer;
	struct text text;
};

static int setup(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .arena = arena_new() };
	f.types = types_new(f.arena, 256);
	types_without_kernel(f.types);
	options_init(&f.options);
	f.printer.types = f.types;
	f.printer.options = &f.options;
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	text_free(&f->text);
	types_free(f->types);
	options_free(&f->options);
	arena_free(f->arena);
	return 0;
}

static const struct {
	enum base_type type;
	uint32_t size;
	uint64_t number;
	const char *loud, *quiet, *key;
} integers[] = {
	{ BASE_INT64, 8, (uint64_t)-5, "                  -5", "-5",
	  "               -5" },
	{ BASE_UINT64, 8, 7, "                    7", "7",
	  "                7" },
	{ BASE_UINT64, 8, UINT64_MAX, " 18446744073709551615",
	  "18446744073709551615", "               -1" },
	{ BASE_INT, 4, (uint32_t)-1, "         -1", "-1", "       -1" },
	{ BASE_UINT, 4, 42, "         42", "42", "       42" },
	{ BASE_SHORT, 2, 0xfffe, "    -2", "-2", "    -2" },
	{ BASE_USHORT, 2, 0xfffe, " 65534", "65534", " 65534" },
	{ BASE_CHAR, 1, 0xfe, "  -2", "-2", "  -2" },
	{ BASE_UCHAR, 1, 0xfe, " 254", "254", " 254" },
};

static void test_integers(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < COUNT(integers); i++) {
		struct print_value value = {
			.type = types_base(f->types, integers[i].type),
			.bytes = (const uint8_t *)&integers[i].number,
			.size = integers[i].size,
		};

		text_clear(&f->text);
		f->printer.quiet = false;
		print_default(&f->printer, &value, &f->text);
		assert_string_equal(text_str(&f->text), integers[i].loud);
		text_clear(&f->text);
		f->printer.quiet = true;
		print_default(&f->printer, &value, &f->text);
		assert_string_equal(text_str(&f->text), integers[i].quiet);
		text_clear(&f->text);
		print_key(&f->printer, &value, &f->text);
		assert_string_equal(text_str(&f->text), integers[i].key);
	}
}

static void test_strings(void **state)
{
	struct fixture *f = *state;
	struct print_value value = {
		.type = types_base(f->types, BASE_STRING),
		.bytes = (const uint8_t *)"hello\0\0\0",
		.size = 8,
	};

	print_default(&f->printer, &value, &f->text);
	assert_string_equal(text_str(&f->text),
			    "  hello                            ");
	f->printer.quiet = true;
	text_clear(&f->text);
	print_default(&f->printer, &value, &f->text);
	assert_string_equal(text_str(&f->text), "hello");
	text_clear(&f->text);
	print_key(&f->printer, &value, &f->text);
	assert_string_equal(text_str(&f->text),
			    "  hello                                             ");
	/* a string that fills its field has no NUL */
	value.size = 3;
	text_clear(&f->text);
	print_default(&f->printer, &value, &f->text);
	assert_string_equal(text_str(&f->text), "hel");
}

static void test_bytes(void **state)
{
	struct fixture *f = *state;
	struct type *type = type_array(f->types,
				       types_base(f->types, BASE_CHAR), 8);
	struct print_value value = {
		.type = type, .bytes = (const uint8_t *)"abc\0\0\0\0", .size = 8,
	};

	f->printer.quiet = true;
	print_default(&f->printer, &value, &f->text);
	assert_string_equal(text_str(&f->text), "abc");

	static const char dump[] =
		"\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f"
		"  0123456789abcdef\n"
		"         0: 61 62 00 63 ff 20 7e 7f"
		"                          ab.c. ~.\n";

	value.bytes = (const uint8_t *)"ab\0c\xff ~\x7f";
	text_clear(&f->text);
	print_default(&f->printer, &value, &f->text);
	assert_string_equal(text_str(&f->text), dump);
}

static void test_hexdump_rows(void **state)
{
	struct fixture *f = *state;
	uint8_t bytes[17] = { 0 };

	bytes[16] = 'Z';
	print_hexdump(bytes, sizeof(bytes), &f->text);
	assert_string_equal(text_str(&f->text),
		"\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f"
		"  0123456789abcdef\n"
		"         0: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
		"  ................\n"
		"        10: 5a                                             "
		"  Z\n");
}

static const struct lower_probe a_probe = {
	.id = 77, .provider = "syscall", .module = "vmlinux",
	.function = "read", .name = "entry",
};

static const struct lower_probe *find(void *context, uint32_t id)
{
	(void)context;
	return id == a_probe.id ? &a_probe : NULL;
}

static void test_fields(void **state)
{
	struct fixture *f = *state;
	uint32_t record[4] = { 0, 5, 77, 78 };
	struct record_field fields[] = {
		{ .form = FIELD_PROBE_NAME, .which = PROBE_FUNCTION },
		{ .form = FIELD_CONSTANT, .constant = "text" },
		{ .form = FIELD_BYTES, .offset = 4, .size = 4,
		  .type = types_base(f->types, BASE_INT) },
		{ .form = FIELD_PROBE_ID, .which = PROBE_NAME, .offset = 8 },
		{ .form = FIELD_PROBE_ID, .which = PROBE_NAME, .offset = 12 },
	};
	static const char *const expected[] = {
		"read", "text", "5", "entry", "<unknown>",
	};
	struct record_action action = { .fields = fields, .nfields = 5 };

	f->printer.find_probe = find;
	f->printer.probe = &a_probe;
	f->printer.quiet = true;
	for (uint32_t i = 0; i < COUNT(fields); i++) {
		struct print_value value = printer_field(
			&f->printer, &action, i, (const uint8_t *)record);

		text_clear(&f->text);
		print_default(&f->printer, &value, &f->text);
		assert_string_equal(text_str(&f->text), expected[i]);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_integers), TEST(test_strings), TEST(test_bytes),
		TEST(test_hexdump_rows), TEST(test_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
