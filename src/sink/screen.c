/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last row stays free, for the cursor and for what others write.  Bytes that
 * continue a character of UTF-8 and escape sequences (a script's own colours)
 * take no column.
 */
#include "sink/screen.h"

#include <string.h>

/* No terminal shows more of a page than MOST bytes; a script may never begin a new one. */
enum { TAB = 8, MOST = 1 << 20 };

void screen_write(struct screen *screen, const char *bytes, size_t count)
{
	const char *feed = memrchr(bytes, '\f', count);

	if (feed) {
		text_clear(&screen->page);
		count -= (size_t)(feed + 1 - bytes);
		bytes = feed + 1;
	}
	if (screen->page.n < MOST)
		text_add(&screen->page, bytes, count);
	screen->has_changed = true;
}

/* The length of an escape sequence, ESC [ ... letter; 0: it is none. */
static size_t sequence_length(const char *p, size_t n)
{
	size_t i = 2;

	if (n < 3 || p[0] != '\033' || p[1] != '[')
		return 0;
	while (i < n && (unsigned char)p[i] < 0x40)
		i++;
	return i < n ? i + 1 : 0;
}

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The beginning of a line that fits. */
static void put_line(const char *line, size_t n, unsigned columns,
		     struct text *out)
{
	size_t i = 0;
	unsigned column = 0;

	while (i < n) {
		size_t sequence = sequence_length(line + i, n - i);

		if (sequence) {
			text_add(out, line + i, sequence);
			i += sequence;
			continue;
		}
		if (line[i] == '\t')
			column += TAB - column % TAB;
		else
			column += !is_continuation(line[i]);
		if (column > columns)
			break;
		text_putc(out, line[i++]);
	}
	text_puts(out, "\033[K\n");
}

void screen_paint(struct screen *screen, unsigned rows, unsigned columns,
		  struct text *out)
{
	const char *line = text_str(&screen->page);
	const char *end = line + screen->page.n;
	bool is_first = !screen->rows;

	if (!screen->has_changed && rows == screen->rows &&
	    columns == screen->columns)
		return;
	screen->has_changed = false;
	screen->rows = rows;
	screen->columns = columns;
	text_puts(out, is_first ? "\033[H\033[2J" : "\033[H");
	for (unsigned row = 1; row < rows && line < end; row++) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		const char *stop = newline ? newline : end;

		put_line(line, (size_t)(stop - line), columns, out);
		line = newline ? newline + 1 : end;
	}
	text_puts(out, "\033[J");
}

void screen_free(struct screen *screen)
{
	text_free(&screen->page);
}
