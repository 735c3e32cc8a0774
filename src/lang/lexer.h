/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Lexer: D text to tokens, one at a time, on demand.
 *
 * D has no single token language.  At program scope the text is a list of
 * probe descriptions and declarations; inside predicates a slash may close
 * the predicate; inside clauses it divides.  So nothing is read ahead: the
 * parser says what it wants (lexer_next for C-like tokens, lexer_word for the
 * raw word of a description), and a copy of `struct lexer` is a bookmark.
 */

#include "lang/internal.h"

enum token_kind {
	TOKEN_END,
	TOKEN_ERROR,		/* reported, unless the lexer is quiet */
	TOKEN_NAME,		/* identifier, possibly scoped */
	TOKEN_INTEGER,
	TOKEN_STRING,
	TOKEN_AGGREGATION,	/* @name */
	TOKEN_END_PREDICATE,	/* the slash that closes a predicate */
#define PUNCTUATOR(id, spelling) TOKEN_##id,
#define KEYWORD(id, spelling, flags) TOKEN_##id,
#include "lang/tokens.def"
#undef PUNCTUATOR
#undef KEYWORD
	/* C's words: the first three never reach the parser (extension.c) */
	TOKEN_EXTENSION,	/* ignored */
	TOKEN_ATTRIBUTE,
	TOKEN_ASM,		/* and its parentheses */
	TOKEN_C_INLINE,
	TOKEN_COMPLEX,
	TOKEN_ALIGNOF,
	TOKEN_INT128,
	TOKEN_KINDS,
	FIRST_KEYWORD = TOKEN_AUTO,
	LAST_KEYWORD = TOKEN_XLATE,
};

enum keyword_flags {
	KEYWORD_TYPE = 1 << 0,		/* may stand in a type name */
	KEYWORD_SCOPE = 1 << 1,		/* starts a program element */
	KEYWORD_SOFT = 1 << 2,		/* also an identifier in expressions */
};

struct token {
	enum token_kind kind;
	struct place place;  /* the spelling in the source */
	struct str text;     /* NAME, keyword: word; STRING: bytes */
	const char *scope;   /* NAME: before the last back-quote */
	const char *macro;   /* "$1" it came from, or NULL */
	uint64_t value;	     /* INTEGER */
	enum base_type type; /* INTEGER */
};

/* Attributes that were read since this was last cleared. */
struct packing {
	bool is_packed;
	uint32_t align; /* 0: none given */
};

/* #pragma pack: the limit that holds, and those that were pushed. */
struct pack_limit {
	uint32_t most; /* 0: none */
	uint32_t pushed[8], count;
};

enum lexer_context {
	CONTEXT_PROGRAM,	/* declarations, inlines, translators */
	CONTEXT_PREDICATE,
	CONTEXT_ACTIONS,
};

struct lexer {
	struct language *language;
	const struct source *source;
	size_t at;
	uint32_t line;
	const char *file; /* from #line */
	enum lexer_context context;
	uint32_t parens, brackets, braces;
	bool is_quiet;	    /* looking ahead: no errors, no pragmas */
	bool is_scanning;   /* ... but declarations of parameters */
	bool at_line_start; /* only blanks since the newline */
	bool is_after_spec; /* a predicate may come */
	struct packing packing;
	struct pack_limit pack;
};

void lexer_init(struct lexer *lexer, struct language *language,
		const struct source *source);
void lexer_next(struct lexer *lexer, struct token *token);
/* The same, without dropping C's words. */
void lexer_read(struct lexer *lexer, struct token *token);
/* At the two slashes of an empty predicate, as in BEGIN //{ }? */
bool lexer_at_empty_predicate(const struct lexer *lexer);
/* Blanks, comments and control lines; false after an error. */
bool lexer_skip(struct lexer *lexer);
/* Here, `length` bytes long. */
struct place lexer_place(const struct lexer *lexer, size_t length);
/* The byte `ahead` of the current one; 0 beyond the end. */
char lexer_peek(const struct lexer *lexer, size_t ahead);
bool lexer_at_end(const struct lexer *lexer);
bool lexer_error(struct lexer *lexer, const struct place *place, enum tag tag,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* TOKEN_NAME if the word is not a keyword. */
enum token_kind keyword_lookup(struct str word);
unsigned keyword_flags(enum token_kind kind);
/* A name, or a reserved word where any word is accepted. */
bool token_is_word(const struct token *token);
/* A token as messages show it: its spelling, made printable. */
const char *token_print(struct arena *arena, const struct token *token);
/* `syntax error near "TOK"`; returns false. */
bool token_unexpected(struct lexer *lexer, const struct token *token);

/* extension.c: #pragma pack and what follows it on its line. */
void extension_pack(struct pack_limit *pack, const char *text);
/* extension.c: was this one of C's words?  Then it is dropped. */
bool extension_skip(struct lexer *lexer, struct token *token);

/* unknown_type.c: is the token part of a cast to an unknown type? */
bool hint_unknown_cast(struct lexer *lexer, const struct token *token);

/* hint.c: what was probably meant by a token that cannot be used. */
void hint_syntax(struct lexer *lexer, const struct token *token);

/* literal.c: constants.  The lexer stands on their first byte. */
bool literal_number(struct lexer *lexer, struct token *token);
bool literal_character(struct lexer *lexer, struct token *token);
bool literal_string(struct lexer *lexer, struct token *token);
/* The type C gives to an integer constant. */
enum base_type literal_type(uint64_t value, bool is_decimal, bool is_unsigned,
			    unsigned longs);

/*
 * pragma.c: one control line, from after its # to the end of the line,
 * continuation lines joined.  #line changes lexer->line and file.
 */
bool pragma_line(struct lexer *lexer, struct str line,
		 const struct place *place);
