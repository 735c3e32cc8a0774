/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constants: numbers, characters, strings.
 *
 * Numbers follow C99 in their type and D in their spelling: the suffix is u,
 * then l or ll, in that order and nothing else, so `10lu` ends after 10l and
 * the parser reports the u.  Floating-point constants are read only to be
 * refused by name.
 *
 * A backslash that starts no known escape is an ordinary character, and so is
 * what follows it: "\'" is two bytes.  Only in a character constant does \'
 * stand for the quote, because nothing else could write it.
 */
#include "lang/lexer.h"

#include <limits.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int hex_value(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

/* ------------------------------------------------------------- numbers */

enum base_type literal_type(uint64_t value, bool is_decimal, bool is_unsigned,
			    unsigned longs)
{
	static const struct {
		enum base_type type;
		unsigned longs;
		bool is_unsigned;
		uint64_t limit;
	} ladder[] = {
		{ BASE_INT, 0, false, INT_MAX },
		{ BASE_UINT, 0, true, UINT_MAX },
		{ BASE_LONG, 1, false, LONG_MAX },
		{ BASE_ULONG, 1, true, ULONG_MAX },
		{ BASE_LLONG, 2, false, LLONG_MAX },
		{ BASE_ULLONG, 2, true, ULLONG_MAX },
	};

	for (size_t i = 0; i < sizeof(ladder) / sizeof(*ladder); i++) {
		if (ladder[i].longs < longs || value > ladder[i].limit)
			continue;
		if (is_unsigned && !ladder[i].is_unsigned)
			continue;
		if (is_decimal && !is_unsigned && ladder[i].is_unsigned)
			continue;
		return ladder[i].type;
	}
	return BASE_ULLONG;
}

/* Length of a floating-point constant here, or 0. */
static size_t float_length(const struct lexer *lexer)
{
	size_t n = 0;
	bool is_float = false;

	while (is_digit(lexer_peek(lexer, n)))
		n++;
	if (lexer_peek(lexer, n) == '.') {
		is_float = true;
		n++;
		while (is_digit(lexer_peek(lexer, n)))
			n++;
	}
	if (is_one_of(lexer_peek(lexer, n), "eE")) {
		size_t m = n + 1;

		if (is_one_of(lexer_peek(lexer, m), "+-"))
			m++;
		if (is_digit(lexer_peek(lexer, m))) {
			is_float = true;
			while (is_digit(lexer_peek(lexer, m)))
				m++;
			n = m;
		}
	}
	return is_float ? n : 0;
}

static size_t digits_length(const struct lexer *lexer, unsigned *base)
{
	size_t n = 0;

	*base = 10;
	if (lexer_peek(lexer, 0) != '0') {
		while (is_digit(lexer_peek(lexer, n)))
			n++;
		return n;
	}
	if (is_one_of(lexer_peek(lexer, 1), "xX") &&
	    hex_value(lexer_peek(lexer, 2)) >= 0) {
		*base = 16;
		n = 2;
		while (hex_value(lexer_peek(lexer, n)) >= 0)
			n++;
		return n;
	}
	while (is_digit(lexer_peek(lexer, n)))
		n++;
	if (n > 1)
		*base = 8;
	return n;
}

/* A constant as messages quote it, not a megabyte of it. */
static const char *spelling(struct lexer *lexer, size_t length)
{
	return arena_strndup(lexer->language->arena,
			     lexer->source->text + lexer->at,
			     length < 256 ? length : 256);
}

bool literal_number(struct lexer *lexer, struct token *token)
{
	unsigned base, longs = 0;
	bool is_unsigned = false;
	size_t length = float_length(lexer);

	if (length) {
		token->place = lexer_place(lexer, length);
		return lexer_error(lexer, &token->place, D_SYNTAX,
				   "floating-point constants are not permitted");
	}
	size_t digits = digits_length(lexer, &base);
	size_t n = digits;

	if (is_one_of(lexer_peek(lexer, n), "uU")) {
		is_unsigned = true;
		n++;
	}
	while (longs < 2 && is_one_of(lexer_peek(lexer, n), "lL")) {
		longs++;
		n++;
	}
	token->kind = TOKEN_INTEGER;
	token->place = lexer_place(lexer, n);

	uint64_t value = 0;
	bool overflows = false;

	for (size_t i = base == 16 ? 2 : 0; i < digits; i++) {
		char c = lexer_peek(lexer, i);
		unsigned digit = (unsigned)hex_value(c);

		if (digit >= base)
			return lexer_error(
				lexer, &token->place, D_INT_DIGIT,
				"constant %s contains invalid digit %c",
				spelling(lexer, n), c);
		overflows |= __builtin_mul_overflow(value, base, &value) ||
			     __builtin_add_overflow(value, digit, &value);
	}
	if (overflows)
		return lexer_error(lexer, &token->place, D_INT_OFLOW,
				   "constant %s results in integer overflow",
				   spelling(lexer, n));
	token->value = value;
	token->type = literal_type(value, base == 10, is_unsigned, longs);
	lexer->at += n;
	return true;
}

/* ------------------------------------------------------------- escapes */

/*
 * Decodes the escape at `p` (a backslash) into `out`; returns the number of
 * source bytes used, and sets `*written` to 0, 1 or 2.
 */
static size_t decode_escape(const char *p, const char *end, char quote,
			    char *out, size_t *written)
{
	static const char letters[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";

	*written = 1;
	out[0] = '\\';
	if (end - p < 2)
		return 1;
	char c = p[1];
	const char *letter = c ? strchr(letters, c) : NULL;

	if (letter) {
		out[0] = values[letter - letters];
		return 2;
	}
	if (c == '"' || c == '\\' || (c == '\'' && quote == '\'')) {
		out[0] = c;
		return 2;
	}
	if (c == '\n') {
		*written = 0;
		return 2;
	}
	if (c == 'x' && end - p > 2 && hex_value(p[2]) >= 0) {
		size_t n = 2;
		unsigned value = 0;

		while (p + n < end && hex_value(p[n]) >= 0)
			value = (value << 4 | (unsigned)hex_value(p[n++])) &
				0xff;
		out[0] = (char)value;
		return n;
	}
	if (c >= '0' && c <= '7') {
		size_t n = 1;
		unsigned value = 0;

		while (n < 4 && p + n < end && p[n] >= '0' && p[n] <= '7')
			value = value << 3 | (unsigned)(p[n++] - '0');
		out[0] = (char)value;
		return n;
	}
	out[1] = c;
	*written = 2;
	return 2;
}

/*
 * Length of the quoted text here including both quotes; 0 when a newline or
 * the end of input comes first.
 */
static size_t quoted_length(const struct lexer *lexer, char quote)
{
	const char *start = lexer->source->text + lexer->at;
	const char *end = lexer->source->text + lexer->source->length;

	for (const char *p = start + 1; p < end; p++) {
		if (*p == quote)
			return (size_t)(p - start) + 1;
		if (*p == '\n')
			return 0;
		if (*p == '\\' && p + 1 < end)
			p++;
	}
	return 0;
}

static bool report_unclosed(struct lexer *lexer, char quote)
{
	size_t left = lexer->source->length - lexer->at;
	const char *start = lexer->source->text + lexer->at;
	struct place place = lexer_place(lexer, 1);

	if (!memchr(start, '\n', left))
		return lexer_error(lexer, &place, D_SYNTAX,
				   "end-of-file encountered before matching %c",
				   quote);
	if (quote == '"')
		return lexer_error(lexer, &place, D_STR_NL,
				   "newline encountered in string literal");
	return lexer_error(lexer, &place, D_CHR_NL,
			   "newline encountered in character constant");
}

/* Decodes a quoted text of `length` source bytes; NULL after an error. */
static char *decode_quoted(struct lexer *lexer, size_t length, size_t *count)
{
	const char *p = lexer->source->text + lexer->at + 1;
	const char *end = p + length - 2;
	char quote = p[-1];
	char *bytes = arena_alloc(lexer->language->arena, length + 1);
	size_t n = 0;

	while (p < end) {
		if (*p != '\\') {
			bytes[n++] = *p++;
			continue;
		}
		size_t written;

		lexer->line += p + 1 < end && p[1] == '\n';
		p += decode_escape(p, end, quote, bytes + n, &written);
		n += written;
	}
	bytes[n] = '\0';
	*count = n;
	return bytes;
}

bool literal_string(struct lexer *lexer, struct token *token)
{
	size_t length = quoted_length(lexer, '"');

	if (!length)
		return report_unclosed(lexer, '"');
	token->kind = TOKEN_STRING;
	token->place = lexer_place(lexer, length);
	token->text.p = decode_quoted(lexer, length, &token->text.n);
	lexer->at += length;
	return true;
}

bool literal_character(struct lexer *lexer, struct token *token)
{
	size_t length = quoted_length(lexer, '\''), count;

	if (!length)
		return report_unclosed(lexer, '\'');
	token->kind = TOKEN_INTEGER;
	token->place = lexer_place(lexer, length);
	const char *bytes = decode_quoted(lexer, length, &count);

	if (!count)
		return lexer_error(lexer, &token->place, D_CHR_NULL,
				   "empty character constant");
	if (count > sizeof(token->value)) {
		lexer_error(lexer, &token->place, D_CHR_OFLOW,
			    "character constant is too long");
		if (!lexer->is_quiet)
			diag_hint(&lexer->language->diag,
				  "strings stand in double quotes");
		return false;
	}
	for (size_t i = 0; i < count; i++)
		token->value = token->value << 8 | (unsigned char)bytes[i];
	token->type = literal_type(token->value, false, false, 0);
	lexer->at += length;
	return true;
}
