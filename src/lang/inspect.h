/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inspection: a program as an editor wants to know it.
 *
 * A compilation ends at its first error.  An editor wants all of them, and to
 * know what a word means in a text that is wrong elsewhere.  While a language has
 * an inspection, the compiler does the same work with two differences:
 *
 * 1. An error is handed over (complain) and the element of the program that it is
 *    in is left out.  What follows is compiled without it, so a name that is only
 *    assigned there is not told as unknown.
 * 2. A description that matches no probe is a doubt, as with -Z: the process may
 *    start later, or may not be visible to this user.  One that mentions an
 *    operand or $target is not even that.  args[] have no types there, which
 *    nobody is told again.
 *
 * On its way the checker shows what it finds (sight_*); what is at the cursor is
 * kept.  Nothing here is paid for by other compilations but a test for NULL.
 */

#include "lang/lang.h"

struct parser;
struct lexer;

enum sight_kind {
	SIGHT_NONE,
	SIGHT_IDENT,	/* a variable, a function, a constant ... */
	SIGHT_ARGUMENT,	/* args[n] */
	SIGHT_MEMBER,
	SIGHT_SYMBOL,	/* of the kernel */
	SIGHT_DESC,	/* a description of probes */
};

struct sighting {
	enum sight_kind kind;
	const char *name;
	struct place place;
	struct type *type;
	struct type *of; /* SIGHT_MEMBER: what it is a member of */
	const struct ident *ident;
};

/* A program element, whether it is right or not. */
struct inspected_part {
	struct place place; /* of its head: descriptions and predicate */
	size_t end;	    /* in the text */
	uint32_t last_line;
	bool is_clause, has_failed;
	struct inspected_part *next;
};

struct inspection {
	uint32_t line, column; /* the cursor: from 1, bytes; line 0: none */
	/* NULL: nobody wants to know */
	void (*complain)(void *context, const struct diag *diag, bool is_doubt);
	void *context;

	/* what was found */
	struct sighting seen;
	struct inspected_part *parts, **last_part;
	const struct source *source;
	struct told *told;
	uint32_t nfailures; /* elements that were left out */
	uint32_t ndoubts;
	bool is_moot; /* an error of this element follows from a doubt */
};

/* Compiles the source; everything is told to the inspection. */
void language_inspect(struct language *language, const struct source *source,
		      struct inspection *inspection);

/* "self int64_t t", "size_t strlen(const char *)": as D would declare it. */
const char *sighting_declaration(struct language *language,
				 const struct sighting *sighting);
/* The same for one of the program's names. */
const char *ident_declaration(struct language *language,
			      const struct ident *ident);
/* Every name that the program has defined and that is known everywhere. */
void language_own_names(struct language *language,
			const struct inspection *inspection,
			void (*visit)(void *data, const struct ident *ident),
			void *data);
/* Bytes of the line before the place. */
uint32_t place_column(const struct place *place);

/* -------------------------------------------------- for the compiler itself */

/*
 * Without an inspection false.  With one: tells the error, if there is any, and
 * forgets it.
 */
bool inspect_tell(struct language *language);
/* The same for an error in matching a description. */
bool inspect_doubt(struct language *language, const struct probe_desc *desc);
/* The error just reported follows from an earlier doubt.  */
void inspect_moot(struct language *language);
/* The element that begins at `start` has been read, or could not be. */
void inspect_begin(struct parser *parser, const struct lexer *start);
void inspect_end(struct parser *parser);
/*
 * After an error in it: go on behind it.  False without an inspection, in a
 * library, and where there are too many.
 */
bool inspect_recover(struct parser *parser, const struct lexer *start);
/* The same after an error in a control line. */
bool inspect_line(struct parser *parser);

/* sight.c: what is here? */
void sight_ident(struct language *language, const struct place *place,
		 const struct ident *ident);
void sight_argument(struct language *language, const struct node *node,
		    int64_t index, struct type *type);
void sight_member(struct language *language, const struct node *member,
		  struct type *of, struct type *type);
void sight_symbol(struct language *language, const struct node *symbol);
void sight_desc(struct language *language, const struct probe_desc *desc);
