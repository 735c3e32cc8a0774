/* SPDX-License-Identifier: Apache-2.0 */
/* Formats: which are malformed, and how the others are parsed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "facts/format.h"

static const struct {
	const char *format, *problem;
} malformed[] = {
	{ "%z", "format conversion #1 is undefined: %z" },
	{ "%d %n", "format conversion #2 is undefined: %n" },
	{ "%y", "format conversion #1 is undefined: %y" },
	{ "%hq", "format conversion #1 is undefined: %hq" },
	{ "%hhs", "format conversion #1 is undefined: %hhs" },
	{ "%",
	  "format conversion #1 name expected before end of format string" },
	{ "%% %l",
	  "format conversion #2 name expected before end of format string" },
	{ "%**d",
	  "format conversion #1 has more than one '*' specified for the output width" },
	{ "%.**d",
	  "format conversion #1 has more than one '*' specified for the output precision" },
	{ "%.1.2d", "format conversion #1 has more than one '.' specified" },
	{ "%1$d",
	  "format conversion #1 uses unsupported positional format (%n$)" },
	{ "%-%",
	  "format conversion #1 cannot be combined with other format flags: %%" },
	{ "%5%",
	  "format conversion #1 cannot be combined with other format flags: %%" },
	{ "", NULL },
	{ "%%", NULL },
	{ "%0*.*lld", NULL },
	{ "%?p", NULL },
	{ "%@d", NULL },
	{ "%-#0+' 8.3x", NULL },
};

static void reading(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
		const char *problem = NULL;
		struct format *format = format_read(arena, malformed[i].format,
						    strlen(malformed[i].format),
						    &problem);

		assert_int_equal(!format, !!malformed[i].problem);
		if (!format)
			assert_string_equal(problem, malformed[i].problem);
	}
	arena_free(arena);
}

static void parts(void **state)
{
	struct arena *arena = arena_new();
	const char text[] = "a %-8.3x%% %@*.*lld\n";
	const char *problem = NULL;
	const struct format *format = format_read(arena, text, strlen(text),
						  &problem);
	const struct conversion *at = format->conversions;

	(void)state;
	assert_int_equal(at->text_length, 2);
	assert_memory_equal(at->text, "a ", 2);
	assert_string_equal(at->kind->name, "x");
	assert_int_equal(at->kind->accepts, ACCEPTS_INTEGER);
	assert_int_equal(at->number, 1);
	assert_int_equal(at->flags, FLAG_LEFT);
	assert_int_equal(at->width, 8);
	assert_int_equal(at->precision, 3);
	assert_false(at->takes_width || at->takes_precision);

	at = at->next;
	assert_int_equal(at->text_length, 0);
	assert_int_equal(at->kind->prints, PRINTS_PERCENT);

	at = at->next;
	assert_int_equal(at->text_length, 1);
	assert_string_equal(at->kind->name, "lld");
	assert_int_equal(at->kind->accepts, ACCEPTS_EXACT);
	assert_int_equal(at->kind->size, 8);
	assert_true(at->kind->is_signed);
	assert_int_equal(at->number, 3);
	assert_int_equal(at->flags, FLAG_AGGREGATION);
	assert_true(at->takes_width && at->takes_precision);

	at = at->next;
	assert_null(at->kind);
	assert_int_equal(at->text_length, 1);
	assert_null(at->next);
	assert_int_equal(format->length, strlen(text));
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading), cmocka_unit_test(parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
