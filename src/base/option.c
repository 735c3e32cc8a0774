/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options: one table, one reader per kind of value.
 *
 * options.def is the table; this file turns the text of a value into a number
 * or keeps it as text.  Every way of setting an option (-x, a flag, #pragma,
 * setopt(), the environment) comes through option_set(), so that the rules
 * about time and place are in one place.
 *
 * 1. A value that is refused leaves the option as it was.
 * 2. Texts live until options_free(): a pointer from option_text() of an
 *    earlier setting stays valid.
 * 3. A rate without a unit is in nanoseconds, whatever older manuals say.
 *
 * base/ does not know D, so "amin" is only checked here for the right words;
 * the compiler reads the same text again.
 */
#include "base/option.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/str.h"

extern char **environ;

enum kind {
	BOOL, BOOL_OR, SIZE, RATE, NUMBER, TEXT, ENUM, WORDS, VERSION, ATTR,
	CPP_DEFINE, CPP_UNDEF, CPP_INCLUDE, LIBDIR, SETENV, UNSETENV,
};

enum when { COMPILE, RUN, DYNAMIC };

enum flags { HERE = 0, LATER = 1 << 0, NOPRAGMA = 1 << 1 };

struct option {
	const char *name;
	enum kind kind;
	const char *words; /* ENUM, WORDS, BOOL_OR: "a|b|c" */
	enum when when;
	int64_t initial;
	unsigned flags;
	const char *meaning;
};

/* "text|json|...": the sinks. */
static const char sink_list[] =
#define SINK(name) "|" #name
#include "base/sinks.def"
#undef SINK
	;
#define SINK_WORDS (sink_list + 1)

/* ENUM("a|b") in the table carries its words; the other kinds have none. */
#define KIND_ENUM(words) ENUM, words
#define KIND_WORDS(words) WORDS, words
#define KIND_BOOL_OR(words) BOOL_OR, words
#define KIND_BOOL BOOL, NULL
#define KIND_SIZE SIZE, NULL
#define KIND_RATE RATE, NULL
#define KIND_NUMBER NUMBER, NULL
#define KIND_TEXT TEXT, NULL
#define KIND_VERSION VERSION, NULL
#define KIND_ATTR ATTR, NULL
#define KIND_CPP_DEFINE CPP_DEFINE, NULL
#define KIND_CPP_UNDEF CPP_UNDEF, NULL
#define KIND_CPP_INCLUDE CPP_INCLUDE, NULL
#define KIND_LIBDIR LIBDIR, NULL
#define KIND_SETENV SETENV, NULL
#define KIND_UNSETENV UNSETENV, NULL

static const struct option options_table[OPTION_COUNT] = {
#define OPTION(id, name, kind, when, initial, flags, meaning) \
	[OPTION_##id] = { name, KIND_##kind, when, initial, flags, meaning },
#include "base/options.def"
#undef OPTION
};

/* Rates outside are brought to the nearest bound when tracing begins. */
static const struct {
	enum option_id id;
	int64_t least, most;
} limits[] = {
	{ OPTION_STATUSRATE, 1, 10 * 1000000000LL },
	{ OPTION_CLEANRATE, 200000, 60 * 1000000000LL },
};

/* Every version of D that was ever published by some system, up to ours. */
static const struct {
	uint8_t major, minor, micro;
} versions[] = {
	{ 1, 0, 0 },  { 1, 1, 0 },  { 1, 2, 0 },  { 1, 2, 1 },	{ 1, 2, 2 },
	{ 1, 3, 0 },  { 1, 4, 0 },  { 1, 4, 1 },  { 1, 5, 0 },	{ 1, 6, 0 },
	{ 1, 6, 1 },  { 1, 6, 2 },  { 1, 6, 3 },  { 1, 6, 4 },	{ 1, 7, 0 },
	{ 1, 7, 1 },  { 1, 8, 0 },  { 1, 8, 1 },  { 1, 9, 0 },	{ 1, 9, 1 },
	{ 1, 10, 0 }, { 1, 11, 0 }, { 1, 12, 0 }, { 1, 12, 1 }, { 1, 13, 0 },
	{ 1, 14, 0 }, { 2, 0, 0 },
};

static const char *const messages[] = {
	[OPTION_OK] = "No error",
	[OPTION_UNKNOWN] = "Invalid option name",
	[OPTION_BAD_VALUE] = "Invalid value for specified option",
	[OPTION_NOT_IN_PROGRAM] = "Option cannot be used from within a D program",
	[OPTION_ACTIVE] = "Operation illegal when tracing is active",
	[OPTION_BAD_VERSION] = "Requested version is not supported by compiler",
	[OPTION_VERSION_FORMAT] = "Version is not properly formatted or is too large",
	[OPTION_VERSION_REDUCED] = "Requested version conflicts with earlier setting",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------ kinds of values */

static bool read_number(enum option_id id, const char *text, int64_t *number)
{
	uint64_t value;
	const char *end;

	/* -1 means "all CPUs" again */
	if (id == OPTION_CPU && !strcmp(text, "-1")) {
		*number = -1;
		return true;
	}
	if (!quantity_digits(text, &value, &end) || *end || value > INT32_MAX)
		return false;
	*number = (int64_t)value;
	return true;
}

/* Word n of "a|b|c"; its length in *length, NULL after the last. */
static const char *word_at(const char *words, int64_t n, size_t *length)
{
	while (words) {
		*length = strcspn(words, "|");
		if (n-- == 0)
			return words;
		words = words[*length] ? words + *length + 1 : NULL;
	}
	return NULL;
}

static bool read_word(const char *words, const char *text, size_t size,
		      int64_t *number)
{
	size_t length;
	const char *word;

	for (int64_t n = 0; (word = word_at(words, n, &length)); n++) {
		if (size == length && !strncmp(word, text, length)) {
			*number = n;
			return true;
		}
	}
	return false;
}

/* Words between commas: a bit each. */
static bool read_words(const char *words, const char *text, int64_t *number)
{
	*number = 0;
	for (;;) {
		size_t length = strcspn(text, ",");
		int64_t bit;

		if (!read_word(words, text, length, &bit))
			return false;
		*number |= (int64_t)1 << bit;
		if (!text[length])
			return true;
		text += length + 1;
	}
}

/* X.Y or X.Y.Z, each part within its field of the number. */
static enum option_error read_version(const struct option_value *old,
				      const char *text, int64_t *number)
{
	static const unsigned long most[] = { 0xff, 0xfff, 0xfff };
	unsigned long part[3] = { 0, 0, 0 };
	unsigned n = 0;

	for (;;) {
		if (n == 3 || !isdigit((unsigned char)*text))
			return OPTION_VERSION_FORMAT;
		char *end;

		part[n] = strtoul(text, &end, 10);
		if (part[n] > most[n])
			return OPTION_VERSION_FORMAT;
		n++;
		text = end;
		if (!*text)
			break;
		if (*text++ != '.')
			return OPTION_VERSION_FORMAT;
	}
	if (n < 2)
		return OPTION_VERSION_FORMAT;
	*number = OPTION_VERSION_NUMBER(part[0], part[1], part[2]);
	if (old->is_set && *number < old->number)
		return OPTION_VERSION_REDUCED;
	for (size_t i = 0; i < COUNT(versions); i++) {
		if (part[0] == versions[i].major &&
		    part[1] == versions[i].minor &&
		    part[2] == versions[i].micro)
			return OPTION_OK;
	}
	return OPTION_BAD_VERSION;
}

/* name/data/class; trailing parts may be left out. */
static bool is_attribute(const char *text)
{
	static const char *const stabilities =
		"internal|private|obsolete|"
		"external|unstable|evolving|stable|standard";
	static const char *const classes =
		"unknown|cpu|platform|group|isa|common";

	for (unsigned part = 0; part < 3; part++) {
		char word[16];
		size_t length = strcspn(text, "/");
		int64_t ignored;

		if (length >= sizeof(word))
			return false;
		for (size_t i = 0; i < length; i++)
			word[i] = (char)tolower((unsigned char)text[i]);
		word[length] = '\0';
		if (!read_word(part < 2 ? stabilities : classes, word, length,
			       &ignored))
			return false;
		if (!text[length])
			return true;
		text += length + 1;
	}
	return false;
}

/* --------------------------------------------------------------- memory */

static void push(char ***list, unsigned *count, char *text)
{
	*list = must_realloc(*list, (*count + 1) * sizeof(char *));
	(*list)[(*count)++] = text;
}

static void free_list(char **list, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		free(list[i]);
	free(list);
}

static const char *keep(struct options *options, const char *text)
{
	char *copy = must_strdup(text);

	push(&options->owned, &options->nowned, copy);
	return copy;
}

static char *joined(const char *prefix, const char *text)
{
	size_t n = strlen(prefix), size = checked_add(n + 1, strlen(text));
	char *copy = must_alloc(size);

	memcpy(copy, prefix, n);
	memcpy(copy + n, text, size - n);
	return copy;
}

/* -------------------------------------------------------------- setting */

/* Options that collect: each setting adds to a list. */
static bool collect(struct options *options, enum kind kind, const char *value)
{
	switch (kind) {
	case CPP_DEFINE:
		push(&options->cpp_args, &options->ncpp_args,
		     joined("-D", value));
		return true;
	case CPP_UNDEF:
		push(&options->cpp_args, &options->ncpp_args,
		     joined("-U", value));
		return true;
	case CPP_INCLUDE:
		push(&options->cpp_args, &options->ncpp_args,
		     joined("-I", value));
		return true;
	case LIBDIR:
		push(&options->lib_dirs, &options->nlib_dirs,
		     must_strdup(value));
		return true;
	case SETENV:
		if (!strchr(value, '=') || value[0] == '=')
			return false;
		push(&options->set_env, &options->nset_env, must_strdup(value));
		return true;
	case UNSETENV:
		if (strchr(value, '='))
			return false;
		push(&options->set_env, &options->nset_env, must_strdup(value));
		return true;
	default:
		return true;
	}
}

static enum option_error read_value(struct options *options, enum option_id id,
				    const char *value, int64_t *number,
				    bool *is_text)
{
	const struct option *option = &options_table[id];
	bool good = true;

	*is_text = true;
	switch (option->kind) {
	case BOOL:
		*is_text = false;
		*number = 1;
		good = !value || quantity_switch(value, number);
		break;
	case BOOL_OR:
		*is_text = false;
		*number = 1;
		if (!value || quantity_switch(value, number))
			break;
		good = read_word(option->words, value, strlen(value), number);
		++*number;
		break;
	case SIZE:
		*is_text = false;
		good = value && quantity_size(value, number);
		break;
	case RATE:
		*is_text = false;
		good = value && quantity_rate(value, number);
		break;
	case NUMBER:
		*is_text = false;
		good = value && read_number(id, value, number);
		break;
	case ENUM:
		good = value &&
		       read_word(option->words, value, strlen(value), number);
		break;
	case WORDS:
		good = value && read_words(option->words, value, number);
		break;
	case VERSION:
		if (!value)
			return OPTION_BAD_VALUE;
		return read_version(&options->values[id], value, number);
	case ATTR:
		*number = 1;
		good = value && is_attribute(value);
		break;
	default:
		*number = 1;
		good = value && *value && collect(options, option->kind, value);
		break;
	}
	return good && option_is_within(id, *number) ? OPTION_OK
						     : OPTION_BAD_VALUE;
}

/* What print() may fetch: out of range means the default. */
static int64_t print_size(int64_t number)
{
	if (number < 1 || number > 65536)
		return options_table[OPTION_PRINTSIZE].initial;
	return (number + 7) & ~(int64_t)7;
}

void options_limit(struct options *options)
{
	for (size_t i = 0; i < COUNT(limits); i++) {
		int64_t *number = &options->values[limits[i].id].number;

		if (*number < limits[i].least)
			*number = limits[i].least;
		if (*number > limits[i].most)
			*number = limits[i].most;
	}
}

enum option_id option_find(const char *name)
{
	for (unsigned id = 0; id < OPTION_COUNT; id++) {
		if (!strcmp(options_table[id].name, name))
			return (enum option_id)id;
	}
	return OPTION_COUNT;
}

enum option_error option_set(struct options *options, const char *name,
			     const char *value, enum option_origin origin)
{
	enum option_id id = option_find(name);

	if (id == OPTION_COUNT)
		return OPTION_UNKNOWN;
	const struct option *option = &options_table[id];

	if (origin == ORIGIN_PRAGMA && option->flags & NOPRAGMA)
		return OPTION_NOT_IN_PROGRAM;
	if ((options->is_active || origin == ORIGIN_SETOPT) &&
	    option->when != DYNAMIC)
		return OPTION_ACTIVE;

	int64_t number = 0;
	bool is_text;
	enum option_error error = read_value(options, id, value, &number,
					     &is_text);

	if (error != OPTION_OK)
		return error;
	struct option_value *slot = &options->values[id];

	slot->number = id == OPTION_PRINTSIZE ? print_size(number) : number;
	slot->text = is_text ? keep(options, value) : NULL;
	slot->is_set = true;
	return OPTION_OK;
}

void option_put_value(const struct options *options, enum option_id id,
		      struct text *out)
{
	const struct option_value *value = &options->values[id];

	if (value->text)
		text_puts(out, value->text);
	else if (options_table[id].kind == BOOL)
		text_puts(out, value->number ? "on" : "off");
	else
		text_printf(out, "%lld", (long long)value->number);
}

/* DTRACE_OPT_STRSIZE=512 sets strsize; with an empty value it is a flag. */
static void set_from_environment(struct options *options, const char *entry)
{
	char name[32];
	size_t n = strcspn(entry, "=");

	if (n >= sizeof(name))
		return;
	for (size_t i = 0; i < n; i++)
		name[i] = (char)tolower((unsigned char)entry[i]);
	name[n] = '\0';
	const char *value = entry[n] && entry[n + 1] ? entry + n + 1 : NULL;
	enum option_error error = option_set(options, name, value,
					     ORIGIN_ENVIRONMENT);

	if (error == OPTION_OK) {
		/* a default for this user: not what the command asked for */
		options->values[option_find(name)].is_set = false;
		return;
	}
	struct text sentence = { 0 };

	text_printf(&sentence, "environment variable DTRACE_OPT_%s ignored: %s",
		    entry, option_strerror(error));
	if (error == OPTION_BAD_VALUE)
		option_explain(name, &sentence);
	push(&options->complaints, &options->ncomplaints,
	     must_strdup(text_str(&sentence)));
	text_free(&sentence);
}

void options_init(struct options *options)
{
	static const char prefix[] = "DTRACE_OPT_";

	memset(options, 0, sizeof(*options));
	for (unsigned id = 0; id < OPTION_COUNT; id++) {
		const struct option *option = &options_table[id];
		struct option_value *slot = &options->values[id];

		slot->number = option->initial;
		if (option->kind == ENUM) {
			size_t length = 0;
			const char *word = word_at(option->words,
						   option->initial, &length);
			char *copy = must_strdup(word);

			copy[length] = '\0';
			push(&options->owned, &options->nowned, copy);
			slot->text = copy;
		}
	}
	if (getenv("DTRACE_DEBUG"))
		options->values[OPTION_DEBUG].number = 1;
	for (char **entry = environ; entry && *entry; entry++) {
		if (!strncmp(*entry, prefix, sizeof(prefix) - 1))
			set_from_environment(options,
					     *entry + sizeof(prefix) - 1);
	}
}

void options_free(struct options *options)
{
	free_list(options->cpp_args, options->ncpp_args);
	free_list(options->lib_dirs, options->nlib_dirs);
	free_list(options->set_env, options->nset_env);
	free_list(options->complaints, options->ncomplaints);
	free_list(options->owned, options->nowned);
	memset(options, 0, sizeof(*options));
}

/* ------------------------------------------------------------ reporting */

const char *option_strerror(enum option_error error)
{
	return (size_t)error < COUNT(messages) ? messages[error]
					       : "Unknown error";
}

const char *option_name(enum option_id id)
{
	return options_table[id].name;
}

const char *option_nearest(const char *name)
{
	const char *best = NULL;
	unsigned limit = strlen(name) < 4 ? 1 : 2;

	for (unsigned id = 0; id < OPTION_COUNT; id++) {
		unsigned distance = str_distance(options_table[id].name, name,
						 limit);

		if (distance <= limit && (!best || distance < limit)) {
			best = options_table[id].name;
			limit = distance;
		}
	}
	return best;
}

bool option_expects(const char *name, struct text *out)
{
	static const char *const expects[] = {
		[BOOL] = "yes or no, on or off, true or false",
		[BOOL_OR] = "yes or no, or one of",
		[SIZE] = "a size up to 64t: 512, 64k, 4m or 1g",
		[RATE] = "a rate up to 365d: 100hz, 10ms, 1s or 5min",
		[NUMBER] = "a number from 0 to 2147483647",
		[ENUM] = "one of",
		[WORDS] = "some of",
		[VERSION] = "a version: 1.0 or 2.0",
		[ATTR] = "name/data/class: Stable/Evolving/Common",
		[UNSETENV] = NULL,
	};
	enum option_id id = option_find(name);
	const struct option *option = &options_table[id];

	if (id == OPTION_COUNT || !expects[option->kind])
		return false;
	text_puts(out,
		  option_range(id) ? option_range(id) : expects[option->kind]);
	if (option->words)
		text_printf(out, " %s", option->words);
	return true;
}

void option_explain(const char *name, struct text *out)
{
	struct text expects = { 0 };

	if (option_expects(name, &expects))
		text_printf(out, ": %s is %s", name, text_str(&expects));
	text_free(&expects);
}

void options_help(struct text *out)
{
	for (unsigned id = 0; id < OPTION_COUNT; id++) {
		const struct option *option = &options_table[id];
		struct text expects = { 0 };

		text_printf(out, "%-15s %s", option->name, option->meaning);
		if (option_expects(option->name, &expects))
			text_printf(out, " (%s)", text_str(&expects));
		text_puts(out, "\n");
		text_free(&expects);
	}
}

void options_report(const struct options *options, struct text *out)
{
	for (unsigned id = 0; id < OPTION_COUNT; id++) {
		const struct option *option = &options_table[id];

		if (!options->values[id].is_set || !(option->flags & LATER))
			continue;
		text_printf(out, "option %s has no effect here (%s)\n",
			    option->name, option->meaning);
	}
}
