/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/page.h"

static const struct {
	const char *bytes, *written;
} strings[] = {
	{ "", "\"\"" },
	{ "main", "\"main\"" },
	{ "a\"b\\c", "\"a\\\"b\\\\c\"" },
	{ "</script><!--", "\"\\u003c/script\\u003e\\u003c!--\"" },
	{ "std::pair<a&&>", "\"std::pair\\u003ca\\u0026\\u0026\\u003e\"" },
	{ "\n\t\x1b[2J", "\"\\\\012\\\\011\\\\033[2J\"" },
	{ "\xc3\xa4\xff", "\"\xc3\xa4\\\\377\"" },
	{ "\xe2\x80\xa8", "\"\\\\342\\\\200\\\\250\"" }, /* U+2028 */
};

static void strings_are_json_and_no_markup(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		char *text;
		size_t size;
		FILE *out = open_memstream(&text, &size);

		page_string(out, strings[i].bytes, strlen(strings[i].bytes));
		fclose(out);
		assert_string_equal(text, strings[i].written);
		free(text);
	}
}

static void write_context(FILE *out, const void *context)
{
	fputs(context, out);
}

static void page_holds_bundle_and_data(void **state)
{
	const struct page_bundle *bundle = page_bundle("flame");
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_non_null(bundle);
	assert_true(page_write(out, "flame", "a</title><b>\x1b", write_context,
			       "{\"x\":1}"));
	fclose(out);
	assert_non_null(strstr(text, bundle->script));
	assert_non_null(strstr(text, bundle->style));
	assert_non_null(strstr(text, bundle->script_hash));
	assert_non_null(strstr(text, bundle->style_hash));
	assert_non_null(strstr(text, "id=\"data\">{\"x\":1}</script>"));
	assert_non_null(strstr(
		text, "<title>a&#60;/title&#62;&#60;b&#62;\\033</title>"));
	free(text);
}

static void unknown_bundle_is_refused(void **state)
{
	(void)state;
	assert_null(page_bundle("none"));
	assert_false(page_write(NULL, "none", "", write_context, ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_are_json_and_no_markup),
		cmocka_unit_test(page_holds_bundle_and_data),
		cmocka_unit_test(unknown_bundle_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
