/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What dtrace(8) prints of aggregations with stacks in their keys.
 *
 *	  bash                                    keys before the stack
 *	              vmlinux`vfs_read+0xbb       a line for each frame
 *	              vmlinux`ksys_read+0x66
 *	        0               17                keys after it; the value
 *
 * A stack begins on a line of its own, so the line before it has keys or is
 * empty, and it is never a value: that is how keys that are numbers are told
 * from values.  Several stacks are separated in the same way.  An empty stack
 * leaves an empty line, which other tables have only before their first row.
 * What else is printed (headings, traced records) is
 * skipped.
 */
#include "view/read.h"

#include <string.h>

enum { VALUE_WIDTH = 16, FRAME_INDENT = 10 };

static size_t indent_of(struct str line)
{
	size_t n = 0;

	while (n < line.n && line.p[n] == ' ')
		n++;
	return n;
}

static bool is_frame(struct str line)
{
	size_t indent = indent_of(line);
	struct str text = { line.p + indent, line.n - indent };

	if (!text.n || indent < 3)
		return false;
	if (memchr(text.p, '`', text.n) || str_starts(text, "0x"))
		return true;
	return indent >= FRAME_INDENT && (*text.p < '0' || *text.p > '9') &&
	       *text.p != '-' && *text.p != '|' &&
	       !memmem(text.p, text.n, " ---", 4);
}

/* The line after the current one; it stays the next. */
static struct str peek(const struct reader *reader)
{
	struct reader copy = *reader;
	struct str line = STR("");

	reader_line(&copy, &line);
	return line;
}

static bool is_blank(struct str line)
{
	return indent_of(line) == line.n;
}

/* Strings of keys are padded, so at least two blanks are between them. */
static void take_keys(struct reader *reader, struct str line)
{
	line = str_trim(line);
	while (line.n) {
		const char *gap = memmem(line.p, line.n, "  ", 2);
		size_t n = gap ? (size_t)(gap - line.p) : line.n;

		reader_key(reader, (struct str){ line.p, n });
		line = str_trim((struct str){ line.p + n, line.n - n });
	}
}

/*
 * Takes the value off the end of a line.  It is right-aligned, which tells it
 * from other numbers.
 */
static bool take_value(struct str *line, int64_t *value)
{
	size_t n = line->n;
	struct str digits;

	while (n && line->p[n - 1] != ' ')
		n--;
	digits = (struct str){ line->p + n, line->n - n };
	if (!str_weight(digits, value))
		return false;

	size_t pad = digits.n < VALUE_WIDTH ? VALUE_WIDTH - digits.n : 0;

	if (n <= pad)
		return false;
	for (size_t i = 0; i <= pad; i++)
		if (line->p[n - 1 - i] != ' ')
			return false;
	line->n = n;
	return true;
}

/* The lines of one stack; `line` is the first. */
static void take_stack(struct reader *reader, struct str line)
{
	const char *start = line.p, *end = reader->at;
	bool is_kernel = false;

	for (;;) {
		is_kernel |= memmem(line.p, line.n, "vmlinux`", 8) ||
			     memmem(line.p, line.n, "unix`", 5);
		end = reader->at;
		if (!is_frame(peek(reader)))
			break;
		reader_line(reader, &line);
	}

	struct str lines = { start, (size_t)(end - start) };

	while (lines.n) {
		line = str_trim(str_cut(&lines, '\n'));
		if (line.n)
			reader_push(is_kernel ? &reader->kernel : &reader->user,
				    reader_frame(reader, line,
						 is_kernel ? PROFILE_KERNEL
							   : PROFILE_USER));
	}
}

/* Does a line end in a value? */
static bool has_value(struct str line)
{
	int64_t value;

	return line.n && take_value(&line, &value);
}

void read_dtrace(struct reader *reader)
{
	bool has_stack = false, after_blank = false;
	struct str line;

	while (reader_line(reader, &line)) {
		struct str next = peek(reader), rest = line;
		int64_t weight;

		if (is_frame(line)) {
			take_stack(reader, line);
			has_stack = true;
		} else if (is_frame(next)) {
			take_keys(reader, line);
		} else if (is_blank(line)) {
			/* an empty stack before the value, or nothing of ours */
			if (!has_value(next)) {
				reader_forget(reader);
				has_stack = false;
			}
		} else if ((has_stack || reader->keys.count ||
			    (after_blank && !has_value(next))) &&
			   take_value(&rest, &weight)) {
			take_keys(reader, rest);
			reader_add(reader, weight);
			has_stack = false;
		} else {
			/* keys before an empty stack, perhaps */
			reader_forget(reader);
			has_stack = false;
			if (!has_value(line) && !memchr(line.p, '|', line.n) &&
			    (is_blank(next) || has_value(next)))
				take_keys(reader, line);
		}
		after_blank = is_blank(line);
	}
}
