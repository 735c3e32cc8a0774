/* SPDX-License-Identifier: Apache-2.0 */
/* JSON strings: quoting, UTF-8, bytes that are not UTF-8. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sink/json_text.h"

static const struct { const char *bytes; const char *json; } cases[] = {
	{ "", "\"\"" },
	{ "plain", "\"plain\"" },
	{ "a\"b\\c", "\"a\\\"b\\\\c\"" },
	{ "\n\t\001\177", "\"\\n\\t\\u0001\\u007f\"" },
	{ "\303\237 \342\202\254 \360\237\230\200",
	  "\"\303\237 \342\202\254 \360\237\230\200\"" },
	{ "\377", "\"\\udcff\"" },
	{ "\303", "\"\\udcc3\"" },			/* truncated */
	{ "\300\200", "\"\\udcc0\\udc80\"" },		/* too long for NUL */
	{ "\340\200\200", "\"\\udce0\\udc80\\udc80\"" },
	{ "\355\240\200", "\"\\udced\\udca0\\udc80\"" },	/* surrogate */
	{ "\364\220\200\200", "\"\\udcf4\\udc90\\udc80\\udc80\"" },
	{ "\342\202x", "\"\\udce2\\udc82x\"" },
};

static void test_strings(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct text text = { 0 };

		json_put_string(&text, cases[i].bytes, strlen(cases[i].bytes));
		assert_string_equal(text_str(&text), cases[i].json);
		text_free(&text);
	}
}

static void test_names(void **state)
{
	struct text text = { 0 };

	(void)state;
	text_putc(&text, '{');
	json_name(&text, "a");
	json_word(&text, NULL);
	json_name(&text, "b");
	json_word(&text, "c");
	text_putc(&text, '}');
	assert_string_equal(text_str(&text), "{\"a\": null, \"b\": \"c\"}");
	text_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings), cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
