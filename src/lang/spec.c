/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Probe descriptions: provider:module:function:name.
 *
 * Fields are filled from the right, starting at the field that the option
 * names: `-m x` is a module, `-n x` a name, and in a script the last field is
 * the name.  Macro variables are replaced inside the fields, after the text
 * was split, so that no operand can smuggle in a colon.
 *
 * Globs are kept as they are written: probe/ matches them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lang/parser.h"

enum { NFIELDS = 4, MAX_PROBE_ID = INT32_MAX };

static const struct {
	const char *plural;
	size_t size; /* with the NUL */
} fields[NFIELDS] = {
	{ "providers", 64 },
	{ "modules", 64 },
	{ "functions", 128 },
	{ "names", 64 },
};

/* The field that the last part of a description fills. */
static unsigned last_field(enum spec_kind kind)
{
	switch (kind) {
	case SPEC_PROVIDER:
		return 0;
	case SPEC_MODULE:
		return 1;
	case SPEC_FUNCTION:
		return 2;
	default:
		return 3;
	}
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       is_digit(c);
}

size_t spec_length(const struct lexer *lexer)
{
	size_t n = 0;

	for (;; n++) {
		char c = lexer_peek(lexer, n);

		/* + is for libstdc++ */
		if (!c || (!is_word_char(c) && !strchr("-+.:$?*[]!\\`", c)))
			return n;
		/* A backslash quotes anything but the end of the line. */
		if (c == '\\') {
			char quoted = lexer_peek(lexer, n + 1);

			if (!quoted || quoted == '\n')
				return n;
			n++;
		}
	}
}

/* --------------------------------------------------------- probe by id */

static bool is_number(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (!is_digit(text.p[i]))
			return false;
	return text.n > 0;
}

static bool parse_id(struct language *language, struct str text,
		     enum spec_kind kind, const struct place *place,
		     struct probe_desc *desc)
{
	errno = 0;
	uint64_t id = strtoull(arena_strndup(language->arena, text.p, text.n),
			       NULL, 0);

	if (last_field(kind) < 3)
		return diag_error(&language->diag, place, D_PDESC_INVAL,
				  "probe identifier %" PRIu64
				  " not permitted when specifying %s",
				  id, fields[last_field(kind)].plural);
	if (errno || id > MAX_PROBE_ID)
		return diag_error(&language->diag, place, D_PDESC_INVAL,
				  "identifier %" PRIu64
				  " exceeds maximum probe id",
				  id);
	if (!id)
		return diag_error(
			&language->diag, place, D_PDESC_INVAL,
			"invalid probe identifier 0: Unknown probe identifier");
	desc->id = (uint32_t)id;
	desc->provider = desc->module = desc->function = desc->name = "";
	return true;
}

/* -------------------------------------------------------------- fields */

/* Length of the macro name after a $, digits or a word. */
static size_t macro_length(const char *p, const char *end)
{
	const char *start = p;
	bool is_operand = p < end && is_digit(*p);

	while (p < end && (is_operand ? is_digit(*p) : is_word_char(*p)))
		p++;
	return (size_t)(p - start);
}

enum expansion { EXPANDED, UNDEFINED, FAILED };

static enum expansion expand(struct language *language, struct str field,
			     const struct place *place, struct text *out)
{
	const char *p = field.p, *end = field.p + field.n;

	while (p < end) {
		if (*p == '\\' && p + 1 < end) {
			text_add(out, p, 2);
			p += 2;
			continue;
		}
		if (*p != '$') {
			text_putc(out, *p++);
			continue;
		}
		const char *start = p + 1 + (p + 1 < end && p[1] == '$');
		size_t length = macro_length(start, end);

		if (!length)
			return UNDEFINED;
		const char *name = arena_strndup(language->arena, start,
						 length);

		if (!macro_is_defined(language, name))
			return UNDEFINED;
		const char *value = macro_word(language, name, place);

		if (!value)
			return FAILED;
		text_puts(out, value);
		p = start + length;
	}
	return EXPANDED;
}

static bool invalid(struct language *language, struct str text,
		    const struct place *place, const char *why)
{
	return diag_error(&language->diag, place, D_PDESC_INVAL,
			  "invalid probe description \"%.*s\": %s",
			  (int)(text.n < 1024 ? text.n : 1024), text.p, why);
}

bool spec_parse(struct language *language, struct str text, enum spec_kind kind,
		const struct place *place, struct probe_desc *desc)
{
	*desc = (struct probe_desc){ .place = *place };
	if (is_number(text))
		return parse_id(language, text, kind, place, desc);

	const char **slots[NFIELDS] = {
		&desc->provider, &desc->module, &desc->function, &desc->name,
	};
	size_t end = text.n;
	unsigned left = last_field(kind) + 1;

	for (unsigned i = 0; i < NFIELDS; i++)
		*slots[i] = "";
	for (;;) {
		size_t start = end;

		while (start && (text.p[start - 1] != ':' ||
				 (start > 1 && text.p[start - 2] == '\\')))
			start--;
		if (!left--)
			return invalid(language, text, place,
				       "Overspecified probe description");
		struct text field = { 0 };
		enum expansion how = expand(language,
					    (struct str){ text.p + start,
							  end - start },
					    place, &field);
		bool is_long = field.n >= fields[left].size;

		*slots[left] = arena_strdup(language->arena, text_str(&field));
		text_free(&field);
		if (how == FAILED)
			return false;
		if (how == UNDEFINED) {
			invalid(language, text, place,
				"Undefined macro variable in probe description");
			diag_hint(
				&language->diag,
				"$1, $2 ... are operands of the command, $target comes with -c or -p");
			return false;
		}
		if (is_long)
			return invalid(language, text, place,
				       strerror(ENAMETOOLONG));
		if (!start)
			return true;
		end = start - 1;
	}
}

bool language_parse_desc(struct language *language, const struct source *source,
			 enum spec_kind kind, struct probe_desc *desc)
{
	struct lexer lexer;

	lexer_init(&lexer, language, source);
	if (!lexer_skip(&lexer))
		return false;
	size_t length = spec_length(&lexer);
	struct place place = lexer_place(&lexer, length);
	struct str text = { source->text + lexer.at, length };

	lexer.at += length;
	if (!lexer_skip(&lexer))
		return false;
	if (!lexer_at_end(&lexer)) {
		struct token token;

		lexer_next(&lexer, &token);
		return token_unexpected(&lexer, &token);
	}
	return spec_parse(language, text, kind, &place, desc);
}

const char *probe_desc_print(struct arena *arena, const struct probe_desc *desc)
{
	if (desc->id)
		return arena_printf(arena, "%" PRIu32, desc->id);
	return arena_printf(arena, "%s:%s:%s:%s", desc->provider, desc->module,
			    desc->function, desc->name);
}
