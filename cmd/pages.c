/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/pages.h"
#include "cmd/signals.h"
#include "cmd/single_keys.h"
#include "cmd/tool.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static volatile sig_atomic_t is_ended, is_resized;

static void on_end(int number)
{
	(void)number;
	is_ended = 1;
}

static void on_resize(int number)
{
	(void)number;
	is_resized = 1;
}

static void on_continue(void)
{
	is_resized = 1;
}

void pages_open(struct pages *pages, dtrace_hdl_t *dtp, bool wants_screen)
{
	struct sigaction resize = { .sa_handler = on_resize };

	pages->dtp = dtp;
	pages->is_screen = wants_screen && isatty(STDOUT_FILENO);
	if (!dtp)
		signals_catch(on_end);
	if (!pages->is_screen)
		return;
	sigaction(SIGWINCH, &resize, NULL);
	single_keys_begin(on_continue);
}

void pages_close(struct pages *pages)
{
	single_keys_end();
	free(pages->text);
	pages->text = NULL;
}

static void size_of(unsigned *rows, unsigned *columns)
{
	struct winsize size;

	*rows = 24;
	*columns = 80;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row) {
		*rows = size.ws_row;
		*columns = size.ws_col;
	}
}

unsigned pages_rows(const struct pages *pages)
{
	unsigned rows, columns;

	if (!pages->is_screen)
		return 0;
	size_of(&rows, &columns);
	/* the last one is for the cursor */
	return rows - 1;
}

FILE *pages_begin(struct pages *pages)
{
	free(pages->text);
	pages->text = NULL;
	pages->page = tool_must(open_memstream(&pages->text, &pages->size));
	return pages->page;
}

/* The beginning of a line that fits; colours and UTF-8 take no column. */
static void put_line(const char *line, size_t n, unsigned columns)
{
	unsigned column = 0;
	bool is_sequence = false;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)line[i];

		if (c == '\033')
			is_sequence = true;
		else if (!is_sequence && (c & 0xc0) != 0x80)
			column++;
		if (column <= columns)
			putchar(c);
		if (is_sequence && c >= 0x40 && c != '[')
			is_sequence = false;
	}
	fputs("\033[0m\033[K\n", stdout);
}

static void paint(const struct pages *pages)
{
	const char *line = pages->text, *end = line + pages->size;
	unsigned rows, columns;

	size_of(&rows, &columns);
	fputs("\033[H", stdout);
	for (unsigned row = 1; row < rows && line < end; row++) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		const char *stop = newline ? newline : end;

		put_line(line, (size_t)(stop - line), columns);
		line = newline ? newline + 1 : end;
	}
	fputs("\033[J", stdout);
	fflush(stdout);
}

void pages_show(struct pages *pages)
{
	fclose(pages->page);
	pages->page = NULL;
	if (pages->is_screen) {
		paint(pages);
		return;
	}
	fwrite(pages->text, 1, pages->size, stdout);
	fflush(stdout);
}

bool pages_wait(struct pages *pages, double until)
{
	struct pollfd wait[] = {
		{ .fd = pages->dtp ? dtrace_fd_ext(pages->dtp) : -1,
		  .events = POLLIN },
		single_keys_pollfd(),
	};

	for (double left; (left = until - tool_now()) > 0;) {
		poll(wait, 2, (int)(left * 1000) + 1);
		if (is_ended || single_keys_quit(&wait[1]))
			return false;
		if (is_resized && pages->text)
			paint(pages);
		is_resized = 0;
		if (pages->dtp &&
		    dtrace_poll_ext(pages->dtp, stdout, NULL, NULL, NULL) !=
			    DTRACE_WORKSTATUS_OKAY)
			return false;
	}
	return true;
}
