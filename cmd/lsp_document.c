/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Documents: the texts that a client has open.
 *
 * They are UTF-8 here, while a client counts columns in UTF-16 code units unless
 * both agree on UTF-8: a character of four bytes is two of those.  A line ends with
 * \n, as for the compiler; \r before it is part of no column that anybody means.
 */
#include "cmd/lsp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DOCUMENTS = 1000 };

static struct document *documents;
static bool counts_bytes;

/*
 * The line that was looked at last: the next question is about one near it, and long
 * texts have many symbols.
 */
static struct {
	const char *text;
	size_t start;
	uint32_t line; /* from 1 */
} last;

static void forget_lines(void)
{
	last.text = NULL;
}

/* The line that the offset is in, or the one of that number, whichever is first. */
static void find_line(const struct document *document, size_t offset,
		      uint32_t line)
{
	const char *text = document->text, *end;

	if (last.text != text || last.start > offset || last.line > line) {
		last.text = text;
		last.start = 0;
		last.line = 1;
	}
	while (last.line < line &&
	       (end = memchr(text + last.start, '\n', offset - last.start))) {
		last.start = (size_t)(end + 1 - text);
		last.line++;
	}
}

void documents_use_utf8(bool is_utf8)
{
	counts_bytes = is_utf8;
}

struct document *documents_first(void)
{
	return documents;
}

struct document *document_find(const char *uri)
{
	struct document *document = documents;

	while (document && strcmp(document->uri, uri))
		document = document->next;
	return document;
}

static int hex(char c)
{
	return isdigit((unsigned char)c)
		       ? c - '0'
		       : (tolower((unsigned char)c) - 'a') + 10;
}

/* file:///tmp/a%20b.d is a path; what is no file has a name for messages. */
static char *path_of(const char *uri)
{
	static const char scheme[] = "file://";
	char *path, *to;

	if (strncmp(uri, scheme, sizeof(scheme) - 1) != 0)
		return strdup("program.d");
	path = to = strdup(uri + sizeof(scheme) - 1);
	for (const char *from = path; from && *from;) {
		bool is_quoted = from[0] == '%' &&
				 isxdigit((unsigned char)from[1]) &&
				 isxdigit((unsigned char)from[2]);
		char c = is_quoted ? (char)(hex(from[1]) << 4 | hex(from[2]))
				   : *from;

		from += is_quoted ? 3 : 1;
		if (c)
			*to++ = c;
	}
	if (to)
		*to = '\0';
	return path;
}

struct document *document_open(const char *uri)
{
	struct document *document = document_find(uri);
	unsigned count = 0;

	if (document)
		return document;
	for (document = documents; document; document = document->next)
		if (++count == MOST_DOCUMENTS)
			return NULL;
	document = calloc(1, sizeof(*document));
	if (!document)
		return NULL;
	document->uri = strdup(uri);
	document->path = path_of(uri);
	document->text = strdup("");
	if (!document->uri || !document->path || !document->text) {
		free(document->uri);
		free(document->path);
		free(document->text);
		free(document);
		return NULL;
	}
	document->next = documents;
	documents = document;
	return document;
}

void document_close(struct document *document)
{
	struct document **link = &documents;

	while (*link != document)
		link = &(*link)->next;
	*link = document->next;
	forget_lines();
	free(document->uri);
	free(document->path);
	free(document->text);
	free(document);
}

bool document_replace(struct document *document, size_t from, size_t to,
		      const char *text, size_t length)
{
	size_t kept = document->length - (to - from);
	char *new = length <= LARGEST_TEXT - kept &&kept <= LARGEST_TEXT
			    ? malloc(kept + length + 1)
			    : NULL;

	if (!new)
		return false;
	memcpy(new, document->text, from);
	for (size_t i = 0; i < length; i++) /* no NUL: as wide, and as wrong */
		new[from + i] = text[i] ? text[i] : '\1';
	memcpy(new + from + length, document->text + to, document->length - to);
	new[kept + length] = '\0';
	forget_lines();
	free(document->text);
	document->text = new;
	document->length = kept + length;
	document->is_changed = true;
	return true;
}

/* ------------------------------------------------------------ positions */

static size_t bytes_of(unsigned char c)
{
	return c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

static size_t units_of(unsigned char c)
{
	return counts_bytes ? bytes_of(c) : c < 0xf0 ? 1 : 2;
}

size_t line_end(const struct document *document, size_t offset)
{
	const char *end = strchr(document->text + offset, '\n');

	return end ? (size_t)(end - document->text) : document->length;
}

size_t line_start(const struct document *document, uint32_t line)
{
	find_line(document, document->length, line);
	return last.line == line || !line ? last.start : document->length;
}

size_t offset_at(const struct document *document, const json_t *position)
{
	const json_t *line = json_object_get(position, "line");
	const json_t *character = json_object_get(position, "character");
	json_int_t row = json_integer_value(line);
	json_int_t units = json_integer_value(character);

	if (!json_is_integer(line) || !json_is_integer(character) || row < 0 ||
	    units < 0)
		return SIZE_MAX;
	if (row >= UINT32_MAX)
		return document->length;
	size_t at = line_start(document, (uint32_t)row + 1);
	size_t end = line_end(document, at);

	while (at < end && units > 0) {
		unsigned char c = (unsigned char)document->text[at];
		size_t n = bytes_of(c);

		units -= (json_int_t)units_of(c);
		at += n < end - at ? n : end - at;
	}
	return at;
}

json_t *position_of(const struct document *document, size_t offset)
{
	json_int_t units = 0;

	if (offset > document->length)
		offset = document->length;
	find_line(document, offset, UINT32_MAX);
	for (size_t at = last.start; at < offset;) {
		unsigned char c = (unsigned char)document->text[at];

		units += (json_int_t)units_of(c);
		at += bytes_of(c);
	}
	return json_pack("{s:I, s:I}", "line", (json_int_t)last.line - 1,
			 "character", units);
}

json_t *range_of(const struct document *document, size_t from, size_t to)
{
	return json_pack("{s:o, s:o}", "start", position_of(document, from),
			 "end", position_of(document, to));
}

json_t *range_of_place(const struct document *document,
		       const dtrace_place_ext_t *place)
{
	size_t start = line_start(document, place->dtpl_line);
	size_t end = line_end(document, start);
	size_t from = start + place->dtpl_column;

	if (from > end)
		from = end;
	size_t to = from + (place->dtpl_length ? place->dtpl_length : 1);

	return range_of(document, from, to > end ? end : to);
}
