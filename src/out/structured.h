/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Structured output (-x oformat=json|ndjson|csv): what text would show, as
 * typed values.  doc/output.md is the contract with those who read it.
 *
 * Everything becomes an item: a record, an aggregation, a drop, an error.  An
 * item is written whole, on one line; json puts them into one document.
 * csv has tables of aggregations and nothing else.
 */

#include "out/out.h"

enum { STRUCTURED_VERSION = 1 };
/* As the option's words stand: base/options.def. */
enum structured_form { FORM_TEXT, FORM_JSON, FORM_NDJSON, FORM_CSV };

struct structured {
	enum structured_form form;
	uint64_t wall_offset;	/* wall clock minus monotonic clock */
	bool is_begun, has_items, is_ended;
	struct text item;	/* being built */
	/* the action at hand: tables that printa() left */
	struct text tables;
	bool is_in_record;
	FILE *file;		/* for items, while an action runs */
};

/* NULL: text is wanted. */
struct structured *structured_new(const struct options *options);
void structured_free(struct structured *structured);

/* The record at hand; false: an action failed. */
bool structured_record(struct printer *printer);
/* `cpu` < 0: of no CPU. */
void structured_drop(struct printer *printer, const char *tag, uint64_t count,
		     int64_t cpu, const char *message);
void structured_error(struct printer *printer, const struct abi_fault *fault,
		      const char *what, const char *message);
/* One printing of aggregations (an object): an item, or part of a record. */
void structured_table(struct printer *printer, const struct text *table);
/* Rows of CSV: written as they are, whatever is being printed. */
void structured_csv(struct printer *printer, const struct text *rows);
/* The last item; then nothing may follow. */
void structured_end(struct printer *printer, bool has_status, int status);

/* ------------------------------------------------------- JSON text: json.c */

/* Quoted; bytes that are no UTF-8 become U+DC80 .. U+DCFF. */
void json_string(struct text *out, const char *bytes, size_t n);
void json_word(struct text *out, const char *word);	/* NULL: null */
/* "name": with a comma before it unless it is the first in its object. */
void json_name(struct text *out, const char *name);
/* A value: number, string, array of frames; other bytes as { "hex": ... }. */
void json_value(struct printer *printer, const struct print_value *value,
		struct text *out);
