/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run-time library, compiled natively: what is hard to reach from D
 * (garbage after the NUL, capacities that are full, every alignment) and a
 * comparison with the C library where it has the same function.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bpf/goroutine.h"
#include "bpf/library.h"
#include "bpf/link.h"

enum { ROOM = 512 };

/* Memory as the library gets it: on 8 bytes, garbage after the NUL. */
struct memory {
	_Alignas(8) char bytes[ROOM];
	uint32_t cap;
};

static struct memory of_text(const char *text, uint32_t cap)
{
	struct memory m = { .cap = cap };

	memset(m.bytes, 0xa5, sizeof(m.bytes));
	memcpy(m.bytes, text, strlen(text) + 1);
	return m;
}

static struct memory result_of(uint32_t cap)
{
	struct memory m = { .cap = cap };

	memset(m.bytes, 0xa5, sizeof(m.bytes));
	memset(m.bytes, 0, padded(cap));
	return m;
}

static int64_t read2(library_function *f, const char *x, const char *y,
		     int64_t a)
{
	struct memory mx = of_text(x, (uint32_t)strlen(x) + 1);
	struct memory my = of_text(y, (uint32_t)strlen(y) + 1);

	return f(mx.bytes, my.bytes, CAPS(mx.cap, my.cap), a, 0);
}

static const char *write1(library_function *f, const char *x, uint32_t cap,
			  int64_t a, int64_t b)
{
	static struct memory to;
	struct memory from = of_text(x, (uint32_t)strlen(x) + 1);

	to = result_of(cap);
	f(to.bytes, from.bytes, CAPS(cap, from.cap), a, b);
	/* Padded with zeros, and nothing after that has been touched. */
	size_t length = strlen(to.bytes);

	assert_in_range(length, 0, cap - 1);
	for (size_t i = length; i < padded(cap); i++)
		assert_int_equal(to.bytes[i], 0);
	for (size_t i = padded(cap); i < ROOM; i++)
		assert_int_equal((uint8_t)to.bytes[i], 0xa5);
	return to.bytes;
}

/* ------------------------------------------------------------------ paths */

static void test_paths(void **state)
{
	static const struct {
		library_function *f;
		const char *path, *want;
	} cases[] = {
		{ d_basename, "", "." },
		{ d_basename, "/", "/" },
		{ d_basename, "///", "/" },
		{ d_basename, "a/b//", "b" },
		{ d_basename, "0123456/", "0123456" },
		{ d_basename, "0123456/89abcdef", "89abcdef" },
		{ d_dirname, "", "." },
		{ d_dirname, "a", "." },
		{ d_dirname, "/a", "/" },
		{ d_dirname, "/a/", "/" },
		{ d_dirname, "a/b/", "a" },
		{ d_dirname, "//", "/" },
		{ d_dirname, "0123456//89", "0123456" },
		{ d_cleanpath, "", "" },
		{ d_cleanpath, "/", "/" },
		{ d_cleanpath, "//", "/" },
		{ d_cleanpath, "/..", "/" },
		{ d_cleanpath, "/a/b/.", "/a/b" },
		{ d_cleanpath, "./", "." },
		{ d_cleanpath, "./a", "a" },
		{ d_cleanpath, "a/..", "." },
		{ d_cleanpath, "../..", "../.." },
		{ d_cleanpath, "a/../../b", "../b" },
		{ d_cleanpath, "/a/b/c/../../d/", "/a/d" },
		{ d_cleanpath, "../../a/b/../..", "../.." },
		{ d_cleanpath, "x/..a/...", "x/..a/..." },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint32_t cap = (uint32_t)strlen(cases[i].path) + 1;
		const char *got = write1(cases[i].f, cases[i].path,
					 cap < 2 ? 2 : cap, 0, 0);

		assert_string_equal(got, cases[i].want);
	}
}

/* ------------------------------------------------------------------ search */

static void random_text(char *text, unsigned most, unsigned letters)
{
	unsigned length = (unsigned)rand() % (most + 1);

	for (unsigned i = 0; i < length; i++)
		text[i] = (char)('a' + (unsigned)rand() % letters);
	text[length] = '\0';
}

static int64_t slow_rindex(const char *hay, const char *sub, int64_t from)
{
	int64_t last = -1;

	for (const char *at = hay; (at = strstr(at, sub)); at++) {
		if (at - hay > from)
			break;
		last = at - hay;
		if (!*at)
			break;
	}
	return last;
}

static void test_search(void **state)
{
	(void)state;
	srand(1);
	for (int i = 0; i < 20000; i++) {
		char hay[80], sub[24];

		random_text(hay, 70, 2);
		random_text(sub, 1 + (unsigned)rand() % 20, 2);
		const char *found = strstr(hay, sub);
		int64_t from = rand() % 72;

		assert_int_equal(read2(d_index, hay, sub, 0),
				 found ? found - hay : -1);
		if (*sub)
			assert_int_equal(read2(d_rindex, hay, sub, from),
					 slow_rindex(hay, sub, from));
		found = strchr(hay, 'b');
		assert_int_equal(read2(d_strchr, hay, hay, 'b'),
				 found ? found - hay : -1);
		found = strrchr(hay, 'b');
		assert_int_equal(read2(d_strrchr, hay, hay, 'b'),
				 found ? found - hay : -1);
		assert_int_equal(read2(d_length, hay, hay, 0), strlen(hay));

		int order = strcmp(hay, sub);

		assert_int_equal(read2(d_compare, hay, sub, 0),
				 order < 0 ? -1 : order > 0);
	}
}

/* A string may fill its capacity without a NUL. */
static void test_full(void **state)
{
	struct memory x = of_text("abcdefgh", 8), y = of_text("abcdefgh!", 10);

	(void)state;
	x.bytes[8] = '?';
	assert_int_equal(d_length(x.bytes, x.bytes, CAPS(8, 8), 0, 0), 8);
	assert_int_equal(d_length(x.bytes, x.bytes, CAPS(3, 3), 0, 0), 3);
	assert_int_equal(d_compare(x.bytes, y.bytes, CAPS(8, 10), 0, 0), -1);
	assert_int_equal(d_compare(x.bytes, y.bytes, CAPS(8, 8), 0, 0), 0);
	assert_int_equal(d_compare(y.bytes, x.bytes, CAPS(10, 8), 0, 0), 1);
	assert_int_equal(d_strchr(x.bytes, x.bytes, CAPS(3, 3), 'd', 0), -1);
}

/* --------------------------------------------------------------- cut, joined */

static void test_cut(void **state)
{
	(void)state;
	srand(2);
	for (int i = 0; i < 20000; i++) {
		char text[80], want[160];
		uint32_t cap = 2 + (uint32_t)rand() % 90;

		random_text(text, 70, 26);
		size_t length = strlen(text);
		size_t start = length ? (size_t)rand() % length : 0;
		size_t count = (size_t)rand() % 80;

		snprintf(want, sizeof(want), "%.*s", (int)count, text + start);
		want[cap - 1] = '\0';
		assert_string_equal(write1(d_substr, text, cap, (int64_t)start,
					   (int64_t)count),
				    want);

		char more[80];
		struct memory to = result_of(cap);
		struct memory from;

		random_text(more, 70, 26);
		from = of_text(more, (uint32_t)strlen(more) + 1);
		snprintf(to.bytes, cap, "%s", text);
		d_append(to.bytes, from.bytes, CAPS(cap, from.cap), 0, 0);
		snprintf(want, cap, "%s%s", text, more);
		assert_string_equal(to.bytes, want);
	}
}

static void test_case(void **state)
{
	(void)state;
	for (int c = 1; c < 256; c++) {
		char text[3] = { 'm', (char)c, 0 };
		char low = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
		char high = (char)(c >= 'a' && c <= 'z' ? c - 32 : c);

		assert_int_equal(write1(d_tolower, text, 3, 0, 0)[1], low);
		assert_int_equal(write1(d_toupper, text, 3, 0, 0)[1], high);
	}
	assert_string_equal(write1(d_toupper, "abcdefghij", 5, 0, 0), "ABCD");
}

static void test_memstr(void **state)
{
	(void)state;
	srand(4);
	for (int i = 0; i < 20000; i++) {
		char bytes[64], want[64] = "";
		uint32_t count = (uint32_t)rand() % 40;
		uint32_t cap = count + 1 + (uint32_t)rand() % 8;
		char separator = rand() % 4 ? '-' : 0;
		struct memory to = result_of(cap);
		struct memory from;

		for (int n = 0; n < 64; n++)
			bytes[n] = rand() % 3 ? (char)(rand() % 255 + 1) : 0;
		from = of_text("", 63);
		memcpy(from.bytes, bytes, 63);
		for (uint32_t n = 0; n < count; n++)
			want[n] = bytes[n] ? bytes[n] : separator;
		d_memstr(to.bytes, from.bytes, CAPS(cap, 63), separator, count);
		assert_string_equal(to.bytes, want);
	}
}

/* ------------------------------------------------------------------ numbers */

static void test_numbers(void **state)
{
	(void)state;
	srand(3);
	for (int i = 0; i < 20000; i++) {
		int64_t value = (int64_t)((uint64_t)rand() << 33 ^
					  (uint64_t)rand() << 11 ^
					  (uint64_t)rand());
		char text[32];

		value >>= rand() % 64;
		snprintf(text, sizeof(text), "%lld", (long long)value);
		assert_string_equal(write1(d_lltostr, "", 67, value, 10), text);
		assert_int_equal(read2(d_strtoll, text, text, 10), value);
		snprintf(text, sizeof(text), "0x%llx", (long long)value);
		assert_string_equal(write1(d_lltostr, "", 67, value, 16), text);
		assert_int_equal(read2(d_strtoll, text, text, 16), value);

		int64_t base = 2 + rand() % 35;
		char *copy = strdup(write1(d_lltostr, "", 67, value, base));

		if (base != 16 && base != 10)
			assert_int_equal((int64_t)strtoull(copy, NULL,
							   (int)base),
					 value);
		free(copy);
	}
	assert_string_equal(write1(d_lltostr, "", 4, -12345, 10), "-12");
}

/* ---------------------------------------------------------------- addresses */

static void test_addresses(void **state)
{
	static const struct {
		uint8_t bytes[16];
		int64_t flags;
		const char *want;
	} cases[] = {
		{ { 0 }, 0, "::" },
		{ { [15] = 1 }, 0, "::1" },
		{ { [0] = 0x20, 1, 0x0d, 0xb8, [15] = 1 }, 0, "2001:db8::1" },
		{ { [10] = 0xff, 0xff, 192, 168, 1, 9 },
		  0,
		  "::ffff:192.168.1.9" },
		{ { [10] = 0xff, 0xff, 192, 168, 1, 9 }, 1, "192.168.1.9" },
		{ { [12] = 10, 0, 0, 100 }, 0, "::10.0.0.100" },
		/* a lone group of zeros: shortened, but not at the end */
		{ { 0, 1, 0, 0, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8 },
		  0,
		  "1::3:4:5:6:7:8" },
		{ { 0, 1, 0, 0, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8 },
		  2,
		  "1:0:3:4:5:6:7:8" },
		{ { 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0 },
		  0,
		  "1:2:3:4:5:6:7:0" },
		/* the first of the longest */
		{ { 0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 7, 0, 8 },
		  0,
		  "1::4:0:0:7:8" },
		{ { 0, 1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 7, 0, 8 },
		  0,
		  "1:0:3::7:8" },
		{ { 0xff, 0xff, 0x0f, 0xff, 0, 0xff, 0, 0x0f, 0, 0, 0, 0, 0, 0,
		    0, 0 },
		  0,
		  "ffff:fff:ff:f::" },
	};
	struct memory to, from = { .cap = 16 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		memcpy(from.bytes, cases[i].bytes, 16);
		to = result_of(46);
		d_inet6(to.bytes, from.bytes, CAPS(46, 16), cases[i].flags, 0);
		assert_string_equal(to.bytes, cases[i].want);
	}
	memcpy(from.bytes, "\x7f\0\0\x0a", 4);
	to = result_of(16);
	d_inet4(to.bytes, from.bytes, CAPS(16, 4), 0, 0);
	assert_string_equal(to.bytes, "127.0.0.10");
	memcpy(from.bytes, "\0\x1a\xff\x09\x10\xa0", 6);
	to = result_of(18);
	d_link(to.bytes, from.bytes, CAPS(18, 6), 6, 0);
	assert_string_equal(to.bytes, "00:1a:ff:09:10:a0");
}

/* --------------------------------------------------------------- json, words */

static void test_json(void **state)
{
	static const struct {
		const char *doc, *path, *want;
	} cases[] = {
		{ "{\"a\":1}", "a", "1" },
		{ "{\"a\":1}", "b", NULL },
		{ "{\"aa\":1,\"a\":2}", "a", "2" },
		{ "{\"x\":{\"a\":1},\"a\":2}", "a", "2" },
		{ "{\"x\":[{\"a\":1}],\"a\":[7,8]}", "a[1]", "8" },
		{ "{\"a\":{\"b\":{\"c\":\"d\"}}}", "a.b.c", "d" },
		{ "{\"a\":\"b\\\\\",\"c\":2}", "c", "2" },
		{ "{\"k\":\"a\",\"a\":3}", "a", "3" },
		{ "[1,2]", "[1]", "2" },
		{ "[1,2]", "[2]", NULL },
		{ "[]", "[0]", NULL },
		{ "[[1,2],[3,4]]", "[1][0]", "3" },
		{ "{\"a\":{}}", "a", "{}" },
		{ "{\"a\":}", "a", NULL },
		{ "{\"a\":[1,{\"b\":\"]\"}]}", "a", "[1,{\"b\":\"]\"}]" },
		{ "{\"a\":1", "a", NULL },
		{ "{\"a\":1 ", "a", "1" },
		{ "{\"a\":1}", "", NULL },
		{ "{\"a\":1}", ".a", NULL },
		{ "{\"a\":1}", "a]", NULL },
		{ "{\"a\":[1]}", "a[", NULL },
		{ "{\"a\":[1]}", "a[0", NULL },
		{ "{\"a\":[1]}", "a[]", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int64_t span = read2(d_json, cases[i].doc, cases[i].path, 0);

		if (!cases[i].want) {
			assert_int_equal(span, SPAN_NONE);
			continue;
		}
		assert_int_not_equal(span, SPAN_NONE);
		assert_int_equal(SPAN_LENGTH(span), strlen(cases[i].want));
		assert_memory_equal(cases[i].doc + SPAN_START(span),
				    cases[i].want, SPAN_LENGTH(span));
	}
}

static void test_strtok(void **state)
{
	(void)state;
	srand(4);
	for (int i = 0; i < 5000; i++) {
		char text[80], copy[80], delimiters[4], *save = NULL;
		int64_t at = 0;

		random_text(text, 70, 6);
		random_text(delimiters, 3, 6);
		strcpy(copy, text);
		for (char *word = strtok_r(copy, delimiters, &save);;
		     word = strtok_r(NULL, delimiters, &save)) {
			int64_t span = read2(d_strtok, text, delimiters, at);

			if (!word) {
				assert_int_equal(span, SPAN_NONE);
				break;
			}
			assert_int_equal(SPAN_START(span), word - copy);
			assert_int_equal(SPAN_LENGTH(span), strlen(word));
			at = (int64_t)(SPAN_START(span) + SPAN_LENGTH(span));
		}
	}
}

/* ------------------------------------------------------------------ linking */

/* Every function is in the binary, and leaves room on the stack. */
static void test_linked(void **state)
{
	(void)state;
	for (int i = 0; i < IR_FUNCTION_COUNT; i++) {
		uint32_t stack = link_stack((enum ir_function)i);

		assert_in_range(stack, 32, 320);
	}
}

/* ------------------------------------------------------------- goroutines */

static void test_goroutine(void **state)
{
	enum { LAYOUTS = 4 };
	static char table[GOROUTINE_SIZE];
	/* one of the thread's own, the thread's, a goroutine's; a thread's data */
	static uint64_t own[4], machine[4], goroutine[4], thread[2];
	uint64_t base = (uintptr_t)&thread[1];

	(void)state;
	own[1] = goroutine[1] = (uintptr_t)machine;
	machine[2] = (uintptr_t)goroutine;
	goroutine[3] = 4711;
	thread[0] = (uintptr_t)own;
	/* the highest hash: entries are within the table */
	for (uint64_t i = 0; i < LAYOUTS; i++) {
		uint64_t layout = UINT64_MAX - 2 * i;
		uint64_t entry[2] = { layout, GOROUTINE_WHERE(-8, 8, 16, 24) };

		assert_int_equal(d_goroutine(table, table,
					     CAPS(GOROUTINE_SIZE, 8),
					     (int64_t)layout, (int64_t)base),
				 0);
		memcpy(table + GOROUTINE_AT(layout) + i * GOROUTINE_ENTRY,
		       entry, sizeof(entry));
		assert_int_equal(d_goroutine(table, table,
					     CAPS(GOROUTINE_SIZE, 8),
					     (int64_t)layout, (int64_t)base),
				 4711);
	}
	/* none runs; there is no thread pointer yet */
	machine[2] = 0;
	assert_int_equal(d_goroutine(table, table, CAPS(GOROUTINE_SIZE, 8), -1,
				     (int64_t)base),
			 0);
	assert_int_equal(d_goroutine(table, table, CAPS(GOROUTINE_SIZE, 8), -1,
				     8),
			 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_search),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_case),
		cmocka_unit_test(test_memstr),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_strtok),
		cmocka_unit_test(test_linked),
		cmocka_unit_test(test_goroutine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
