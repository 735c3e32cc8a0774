/* SPDX-License-Identifier: Apache-2.0 */
/* Values without a format, byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sink/render.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct fixture {
	struct options options;
	struct renderer renderer;
	struct text text;
};

static int setup(void **state)
{
	static struct fixture f;

	f = (struct fixture){ 0 };
	options_init(&f.options);
	f.renderer.options = &f.options;
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	text_free(&f->text);
	options_free(&f->options);
	return 0;
}

static const struct {
	bool is_signed;
	uint32_t size;
	uint64_t number;
	const char *loud, *quiet, *key;
} integers[] = {
	{ true, 8, (uint64_t)-5, "                  -5", "-5",
	  "               -5" },
	{ false, 8, 7, "                    7", "7", "                7" },
	{ false, 8, UINT64_MAX, " 18446744073709551615", "18446744073709551615",
	  "               -1" },
	{ true, 4, (uint32_t)-1, "         -1", "-1", "       -1" },
	{ false, 4, 42, "         42", "42", "       42" },
	{ true, 2, 0xfffe, "    -2", "-2", "    -2" },
	{ false, 2, 0xfffe, " 65534", "65534", " 65534" },
	{ true, 1, 0xfe, "  -2", "-2", "  -2" },
	{ false, 1, 0xfe, " 254", "254", " 254" },
};

static void test_integers(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < COUNT(integers); i++) {
		struct fact_value value = {
			.kind = FACT_INTEGER,
			.is_signed = integers[i].is_signed,
			.bytes = (const uint8_t *)&integers[i].number,
			.size = integers[i].size,
		};

		text_clear(&f->text);
		f->renderer.is_quiet = false;
		render_default(&f->renderer, &value, &f->text);
		assert_string_equal(text_str(&f->text), integers[i].loud);
		text_clear(&f->text);
		f->renderer.is_quiet = true;
		render_default(&f->renderer, &value, &f->text);
		assert_string_equal(text_str(&f->text), integers[i].quiet);
		text_clear(&f->text);
		render_key(&f->renderer, &value, &f->text);
		assert_string_equal(text_str(&f->text), integers[i].key);
	}
}

static void test_strings(void **state)
{
	struct fixture *f = *state;
	struct fact_value value = {
		.kind = FACT_STRING,
		.bytes = (const uint8_t *)"hello\0\0\0",
		.size = 8,
	};

	render_default(&f->renderer, &value, &f->text);
	assert_string_equal(text_str(&f->text),
			    "  hello                            ");
	f->renderer.is_quiet = true;
	text_clear(&f->text);
	render_default(&f->renderer, &value, &f->text);
	assert_string_equal(text_str(&f->text), "hello");
	text_clear(&f->text);
	render_key(&f->renderer, &value, &f->text);
	assert_string_equal(
		text_str(&f->text),
		"  hello                                             ");
	/* a string that fills its field has no NUL */
	value.size = 3;
	text_clear(&f->text);
	render_default(&f->renderer, &value, &f->text);
	assert_string_equal(text_str(&f->text), "hel");
}

static void test_bytes(void **state)
{
	struct fixture *f = *state;
	struct fact_value value = {
		.kind = FACT_BYTES, .bytes = (const uint8_t *)"abc\0\0\0\0", .size = 8,
	};

	f->renderer.is_quiet = true;
	render_default(&f->renderer, &value, &f->text);
	assert_string_equal(text_str(&f->text), "abc");

	static const char dump[] =
		"\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f"
		"  0123456789abcdef\n"
		"         0: 61 62 00 63 ff 20 7e 7f"
		"                          ab.c. ~.\n";

	value.bytes = (const uint8_t *)"ab\0c\xff ~\x7f";
	text_clear(&f->text);
	render_default(&f->renderer, &value, &f->text);
	assert_string_equal(text_str(&f->text), dump);
}

static void test_hexdump_rows(void **state)
{
	struct fixture *f = *state;
	uint8_t bytes[17] = { 0 };

	bytes[16] = 'Z';
	render_hexdump(bytes, sizeof(bytes), &f->text);
	assert_string_equal(
		text_str(&f->text),
		"\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f"
		"  0123456789abcdef\n"
		"         0: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
		"  ................\n"
		"        10: 5a                                             "
		"  Z\n");
}

static const struct fact_probe a_probe = {
	.id = 77, .provider = "syscall", .module = "vmlinux",
	.function = "read", .name = "entry",
};

static void test_fields(void **state)
{
	struct fixture *f = *state;
	uint32_t record[4] = { 0, 5, 77, 78 };
	struct schema_field fields[] = {
		{ .form = FIELD_PROBE_NAME, .which = PROBE_FUNCTION },
		{ .form = FIELD_CONSTANT, .constant = "text" },
		{ .form = FIELD_BYTES, .offset = 4, .size = 4,
		  .kind = FACT_INTEGER, .is_signed = true },
		{ .form = FIELD_PROBE_ID, .which = PROBE_NAME, .offset = 8 },
		{ .form = FIELD_PROBE_ID, .which = PROBE_NAME, .offset = 12 },
	};
	static const char *const expected[] = {
		"read", "text", "5", "entry", "<unknown>",
	};

	f->renderer.is_quiet = true;
	for (uint32_t i = 0; i < COUNT(fields); i++) {
		struct fact_value value =
			fact_value_of(&fields[i], (const uint8_t *)record,
				      &a_probe, i == 3 ? &a_probe : NULL);

		text_clear(&f->text);
		render_default(&f->renderer, &value, &f->text);
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
