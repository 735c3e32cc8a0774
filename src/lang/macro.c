/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Macro variables: $pid and the like, the operands $0, $1 ..., parameters.
 *
 * An operand is text from the command line.  What `$1` turns into depends on
 * the form of that text: an integer, an identifier, or else a string; double
 * quotes around it are taken off and make it a string.  `$$1` is always a
 * string.  The shell's arguments thereby become D tokens without any quoting by
 * the user, and never more than one token: `-x` stays a string.  A parameter has
 * a type (script_parameter.c), so its form does not depend on its text.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "lang/internal.h"

static int64_t value_pid(struct language *language)
{
	(void)language;
	return getpid();
}

static int64_t value_ppid(struct language *language)
{
	(void)language;
	return getppid();
}

static int64_t value_pgid(struct language *language)
{
	(void)language;
	return getpgid(0);
}

static int64_t value_sid(struct language *language)
{
	(void)language;
	return getsid(0);
}

static int64_t value_uid(struct language *language)
{
	(void)language;
	return getuid();
}

static int64_t value_euid(struct language *language)
{
	(void)language;
	return geteuid();
}

static int64_t value_gid(struct language *language)
{
	(void)language;
	return getgid();
}

static int64_t value_egid(struct language *language)
{
	(void)language;
	return getegid();
}

static int64_t value_target(struct language *language)
{
	return language->target ? language->target : language->config.target;
}

/* Linux has neither projects nor tasks: all is in project and task 0. */
static int64_t value_none(struct language *language)
{
	(void)language;
	return 0;
}

static const struct {
	const char *name;
	int64_t (*value)(struct language *language);
} variables[] = {
	{ "egid", value_egid },	    { "euid", value_euid },
	{ "gid", value_gid },	    { "pgid", value_pgid },
	{ "pid", value_pid },	    { "ppid", value_ppid },
	{ "projid", value_none },   { "sid", value_sid },
	{ "target", value_target }, { "taskid", value_none },
	{ "uid", value_uid },
};

enum { NVARIABLES = sizeof(variables) / sizeof(*variables) };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       is_digit(c);
}

static bool is_operand(const char *name)
{
	return is_digit(*name);
}

/* The operand's number, or UINT32_MAX if it is out of range. */
static uint32_t operand_number(const char *name)
{
	errno = 0;
	unsigned long n = strtoul(name, NULL, 10);

	return errno || n >= UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

bool macro_is_defined(struct language *language, const char *name)
{
	if (is_operand(name))
		return operand_number(name) < language->config.nargs ||
		       option_on(language->config.options, OPTION_DEFAULTARGS);
	return macro_is_variable(name) ||
	       script_parameter_find(language, str_of(name));
}

bool macro_is_variable(const char *name)
{
	for (size_t i = 0; i < NVARIABLES; i++)
		if (!strcmp(variables[i].name, name))
			return true;
	return false;
}

const char *macro_variable_name(size_t n)
{
	return n < NVARIABLES ? variables[n].name : NULL;
}

/* Decimal, octal or hexadecimal, with a sign or without, and nothing else. */
static bool is_integer(const char *text)
{
	const char *p = text + (*text == '-' || *text == '+');
	bool is_hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
	char last = p[0] == '0' ? '7' : '9';

	p += is_hex ? 2 : 0;
	if (!*p)
		return false;
	for (; *p; p++) {
		bool is_letter = (*p >= 'a' && *p <= 'f') ||
				 (*p >= 'A' && *p <= 'F');

		if (is_hex ? !is_digit(*p) && !is_letter
			   : *p < '0' || *p > last)
			return false;
	}
	return true;
}

static bool integer_overflows(const char *text)
{
	errno = 0;
	uint64_t value = strtoull(text + (*text == '-' || *text == '+'), NULL,
				  0);

	return errno == ERANGE ||
	       (*text == '-' && value > (uint64_t)INT64_MAX + 1);
}

/* An identifier, or a scoped one: mod`name. */
static bool is_identifier(const char *text)
{
	if (!*text || is_digit(*text))
		return false;
	bool ends_in_word = false;

	for (; *text; text++) {
		ends_in_word = is_word_char(*text);
		if (!ends_in_word && *text != '`')
			return false;
	}
	return ends_in_word;
}

static void mark_used(struct language *language, uint32_t n)
{
	if (!language->arg_used)
		language->arg_used = arena_array_of(language->arena, bool,
						    language->config.nargs);
	language->arg_used[n] = true;
}

static const char *operand_value(struct language *language, const char *name,
				 bool as_string, const struct place *place,
				 enum macro_form *form)
{
	const char *dollars = as_string ? "$$" : "$";
	uint32_t n = operand_number(name);

	*form = as_string ? MACRO_STRING : MACRO_INTEGER;
	if (n >= language->config.nargs) {
		if (option_on(language->config.options, OPTION_DEFAULTARGS))
			return as_string ? "" : "0";
		diag_error(&language->diag, place, D_MACRO_UNDEF,
			   "macro argument %s%s is not defined", dollars, name);
		diag_hint(
			&language->diag,
			"it is operand number %s of the command; without one, -x defaultargs makes it 0 or \"\"",
			name);
		return NULL;
	}
	mark_used(language, n);

	const char *text = language->config.args[n];
	size_t length = strlen(text);

	if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
		*form = MACRO_STRING;
		return arena_strndup(language->arena, text + 1, length - 2);
	}
	if (as_string)
		return text;
	if (n && is_integer(text)) {
		if (!integer_overflows(text))
			return text;
		diag_error(
			&language->diag, place, D_MACRO_OFLOW,
			"macro argument $%s constant %s results in integer overflow",
			name, text);
		return NULL;
	}
	/* $0 is a file's name, whatever it looks like */
	*form = n && is_identifier(text) ? MACRO_IDENTIFIER : MACRO_STRING;
	return text;
}

/* A name that was probably meant, or NULL. */
static const char *nearest(const struct language *language, const char *name)
{
	for (const struct script_parameter *parameter =
		     language->parameters.first;
	     parameter; parameter = parameter->next)
		if (str_distance(parameter->name, name, 2) <= 2)
			return parameter->name;
	for (size_t i = 0; i < NVARIABLES; i++)
		if (str_distance(variables[i].name, name, 2) <= 2)
			return variables[i].name;
	return NULL;
}

const char *macro_value(struct language *language, const char *name,
			bool as_string, const struct place *place,
			enum macro_form *form)
{
	if (is_operand(name))
		return operand_value(language, name, as_string, place, form);
	const struct script_parameter *parameter =
		script_parameter_find(language, str_of(name));

	if (parameter && parameter->value) {
		bool is_text = as_string || !parameter->type->read;

		*form = is_text ? MACRO_STRING : MACRO_INTEGER;
		return is_text ? parameter->text : parameter->value;
	}
	*form = as_string ? MACRO_STRING : MACRO_INTEGER;
	for (size_t i = 0; i < NVARIABLES; i++)
		if (!strcmp(variables[i].name, name))
			return arena_printf(language->arena, "%" PRId64,
					    variables[i].value(language));
	diag_error(&language->diag, place, D_MACRO_UNDEF,
		   "macro variable %s%s is not defined", as_string ? "$$" : "$",
		   name);
	const char *near = nearest(language, name);

	if (near)
		diag_hint(&language->diag, "did you mean $%s?", near);
	return NULL;
}

const char *macro_word(struct language *language, const char *name,
		       const struct place *place)
{
	const struct script_parameter *parameter =
		script_parameter_find(language, str_of(name));
	enum macro_form form;

	if (parameter && parameter->word)
		return parameter->word;
	return macro_value(language, name, false, place, &form);
}

bool language_check_unused_args(struct language *language)
{
	uint32_t nargs = language->config.nargs;

	if (nargs <= 1 || option_on(language->config.options, OPTION_ARGREF))
		return true;
	/* what has not been read yet may refer to them */
	if (language->waiting)
		return true;
	if (language->arg_used && language->arg_used[nargs - 1])
		return true;
	diag_error(&language->diag, NULL, D_MACRO_UNUSED,
		   "extraneous argument '%s' ($%u is not referenced)",
		   language->config.args[nargs - 1], nargs - 1);
	diag_hint(&language->diag, "-x argref permits it");
	return false;
}
