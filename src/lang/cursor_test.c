/* SPDX-License-Identifier: Apache-2.0 */
/* Where a cursor is in whole and broken texts; | marks it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lang/cursor.h"

/* The cursor in `marked`, whose text without the mark goes to `text`. */
static struct cursor find(struct arena *arena, char *text, const char *marked)
{
	size_t at = strcspn(marked, "|");
	struct cursor cursor;

	memcpy(text, marked, at);
	strcpy(text + at, marked + at + 1);
	cursor_find(&cursor, arena, text, strlen(text), at);
	return cursor;
}

static void test_places(void **state)
{
	static const struct {
		const char *marked;
		enum cursor_place place;
	} cases[] = {
		{ "|", CURSOR_PROGRAM },
		{ "sys|", CURSOR_PROGRAM },
		{ "BEGIN {} sys|", CURSOR_PROGRAM },
		{ "BEGIN {}|", CURSOR_PROGRAM },
		{ "BEGIN { |", CURSOR_STATEMENTS },
		{ "BEGIN { | }", CURSOR_STATEMENTS },
		{ "BEGIN { if (1) { } |", CURSOR_STATEMENTS },
		{ "BEGIN /|", CURSOR_PREDICATE },
		{ "BEGIN /a / 2 + |/ { }", CURSOR_PREDICATE },
		{ "BEGIN /a/ { | }", CURSOR_STATEMENTS },
		{ "BEGIN /a/ | { }", CURSOR_PROGRAM },
		/* the slash that closes it is missing */
		{ "BEGIN /a { | }", CURSOR_STATEMENTS },
		{ "int x; BEGIN /x|", CURSOR_PREDICATE },
		{ "struct s { int a; }; BEGIN /x|", CURSOR_PREDICATE },
		{ "#pragma |", CURSOR_CONTROL },
		{ "#pragma |\nBEGIN {}", CURSOR_CONTROL },
		{ "#pragma D option quiet\n|", CURSOR_PROGRAM },
		{ "/* | */", CURSOR_NOWHERE },
		{ "/* */|", CURSOR_PROGRAM },
		{ "/* |", CURSOR_NOWHERE },
		{ "// |\n", CURSOR_NOWHERE },
		{ "// \n|", CURSOR_PROGRAM },
		{ "BEGIN { \"|\" }", CURSOR_NOWHERE },
		{ "BEGIN { \"\"| }", CURSOR_STATEMENTS },
		{ "BEGIN { \"a|", CURSOR_NOWHERE },
		{ "BEGIN { \"a\\\"b|", CURSOR_NOWHERE },
		/* a string does not go on in the next line */
		{ "BEGIN { \"a\n| }", CURSOR_STATEMENTS },
		{ "BEGIN { \"/*\"; | }", CURSOR_STATEMENTS },
		{ "BEGIN { '{'; } |", CURSOR_PROGRAM },
		{ "} } BEGIN { |", CURSOR_STATEMENTS },
	};
	struct arena *arena = arena_new();
	char text[128];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct cursor cursor = find(arena, text, cases[i].marked);

		if (cursor.place != cases[i].place)
			print_message("%s\n", cases[i].marked);
		assert_int_equal(cursor.place, cases[i].place);
	}
	arena_free(arena);
}

static void test_objects(void **state)
{
	static const struct {
		const char *marked; /* at the operator */
		const char *object;
	} cases[] = {
		{ "BEGIN { curthread|->", "curthread" },
		{ "BEGIN { a = 1; x = self->p->q|->", "self->p->q" },
		{ "BEGIN { trace(args[0]|->", "args[0]" },
		{ "BEGIN { trace(a[f(1), b]|->", "a[f(1), b]" },
		{ "BEGIN { ((struct s *)arg0)|->", "((struct s *)arg0)" },
		{ "BEGIN { (struct s *)arg0|->", "arg0" },
		{ "BEGIN { x = xlate <t *> (arg0)|->", "xlate <t *> (arg0)" },
		{ "BEGIN { a . b|->", "a . b" },
		{ "BEGIN { 1 + mod`name|.", "mod`name" },
		{ "BEGIN /pid == x|->", "x" },
		{ "BEGIN { |->", "" },
		{ "BEGIN { )|->", "" },
		{ "BEGIN { [1]|->", "[1]" },
	};
	struct arena *arena = arena_new();
	char text[128];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct cursor cursor = find(arena, text, cases[i].marked);
		size_t start = cursor_object(&cursor, cursor.at);
		char *object = arena_strndup(arena, text + start,
					     cursor.at - start);

		assert_string_equal(object, cases[i].object);
	}
	arena_free(arena);
}

static void test_statements(void **state)
{
	static const struct {
		const char *marked;
		const char *statement; /* up to the cursor */
	} cases[] = {
		{ "BEGIN { a = 1; b|", " b" },
		{ "BEGIN { /* first */ @a = c|", " @a = c" },
		{ "BEGIN { a; // first\n@a = c|", "\n@a = c" },
		{ "BEGIN { /* a */ /* b */ c|", " c" },
		{ "BEGIN { a /* b */ + c|", " a /* b */ + c" },
	};
	struct arena *arena = arena_new();
	char text[128];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct cursor cursor = find(arena, text, cases[i].marked);

		text[cursor.at] = '\0';
		assert_string_equal(text + cursor.statement,
				    cases[i].statement);
	}
	arena_free(arena);
}

static void test_elements(void **state)
{
	struct arena *arena = arena_new();
	char text[128];
	struct cursor cursor = find(
		arena, text,
		"int x; typedef struct { int y; } t; A { } B /1/ { | } C { }");
	static const char *const others[] = {
		"int x;",
		"typedef struct { int y; } t;",
		"A { }",
		"C { }",
	};

	(void)state;
	assert_int_equal(cursor.nothers, 4);
	for (size_t i = 0; i < cursor.nothers; i++) {
		const struct cursor_element *element = &cursor.others[i];

		assert_string_equal(arena_strndup(arena, text + element->start,
						  element->end -
							  element->start),
				    others[i]);
	}
	assert_memory_equal(text + cursor.start, "B /1/", 5);
	assert_memory_equal(text + cursor.head, "/1/", 3);
	assert_int_equal(cursor.braces, 1);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_objects),
		cmocka_unit_test(test_statements),
		cmocka_unit_test(test_elements),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
