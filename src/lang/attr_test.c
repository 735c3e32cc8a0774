/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes survive text and back; the least is taken part by part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "lang/attr.h"

static void test_parse(void **state)
{
	static const struct {
		const char *text;
		const char *printed; /* NULL: refused */
	} cases[] = {
		{ "Evolving/Evolving/Common", "Evolving/Evolving/Common" },
		{ "evolving/STABLE/isa", "Evolving/Stable/ISA" },
		{ "Internal/Private/Unknown", "Internal/Private/Unknown" },
		{ "obsolete/external/cpu", "Obsolete/External/CPU" },
		{ "unstable/standard/platform", "Unstable/Standard/Platform" },
		{ "stable/stable/group", "Stable/Stable/Group" },
		{ "Private", "Private/Standard/Common" },
		{ "Private/Stable", "Private/Stable/Common" },
		{ "", NULL },
		{ "Evolv", NULL },
		{ "Evolving/", NULL },
		{ "Evolving/Evolving/", NULL },
		{ "Evolving//Common", NULL },
		{ "Common/Common/Common", NULL },
		{ "Stable/Stable/Stable", NULL },
		{ "Stable/Stable/Common/ISA", NULL },
		{ "Stable /Stable/Common", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct attr attr = ATTR_PRIVATE;
		struct text out = { 0 };

		if (attr_parse(cases[i].text, &attr) != !!cases[i].printed)
			fail_msg("\"%s\"", cases[i].text);
		if (cases[i].printed) {
			attr_print(attr, &out);
			assert_string_equal(text_str(&out), cases[i].printed);
		} else {
			assert_int_equal(attr.name, STABILITY_PRIVATE);
		}
		text_free(&out);
	}
}

static void test_order(void **state)
{
	struct attr a = { STABILITY_STABLE, STABILITY_PRIVATE, CLASS_ISA };
	struct attr b = { STABILITY_EVOLVING, STABILITY_STABLE, CLASS_COMMON };
	struct attr least = attr_min(a, b);

	(void)state;
	assert_int_equal(least.name, STABILITY_EVOLVING);
	assert_int_equal(least.data, STABILITY_PRIVATE);
	assert_int_equal(least.class, CLASS_ISA);
	assert_true(attr_below(a, b));
	assert_true(attr_below(b, a));
	assert_true(attr_below(least, a));
	assert_false(attr_below(a, least));
	assert_false(attr_below(a, a));
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(stability_name(STABILITY_EXTERNAL), "External");
	assert_string_equal(dependency_name(CLASS_CPU), "CPU");
	/* numbers out of range have a name too */
	assert_string_equal(stability_name(99), "Unknown");
	assert_string_equal(dependency_name(99), "Unknown");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
