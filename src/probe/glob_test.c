/* SPDX-License-Identifier: Apache-2.0 */
/* What a description's pattern matches, and what it does not. */
#include "probe/probe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct {
	const char *pattern, *text;
	bool is_match;
} cases[] = {
	{ "", "", true },
	{ "", "anything", true },
	{ "read", "read", true },
	{ "read", "readv", false },
	{ "read", "rea", false },
	{ "read", "Read", false },
	{ "*", "", true },
	{ "*", "x", true },
	{ "**", "xy", true },
	{ "r*", "read", true },
	{ "*d", "read", true },
	{ "*ea*", "read", true },
	{ "*ae*", "read", false },
	{ "a*b*c", "aXbXbXc", true },
	{ "a*b*c", "aXbXbX", false },
	{ "*aab", "aaaab", true },
	{ "r?ad", "read", true },
	{ "r?ad", "rad", false },
	{ "?", "", false },
	{ "?*", "x", true },
	{ "[rw]rite", "write", true },
	{ "[rw]rite", "xrite", false },
	{ "[a-z]", "m", true },
	{ "[a-z]", "M", false },
	{ "[!a-z]", "M", true },
	{ "[!a-z]", "m", false },
	{ "[]x]", "]", true },
	{ "[!]]", "]", false },
	{ "[!]]", "x", true },
	{ "[a-]", "-", true },
	{ "[\\]]", "]", true },
	{ "[abc", "[abc", true },
	{ "[abc", "a", false },
	{ "\\*", "*", true },
	{ "\\*", "x", false },
	{ "a\\?b", "a?b", true },
	{ "tick-*", "tick-1s", true },
	{ "sys_[er]*[!0-9]", "sys_exit", true },
	{ "x\\", "x\\", true },
};

static void patterns(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (glob_match(cases[i].pattern, cases[i].text) !=
		    cases[i].is_match)
			fail_msg("\"%s\" against \"%s\"", cases[i].pattern,
				 cases[i].text);
	}
}

static void plain_patterns(void **state)
{
	(void)state;
	assert_true(glob_is_plain(""));
	assert_true(glob_is_plain("tick-1s"));
	assert_false(glob_is_plain("tick-*"));
	assert_false(glob_is_plain("a?"));
	assert_false(glob_is_plain("[a]"));
	assert_false(glob_is_plain("\\a"));
}

/* Many stars against a long near miss must not take exponential time. */
static void stars_are_cheap(void **state)
{
	static const char text[] =
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

	(void)state;
	assert_false(glob_match("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns),
		cmocka_unit_test(plain_patterns),
		cmocka_unit_test(stars_are_cheap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
