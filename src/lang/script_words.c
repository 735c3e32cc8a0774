/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parameters as words of a command line.
 *
 * --NAME VALUE and --NAME=VALUE set a parameter; a bool is --NAME, --no-NAME or
 * --NAME=VALUE.  Words that begin with "--" are nothing else, and the word "--"
 * ends them; what remains are operands: those that are declared take theirs in
 * order.  An underscore in a name may be written as a dash.  The last of several
 * settings counts.
 */
#include <stdlib.h>

#include "lang/internal.h"

enum { WIDEST_OPTION = 24, WIDTH = 79 };

const char *script_parameter_option(struct arena *arena, const char *name)
{
	char *option = arena_printf(arena, "--%s", name);

	for (char *p = option; *p; p++)
		if (*p == '_')
			*p = '-';
	return option;
}

/* ------------------------------------------------------------- setting */

/* One word being looked at. */
struct word {
	struct str name;   /* without the dashes */
	const char *value; /* after "=", or NULL */
	bool is_negated;   /* --no-NAME */
};

/* Where it is wrong. */
struct complaint {
	struct text *why, *hint;
};

static struct script_parameter *find(struct language *language, struct str name)
{
	char *copy = arena_strndup(language->arena, name.p, name.n);

	for (char *p = copy; *p; p++)
		if (*p == '-')
			*p = '_';
	return script_parameter_find(language, str_of(copy));
}

static struct script_parameter *find_negated(struct language *language,
					     struct str name)
{
	static const char no[] = "no-";
	size_t n = sizeof(no) - 1;

	if (name.n <= n || strncmp(name.p, no, n))
		return NULL;
	struct script_parameter *parameter =
		find(language, (struct str){ name.p + n, name.n - n });

	return parameter && !parameter->type->placeholder ? parameter : NULL;
}

static struct word split(const char *word)
{
	size_t n = strcspn(word + 2, "=");

	return (struct word){
		.name = { word + 2, n },
		.value = word[2 + n] ? word + 2 + n + 1 : NULL,
	};
}

static bool unknown(struct language *language, const struct word *word,
		    struct complaint complaint)
{
	const char *name = arena_strndup(language->arena, word->name.p,
					 word->name.n);
	const char *option = script_parameter_option(language->arena, name);

	text_printf(complaint.why, "unknown parameter --%s", name);
	for (const struct script_parameter *parameter =
		     language->parameters.first;
	     parameter; parameter = parameter->next) {
		const char *near = script_parameter_option(language->arena,
							   parameter->name);

		if (str_distance(near, option, 2) > 2)
			continue;
		text_printf(complaint.hint, "did you mean %s?", near);
		return false;
	}
	if (language->parameters.first)
		text_puts(complaint.hint, "--help lists the parameters");
	else
		text_puts(
			complaint.hint,
			"the program declares no parameters; options of dtrace come before it, and -- before operands that begin with -");
	return false;
}

/* As a user knows it: "operand count", "parameter -p (--process)". */
static const char *naming(struct arena *arena,
			  const struct script_parameter *parameter)
{
	const char *option = script_parameter_option(arena, parameter->name);

	if (parameter->is_operand)
		return arena_printf(arena, "operand %s", parameter->name);
	if (!parameter->letter)
		return arena_printf(arena, "parameter %s", option);
	return arena_printf(arena, "parameter -%c (%s)", parameter->letter,
			    option);
}

static bool set(struct language *language, struct script_parameter *parameter,
		const char *value, struct complaint complaint)
{
	const struct script_type *type = parameter->type;

	if (script_parameter_set(language, parameter, value))
		return true;
	text_printf(complaint.why, "%s: invalid %s '%s'",
		    naming(language->arena, parameter), type->name, value);
	text_printf(complaint.hint, "it is %s", type->expects);
	return false;
}

/* `next` is the word after it, or NULL; `takes_next` says whether it was used. */
static bool set_word(struct language *language, struct word word,
		     const char *next, bool *takes_next,
		     struct complaint complaint)
{
	struct script_parameter *parameter = find(language, word.name);

	if (!parameter) {
		parameter = find_negated(language, word.name);
		word.is_negated = parameter;
	}
	if (!parameter)
		return unknown(language, &word, complaint);
	if (word.is_negated && word.value) {
		text_printf(complaint.why, "parameter --%.*s takes no value",
			    (int)word.name.n, word.name.p);
		return false;
	}
	if (!parameter->type->placeholder && !word.value)
		word.value = word.is_negated ? "off" : "on";
	*takes_next = !word.value;
	if (*takes_next)
		word.value = next;
	if (word.value)
		return set(language, parameter, word.value, complaint);
	text_printf(complaint.why, "%s has no value",
		    naming(language->arena, parameter));
	text_printf(complaint.hint, "it is %s", parameter->type->expects);
	return false;
}

static bool check_required(struct language *language,
			   struct complaint complaint)
{
	for (const struct script_parameter *parameter =
		     language->parameters.first;
	     parameter; parameter = parameter->next) {
		if (parameter->value)
			continue;
		text_printf(complaint.why, "%s is required",
			    naming(language->arena, parameter));
		text_printf(complaint.hint, "it is %s",
			    parameter->type->expects);
		if (*parameter->help)
			text_printf(complaint.hint, " (%s)", parameter->help);
		return false;
	}
	return true;
}

static struct script_parameter *next_operand(
	const struct script_parameter *parameter)
{
	while (parameter && !parameter->is_operand)
		parameter = parameter->next;
	return (struct script_parameter *)parameter;
}

/* Gives what remains to declared operands, if there are any. */
static bool take_operands(struct language *language, int *argc, char **argv,
			  struct complaint complaint)
{
	struct script_parameter *operand =
		next_operand(language->parameters.first);

	if (!operand)
		return true;
	for (int i = 1; i < *argc; i++) {
		if (!operand) {
			text_printf(complaint.why,
				    "there is no operand for '%s'", argv[i]);
			text_puts(complaint.hint,
				  "--help lists what can be given");
			return false;
		}
		if (!set(language, operand, argv[i], complaint))
			return false;
		operand = next_operand(operand->next);
	}
	if (*argc > 1) {
		argv[1] = NULL;
		*argc = 1;
	}
	return true;
}

enum script_verdict script_parameters_parse(struct language *language,
					    int *argc, char **argv,
					    struct text *why, struct text *hint)
{
	struct complaint complaint = { why, hint };
	int kept = 1, i = 1;

	for (; i < *argc && strcmp(argv[i], "--"); i++) {
		bool takes_next = false;

		if (strncmp(argv[i], "--", 2)) {
			argv[kept++] = argv[i];
			continue;
		}
		if (!strcmp(argv[i], "--help"))
			return SCRIPT_HELP;
		if (!set_word(language, split(argv[i]),
			      i + 1 < *argc ? argv[i + 1] : NULL, &takes_next,
			      complaint))
			return SCRIPT_WRONG;
		i += takes_next;
	}
	for (i++; i < *argc; i++)
		argv[kept++] = argv[i];
	if (kept < *argc)
		argv[kept] = NULL;
	*argc = kept;
	return take_operands(language, argc, argv, complaint) &&
			       check_required(language, complaint)
		       ? SCRIPT_FINE
		       : SCRIPT_WRONG;
}

/* -------------------------------------------------------------- --help */

static bool is_on(const struct script_parameter *parameter)
{
	int64_t number = 0;

	return parameter->type->read(parameter->preset, &number) && number;
}

/* "--min TIME", "--verbose", "--[no-]color" if it is on by default. */
static const char *print_long(struct arena *arena,
			      const struct script_parameter *parameter)
{
	const char *option = script_parameter_option(arena, parameter->name);
	const char *placeholder = parameter->type->placeholder;

	if (placeholder)
		return arena_printf(arena, "%s %s", option, placeholder);
	return is_on(parameter) ? arena_printf(arena, "--[no-]%s", option + 2)
				: option;
}

/* The same after its letter, if it has one: "-m, --min TIME". */
static const char *print_option(struct arena *arena,
				const struct script_parameter *parameter)
{
	const char *option = print_long(arena, parameter);

	if (parameter->is_operand)
		return parameter->name;
	return parameter->letter ? arena_printf(arena, "-%c, %s",
						parameter->letter, option)
				 : option;
}

/* In the line of usage: with the letter, if it has one, which is shorter. */
static const char *print_short(struct arena *arena,
			       const struct script_parameter *parameter)
{
	const char *placeholder = parameter->type->placeholder;

	if (!parameter->letter)
		return print_long(arena, parameter);
	return placeholder ? arena_printf(arena, "-%c %s", parameter->letter,
					  placeholder)
			   : arena_printf(arena, "-%c", parameter->letter);
}

/* Is its default a way to say that there is none? */
static bool is_none(const struct script_parameter *parameter)
{
	return !*parameter->preset || (parameter->type->zero_is_none &&
				       !strcmp(parameter->preset, "0"));
}

static void put_parameter(struct arena *arena,
			  const struct script_parameter *parameter, int width,
			  struct text *out)
{
	text_printf(out, "  %-*s  %s", width, print_option(arena, parameter),
		    parameter->help);
	if (!parameter->preset)
		text_puts(out, " (required)");
	else if (parameter->type->placeholder ? !is_none(parameter)
					      : is_on(parameter))
		text_printf(out, " (default: %s)", parameter->preset);
	text_puts(out, "\n");
}

/* A line that is broken where it would become too long. */
struct usage_line {
	struct text *out;
	size_t column;
};

static void put_usage_word(struct usage_line *line, const char *word)
{
	if (line->column + 1 + strlen(word) > WIDTH) {
		text_puts(line->out, "\n      ");
		line->column = strlen("      ");
	}
	text_printf(line->out, " %s", word);
	line->column += 1 + strlen(word);
}

/* "file [interval [count]]": what follows can be left out, too. */
static const char *print_operands(struct arena *arena,
				  const struct script_parameter *operand)
{
	const struct script_parameter *next = next_operand(operand->next);
	const char *rest = next ? arena_printf(arena, " %s",
					       print_operands(arena, next))
				: "";

	return arena_printf(arena, operand->preset ? "[%s%s]" : "%s%s",
			    operand->name, rest);
}

/* All parameters in a line, or in several. */
static void put_usage(struct arena *arena, const char *name,
		      const struct script_parameter *parameter,
		      struct text *out)
{
	struct usage_line line = { out, strlen("Usage: ") + strlen(name) };
	const struct script_parameter *operand = next_operand(parameter);

	text_printf(out, "Usage: %s", name);
	for (; parameter; parameter = parameter->next)
		if (!parameter->is_operand)
			put_usage_word(
				&line,
				arena_printf(arena,
					     parameter->preset ? "[%s]" : "%s",
					     print_short(arena, parameter)));
	if (operand)
		put_usage_word(&line, print_operands(arena, operand));
	text_puts(out, "\n");
}

/* Operands come first, as they are what is given most often. */
void script_parameters_help(const struct language *language, const char *name,
			    struct text *out)
{
	const struct script_parameters *parameters = &language->parameters;
	struct arena *arena = language->arena;
	size_t width = strlen("--help");

	put_usage(arena, name, parameters->first, out);
	for (const struct script_usage *line = parameters->usage; line;
	     line = line->next)
		text_printf(out, "%s\n", line->text);
	text_puts(out, "\n");
	for (const struct script_parameter *parameter = parameters->first;
	     parameter; parameter = parameter->next) {
		size_t n = strlen(print_option(arena, parameter));

		if (n > width && n <= WIDEST_OPTION)
			width = n;
	}
	for (int is_option = 0; is_option < 2; is_option++)
		for (const struct script_parameter *parameter =
			     parameters->first;
		     parameter; parameter = parameter->next)
			if (parameter->is_operand != is_option)
				put_parameter(arena, parameter, (int)width,
					      out);
	text_printf(out, "  %-*s  %s\n", (int)width, "--help",
		    "print this and exit");
}

/* ----------------------------------------------------------- expansion */

static size_t name_length(const char *p)
{
	size_t n = 0;

	while ((p[n] >= 'a' && p[n] <= 'z') || (p[n] >= 'A' && p[n] <= 'Z') ||
	       (p[n] >= '0' && p[n] <= '9') || p[n] == '_')
		n++;
	return n;
}

void script_parameters_expand(const struct language *language, const char *text,
			      struct text *out)
{
	while (*text) {
		size_t n = *text == '$' ? name_length(text + 1) : 0;
		const struct script_parameter *parameter =
			script_parameter_find(language,
					      (struct str){ text + 1, n });

		if (!parameter || !parameter->word) {
			text_putc(out, *text++);
			continue;
		}
		text_puts(out, parameter->word);
		text += 1 + n;
	}
}
