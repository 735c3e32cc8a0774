/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Pages that are redrawn in place: -x screen.
 *
 * A form feed in the output begins a page.  On a terminal, each page takes the
 * place of the one before, cut to the size that the terminal has at that moment;
 * nothing is cleared before it is written over, so nothing flickers.
 */

#include <stdbool.h>

#include "base/text.h"

struct screen {
	struct text page;
	bool has_changed;
	unsigned rows, columns; /* of the last page; 0: none was shown */
};

/* Takes output; what came before a form feed is forgotten. */
void screen_write(struct screen *screen, const char *bytes, size_t count);
/* Appends what shows the page, or nothing if it is there already. */
void screen_paint(struct screen *screen, unsigned rows, unsigned columns,
		  struct text *out);
void screen_free(struct screen *screen);
