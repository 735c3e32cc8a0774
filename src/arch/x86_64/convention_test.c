/* SPDX-License-Identifier: Apache-2.0 */
/* Where parameters are: rows of declarations, as compilers place them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "provider/call_convention.h"

static struct arena *arena;
static struct types *types;

/*
 * The result, the parameters, and for each of them its slot, or why it has
 * none: f, o(bject), n(othing); before a slot, & an address, w words.
 */
static const struct {
	const char *result, *parameters, *slots;
} cases[] = {
	{ "int", "int; long; char *", "0 1 2" },
	{ "void", "char; short; int; long; int; int; int; char; long",
	  "0 1 2 3 4 5 6 7 8" },
	{ "int", "double; int; float; char *", "f 0 f 1" },
	{ "int",
	  "double; double; double; double; double; double; double; double; double; int; int; int; int; int; int; int",
	  "f f f f f f f f f 0 1 2 3 4 5 7" },
	{ "struct large", "int; int", "1 2" },
	{ "struct small", "int; int", "0 1" },
	{ "struct mixed", "int", "0" },
	{ "int", "struct small; int", "w0 1" },
	{ "int", "struct pair; int", "w0 2" },
	{ "int", "struct mixed; int; double", "o 1 f" },
	{ "int", "struct floats; int", "o 0" },
	{ "int", "struct large; int; int", "w6 0 1" },
	{ "int", "int; int; int; int; int; struct pair; int; int",
	  "0 1 2 3 4 w6 5 8" },
	{ "int", "struct large; int; int; int; int; int; int; int",
	  "w6 0 1 2 3 4 5 9" },
	{ "int", "long double; int; int; int; int; int; int; int",
	  "f 0 1 2 3 4 5 8" },
	{ "int", "struct none; int", "n 0" },
	{ "int", "struct class; int", "&0 1" },
	{ "struct class", "struct class; int", "&1 2" },
	{ "struct holder", "int; struct holder", "1 &2" },
	{ "int", "enum color; union either; int", "0 w1 2" },
	{ "int", "int; int; int; int; int; int; struct class; int",
	  "0 1 2 3 4 5 &6 7" },
};

static struct type *tag(enum tag_kind kind, const char *name,
			const char *const *members)
{
	struct type *type = types_declare_tag(types, kind, name);

	for (; members && *members; members += 2)
		assert_true(type_add_member(types, type, members[1],
					    types_parse(types, members[0]), 0));
	type_finish_sou(types, type);
	return type;
}

#define MEMBERS(...)              \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

static void declare(void)
{
	tag(TAG_STRUCT, "none", NULL);
	tag(TAG_STRUCT, "small", MEMBERS("short", "a", "short", "b"));
	tag(TAG_STRUCT, "pair", MEMBERS("int", "a", "char *", "b"));
	tag(TAG_STRUCT, "mixed", MEMBERS("double", "a", "int", "b"));
	tag(TAG_STRUCT, "floats", MEMBERS("float [2]", "a", "double", "b"));
	tag(TAG_STRUCT, "large", MEMBERS("long [3]", "a"));
	tag(TAG_UNION, "either", MEMBERS("int", "a", "float", "b"));
	tag(TAG_STRUCT, "class", MEMBERS("int", "a"))->is_by_reference = true;
	tag(TAG_STRUCT, "holder", MEMBERS("int", "a", "struct class [1]", "b"));
	struct type *color = types_declare_tag(types, TAG_ENUM, "color");

	type_add_enumerator(types, color, "RED", 0);
	type_finish_enum(types, color);
}

static struct type *parse(struct str text)
{
	while (text.n && text.p[0] == ' ') {
		text.p++;
		text.n--;
	}
	struct type *type = types_parse(types,
					arena_strndup(arena, text.p, text.n));

	if (!type)
		fail_msg("no type \"%.*s\"", (int)text.n, text.p);
	return type;
}

static struct type *function_of(const char *result, const char *parameters)
{
	struct type *params[32];
	uint32_t n = 0;

	for (const char *at = parameters; *at; n++) {
		size_t length = strcspn(at, ";");

		params[n] = parse((struct str){ at, length });
		at += length + (at[length] == ';');
	}
	return type_function(types, parse(str_of(result)), params, NULL, n,
			     false);
}

static void say(struct text *text, struct arch_passed passed)
{
	static const char letters[] = {
		[PASS_FLOAT] = 'f', [PASS_OBJECT] = 'o', [PASS_NOTHING] = 'n',
	};

	if (text->n)
		text_putc(text, ' ');
	if (passed.how > PASS_WORDS)
		text_putc(text, letters[passed.how]);
	else
		text_printf(text, "%s%u",
			    passed.how == PASS_ADDRESS ? "&"
			    : passed.how == PASS_WORDS ? "w"
						       : "",
			    passed.slot);
}

static void test_parameters(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct type *function = function_of(cases[i].result,
						    cases[i].parameters);
		struct text slots = { 0 };

		for (uint32_t n = 0; n < function->nparams; n++)
			say(&slots, call_parameter(types, function, n));
		if (strcmp(text_str(&slots), cases[i].slots))
			fail_msg("%s f(%s): %s, not %s", cases[i].result,
				 cases[i].parameters, text_str(&slots),
				 cases[i].slots);
		text_free(&slots);
	}
}

static void test_results(void **state)
{
	static const struct {
		const char *result;
		enum arch_passing how;
	} results[] = {
		{ "void", PASS_NOTHING },
		{ "int", PASS_WORD },
		{ "char *", PASS_WORD },
		{ "double", PASS_FLOAT },
		{ "struct small", PASS_WORDS },
		{ "struct mixed", PASS_OBJECT },
		{ "struct large", PASS_ADDRESS },
		{ "struct class", PASS_ADDRESS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++)
		assert_int_equal(call_result(types,
					     function_of(results[i].result, ""))
					 .how,
				 results[i].how);
}

static int setup(void **state)
{
	(void)state;
	arena = arena_new();
	types = types_new(arena, 256);
	types_without_kernel(types);
	declare();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	types_free(types);
	arena_free(arena);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parameters),
		cmocka_unit_test(test_results),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
