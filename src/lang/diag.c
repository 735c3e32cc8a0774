/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Diagnostics: keeping the first error, and printing it.
 *
 * The line is exactly the classic one, because scripts and test suites compare
 * it.  What precedes the message depends on where the D text came from: a file
 * has lines; an argument of -n has regions ("in action list"); a probe
 * description has neither.
 *
 * The excerpt is ours: the source line, a caret beneath the word, a hint.  A
 * line may hold anything (tabs, control characters, a megabyte of it), so it is
 * shown through a window of WINDOW columns around the caret, and every byte
 * that a terminal might interpret is replaced.
 */
#include "lang/diag.h"

#include <stdarg.h>
#include <string.h>

enum { WINDOW = 100, BEFORE_CARET = 60, TAB = 8 };

static const char *const tag_names[] = {
#define TAG(name) [name] = #name,
#include "lang/tags.def"
#undef TAG
};

static const struct dialect {
	enum tag tag;
	const char *illumos;
	const char *where;
} dialects[] = {
#define DIALECT(tag, illumos, where) { tag, illumos, where },
#include "lang/dialects.def"
#undef DIALECT
};

enum { DIALECTS = sizeof(dialects) / sizeof(*dialects) };

const char *tag_name(enum tag tag)
{
	return tag < TAG_COUNT ? tag_names[tag] : "D_UNKNOWN";
}

enum tag tag_lookup(const char *name)
{
	for (unsigned i = 0; i < TAG_COUNT; i++)
		if (!strcmp(tag_names[i], name))
			return (enum tag)i;
	for (size_t i = 0; i < DIALECTS; i++)
		if (!strcmp(dialects[i].illumos, name))
			return dialects[i].tag;
	return TAG_COUNT;
}

/* The row for this exact place comes before the general one. */
static const char *illumos_name(const struct diag *diag)
{
	const char *name = tag_name(diag->tag);

	for (size_t i = 0; i < DIALECTS; i++) {
		const struct dialect *row = &dialects[i];

		if (row->tag != diag->tag)
			continue;
		if (!row->where)
			name = row->illumos;
		else if (diag->where && !strcmp(row->where, diag->where))
			return row->illumos;
	}
	return name;
}

bool diag_error(struct diag *diag, const struct place *place, enum tag tag,
		const char *format, ...)
{
	if (diag->failed)
		return false;
	va_list args;

	va_start(args, format);
	diag->message = arena_vprintf(diag->arena, format, args);
	va_end(args);
	diag->failed = true;
	diag->tag = tag;
	diag->place = place ? *place : (struct place){ 0 };
	diag->hint = NULL;
	diag->where = NULL;
	return false;
}

bool diag_where(struct diag *diag, const char *format, ...)
{
	va_list args;

	if (diag->where)
		return false;
	va_start(args, format);
	diag->where = arena_vprintf(diag->arena, format, args);
	va_end(args);
	return false;
}

void diag_hint(struct diag *diag, const char *format, ...)
{
	if (!diag->failed || diag->hint)
		return;
	va_list args;

	va_start(args, format);
	diag->hint = arena_vprintf(diag->arena, format, args);
	va_end(args);
}

void diag_clear(struct diag *diag)
{
	*diag = (struct diag){ .arena = diag->arena };
}

void diag_print_line(const struct diag *diag, enum tag_names names,
		     struct text *out)
{
	const struct place *place = &diag->place;

	if (!diag->failed)
		return;
	if (names != TAGS_NONE)
		text_printf(out, "[%s] ",
			    names == TAGS_ILLUMOS ? illumos_name(diag)
						  : tag_name(diag->tag));
	if (!place->source)
		;
	else if (place->file)
		text_printf(out, "\"%s\", line %u: ", place->file, place->line);
	else if (place->source->is_file)
		text_printf(out, "line %u: ", place->line);
	else if (place->region == REGION_PREDICATE)
		text_puts(out, "in predicate: ");
	else if (place->region == REGION_ACTIONS)
		text_puts(out, "in action list: ");
	text_puts(out, diag->message);
}

/* ------------------------------------------------------------- excerpt */

static bool is_continuation(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* Width of the byte at screen column `column`; UTF-8 tails have none. */
static size_t width_of(unsigned char c, size_t column)
{
	if (c == '\t')
		return TAB - column % TAB;
	return is_continuation(c) ? 0 : 1;
}

static void add_byte(struct text *out, unsigned char c, size_t column)
{
	if (c == '\t')
		for (size_t i = width_of(c, column); i; i--)
			text_putc(out, ' ');
	else
		text_putc(out, c < ' ' || c == 0x7f ? '?' : (char)c);
}

/* The line that holds the place, as offsets into the text. */
static void find_line(const struct place *place, size_t *start, size_t *end)
{
	const struct source *source = place->source;
	size_t offset = place->offset;

	if (offset > source->length)
		offset = source->length;
	/* An error at the end of input belongs to the last line with text. */
	while (offset && offset == source->length &&
	       source->text[offset - 1] == '\n' && source->length > 1)
		offset--;
	*start = *end = offset;
	while (*start && source->text[*start - 1] != '\n')
		--*start;
	while (*end < source->length && source->text[*end] != '\n')
		++*end;
}

static void print_margin(const struct place *place, bool numbered,
			 struct text *out)
{
	if (numbered && (place->source->is_file || place->file))
		text_printf(out, "%6u | ", place->line);
	else
		text_puts(out, "       | ");
}

void diag_print_excerpt(const struct diag *diag, struct text *out)
{
	const struct place *place = &diag->place;

	if (!diag->failed)
		return;
	if (place->source && place->source->length) {
		const char *text = place->source->text;
		size_t start, end, at = place->offset;

		find_line(place, &start, &end);
		if (at > end)
			at = end;
		size_t from = at - start > BEFORE_CARET ? at - BEFORE_CARET
							: start;
		size_t to = end - from > WINDOW ? from + WINDOW : end;

		while (from > start &&
		       is_continuation((unsigned char)text[from]))
			from--;
		while (to < end && is_continuation((unsigned char)text[to]))
			to++;

		struct text under = { 0 };
		size_t column = 0, caret = 0;
		size_t last = at + (place->length ? place->length : 1);

		print_margin(place, true, out);
		if (from > start)
			text_puts(out, "...");
		for (size_t i = from; i < to; i++) {
			unsigned char c = (unsigned char)text[i];
			size_t width = width_of(c, column);

			if (i == at)
				caret = column;
			if (c == '\r' && i + 1 == end)
				break;
			add_byte(out, c, column);
			for (size_t w = 0; w < width && i > at && i < last; w++)
				text_putc(&under, '~');
			column += width;
		}
		if (at >= to)
			caret = column;
		text_puts(out, to < end ? "...\n" : "\n");
		print_margin(place, false, out);
		if (from > start)
			caret += 3;
		text_printf(out, "%*s^%s\n", (int)caret, "", text_str(&under));
		text_free(&under);
	}
	if (diag->hint)
		text_printf(out, "       = %s\n", diag->hint);
}
