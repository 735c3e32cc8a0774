/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics: the exact line, and an excerpt that always fits. */
#include "lang/lang_test.h"

static void test_tags(void **state)
{
	(void)state;
	for (unsigned i = 0; i < TAG_COUNT; i++)
		assert_int_equal(tag_lookup(tag_name((enum tag)i)), i);
	assert_int_equal(tag_lookup("D_LLQUANT_NSTEPVAL"), D_LLQUANT_STEPVAL);
	assert_int_equal(tag_lookup("D_LLQUANT_FACTORSMALL"),
			 D_LLQUANT_FACTORVAL);
	assert_int_equal(tag_lookup("D_TRUNC_PROTO"), D_PROTO_LEN);
	assert_int_equal(tag_lookup("D_NONSENSE"), TAG_COUNT);
}

static void test_line(void **state)
{
	static const struct source file = { "x.d", "a\nb\n", 4, true };
	static const struct source string = { "a b", "a b", 3, false };
	static const struct {
		struct place place;
		const char *line;
	} cases[] = {
		{ { .source = &file, .line = 2 },
		  "[D_SYNTAX] line 2: message 7" },
		{ { .source = &file, .line = 9, .file = "y.h" },
		  "[D_SYNTAX] \"y.h\", line 9: message 7" },
		{ { .source = &string, .line = 1, .region = REGION_PREDICATE },
		  "[D_SYNTAX] in predicate: message 7" },
		{ { .source = &string, .line = 1, .region = REGION_ACTIONS },
		  "[D_SYNTAX] in action list: message 7" },
		{ { .source = &string, .line = 1 }, "[D_SYNTAX] message 7" },
		{ { .source = NULL }, "[D_SYNTAX] message 7" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct diag diag = { .arena = arena_new() };
		struct text text = { 0 };

		assert_false(diag_error(&diag, &cases[i].place, D_SYNTAX,
					"message %d", 7));
		assert_false(diag_error(&diag, NULL, D_EMPTY, "second"));
		diag_print_line(&diag, TAGS_ORACLE, &text);
		assert_string_equal(text_str(&text), cases[i].line);
		text_clear(&text);
		diag_print_line(&diag, TAGS_NONE, &text);
		assert_string_equal(text_str(&text),
				    cases[i].line + strlen("[D_SYNTAX] "));
		text_free(&text);
		arena_free(diag.arena);
	}
}

static void test_excerpt(void **state)
{
	static const struct {
		const char *text;
		size_t offset;
		uint32_t length, line;
		const char *excerpt;
	} cases[] = {
		{ "one\ntwo three\nfour", 8, 5, 2,
		  "     2 | two three\n       |     ^~~~~\n" },
		{ "\tx = 1;", 1, 1, 1,
		  "     1 |         x = 1;\n       |         ^\n" },
		{ "x", 1, 0, 1, "     1 | x\n       |  ^\n" },
		{ "x\n", 2, 0, 1, "     1 | x\n       |  ^\n" },
		{ "a\x1b[2Jb\r\n", 5, 1, 1,
		  "     1 | a?[2Jb\n       |      ^\n" },
		{ "\xc3\xa4\xc3\xb6 x", 5, 1, 1,
		  "     1 | \xc3\xa4\xc3\xb6 x\n       |    ^\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct diag diag = { .arena = arena_new() };
		struct text text = { 0 };
		struct source source = {
			"t", cases[i].text, strlen(cases[i].text), true,
		};
		struct place place = {
			.source = &source, .offset = cases[i].offset,
			.length = cases[i].length, .line = cases[i].line,
		};

		diag_error(&diag, &place, D_SYNTAX, "x");
		diag_print_excerpt(&diag, &text);
		assert_string_equal(text_str(&text), cases[i].excerpt);
		text_free(&text);
		arena_free(diag.arena);
	}
}

/* A line of any length is cut, wherever the error is, and hints follow. */
static void test_long_line(void **state)
{
	enum { LENGTH = 100000 };
	struct diag diag = { .arena = arena_new() };
	char *line = arena_alloc(diag.arena, LENGTH + 1);
	struct source source = { "t", line, LENGTH, true };

	(void)state;
	memset(line, 'x', LENGTH);
	for (size_t at = 0; at <= LENGTH; at += LENGTH / 10) {
		struct text text = { 0 };
		struct place place = {
			.source = &source, .offset = at, .length = LENGTH,
			.line = 1,
		};

		diag_clear(&diag);
		diag_error(&diag, &place, D_SYNTAX, "x");
		diag_hint(&diag, "try %s", "this");
		diag_print_excerpt(&diag, &text);
		assert_true(text.n < 300);
		assert_non_null(strchr(text_str(&text), '^'));
		assert_non_null(strstr(text_str(&text), "= try this\n"));
		text_free(&text);
	}
	arena_free(diag.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tags),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_excerpt),
		cmocka_unit_test(test_long_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
