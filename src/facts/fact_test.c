/* SPDX-License-Identifier: Apache-2.0 */
/* Values: what the bytes of a field mean, and fields without bytes. */
#include "facts/fact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct fact_probe probe = {
	.id = 7, .provider = "syscall", .module = "vmlinux",
	.function = "read", .name = "entry",
}, other = {
	.id = 8, .provider = "pid12", .module = "a.out",
	.function = "main", .name = "return",
};

static void test_integers(void **state)
{
	static const uint64_t ones = UINT64_MAX, high = 0x8000000080008080;
	static const struct {
		uint32_t size;
		bool is_signed;
		int64_t ones, high;
	} cases[] = {
		{ 1, true, -1, -128 },
		{ 1, false, 255, 128 },
		{ 2, true, -1, INT16_MIN + 0x80 },
		{ 2, false, 65535, 0x8080 },
		{ 4, true, -1, INT32_MIN + 0x8080 },
		{ 4, false, UINT32_MAX, 0x80008080 },
		{ 8, true, -1, (int64_t)0x8000000080008080 },
		{ 8, false, -1, (int64_t)0x8000000080008080 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct fact_value value = {
			.kind = FACT_INTEGER, .is_signed = cases[i].is_signed,
			.size = cases[i].size, .bytes = (const uint8_t *)&ones,
		};

		assert_int_equal(fact_integer(&value), cases[i].ones);
		value.bytes = (const uint8_t *)&high;
		assert_int_equal(fact_integer(&value), cases[i].high);
	}
}

/* No alignment is required, and nothing after the value is read. */
static void test_places(void **state)
{
	static const uint8_t bytes[] = { 9, 1, 2, 3, 4, 5, 6, 7, 8 };
	struct fact_value value = { .bytes = bytes + 1, .size = 4 };

	(void)state;
	assert_int_equal(fact_integer(&value), 0x04030201);
	value.size = 3;
	assert_int_equal(fact_integer(&value), 0x030201);
	value.size = 0;
	assert_int_equal(fact_integer(&value), 0);
	value.size = 16;
	assert_int_equal(fact_integer(&value), 0x0807060504030201);
}

static void test_lengths(void **state)
{
	struct fact_value value = {
		.kind = FACT_STRING, .bytes = (const uint8_t *)"hel\0lo",
		.size = 6,
	};

	(void)state;
	assert_int_equal(fact_length(&value), 3);
	value.size = 3; /* it fills its field */
	assert_int_equal(fact_length(&value), 3);
	value.size = 2;
	assert_int_equal(fact_length(&value), 2);
	value.size = 0;
	assert_int_equal(fact_length(&value), 0);
}

static void test_words(void **state)
{
	static const uint64_t words[] = { 5, 6, 7 };
	const struct fact_value value = {
		.kind = FACT_STACK, .bytes = (const uint8_t *)words,
		.size = 20,
	};

	(void)state;
	assert_int_equal(fact_word(&value, 0), 5);
	assert_int_equal(fact_word(&value, 1), 6);
	assert_int_equal(fact_word(&value, 2), 0); /* incomplete */
	assert_int_equal(fact_word(&value, 3), 0);
	assert_int_equal(fact_word(&value, UINT32_MAX), 0);
}

static void test_stored_fields(void **state)
{
	static const uint8_t record[] = "....value\0....";
	const struct schema_field field = {
		.form = FIELD_BYTES, .kind = FACT_STRING, .offset = 4,
		.size = 10, .type = "string", .name = "x",
	};
	struct fact_value value = fact_value_of(&field, record, &probe, NULL);

	(void)state;
	assert_int_equal(value.kind, FACT_STRING);
	assert_ptr_equal(value.bytes, record + 4);
	assert_int_equal(value.size, 10);
	assert_int_equal(fact_length(&value), 5);
	assert_ptr_equal(value.field, &field);
	/* text chosen by the traced system, with any number of lines */
	assert_false(value.is_literal);
	assert_false(value.is_name);
}

static void test_names(void **state)
{
	static const char *const names[] = { "syscall", "vmlinux", "read",
					     "entry" };

	(void)state;
	for (uint32_t which = PROBE_PROVIDER; which <= PROBE_NAME; which++) {
		const struct schema_field field = {
			.form = FIELD_PROBE_NAME, .which = which,
			.kind = FACT_STRING,
		};
		struct fact_value value = fact_value_of(&field, NULL, &probe,
							&other);

		assert_int_equal(value.kind, FACT_STRING);
		assert_int_equal(value.size, strlen(names[which]) + 1);
		assert_string_equal((const char *)value.bytes, names[which]);
		assert_true(value.is_name);
		assert_false(value.is_literal);
		assert_string_equal(fact_probe_name(NULL, which), "<unknown>");
	}
}

/* In keys an id stands for the name; the probe may be gone. */
static void test_ids(void **state)
{
	const struct schema_field field = {
		.form = FIELD_PROBE_ID, .which = PROBE_FUNCTION,
	};
	struct fact_value value = fact_value_of(&field, NULL, &probe, &other);

	(void)state;
	assert_string_equal((const char *)value.bytes, "main");
	value = fact_value_of(&field, NULL, &probe, NULL);
	assert_string_equal((const char *)value.bytes, "<unknown>");
}

static void test_constants(void **state)
{
	struct schema_field field = {
		.form = FIELD_CONSTANT, .constant = "literal",
	};
	struct fact_value value = fact_value_of(&field, NULL, NULL, NULL);

	(void)state;
	assert_string_equal((const char *)value.bytes, "literal");
	assert_true(value.is_literal);
	field.constant = NULL;
	value = fact_value_of(&field, NULL, NULL, NULL);
	assert_int_equal(fact_length(&value), 0);
}

/* Names and literals are truncated where a string would be. */
static void test_limits(void **state)
{
	struct schema_field field = {
		.form = FIELD_CONSTANT, .constant = "literal",
	};
	static const struct { uint32_t limit; size_t length; } cases[] = {
		{ 0, 7 }, { 256, 7 }, { 8, 7 }, { 7, 7 }, { 6, 6 }, { 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		field.limit = cases[i].limit;
		struct fact_value value = fact_value_of(&field, NULL, NULL,
							NULL);

		assert_int_equal(fact_length(&value), cases[i].length);
	}
}

/* Which words of a symbol are looked up: of the kernel, or of a process. */
static void note_question(void *context, bool is_user, uint32_t pid,
			  uint64_t address, struct fact_frame *frame)
{
	uint64_t *asked = context;

	asked[0] = is_user;
	asked[1] = pid;
	asked[2] = address;
	frame->address = address;
}

static void test_symbols(void **state)
{
	static const uint64_t words[] = { 12, 0x7000 };
	static const struct {
		enum symbol_form form;
		uint32_t size;
		uint64_t asked[3];
	} cases[] = {
		{ SYMBOL_SYM, 8, { 0, 0, 12 } },
		{ SYMBOL_MOD, 8, { 0, 0, 12 } },
		{ SYMBOL_USYM, 16, { 1, 12, 0x7000 } },
		{ SYMBOL_UMOD, 16, { 1, 12, 0x7000 } },
		{ SYMBOL_UADDR, 16, { 1, 12, 0x7000 } },
		{ SYMBOL_NONE, 8, { 0, 0, 12 } },
		{ SYMBOL_NONE, 16, { 1, 12, 0x7000 } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t asked[3] = { 9, 9, 9 };
		const struct resolver resolver = {
			.context = asked, .address = note_question,
		};
		const struct fact_value value = {
			.kind = FACT_SYMBOL, .symbol = cases[i].form,
			.bytes = (const uint8_t *)words, .size = cases[i].size,
		};
		struct fact_frame frame;

		fact_symbol(&resolver, &value, &frame);
		assert_memory_equal(asked, cases[i].asked, sizeof(asked));
	}
}

/* Pieces of a clause and turns of its loops have one time. */
static void test_clauses(void **state)
{
	const struct schema_clause first = { .clause = 1, .is_cut = true },
				   piece = { .clause = 1, .skipped = 4 },
				   next = { .clause = 2 };

	(void)state;
	assert_true(clause_continues(&piece, 7, &first, 7));
	assert_true(clause_continues(&first, 7, &first, 7));
	assert_false(clause_continues(&first, 8, &first, 7));
	assert_false(clause_continues(&piece, 7, &piece, 7));
	assert_false(clause_continues(&next, 7, &first, 7));
}

static void test_drops(void **state)
{
	(void)state;
	assert_string_equal(drop_name(DROP_PRINCIPAL), "PRINCIPAL");
	assert_string_equal(drop_name(DROP_DBLERROR), "DBLERROR");
	for (enum drop_kind kind = 0; kind < DROP_KINDS; kind++)
		assert_non_null(drop_name(kind));
	assert_string_equal(drop_name(DROP_KINDS), "UNKNOWN");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integers), cmocka_unit_test(test_places),
		cmocka_unit_test(test_lengths), cmocka_unit_test(test_words),
		cmocka_unit_test(test_stored_fields),
		cmocka_unit_test(test_names), cmocka_unit_test(test_ids),
		cmocka_unit_test(test_constants),
		cmocka_unit_test(test_limits), cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_clauses), cmocka_unit_test(test_drops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
