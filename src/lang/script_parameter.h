/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Parameters of programs: #pragma D parameter NAME [-L] TYPE [= DEFAULT] "help",
 * and #pragma D operand NAME TYPE [= DEFAULT] "help".
 *
 * A parameter is a macro, $NAME, with a type, whose value comes from a word of
 * the command line, --NAME VALUE.  Its declaration must be known before words
 * can be told from operands, and thus before the program is compiled: a program
 * is looked through for declarations first (language_prepare).
 *
 * L is a letter for the same: -L VALUE.  After a script, a letter that it declares
 * is the script's, whatever dtrace(8) would have it mean.
 *
 * An operand is a parameter that needs no word in front of its value: what remains
 * of the command line goes to the operands in the order of their declarations.
 * A program that declares operands takes no others.
 */

#include "lang/lang.h"

struct script_type {
	const char *name;	 /* as the pragma says it */
	const char *placeholder; /* as --help says it; NULL: takes no word */
	const char *expects;	 /* "a time: 10ms, 1s ..." */
	/* The value, as D writes it and as a word; NULL: any text is one. */
	bool (*read)(const char *text, int64_t *number);
	const char *unit;  /* of the number as a word, or NULL */
	bool zero_is_none; /* 0 as default says that there is no value */
};

struct script_parameter {
	const char *name;
	char letter; /* 0: none */
	bool is_operand;
	const struct script_type *type;
	const char *preset; /* the default, as it is written; NULL: required */
	const char *help;
	struct place place;
	/* What it is now; all NULL while it has no value. */
	const char *text;	       /* as given: $$NAME */
	const char *value;	       /* as a D constant: $NAME */
	const char *word;	       /* in descriptions and options */
	struct script_parameter *next; /* in the order of declarations */
};

/* The lines of #pragma D usage. */
struct script_usage {
	const char *text;
	struct place place;
	struct script_usage *next;
};

/* A text whose declarations have been read. */
struct script_text {
	struct source source;
	struct script_text *next;
};

struct script_parameters {
	struct script_parameter *first;
	struct script_usage *usage;
	struct script_text *texts;
};

/*
 * Reads the declarations of a program; with -C preprocesses it first.  Returns
 * the text to compile, or NULL (language_diag() says why).
 */
const struct source *language_prepare(struct language *language,
				      const struct source *source);

const struct script_parameters *language_parameters(
	const struct language *language);

/* Does the text, as it is, declare parameters with letters, or operands? */
bool script_has_letters(struct str text);

enum script_verdict { SCRIPT_FINE, SCRIPT_HELP, SCRIPT_WRONG };

/*
 * Gives values to parameters: takes the words that begin with "--" out of argv,
 * up to and with the word "--", and the values that follow them; then what
 * declared operands take.  argv[0] stays.
 * SCRIPT_HELP: there is --help; SCRIPT_WRONG: what is wrong, and a hint.
 */
enum script_verdict script_parameters_parse(struct language *language,
					    int *argc, char **argv,
					    struct text *why,
					    struct text *hint);
/* What --help prints; `name` is that of the command. */
void script_parameters_help(const struct language *language, const char *name,
			    struct text *out);
/* Appends the text, with values of parameters for their $NAME. */
void script_parameters_expand(const struct language *language, const char *text,
			      struct text *out);
/* The parameter's name as an option: "--min-time". */
const char *script_parameter_option(struct arena *arena, const char *name);
