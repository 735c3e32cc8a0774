/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and texts as bytes: round trips, and malformed input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "facts/wire.h"

static struct wire reader(const struct text *out)
{
	const uint8_t *at = (const uint8_t *)text_str(out);

	return (struct wire){ .at = at, .end = at + out->n };
}

static void numbers(void **state)
{
	static const struct {
		uint64_t number;
		size_t size;
	} cases[] = {
		{ 0, 1 },	    { 1, 1 },	      { 127, 1 },
		{ 128, 2 },	    { 16383, 2 },     { 16384, 3 },
		{ UINT32_MAX, 5 },  { INT64_MAX, 9 }, { (uint64_t)1 << 63, 10 },
		{ UINT64_MAX, 10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct text out = { 0 };

		wire_put(&out, cases[i].number);
		assert_int_equal(out.n, cases[i].size);
		struct wire wire = reader(&out);

		assert_true(wire_get(&wire) == cases[i].number);
		assert_false(wire.is_bad);
		assert_ptr_equal(wire.at, wire.end);
		/* with one byte less it is not a number */
		wire = reader(&out);
		wire.end--;
		assert_int_equal(wire_get(&wire), 0);
		assert_true(wire.is_bad);
		text_free(&out);
	}
}

static void signs(void **state)
{
	static const struct {
		int64_t number;
		size_t size;
	} cases[] = {
		{ 0, 1 },  { -1, 1 },	      { 63, 1 },	 { -64, 1 },
		{ 64, 2 }, { INT64_MAX, 10 }, { INT64_MIN, 10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct text out = { 0 };

		wire_put_signed(&out, cases[i].number);
		assert_int_equal(out.n, cases[i].size);
		struct wire wire = reader(&out);

		assert_true(wire_get_signed(&wire) == cases[i].number);
		assert_false(wire.is_bad);
		text_free(&out);
	}
}

static void texts(void **state)
{
	struct arena *arena = arena_new();
	struct text out = { 0 };
	uint8_t bytes[6];
	size_t count;

	(void)state;
	wire_put_text(&out, NULL);
	wire_put_text(&out, "");
	wire_put_text(&out, "abc");
	wire_put_bytes(&out, "x\0y", 3);
	wire_put_trimmed(&out, (const uint8_t *)"a\0b\0\0\0", 6);
	wire_put_trimmed(&out, (const uint8_t *)"\0\0", 2);
	assert_int_equal(out.n, 1 + 1 + 4 + 4 + 4 + 1);
	struct wire wire = reader(&out);

	assert_null(wire_get_text(&wire, arena));
	assert_string_equal(wire_get_text(&wire, arena), "");
	assert_string_equal(wire_get_text(&wire, arena), "abc");
	assert_memory_equal(wire_get_bytes(&wire, &count), "x\0y", 3);
	assert_int_equal(count, 3);
	wire_get_trimmed(&wire, bytes, 6);
	assert_memory_equal(bytes, "a\0b\0\0\0", 6);
	wire_get_trimmed(&wire, bytes, 2);
	assert_memory_equal(bytes, "\0\0", 2);
	assert_false(wire.is_bad);
	assert_ptr_equal(wire.at, wire.end);
	text_free(&out);
	arena_free(arena);
}

/* A bad reader is at its end and returns nothing, whatever is read. */
static void assert_bad(struct wire *wire)
{
	assert_true(wire->is_bad);
	assert_ptr_equal(wire->at, wire->end);
	assert_int_equal(wire_get(wire), 0);
	assert_int_equal(wire_get_count(wire), 0);
}

static struct wire bytes_of(const char *bytes, size_t n)
{
	return (struct wire){ .at = (const uint8_t *)bytes,
			      .end = (const uint8_t *)bytes + n };
}

static void malformed(void **state)
{
	struct arena *arena = arena_new();
	uint8_t bytes[2];
	size_t count;
	struct wire wire = bytes_of("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02",
				    10);

	(void)state;
	wire_get(&wire); /* 65 bits */
	assert_bad(&wire);
	wire = bytes_of("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 11);
	wire_get(&wire); /* without end */
	assert_bad(&wire);
	wire = bytes_of("\x05", 1);
	assert_int_equal(wire_get_below(&wire, 5), 0);
	assert_bad(&wire);
	wire = bytes_of("\x04", 1);
	assert_int_equal(wire_get_below(&wire, 5), 4);
	assert_false(wire.is_bad);
	wire = bytes_of("\x03"
			"ab",
			3);
	wire_get_count(&wire); /* three items in two bytes */
	assert_bad(&wire);
	wire = bytes_of("\x03"
			"ab",
			3);
	wire_get_bytes(&wire, &count);
	assert_int_equal(count, 0);
	assert_bad(&wire);
	wire = bytes_of("\x04"
			"ab",
			3);
	assert_string_equal(wire_get_text(&wire, arena), "");
	assert_bad(&wire);
	wire = bytes_of("\x03"
			"abc",
			4);
	wire_get_trimmed(&wire, bytes, 2);
	assert_memory_equal(bytes, "\0\0", 2);
	assert_bad(&wire);
	wire = bytes_of("\x01", 1);
	wire_check(&wire, true);
	assert_false(wire.is_bad);
	wire_check(&wire, false);
	assert_bad(&wire);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(signs),
		cmocka_unit_test(texts),
		cmocka_unit_test(malformed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
