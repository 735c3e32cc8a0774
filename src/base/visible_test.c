/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/visible.h"

static const struct {
	const char *text, *line, *lines;
} cases[] = {
	{ "", "", "" },
	{ "plain ~", "plain ~", "plain ~" },
	{ "\\", "\\", "\\" },
	{ "a\nb\tc", "a\\012b\\011c", "a\nb\tc" },
	{ "\033[31m", "\\033[31m", "\\033[31m" },
	{ "\r\a\b\177", "\\015\\007\\010\\177", "\\015\\007\\010\\177" },
	/* UTF-8 of every length */
	{ "\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80",
	  "\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80",
	  "\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80" },
	/* C1 controls: U+0080, U+009B, U+009F; U+00A0 is none */
	{ "\xc2\x80\xc2\x9b\xc2\x9f", "\\302\\200\\302\\233\\302\\237",
	  "\\302\\200\\302\\233\\302\\237" },
	{ "\xc2\xa0", "\xc2\xa0", "\xc2\xa0" },
	/* the direction of text, and ends of lines */
	{ "\xe2\x80\xae", "\\342\\200\\256", "\\342\\200\\256" },
	{ "\xe2\x81\xa6", "\\342\\201\\246", "\\342\\201\\246" },
	{ "\xe2\x80\xa8", "\\342\\200\\250", "\\342\\200\\250" },
	/* not UTF-8: alone, cut, too long, a surrogate, too large */
	{ "\x9b", "\\233", "\\233" },
	{ "\xe4\xb8", "\\344\\270", "\\344\\270" },
	{ "\xc0\x9b", "\\300\\233", "\\300\\233" },
	{ "\xe0\x82\x9b", "\\340\\202\\233", "\\340\\202\\233" },
	{ "\xed\xa0\x80", "\\355\\240\\200", "\\355\\240\\200" },
	{ "\xf4\x90\x80\x80", "\\364\\220\\200\\200", "\\364\\220\\200\\200" },
	{ "\xff"
	  "a",
	  "\\377a", "\\377a" },
};

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *text = cases[i].text;
		size_t n = strlen(text);
		struct text line = { 0 }, lines = { 0 };

		text_add_visible(&line, text, n, VISIBLE_LINE);
		text_add_visible(&lines, text, n, VISIBLE_LINES);
		assert_string_equal(text_str(&line), cases[i].line);
		assert_string_equal(text_str(&lines), cases[i].lines);
		assert_int_equal(is_visible(text, n, VISIBLE_LINE),
				 !strcmp(text, cases[i].line));
		text_free(&line);
		text_free(&lines);
	}
}

/* No byte below a space, and none of a C1 control, is ever left. */
static void test_all_pairs(void **state)
{
	(void)state;
	for (unsigned pair = 0; pair < 65536; pair++) {
		char bytes[2] = { (char)(pair >> 8), (char)pair };
		struct text out = { 0 };

		text_add_visible(&out, bytes, 2, VISIBLE_LINE);
		for (size_t i = 0; i < out.n; i++) {
			uint8_t c = (uint8_t)out.p[i];
			bool is_after = i && (uint8_t)out.p[i - 1] >= 0xc2;

			assert_true(c >= ' ' && c != 0x7f);
			if (c >= 0x80 && c < 0xa0)
				assert_true(is_after &&
					    (uint8_t)out.p[i - 1] != 0xc2);
		}
		text_free(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_all_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
