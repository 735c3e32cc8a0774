/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Untrusted text, made safe for a terminal.
 *
 * Names and strings of the traced system are bytes that any user may have
 * chosen.  A terminal interprets some of them: it changes its title, moves the
 * cursor over what was printed before, or types something.  Such bytes become
 * \ooo, as %S and `ls -b` show them.  UTF-8 stays as it is, except for its own
 * control characters (U+0080 .. U+009F), ends of lines and the marks that
 * reverse the direction of text.  Bytes that are not UTF-8 become \ooo, too.
 *
 * Only what goes to a terminal is changed: files and pipes get the bytes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum visible {
	VISIBLE_LINE,	/* newlines and tabs are shown as well: a name */
	VISIBLE_LINES,	/* they are kept: text of several lines */
};

/* Adds `count` bytes; what a terminal would interpret is made visible. */
void text_add_visible(struct text *out, const char *bytes, size_t count,
		      enum visible how);
/* Is it safe without a change? */
bool is_visible(const char *bytes, size_t count, enum visible how);

/* The length of the UTF-8 character at `bytes`; 0: it is not one. */
size_t utf8_length(const uint8_t *bytes, size_t count, uint32_t *point);
