/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --complete WORD ...: how a command line could go on.
 *
 * The words are those after "dtrace", up to and with the one at the cursor, which
 * may be empty.  Each line of output is a word to put in its place; one that ends
 * in "=" or ":" goes on.  Nothing is printed where a file name belongs: shells
 * know these better.
 *
 * It must be fast and is asked often: it compiles nothing, looks only at scripts
 * that are files, and lists only the probes of the provider that has been typed.
 */
#include "cmd.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_CANDIDATES = 1000 };

struct completion {
	struct command *command;
	const char *word;   /* the one at the cursor */
	char flag;	    /* whose value the word is, or 0 */
	bool has_program;   /* before the word: long words are its own */
	bool is_over;	    /* after "--", or the value of a parameter */
	const char *before; /* printed in front of each candidate */
	size_t nbefore;
};

static bool starts_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/* A candidate for what has been typed, `typed` bytes of the word's end. */
static void offer(const struct completion *completion, const char *typed,
		  const char *candidate, const char *after)
{
	if (starts_with(candidate, typed))
		printf("%.*s%s%s\n", (int)completion->nbefore,
		       completion->before, candidate, after);
}

/* ----------------------------------------------------------- long words */

struct long_words {
	const struct completion *completion;
	const char *wanted; /* a parameter, or NULL: print all */
	bool takes_word;    /* the wanted one does */
};

static void set_option(char *option, size_t size, const char *before,
		       const char *name)
{
	snprintf(option, size, "--%s%s", before, name);
	for (char *p = option; *p; p++)
		if (*p == '_')
			*p = '-';
}

static int see_parameter(dtrace_hdl_t *dtp, const dtrace_param_ext_t *param,
			 void *arg)
{
	struct long_words *words = arg;
	const struct completion *completion = words->completion;
	bool is_switch = !strcmp(param->dtpa_type, "bool");
	char option[256], no[256];

	(void)dtp;
	set_option(option, sizeof(option), "", param->dtpa_name);
	set_option(no, sizeof(no), "no-", param->dtpa_name);
	if (!words->wanted) {
		offer(completion, completion->word, option,
		      is_switch ? "" : "=");
		if (is_switch)
			offer(completion, completion->word, no, "");
		return 0;
	}
	if (strcmp(words->wanted, option) &&
	    (strncmp(words->wanted, "--", 2) ||
	     strcmp(words->wanted + 2, param->dtpa_name)))
		return 0;
	words->takes_word = !is_switch;
	return 1;
}

static bool takes_word(const struct completion *completion, const char *word)
{
	struct long_words words = { completion, word, false };

	if (completion->has_program)
		dtrace_param_iter_ext(completion->command->dtp, see_parameter,
				      &words);
	return words.takes_word ||
	       (!completion->has_program && !strcmp(word, "--replay"));
}

static void offer_long(const struct completion *completion)
{
	struct long_words words = { completion, NULL, false };

	offer(completion, completion->word, "--help", "");
	if (completion->has_program) {
		dtrace_param_iter_ext(completion->command->dtp, see_parameter,
				      &words);
		return;
	}
	offer(completion, completion->word, "--check", "");
	offer(completion, completion->word, "--replay", "");
}

/* -------------------------------------------------------------- options */

/* The words of "one of a|b|c", or of a switch. */
static void offer_values(struct completion *completion, const char *typed,
			 char *expects)
{
	char *last = expects ? strrchr(expects, ' ') : NULL, *state;

	if (!last)
		return;
	if (starts_with(expects, "yes or no")) {
		offer(completion, typed, "yes", "");
		offer(completion, typed, "no", "");
	}
	if (!strchr(last, '|'))
		return;
	for (char *word = strtok_r(last + 1, "|", &state); word;
	     word = strtok_r(NULL, "|", &state))
		offer(completion, typed, word, "");
}

static void offer_options(struct completion *completion, const char *typed)
{
	const char *equals = strchr(typed, '='), *name;

	if (equals) {
		char *copy = strndup(typed, (size_t)(equals - typed));
		char *expects = copy ? dtrace_optexpects_ext(copy) : NULL;

		completion->nbefore += (size_t)(equals + 1 - typed);
		offer_values(completion, equals + 1, expects);
		free(expects);
		free(copy);
		return;
	}
	for (unsigned i = 0; (name = dtrace_optname_ext(i)); i++) {
		char *expects = dtrace_optexpects_ext(name);
		bool is_switch = expects && starts_with(expects, "yes or no");

		offer(completion, typed, name, is_switch ? "" : "=");
		free(expects);
	}
	offer(completion, typed, "help", "");
}

/* --------------------------------------------------------------- probes */

/* The part of a description that is being typed. */
struct parts {
	struct completion *completion;
	const char *typed;
	unsigned part, last; /* 0: provider ... 3: name */
	void *seen;	     /* a tree of names */
	unsigned count;
};

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int see_probe(dtrace_hdl_t *dtp, const dtrace_probedesc_t *probe,
		     void *arg)
{
	struct parts *parts = arg;
	const char *const names[] = { probe->dtpd_provider, probe->dtpd_mod,
				      probe->dtpd_func, probe->dtpd_name };
	const char *name = names[parts->part];

	(void)dtp;
	if (tfind(name, &parts->seen, compare))
		return 0;
	char *copy = strdup(name);

	if (!copy || !tsearch(copy, &parts->seen, compare)) {
		free(copy);
		return 1;
	}
	offer(parts->completion, parts->typed, name,
	      parts->part < parts->last ? ":" : "");
	return ++parts->count >= MOST_CANDIDATES;
}

/* What is typed is a pattern's beginning. */
static void offer_parts(struct parts *parts, const char *description)
{
	dtrace_hdl_t *dtp = parts->completion->command->dtp;
	char text[DTRACE_FULLNAMELEN];
	dtrace_probedesc_t wanted;

	/* provider:module:func* and no more parts: the others are any */
	if (snprintf(text, sizeof(text), "%s*%.*s", description,
		     (int)(3 - parts->part), ":::") >= (int)sizeof(text) ||
	    dtrace_str2desc(dtp, DTRACE_PROBESPEC_NAME, text, &wanted))
		return;
	dtrace_probe_iter(dtp, &wanted, see_probe, parts);
	tdestroy(parts->seen, free);
}

static void offer_providers(struct completion *completion, const char *typed,
			    unsigned last)
{
	static const char *const frequent[] = { "BEGIN", "END", "ERROR" };
	const char *name;

	for (unsigned i = 0; (name = dtrace_provider_name_ext(i)); i++)
		offer(completion, typed, name, last ? ":" : "");
	for (size_t i = 0; last == 3 && i < 3; i++)
		offer(completion, typed, frequent[i], "");
}

/* The description at the end of a list of them; not what follows one. */
static void offer_probes(struct completion *completion, const char *typed,
			 unsigned last)
{
	const char *comma = strrchr(typed, ','), *description = typed;
	struct parts parts = { .completion = completion, .last = last };

	if (typed[strcspn(typed, "/{;")])
		return;
	if (comma)
		description = comma + 1 + strspn(comma + 1, " \t\n");
	parts.typed = description;
	for (const char *p = description; *p; p++) {
		if (*p != ':')
			continue;
		parts.typed = p + 1;
		parts.part++;
	}
	completion->nbefore += (size_t)(parts.typed - typed);
	if (!parts.part)
		offer_providers(completion, parts.typed, last);
	else if (parts.part <= last && *description != ':')
		offer_parts(&parts, description);
}

/* -------------------------------------------------------- command lines */

static void offer_flags(const struct completion *completion)
{
	char flag[3] = "-";

	/* -B does nothing, 3 and 6 are halves of numbers */
	for (const char *p = letters_flags(completion->command); *p; p++) {
		flag[1] = *p;
		if (!strchr("-:36B", *p) && !flag_is_refused(*p))
			offer(completion, completion->word, flag, "");
	}
	offer_long(completion);
}

static void offer_value(struct completion *completion, const char *typed)
{
	static const char flags[] = "Pmfn";
	const char *at = strchr(flags, completion->flag);

	completion->before = completion->word;
	completion->nbefore = (size_t)(typed - completion->word);
	if (letters_has(completion->command, completion->flag))
		return;
	if (completion->flag == 'x')
		offer_options(completion, typed);
	else if (at)
		offer_probes(completion, typed, (unsigned)(at - flags));
}

/*
 * The flag of a cluster that takes a value, or 0; the value, if it is in the same
 * word.
 */
static char valued_flag(const struct completion *completion, const char *word,
			const char **value)
{
	const char *flags = letters_flags(completion->command);

	for (const char *p = word + 1; *p; p++) {
		const char *at = *p == ':' ? NULL : strchr(flags, *p);

		if (!at || at[1] != ':')
			continue;
		*value = p[1] ? p + 1 : NULL;
		return *p;
	}
	return '\0';
}

static void see_program(struct completion *completion, char flag,
			const char *value)
{
	dtrace_hdl_t *dtp = completion->command->dtp;
	struct stat status;

	if (!strchr("fimnPs", flag) || letters_has(completion->command, flag))
		return;
	completion->has_program = true;
	if (flag != 's')
		dtrace_param_text_ext(dtp, value);
	else if (!letters_learn(completion->command, value) &&
		 !stat(value, &status) && S_ISREG(status.st_mode))
		dtrace_param_file_ext(dtp, value);
}

/* What the words before the last one mean for it. */
static void see_words(struct completion *completion, int argc, char **argv)
{
	for (int i = 0; i < argc - 1; i++) {
		const char *word = argv[i], *value = NULL;

		if (!strcmp(word, "--")) {
			completion->is_over = true;
			return;
		}
		if (starts_with(word, "--")) {
			i += takes_word(completion, word);
			completion->is_over = i == argc - 1;
			continue;
		}
		char flag = *word == '-' ? valued_flag(completion, word, &value)
					 : '\0';

		if (!flag)
			continue;
		if (!value && i + 2 == argc) {
			completion->flag = flag;
			return;
		}
		see_program(completion, flag, value ? value : argv[++i]);
	}
}

int command_complete(struct command *command, int argc, char **argv)
{
	struct completion completion = { .command = command, .before = "" };
	const char *value = NULL;

	if (!argc)
		return 0;
	completion.word = argv[argc - 1];
	see_words(&completion, argc, argv);
	if (completion.is_over)
		return 0;
	if (completion.flag) {
		offer_value(&completion, completion.word);
		return finish_output(stdout);
	}
	if (*completion.word != '-')
		return 0;
	if (starts_with(completion.word, "--")) {
		offer_long(&completion);
		return finish_output(stdout);
	}
	completion.flag = valued_flag(&completion, completion.word, &value);
	if (value)
		offer_value(&completion, value);
	else
		offer_flags(&completion);
	return finish_output(stdout);
}
