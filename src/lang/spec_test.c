/* SPDX-License-Identifier: Apache-2.0 */
/* Probe descriptions: filled from the right, macros, limits. */
#include "lang/lang_test.h"

static const char *const operands[] = { "dtrace", "libc", "12", NULL };

static void test_fields(void **state)
{
	static const struct {
		const char *text;
		enum spec_kind kind;
		const char *printed;
	} cases[] = {
		{ "BEGIN", SPEC_NONE, ":::BEGIN" },
		{ "f:n", SPEC_NAME, "::f:n" },
		{ "m:f:n", SPEC_NAME, ":m:f:n" },
		{ "p:m:f:n", SPEC_NAME, "p:m:f:n" },
		{ ":::", SPEC_NAME, ":::" },
		{ "fbt::foo:", SPEC_NAME, "fbt::foo:" },
		{ "io", SPEC_PROVIDER, "io:::" },
		{ "m", SPEC_MODULE, ":m::" },
		{ "p:m", SPEC_MODULE, "p:m::" },
		{ "f", SPEC_FUNCTION, "::f:" },
		{ "p:m:f", SPEC_FUNCTION, "p:m:f:" },
		{ "12", SPEC_ID, "12" },
		{ "12", SPEC_NAME, "12" },
		{ "-3", SPEC_ID, ":::-3" },
		{ " a:b ", SPEC_NAME, "::a:b" },
		{ "pid$target:$1::entry", SPEC_NAME, "pid77:libc::entry" },
		{ "p$$2q:::", SPEC_NAME, "p12q:::" },
		{ "a*:[a-c]?:!x:\\*", SPEC_NAME, "a*:[a-c]?:!x:\\*" },
		{ "tick-1s", SPEC_NAME, ":::tick-1s" },
	};

	(void)state;
	struct fixture fixture;

	fixture_open(&fixture, operands);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct probe_desc desc;

		assert_true(language_parse_desc(
			fixture.language,
			fixture_source(&fixture, cases[i].text, false),
			cases[i].kind, &desc));
		assert_string_equal(probe_desc_print(fixture.language->arena,
						     &desc),
				    cases[i].printed);
	}
	fixture_close(&fixture);
}

#define LONG64 \
	"a234567890123456789012345678901234567890123456789012345678901234"

static void test_errors(void **state)
{
	static const struct {
		const char *text;
		enum spec_kind kind;
		const char *line;
	} cases[] = {
		{ "a:b:c:d:e", SPEC_NAME,
		  "[D_PDESC_INVAL] invalid probe description \"a:b:c:d:e\": Overspecified probe description" },
		{ "a:b", SPEC_PROVIDER,
		  "[D_PDESC_INVAL] invalid probe description \"a:b\": Overspecified probe description" },
		{ "12", SPEC_PROVIDER,
		  "[D_PDESC_INVAL] probe identifier 12 not permitted when specifying providers" },
		{ "12", SPEC_FUNCTION,
		  "[D_PDESC_INVAL] probe identifier 12 not permitted when specifying functions" },
		{ "4294967296", SPEC_ID,
		  "[D_PDESC_INVAL] identifier 4294967296 exceeds maximum probe id" },
		{ "0", SPEC_ID,
		  "[D_PDESC_INVAL] invalid probe identifier 0: Unknown probe identifier" },
		{ "p$nope:::", SPEC_NAME,
		  "[D_PDESC_INVAL] invalid probe description \"p$nope:::\": Undefined macro variable in probe description" },
		{ "p$9:::", SPEC_NAME,
		  "[D_PDESC_INVAL] invalid probe description \"p$9:::\": Undefined macro variable in probe description" },
		{ LONG64, SPEC_NAME,
		  "[D_PDESC_INVAL] invalid probe description \"" LONG64
		  "\": File name too long" },
		{ "a b", SPEC_NAME, "[D_SYNTAX] syntax error near \"b\"" },
	};

	(void)state;
	struct fixture fixture;

	fixture_open(&fixture, operands);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct probe_desc desc;
		struct text line = { 0 };

		diag_clear(&fixture.language->diag);
		assert_false(language_parse_desc(
			fixture.language,
			fixture_source(&fixture, cases[i].text, false),
			cases[i].kind, &desc));
		diag_print_line(&fixture.language->diag, TAGS_ORACLE, &line);
		assert_string_equal(text_str(&line), cases[i].line);
		text_free(&line);
	}
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
