/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lexer: blanks, names, punctuation, and D's slash.
 *
 * 1. Every call moves forward over the text or reports an error, and looks
 *    ahead a bounded distance, so reading is linear in the size of the text.
 * 2. The text may hold any bytes; its length counts, not its NUL.
 * 3. A quiet lexer (see lexer.h) reports nothing and obeys no pragma: the same
 *    text will be read again.
 *
 * The slash: in a predicate, `/` ends it when `{`, `;`, another slash or the
 * end of input follows, else it divides.  A slash may follow because of the
 * comment in `/x/ // why`.  Everywhere else `/` divides, and `//` starts a
 * comment, but not in `BEGIN //{`, which is an empty predicate.
 */
#include "lang/lexer.h"

#include <stdarg.h>
#include <stdlib.h>

enum { LONGEST_MODULE = 128, LONGEST_QUOTE = 200 };

static const struct {
	const char *spelling;
	enum token_kind kind;
} punctuators[] = {
#define PUNCTUATOR(id, text) { text, TOKEN_##id },
#include "lang/tokens.def"
#undef PUNCTUATOR
};

static const struct {
	const char *spelling;
	enum token_kind kind;
} keywords[] = {
#define SPELLING(id, text) { text, TOKEN_##id },
#define KEYWORD(id, text, bits) { text, TOKEN_##id },
#include "lang/tokens.def"
#undef SPELLING
#undef KEYWORD
};

enum { NKEYWORDS = sizeof(keywords) / sizeof(*keywords) };

/* ------------------------------------------------------------ services */

static bool is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

enum token_kind keyword_lookup(struct str word)
{
	/* The table is sorted. */
	size_t low = 0, high = NKEYWORDS;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const char *spelling = keywords[middle].spelling;
		int order = strncmp(word.p, spelling, word.n);

		if (!order && !spelling[word.n])
			return keywords[middle].kind;
		if (order < 0 || !order)
			high = middle;
		else
			low = middle + 1;
	}
	return TOKEN_NAME;
}

unsigned keyword_flags(enum token_kind kind)
{
	static const unsigned flags[TOKEN_KINDS] = {
#define KEYWORD(id, text, bits) [TOKEN_##id] = bits,
#include "lang/tokens.def"
#undef KEYWORD
		[TOKEN_EXTENSION] = KEYWORD_SCOPE,
		[TOKEN_ATTRIBUTE] = KEYWORD_SCOPE,
		[TOKEN_ASM] = KEYWORD_SCOPE,
		[TOKEN_C_INLINE] = KEYWORD_SCOPE,
		[TOKEN_COMPLEX] = KEYWORD_SCOPE | KEYWORD_TYPE,
		[TOKEN_INT128] = KEYWORD_SCOPE | KEYWORD_TYPE,
	};

	return flags[kind];
}

bool token_is_word(const struct token *token)
{
	return token->kind == TOKEN_NAME ||
	       (token->kind >= FIRST_KEYWORD && token->kind <= LAST_KEYWORD);
}

void lexer_init(struct lexer *lexer, struct language *language,
		const struct source *source)
{
	*lexer = (struct lexer){
		.language = language,
		.source = source,
		.line = 1,
		.at_line_start = true,
	};
}

bool lexer_at_end(const struct lexer *lexer)
{
	return lexer->at >= lexer->source->length;
}

char lexer_peek(const struct lexer *lexer, size_t ahead)
{
	size_t left = lexer->source->length - lexer->at;

	return ahead < left ? lexer->source->text[lexer->at + ahead] : '\0';
}

struct place lexer_place(const struct lexer *lexer, size_t length)
{
	static const enum region regions[] = {
		[CONTEXT_PROGRAM] = REGION_NONE,
		[CONTEXT_PREDICATE] = REGION_PREDICATE,
		[CONTEXT_ACTIONS] = REGION_ACTIONS,
	};

	return (struct place){
		.source = lexer->source,
		.offset = lexer->at,
		.length = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX,
		.line = lexer->line,
		.file = lexer->file,
		.region = regions[lexer->context],
	};
}

bool lexer_error(struct lexer *lexer, const struct place *place, enum tag tag,
		 const char *format, ...)
{
	if (lexer->is_quiet)
		return false;
	va_list args;

	va_start(args, format);
	const char *message = arena_vprintf(lexer->language->arena, format,
					    args);

	va_end(args);
	return diag_error(&lexer->language->diag, place, tag, "%s", message);
}

const char *token_print(struct arena *arena, const struct token *token)
{
	const char *p = token->place.source->text + token->place.offset;
	size_t length = token->place.length;
	struct text text = { 0 };

	for (size_t i = 0; i < length && i < LONGEST_QUOTE; i++) {
		unsigned char c = (unsigned char)p[i];

		if (c < ' ' || c == 0x7f)
			text_printf(&text, "\\%03o", c);
		else
			text_putc(&text, (char)c);
	}
	if (length > LONGEST_QUOTE)
		text_puts(&text, "...");
	const char *copy = arena_strdup(arena, text_str(&text));

	text_free(&text);
	return copy;
}

bool token_unexpected(struct lexer *lexer, const struct token *token)
{
	if (token->kind == TOKEN_ERROR)
		return false;
	if (token->kind == TOKEN_END)
		lexer_error(lexer, &token->place, D_SYNTAX,
			    "syntax error near end of input");
	else
		lexer_error(lexer, &token->place, D_SYNTAX,
			    "syntax error near \"%s\"",
			    token_print(lexer->language->arena, token));
	hint_syntax(lexer, token);
	return false;
}

/* ------------------------------------------- blanks, comments, # lines */

static bool skip_comment(struct lexer *lexer)
{
	struct place start = lexer_place(lexer, 2);
	const char *text = lexer->source->text;

	lexer->at += 2;
	while (!lexer_at_end(lexer)) {
		char c = text[lexer->at];

		if (c == '*' && lexer_peek(lexer, 1) == '/') {
			lexer->at += 2;
			return true;
		}
		if (c == '/' && lexer_peek(lexer, 1) == '*') {
			struct place place = lexer_place(lexer, 2);

			return lexer_error(lexer, &place, D_SYNTAX,
					   "/* encountered inside a comment");
		}
		lexer->line += c == '\n';
		lexer->at++;
	}
	return lexer_error(lexer, &start, D_SYNTAX,
			   "end-of-file encountered before matching */");
}

/* The length of the rest of the line; `joined` if it has continuations. */
static size_t line_length(const struct lexer *lexer, bool *joined)
{
	const char *start = lexer->source->text + lexer->at;
	size_t left = lexer->source->length - lexer->at, n = 0;

	*joined = false;
	for (;;) {
		const char *newline = memchr(start + n, '\n', left - n);

		if (!newline)
			return left;
		n = (size_t)(newline - start);
		if (!n || newline[-1] != '\\')
			return n;
		*joined = true;
		n++;
	}
}

static bool control_line(struct lexer *lexer)
{
	struct place place = lexer_place(lexer, 0);
	bool joined;
	size_t length = line_length(lexer, &joined);
	struct str line = { lexer->source->text + lexer->at, length };

	place.length = (uint32_t)(length < UINT32_MAX ? length : UINT32_MAX);
	if (lexer_peek(lexer, 1) == '!') {
		/* Only the interpreter line: it is never continued. */
		const char *end = memchr(line.p, '\n', line.n);

		lexer->at += end ? (size_t)(end - line.p) : line.n;
		return true;
	}
	lexer->at += length;
	if (joined) {
		char *copy = arena_alloc(lexer->language->arena, length + 1);
		size_t n = 0;

		for (size_t i = 0; i < length; i++) {
			if (line.p[i] == '\\' && i + 1 < length &&
			    line.p[i + 1] == '\n') {
				lexer->line++;
				i++;
				continue;
			}
			copy[n++] = line.p[i];
		}
		line = (struct str){ copy, n };
	}
	/* The line that follows is what #line numbers. */
	line.p++;
	line.n--;
	return pragma_line(lexer, line, &place);
}

bool lexer_at_empty_predicate(const struct lexer *lexer)
{
	size_t n = 2;

	if (!lexer->is_after_spec || lexer_peek(lexer, 0) != '/' ||
	    lexer_peek(lexer, 1) != '/')
		return false;
	while (is_blank(lexer_peek(lexer, n)))
		n++;
	return lexer_peek(lexer, n) == '{';
}

bool lexer_skip(struct lexer *lexer)
{
	for (;;) {
		char c = lexer_peek(lexer, 0);

		if (c == '\n') {
			lexer->line++;
			lexer->at++;
			lexer->at_line_start = true;
		} else if (is_blank(c)) {
			lexer->at++;
		} else if (c == '\\' && lexer_peek(lexer, 1) == '\n') {
			lexer->line++;
			lexer->at += 2;
		} else if (c == '/' && lexer_peek(lexer, 1) == '*') {
			if (!skip_comment(lexer))
				return false;
		} else if (c == '/' && lexer_peek(lexer, 1) == '/' &&
			   !lexer_at_empty_predicate(lexer)) {
			const char *here = lexer->source->text + lexer->at;
			size_t left = lexer->source->length - lexer->at;
			const char *end = memchr(here, '\n', left);

			lexer->at += end ? (size_t)(end - here) : left;
		} else if (c == '#' && lexer->at_line_start) {
			if (!control_line(lexer))
				return false;
		} else {
			lexer->at_line_start = false;
			return true;
		}
	}
}

/* --------------------------------------------------------------- names */

static size_t word_length(const struct lexer *lexer, size_t from)
{
	size_t n = from;

	while (is_alpha(lexer_peek(lexer, n)) || is_digit(lexer_peek(lexer, n)))
		n++;
	return n - from;
}

/*
 * Length of a scoped name here (mod`x, 9p`x, a.ko`x, `x, ``x, 12`lib`x), or
 * 0.  Modules may contain dots, so the search for the back-quote is bounded.
 */
static size_t scoped_length(const struct lexer *lexer)
{
	size_t n = word_length(lexer, 0);

	while (n < LONGEST_MODULE && lexer_peek(lexer, n) == '.' &&
	       word_length(lexer, n + 1))
		n += 1 + word_length(lexer, n + 1);
	if (lexer_peek(lexer, n) != '`')
		return 0;
	while (lexer_peek(lexer, n) == '`')
		n += 1 + word_length(lexer, n + 1);
	return n;
}

/* Splits text at its last back-quote. */
static void set_name(struct lexer *lexer, struct token *token, struct str text)
{
	size_t cut = text.n;

	while (cut && text.p[cut - 1] != '`')
		cut--;
	token->kind = TOKEN_NAME;
	token->text = (struct str){ text.p + cut, text.n - cut };
	if (cut)
		token->scope = arena_strndup(lexer->language->arena, text.p,
					     cut - 1);
	else
		token->kind = keyword_lookup(text);
}

static bool read_word(struct lexer *lexer, struct token *token)
{
	const char *start = lexer->source->text + lexer->at;
	size_t scoped = scoped_length(lexer);
	size_t length = scoped ? scoped : word_length(lexer, 0);

	token->place = lexer_place(lexer, length);
	set_name(lexer, token, (struct str){ start, length });
	lexer->at += length;
	if (token->kind == TOKEN_NAME && !token->text.n)
		return token_unexpected(lexer, token);
	return true;
}

static bool read_aggregation(struct lexer *lexer, struct token *token)
{
	size_t length = 0;

	if (is_alpha(lexer_peek(lexer, 1)))
		length = word_length(lexer, 1);
	token->kind = TOKEN_AGGREGATION;
	token->place = lexer_place(lexer, length + 1);
	token->text = length ? (struct str){ lexer->source->text + lexer->at +
						     1,
					     length }
			     : STR("_");
	lexer->at += length + 1;
	return true;
}

/* -------------------------------------------------------------- macros */

static bool set_macro_integer(struct token *token, const char *text)
{
	bool negative = *text == '-';
	const char *digits = text + (negative || *text == '+');
	uint64_t value = strtoull(digits, NULL, 0);
	bool is_decimal = digits[0] != '0' || !digits[1];

	token->kind = TOKEN_INTEGER;
	token->value = negative ? -value : value;
	token->type = literal_type(value, is_decimal, false, 0);
	if (negative && token->type == BASE_UINT)
		token->type = BASE_LONG;
	return true;
}

static bool read_macro(struct lexer *lexer, struct token *token)
{
	struct language *language = lexer->language;
	bool as_string = lexer_peek(lexer, 1) == '$';
	size_t start = as_string ? 2 : 1, length = 0;

	if (is_digit(lexer_peek(lexer, start)))
		while (is_digit(lexer_peek(lexer, start + length)))
			length++;
	else
		length = word_length(lexer, start);
	token->place = lexer_place(lexer, start + length);
	if (!length)
		return token_unexpected(lexer, token);
	const char *p = lexer->source->text + lexer->at;
	const char *name = arena_strndup(language->arena, p + start, length);
	enum macro_form form;

	if (lexer->is_quiet && !macro_is_defined(language, name))
		return false;
	const char *value = macro_value(language, name, as_string,
					&token->place, &form);

	if (!value)
		return false;
	token->macro = arena_strndup(language->arena, p, start + length);
	lexer->at += start + length;
	token->text = str_of(value);

	/* $target`libc`x: the value is the first part of a scoped name. */
	if (!as_string && lexer_peek(lexer, 0) == '`') {
		size_t rest = scoped_length(lexer);

		set_name(lexer, token,
			 str_of(arena_printf(language->arena, "%s%.*s", value,
					     (int)rest, p + start + length)));
		lexer->at += rest;
		token->place.length += (uint32_t)rest;
		return true;
	}
	switch (form) {
	case MACRO_INTEGER:
		return set_macro_integer(token, value);
	case MACRO_IDENTIFIER:
		set_name(lexer, token, token->text);
		return true;
	case MACRO_STRING:
		break;
	}
	token->kind = TOKEN_STRING;
	return true;
}

/* --------------------------------------------------------- punctuation */

/* Does the slash here end the predicate? */
static bool slash_closes(const struct lexer *lexer)
{
	size_t n = 1;

	while (is_blank(lexer_peek(lexer, n)) || lexer_peek(lexer, n) == '\n')
		n++;
	if (lexer->at + n >= lexer->source->length)
		return true;
	char c = lexer_peek(lexer, n);

	return c == '{' || c == ';' || c == '/';
}

static bool read_closing_slash(struct lexer *lexer, struct token *token)
{
	token->place = lexer_place(lexer, 1);
	token->kind = TOKEN_END_PREDICATE;
	if (lexer->parens)
		return lexer_error(lexer, &token->place, D_SYNTAX,
				   "closing ) expected in predicate before /");
	if (lexer->brackets)
		return lexer_error(lexer, &token->place, D_SYNTAX,
				   "closing ] expected in predicate before /");
	lexer->at++;
	return true;
}

static bool count_closer(struct lexer *lexer, const struct token *token,
			 uint32_t *count)
{
	if (!*count)
		return lexer_error(lexer, &token->place, D_SYNTAX,
				   "extra %s in input stream",
				   token_print(lexer->language->arena, token));
	--*count;
	return true;
}

static bool balance(struct lexer *lexer, const struct token *token)
{
	switch (token->kind) {
	case TOKEN_LEFT_PAREN:
		lexer->parens++;
		return true;
	case TOKEN_LEFT_BRACKET:
		lexer->brackets++;
		return true;
	case TOKEN_LEFT_BRACE:
		lexer->braces++;
		return true;
	case TOKEN_RIGHT_PAREN:
		return count_closer(lexer, token, &lexer->parens);
	case TOKEN_RIGHT_BRACKET:
		return count_closer(lexer, token, &lexer->brackets);
	case TOKEN_RIGHT_BRACE:
		return count_closer(lexer, token, &lexer->braces);
	default:
		return true;
	}
}

static bool read_punctuator(struct lexer *lexer, struct token *token)
{
	char c = lexer_peek(lexer, 0);

	if (c == '/' && lexer->context == CONTEXT_PREDICATE &&
	    slash_closes(lexer))
		return read_closing_slash(lexer, token);
	for (size_t i = 0; i < sizeof(punctuators) / sizeof(*punctuators);
	     i++) {
		const char *spelling = punctuators[i].spelling;
		size_t n = 1;

		if (c != spelling[0])
			continue;
		while (spelling[n] && lexer_peek(lexer, n) == spelling[n])
			n++;
		if (spelling[n])
			continue;
		token->kind = punctuators[i].kind;
		token->place = lexer_place(lexer, n);
		if (!balance(lexer, token))
			return false;
		lexer->at += n;
		return true;
	}
	size_t n = 1;

	/* a whole character that is not ASCII */
	while (c & 0x80 && (lexer_peek(lexer, n) & 0xc0) == 0x80)
		n++;
	token->place = lexer_place(lexer, n);
	return token_unexpected(lexer, token);
}

static bool read_token(struct lexer *lexer, struct token *token)
{
	char c = lexer_peek(lexer, 0);

	if (is_digit(c) && !scoped_length(lexer))
		return literal_number(lexer, token);
	if (is_alpha(c) || is_digit(c) || c == '`')
		return read_word(lexer, token);
	if (c == '.' && is_digit(lexer_peek(lexer, 1)))
		return literal_number(lexer, token);
	if (c == '"')
		return literal_string(lexer, token);
	if (c == '\'')
		return literal_character(lexer, token);
	if (c == '@')
		return read_aggregation(lexer, token);
	if (c == '$')
		return read_macro(lexer, token);
	return read_punctuator(lexer, token);
}

void lexer_read(struct lexer *lexer, struct token *token)
{
	*token = (struct token){ .kind = TOKEN_END };
	bool is_fine = lexer_skip(lexer);

	token->place = lexer_place(lexer, 0);
	if (is_fine && lexer_at_end(lexer))
		return;
	if (is_fine) {
		token->kind = TOKEN_NAME; /* for messages, until known */
		is_fine = read_token(lexer, token);
	}
	if (!is_fine)
		token->kind = TOKEN_ERROR;
}

void lexer_next(struct lexer *lexer, struct token *token)
{
	do
		lexer_read(lexer, token);
	while (extension_skip(lexer, token));
}
