/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * dtrace-lsp: a language server for D, which `dtrace --lsp` starts.
 *
 *	lsp.c		requests, notifications, the life of a session
 *	lsp_message.c	messages on standard input and output
 *	lsp_document.c	texts that are open, and positions in them
 *	lsp_program.c	a text as the compiler sees it
 *	lsp_diagnose.c	diagnostics
 *	lsp_hover.c	what a word is
 *	lsp_symbol.c	symbols of a document, definitions
 *	lsp_complete.c	completion
 *	lsp_signature.c	the parameters of a call
 *	lsp_about.c	what built-in names are, a line for each
 *
 * It knows D only through libdtrace (dtrace_inspect_ext): each question compiles
 * the text, which takes some milliseconds.  It is a program of its own because of
 * its JSON library: dtrace itself needs nothing but libc.
 *
 * 1. What comes from the client may be anything.  A message is answered, refused
 *    or ignored; it never ends the server.
 * 2. Nothing is enabled, no process is started but cpp for -C, and the text does
 *    not choose the path of that.
 */

#include <dtrace.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* ------------------------------------------------------------- messages */

/* Waits for the next message; NULL: the client is gone.  Not always an object. */
json_t *message_read(void);
/* Is there one, or a part of it, already? */
bool message_waits(void);
/* Sends it, with "jsonrpc", and releases it. */
void message_send(json_t *message);
/* A JSON string of any bytes: those that are no UTF-8 become '?'. */
json_t *json_text(const char *text);

/* ------------------------------------------------------------ documents */

struct document {
	char *uri, *path;
	char *text; /* ends in NUL and has no other */
	size_t length;
	json_int_t version;
	bool is_changed; /* since the last diagnosis */
	struct document *next;
};

enum { LARGEST_TEXT = 16 << 20 };

/* The unit of columns: UTF-16, unless the client has offered UTF-8. */
void documents_use_utf8(bool is_utf8);
struct document *document_find(const char *uri);
struct document *document_open(const char *uri);
void document_close(struct document *document);
struct document *documents_first(void);
/* False: it is too long, and stays what it was. */
bool document_replace(struct document *document, size_t from, size_t to,
		      const char *text, size_t length);

/* {line, character} in the text; the nearest there is.  SIZE_MAX: malformed. */
size_t offset_at(const struct document *document, const json_t *position);
json_t *position_of(const struct document *document, size_t offset);
json_t *range_of(const struct document *document, size_t from, size_t to);
/* Where a line (from 1) begins, without a line end behind the text. */
size_t line_start(const struct document *document, uint32_t line);
size_t line_end(const struct document *document, size_t offset);
/* A place of the library as a range. */
json_t *range_of_place(const struct document *document,
		       const dtrace_place_ext_t *place);

/* ------------------------------------------------------------- programs */

/* A handle with the options of the text's #! line; NULL: none to be had. */
dtrace_hdl_t *program_open(const struct document *document, bool *has_cpp);
/* Inspects the document; offset SIZE_MAX: no cursor. */
void program_inspect(dtrace_hdl_t *dtp, const struct document *document,
		     size_t offset, dtrace_inspect_ext_t what);

/* ------------------------------------------------------------- features */

/* Publishes what is wrong with it. */
void diagnose(struct document *document);
/* The results of requests; json_null() if there is nothing to say. */
json_t *answer_hover(const struct document *document, size_t offset);
json_t *answer_symbols(const struct document *document);
json_t *answer_definition(const struct document *document, size_t offset);
json_t *answer_completion(const struct document *document, size_t offset);
json_t *answer_signature(const struct document *document, size_t offset);

/* What a built-in name is, or NULL. */
const char *about(const char *name);
