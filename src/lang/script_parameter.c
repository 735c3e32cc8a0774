/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declarations of parameters, and their values as macros.
 *
 * 1. A declaration holds for the whole command, before its line and in other
 *    programs as well, as variables do.  Two programs may declare the same
 *    parameter in the same way; then they share its value.
 * 2. A value is checked when it is given, so a macro's text is always good.
 * 3. A parameter without a default is required.  A bool is a switch: when it is
 *    not given it is off.
 *
 * A number has no unit in D.  Where a parameter becomes a word again, in a
 * description or in an option, a time has one: tick-$every would otherwise be a
 * frequency.
 */
#include "lang/script_parameter.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/quantity.h"
#include "lang/inspect.h"
#include "lang/lexer.h"

static bool read_int(const char *text, int64_t *number)
{
	bool is_negative = *text == '-';
	const char *digits = text + (is_negative || *text == '+'), *end;
	uint64_t value;

	if (!quantity_digits(digits, &value, &end) || *end ||
	    value > (uint64_t)INT64_MAX + is_negative)
		return false;
	*number = (int64_t)(is_negative ? -value : value);
	return true;
}

static bool read_count(const char *text, int64_t *number)
{
	return read_int(text, number) && *number >= 0;
}

/* 0 is for "none": a default. */
static bool read_pid(const char *text, int64_t *number)
{
	uint64_t value;
	const char *end;

	if (!quantity_digits(text, &value, &end) || *end || value > INT32_MAX)
		return false;
	*number = (int64_t)value;
	return true;
}

static bool read_bool(const char *text, int64_t *number)
{
	if (!strcmp(text, "0") || !strcmp(text, "1")) {
		*number = *text - '0';
		return true;
	}
	return quantity_switch(text, number);
}

static const struct script_type types[] = {
	{ .name = "int",
	  .placeholder = "INT",
	  .expects = "an integer: 10, -1 or 0x1f",
	  .read = read_int },
	{ .name = "count",
	  .placeholder = "COUNT",
	  .expects = "a number that is not negative: 0 or 10",
	  .read = read_count,
	  .zero_is_none = true },
	{ .name = "string", .placeholder = "STRING", .expects = "a text" },
	{ .name = "pid",
	  .placeholder = "PID",
	  .expects = "the number of a process",
	  .read = read_pid,
	  .zero_is_none = true },
	{ .name = "size",
	  .placeholder = "SIZE",
	  .expects = "a size up to 64t: 512, 64k, 4m or 1g",
	  .read = quantity_size },
	{ .name = "time",
	  .placeholder = "TIME",
	  .expects = "a time up to 365d: 500us, 10ms, 1s or 5min",
	  .read = quantity_time,
	  .unit = "ns" },
	{ .name = "bool",
	  .expects = "yes or no, on or off, true or false",
	  .read = read_bool },
};

enum { NTYPES = sizeof(types) / sizeof(*types) };

const struct script_parameters *language_parameters(
	const struct language *language)
{
	return &language->parameters;
}

struct script_parameter *script_parameter_find(const struct language *language,
					       struct str name)
{
	struct script_parameter *parameter = language->parameters.first;

	while (parameter && !str_is(name, parameter->name))
		parameter = parameter->next;
	return parameter;
}

bool script_parameter_set(struct language *language,
			  struct script_parameter *parameter, const char *text)
{
	const struct script_type *type = parameter->type;
	struct arena *arena = language->arena;
	int64_t number;

	if (!type->read) {
		parameter->text = parameter->value = parameter->word =
			arena_strdup(arena, text);
		return true;
	}
	if (!type->read(text, &number))
		return false;
	parameter->text = arena_strdup(arena, text);
	parameter->value = arena_printf(arena, "%" PRId64, number);
	parameter->word = type->unit
				  ? arena_printf(arena, "%s%s",
						 parameter->value, type->unit)
				  : parameter->value;
	/* a switch has words */
	if (!type->placeholder)
		parameter->word = number ? "on" : "off";
	return true;
}

/* -------------------------------------------------------- declarations */

/* A control line being read. */
struct line {
	struct language *language;
	struct str rest;
	const struct place *place;
};

#define report(line, tag, ...) \
	diag_error(&(line)->language->diag, (line)->place, tag, __VA_ARGS__)

static void skip(struct line *line, size_t n)
{
	line->rest.p += n;
	line->rest.n -= n;
}

static void skip_blanks(struct line *line)
{
	while (line->rest.n && isspace((unsigned char)*line->rest.p))
		skip(line, 1);
}

static const char *take(struct line *line, size_t n)
{
	const char *word = arena_strndup(line->language->arena, line->rest.p,
					 n);

	skip(line, n);
	return word;
}

/* Letters, digits and underscores; NULL if there are none. */
static const char *take_name(struct line *line)
{
	size_t n = 0;

	skip_blanks(line);
	while (n < line->rest.n && (isalnum((unsigned char)line->rest.p[n]) ||
				    line->rest.p[n] == '_'))
		n++;
	return n ? take(line, n) : NULL;
}

/* What is between double quotes; NULL if something else is there. */
static const char *take_quoted(struct line *line)
{
	skip_blanks(line);
	if (!line->rest.n || *line->rest.p != '"')
		return NULL;
	const char *close = memchr(line->rest.p + 1, '"', line->rest.n - 1);

	if (!close)
		return NULL;
	skip(line, 1);
	const char *text = take(line, (size_t)(close - line->rest.p));

	skip(line, 1);
	return text;
}

/* A word, with or without quotes. */
static const char *take_default(struct line *line)
{
	size_t n = 0;

	skip_blanks(line);
	if (line->rest.n && *line->rest.p == '"')
		return take_quoted(line);
	while (n < line->rest.n && !isspace((unsigned char)line->rest.p[n]) &&
	       line->rest.p[n] != '"')
		n++;
	return n ? take(line, n) : NULL;
}

/* -L in front of the type; 0 if there is none. */
static char take_letter(struct line *line)
{
	char letter;

	skip_blanks(line);
	if (line->rest.n < 3 || line->rest.p[0] != '-' ||
	    !isalnum((unsigned char)line->rest.p[1]) ||
	    !isspace((unsigned char)line->rest.p[2]))
		return 0;
	letter = line->rest.p[1];
	skip(line, 2);
	return letter;
}

/* NAME [-L] TYPE [= DEFAULT] "help" and nothing else; an operand has no letter. */
static bool read_line(struct line *line, struct script_parameter *parameter,
		      const char **type)
{
	bool is_fine = true;

	parameter->name = take_name(line);
	if (!parameter->is_operand)
		parameter->letter = take_letter(line);
	*type = take_name(line);
	skip_blanks(line);
	if (line->rest.n && *line->rest.p == '=') {
		skip(line, 1);
		parameter->preset = take_default(line);
		is_fine = parameter->preset;
	}
	parameter->help = take_quoted(line);
	skip_blanks(line);
	if (is_fine && parameter->name && *type && parameter->help &&
	    !line->rest.n)
		return true;
	return report(line, D_PRAGMA_MALFORM,
		      "malformed #pragma %s <type> [= <default>] \"<help>\"",
		      parameter->is_operand ? "operand <name>"
					    : "parameter <name> [-<letter>]");
}

static bool check_name(struct line *line, const char *name)
{
	if (isdigit((unsigned char)*name))
		return report(
			line, D_PARAM_NAME,
			"parameter %s: a name does not begin with a digit; $%c is an operand",
			name, *name);
	if (macro_is_variable(name)) {
		report(line, D_PARAM_NAME,
		       "parameter %s: $%s is a macro variable", name, name);
		diag_hint(&line->language->diag,
			  "it needs another name: target_%s, for example",
			  name);
		return false;
	}
	if (!strcmp(name, "help"))
		return report(
			line, D_PARAM_NAME,
			"parameter help: --help is there already, it prints the parameters");
	return true;
}

static bool check_letter(struct line *line,
			 const struct script_parameter *parameter)
{
	const struct script_parameter *other = line->language->parameters.first;

	for (; other && parameter->letter; other = other->next) {
		if (other->letter != parameter->letter ||
		    !strcmp(other->name, parameter->name))
			continue;
		return report(line, D_PARAM_NAME,
			      "parameter %s: -%c is parameter %s already",
			      parameter->name, parameter->letter, other->name);
	}
	return true;
}

static bool find_type(struct line *line, struct script_parameter *parameter,
		      const char *name)
{
	for (size_t i = 0; i < NTYPES; i++)
		if (!strcmp(types[i].name, name))
			parameter->type = &types[i];
	if (parameter->type)
		return true;
	report(line, D_PARAM_TYPE, "parameter %s: unknown type %s",
	       parameter->name, name);
	diag_hint(&line->language->diag,
		  "types are int, count, string, pid, size, time and bool");
	return false;
}

static bool is_same(const struct script_parameter *a,
		    const struct script_parameter *b)
{
	if (a->type != b->type || a->letter != b->letter ||
	    a->is_operand != b->is_operand || !a->preset != !b->preset)
		return false;
	return !a->preset || !strcmp(a->preset, b->preset);
}

/* The same line is read when the program is prepared and when it is compiled. */
static bool is_same_line(const struct place *a, const struct place *b)
{
	return a->source == b->source && a->offset == b->offset;
}

static bool check_earlier(struct line *line,
			  const struct script_parameter *earlier,
			  const struct script_parameter *parameter)
{
	if (earlier->place.source == line->place->source &&
	    !is_same_line(&earlier->place, line->place))
		return report(line, D_PARAM_REDECL,
			      "parameter %s is declared in line %u already",
			      earlier->name, earlier->place.line);
	if (is_same(earlier, parameter))
		return true;
	return report(
		line, D_PARAM_REDECL,
		"parameter %s differs from that of %s: programs share a parameter only if letter, type and default are the same",
		earlier->name, earlier->place.source->name);
}

/* What comes first takes the first word. */
static bool check_operand(struct line *line,
			  const struct script_parameter *operand)
{
	const struct script_parameter *other = line->language->parameters.first;

	if (!operand->type->placeholder)
		return report(line, D_PARAM_TYPE,
			      "operand %s: a switch is a parameter, --%s",
			      operand->name, operand->name);
	for (; other && !operand->preset; other = other->next)
		if (other->is_operand && other->preset)
			return report(
				line, D_PARAM_VALUE,
				"operand %s is required, but follows %s, which is not: it needs a default",
				operand->name, other->name);
	return true;
}

static void append(struct language *language,
		   struct script_parameter *parameter)
{
	struct script_parameter **end = &language->parameters.first;

	while (*end)
		end = &(*end)->next;
	*end = parameter;
}

bool script_parameter_declare(struct language *language, struct str text,
			      const struct place *place, bool is_operand)
{
	struct line line = { language, text, place };
	struct script_parameter *parameter =
		arena_new_of(language->arena, struct script_parameter);
	const char *type;

	parameter->place = *place;
	parameter->is_operand = is_operand;
	if (language->in_library)
		return report(
			&line, D_PRAGMA_SCOPE,
			"#pragma parameter in a D library: only programs have parameters");
	if (!read_line(&line, parameter, &type) ||
	    !check_name(&line, parameter->name) ||
	    !check_letter(&line, parameter) ||
	    !find_type(&line, parameter, type))
		return false;
	if (!parameter->preset && !parameter->type->placeholder)
		parameter->preset = "off";
	const struct script_parameter *earlier =
		script_parameter_find(language, str_of(parameter->name));

	if (earlier)
		return check_earlier(&line, earlier, parameter);
	if (parameter->preset &&
	    !script_parameter_set(language, parameter, parameter->preset)) {
		report(&line, D_PARAM_VALUE,
		       "parameter %s: default %s is not of type %s",
		       parameter->name, parameter->preset,
		       parameter->type->name);
		diag_hint(&language->diag, "it is %s",
			  parameter->type->expects);
		return false;
	}
	if (is_operand && !check_operand(&line, parameter))
		return false;
	append(language, parameter);
	return true;
}

bool script_usage_declare(struct language *language, struct str text,
			  const struct place *place)
{
	struct line line = { language, text, place };
	struct script_usage **end = &language->parameters.usage;
	const char *usage = take_quoted(&line);

	skip_blanks(&line);
	if (!usage || line.rest.n)
		return report(&line, D_PRAGMA_MALFORM,
			      "malformed #pragma usage \"<line>\"");
	if (language->in_library)
		return report(
			&line, D_PRAGMA_SCOPE,
			"#pragma usage in a D library: only programs have a usage");
	for (; *end; end = &(*end)->next)
		if (is_same_line(&(*end)->place, place))
			return true;
	*end = arena_new_of(language->arena, struct script_usage);
	**end = (struct script_usage){ .text = usage, .place = *place };
	return true;
}

/* --------------------------------------------------- looking for them */

/* The rest of a literal, to its end or that of the line. */
static void skip_literal(struct lexer *lexer)
{
	char quote = lexer_peek(lexer, 0), c;

	lexer->at++;
	while ((c = lexer_peek(lexer, 0)) && c != '\n') {
		lexer->at += c == '\\' && lexer_peek(lexer, 1) ? 2 : 1;
		if (c == quote)
			return;
	}
}

static bool has_word(const struct source *source, const char *word)
{
	return memmem(source->text, source->length, word, strlen(word));
}

/*
 * Control lines are what lexer_skip() finds between tokens; what tokens are
 * does not matter here, except that literals may contain anything.
 */
static bool scan(struct language *language, const struct source *source)
{
	struct lexer lexer;

	if (!has_word(source, "parameter") && !has_word(source, "operand") &&
	    !has_word(source, "usage"))
		return true;
	lexer_init(&lexer, language, source);
	lexer.is_quiet = lexer.is_scanning = true;
	while (lexer_skip(&lexer) && !lexer_at_end(&lexer)) {
		char c = lexer_peek(&lexer, 0);

		if (c == '"' || c == '\'')
			skip_literal(&lexer);
		else
			lexer.at++;
	}
	return !language->diag.failed;
}

bool script_has_letters(struct str text)
{
	static const char pragma[] = "#pragma D parameter";
	static const char operand[] = "#pragma D operand";
	const char *p = text.p, *end = p + text.n;

	if (memmem(p, text.n, operand, strlen(operand)))
		return true;
	while ((p = memmem(p, (size_t)(end - p), pragma, strlen(pragma)))) {
		p += strlen(pragma);
		/* blanks, the name, blanks */
		for (int i = 0; i < 3; i++)
			while (p < end && (i == 1 ? !isspace((unsigned char)*p)
						  : *p == ' ' || *p == '\t'))
				p++;
		if (p < end && *p == '-')
			return true;
	}
	return false;
}

static bool is_prepared(const struct language *language,
			const struct source *source)
{
	const struct script_text *text = language->parameters.texts;

	while (text && &text->source != source)
		text = text->next;
	return text;
}

const struct source *language_prepare(struct language *language,
				      const struct source *source)
{
	if (is_prepared(language, source))
		return source;
	if (source->is_file && option_on(language->config.options, OPTION_CPP))
		source = preprocess(language, source);
	if (!source)
		return NULL;
	struct script_text *text = arena_new_of(language->arena,
						struct script_text);

	text->source = *source;
	text->next = language->parameters.texts;
	language->parameters.texts = text;
	if (!scan(language, &text->source) && !inspect_tell(language))
		return NULL;
	return &text->source;
}

bool script_parameters_check(struct language *language)
{
	for (struct script_parameter *parameter = language->parameters.first;
	     parameter; parameter = parameter->next) {
		if (parameter->value)
			continue;
		/* an editor has no command line: any value will do */
		if (language->inspection &&
		    script_parameter_set(language, parameter, "0"))
			continue;
		diag_error(&language->diag, &parameter->place, D_PARAM_UNSET,
			   "parameter %s has no value and no default",
			   parameter->name);
		diag_hint(&language->diag, "%s %s sets it",
			  script_parameter_option(language->arena,
						  parameter->name),
			  parameter->type->placeholder);
		return false;
	}
	return true;
}
