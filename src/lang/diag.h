/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Diagnostics: the first error in a D program, and where it is.
 *
 * Classic dtrace prints one line, the first error, and people grep for it.  We
 * keep that line and add beneath it the source line and a caret.  The functions
 * of the compiler return NULL or false after reporting; a caller that sees that
 * returns at once, so only the first report is kept.
 *
 * Tags live in tags.def (one line each); their spelling is what -x errtags
 * prints.  dialects.def has the names that another system uses for some.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

enum tag {
#define TAG(name) name,
#include "lang/tags.def"
#undef TAG
	TAG_COUNT
};

const char *tag_name(enum tag tag);
/* The tag of that name ("D_SYNTAX"; aliases accepted), or TAG_COUNT. */
enum tag tag_lookup(const char *name);

/*
 * A piece of D text: a file, or the argument of -n and friends.  Text is
 * NUL-terminated for the lexer's convenience but may contain NULs.
 */
struct source {
	const char *name; /* file name, or the whole -n argument */
	const char *text;
	size_t length;
	bool is_file; /* errors say "line N"; else "in action list" */
};

enum region { REGION_NONE, REGION_PREDICATE, REGION_ACTIONS };

struct place {
	const struct source *source;
	size_t offset;	  /* into source->text: for the caret */
	uint32_t length;  /* of the underlined word; 0 = one column */
	uint32_t line;	  /* after #line; 1-based */
	const char *file; /* from #line; NULL = the source itself */
	enum region region;
};

struct diag {
	struct arena *arena;
	bool failed;
	enum tag tag;
	struct place place;
	const char *message; /* may hold "\n\t" continuation lines */
	const char *hint;    /* "did you mean ...", or NULL */
	const char *where;   /* for dialects.def, or NULL */
};

/* Which system's tag names are printed; the values are those of -x errtags. */
enum tag_names { TAGS_NONE, TAGS_ORACLE, TAGS_ILLUMOS };

/* Report; the first call wins.  Returns false, so `return diag_error(...)`. */
bool diag_error(struct diag *diag, const struct place *place, enum tag tag,
		const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Attach a suggestion to the error just reported. */
void diag_hint(struct diag *diag, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Note for dialects.def where the error just reported is.  Returns false. */
bool diag_where(struct diag *diag, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void diag_clear(struct diag *diag);

/*
 * The classic message without prefix: `[TAG] line N: MSG`,
 * `"file", line N: MSG`, or `in action list: MSG`.
 */
void diag_print_line(const struct diag *diag, enum tag_names names,
		     struct text *out);
/* Source line, caret, hint: zero or more whole lines, each indented. */
void diag_print_excerpt(const struct diag *diag, struct text *out);
