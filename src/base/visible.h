/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Text of others, made fit for a terminal.
 *
 * Names and strings of the traced system are bytes that anybody may have
 * chosen.  A terminal obeys some of them: it changes its title, moves the
 * cursor over what was printed before, or types something.  Such bytes become
 * \ooo, the way %S and `ls -b` show them.  UTF-8 stays as it is, but for its
 * own control characters (U+0080 .. U+009F), ends of lines and the marks that
 * turn the direction of text around.  Bytes that are no UTF-8 become \ooo, too.
 *
 * Only what goes to a terminal is changed: files and pipes get the bytes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum visible {
	VISIBLE_LINE,	/* newlines and tabs are shown as well: a name */
	VISIBLE_LINES,	/* they are obeyed: text of several lines */
};

/* Adds `count` bytes; what a terminal would obey is made visible. */
void text_add_visible(struct text *out, const char *bytes, size_t count,
		      enum visible how);
/* Is nothing in it to be changed? */
bool is_visible(const char *bytes, size_t count, enum visible how);

/* The length of the UTF-8 character at `bytes`; 0: it is none. */
size_t utf8_length(const uint8_t *bytes, size_t count, uint32_t *point);
