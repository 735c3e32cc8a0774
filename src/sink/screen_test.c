/* SPDX-License-Identifier: Apache-2.0 */
#include "sink/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static void paints(struct screen *screen, unsigned rows, unsigned columns,
		   const char *expected)
{
	struct text out = { 0 };

	screen_paint(screen, rows, columns, &out);
	assert_string_equal(text_str(&out), expected);
	text_free(&out);
}

static void put(struct screen *screen, const char *text)
{
	screen_write(screen, text, strlen(text));
}

static void a_page_takes_the_place_of_another(void **state)
{
	struct screen screen = { 0 };

	(void)state;
	put(&screen, "\fone\ntwo\n");
	paints(&screen, 24, 80, "\033[H\033[2Jone\033[K\ntwo\033[K\n\033[J");
	paints(&screen, 24, 80, "");
	put(&screen, "three\n");
	paints(&screen, 24, 80,
	       "\033[Hone\033[K\ntwo\033[K\nthree\033[K\n\033[J");
	put(&screen, "lost\n\flost\fnew");
	paints(&screen, 24, 80, "\033[Hnew\033[K\n\033[J");
	screen_free(&screen);
}

static void it_is_cut_to_the_terminal(void **state)
{
	struct screen screen = { 0 };

	(void)state;
	put(&screen, "\f123456789\nsecond\nthird\n");
	paints(&screen, 3, 5, "\033[H\033[2J12345\033[K\nsecon\033[K\n\033[J");
	/* larger again: nothing was lost */
	paints(&screen, 4, 9,
	       "\033[H123456789\033[K\nsecond\033[K\nthird\033[K\n\033[J");
	screen_free(&screen);
}

static void characters_are_counted_not_bytes(void **state)
{
	struct screen screen = { 0 };

	(void)state;
	put(&screen, "\f\u00fc\u00fc\u00fc\u00fc\n\033[1mbold\033[0m\na\tb\n");
	paints(&screen, 9, 3,
	       "\033[H\033[2J\u00fc\u00fc\u00fc\033[K\n\033[1mbol\033[K\na\033[K\n\033[J");
	/* an escape that is none */
	put(&screen, "\f\033[");
	paints(&screen, 9, 3, "\033[H\033[\033[K\n\033[J");
	screen_free(&screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_takes_the_place_of_another),
		cmocka_unit_test(it_is_cut_to_the_terminal),
		cmocka_unit_test(characters_are_counted_not_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
