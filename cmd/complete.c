/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --complete WORD ...: how a command line could go on.
 *
 * The words are those after "dtrace", up to and with the one at the cursor, which
 * may be empty.  Each line of output is a word to put in its place and, after a
 * tab, what it is; one that ends in = : ( [ or -> goes on.  Of a word with several
 * lines, the last one is meant and printed.  Nothing is printed where a file name
 * belongs: shells know these better.
 *
 * It must be fast and is asked often: it looks only at scripts that are files, and
 * the library lists only the probes of the provider that has been typed.
 */
#include "cmd.h"

#include <ctype.h>
#include <dirent.h>
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
	bool wants_pid;	    /* as that value */
	const char *before; /* printed in front of each candidate */
	size_t nbefore;
	/* programs of earlier words: theirs are the variables, too */
	char *programs;
	size_t nprograms;
	unsigned count; /* of candidates in D */
};

static bool starts_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

static void print(const struct completion *completion, const char *candidate,
		  const char *after, const char *about)
{
	const char *before = completion->before;
	const char *end = before + completion->nbefore;
	const char *newline = memrchr(before, '\n', completion->nbefore);

	if (newline)
		before = newline + 1;
	printf("%.*s%s%s%s%s\n", (int)(end - before), before, candidate, after,
	       *about ? "\t" : "", about);
}

/* A candidate for what has been typed, the end of the word. */
static void offer(const struct completion *completion, const char *typed,
		  const char *candidate, const char *after, const char *about)
{
	if (starts_with(candidate, typed))
		print(completion, candidate, after, about);
}

/* One that is in the usage text. */
static void offer_known(const struct completion *completion, const char *typed,
			const char *candidate)
{
	char about[128];

	usage_about(candidate, about, sizeof(about));
	offer(completion, typed, candidate, "", about);
}

/* ----------------------------------------------------------- long words */

struct long_words {
	const struct completion *completion;
	const char *wanted; /* a parameter, or NULL: print all */
	bool takes_word;    /* the wanted one does */
	bool takes_pid;
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
		      is_switch ? "" : "=", param->dtpa_help);
		if (is_switch)
			offer(completion, completion->word, no, "", "");
		return 0;
	}
	if (strcmp(words->wanted, option) &&
	    (strncmp(words->wanted, "--", 2) ||
	     strcmp(words->wanted + 2, param->dtpa_name)))
		return 0;
	words->takes_word = !is_switch;
	words->takes_pid = !strcmp(param->dtpa_type, "pid");
	return 1;
}

static bool takes_word(struct completion *completion, const char *word)
{
	struct long_words words = { .completion = completion, .wanted = word };

	if (completion->has_program)
		dtrace_param_iter_ext(completion->command->dtp, see_parameter,
				      &words);
	completion->wants_pid = words.takes_pid;
	return words.takes_word ||
	       (!completion->has_program && !strcmp(word, "--replay"));
}

static void offer_long(const struct completion *completion)
{
	struct long_words words = { .completion = completion };

	offer_known(completion, completion->word, "--help");
	if (completion->has_program) {
		dtrace_param_iter_ext(completion->command->dtp, see_parameter,
				      &words);
		return;
	}
	offer_known(completion, completion->word, "--check");
	offer_known(completion, completion->word, "--replay");
}

/* A letter of a script. */
struct letter {
	char letter;
	char about[128];
	bool takes_pid;
};

static int see_letter(dtrace_hdl_t *dtp, const dtrace_param_ext_t *param,
		      void *arg)
{
	struct letter *letter = arg;

	(void)dtp;
	if (param->dtpa_letter != letter->letter)
		return 0;
	snprintf(letter->about, sizeof(letter->about), "%s", param->dtpa_help);
	letter->takes_pid = !strcmp(param->dtpa_type, "pid");
	return 1;
}

static struct letter letter_of(const struct completion *completion, char flag)
{
	struct letter letter = { .letter = flag };

	dtrace_param_iter_ext(completion->command->dtp, see_letter, &letter);
	return letter;
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
		offer(completion, typed, "yes", "", "");
		offer(completion, typed, "no", "", "");
	}
	if (!strchr(last, '|'))
		return;
	for (char *word = strtok_r(last + 1, "|", &state); word;
	     word = strtok_r(NULL, "|", &state))
		offer(completion, typed, word, "", "");
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

		offer(completion, typed, name, is_switch ? "" : "=",
		      expects ? expects : "");
		free(expects);
	}
	offer(completion, typed, "help", "", "all options");
}

/* ------------------------------------------------------------- programs */

static int see_candidate(dtrace_hdl_t *dtp,
			 const dtrace_completion_ext_t *candidate, void *arg)
{
	struct completion *completion = arg;
	size_t nbefore = completion->nbefore;

	(void)dtp;
	if (candidate->dtco_start < completion->nprograms)
		return 0;
	completion->nbefore += candidate->dtco_start - completion->nprograms;
	print(completion, candidate->dtco_text, candidate->dtco_after,
	      candidate->dtco_detail);
	completion->nbefore = nbefore;
	return ++completion->count >= MOST_CANDIDATES;
}

/* For a text behind those of earlier words. */
static void add_program(struct completion *completion, const char *text,
			const char *after)
{
	size_t n = strlen(text), nafter = strlen(after);
	char *programs = realloc(completion->programs,
				 completion->nprograms + n + nafter + 1);

	if (!programs)
		return;
	completion->programs = programs;
	memcpy(programs + completion->nprograms, text, n);
	strcpy(programs + completion->nprograms + n, after);
	completion->nprograms += n + nafter;
}

static void offer_program(struct completion *completion, const char *typed,
			  dtrace_probespec_t spec)
{
	size_t before = completion->nprograms;

	add_program(completion, typed, "");
	size_t size = completion->nprograms;

	completion->nprograms = before;
	if (completion->programs)
		dtrace_complete_ext(completion->command->dtp,
				    completion->programs, size, size, spec,
				    see_candidate, completion);
}

/* ------------------------------------------------------------ processes */

static void offer_processes(const struct completion *completion,
			    const char *typed)
{
	DIR *directory = opendir("/proc");
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		char path[300], name[64] = "";

		if (!isdigit((unsigned char)*entry->d_name) ||
		    !starts_with(entry->d_name, typed))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		FILE *file = fopen(path, "re");

		if (!file)
			continue;
		if (fgets(name, sizeof(name), file))
			name[strcspn(name, "\n")] = '\0';
		fclose(file);
		char *shown = dtrace_visible_ext(name, 0);

		print(completion, entry->d_name, "", shown ? shown : "");
		free(shown);
	}
	if (directory)
		closedir(directory);
}

/* -------------------------------------------------------- command lines */

static void offer_flags(const struct completion *completion)
{
	char flag[3] = "-";

	/* -B does nothing, 3 and 6 are halves of numbers */
	for (const char *p = letters_flags(completion->command); *p; p++) {
		flag[1] = *p;
		if (letters_has(completion->command, *p))
			offer(completion, completion->word, flag, "",
			      letter_of(completion, *p).about);
		else if (!strchr("-:36B", *p) && !flag_is_refused(*p))
			offer_known(completion, completion->word, flag);
	}
	offer_long(completion);
}

static void offer_value(struct completion *completion, const char *typed)
{
	static const char flags[] = "Pmfni";
	const char *at = strchr(flags, completion->flag);

	completion->before = completion->word;
	completion->nbefore = (size_t)(typed - completion->word);
	if (letters_has(completion->command, completion->flag)) {
		if (letter_of(completion, completion->flag).takes_pid)
			offer_processes(completion, typed);
		return;
	}
	if (completion->flag == 'x')
		offer_options(completion, typed);
	else if (completion->flag == 'p')
		offer_processes(completion, typed);
	else if (at)
		offer_program(completion, typed,
			      (dtrace_probespec_t)(DTRACE_PROBESPEC_PROVIDER +
						   (at - flags)));
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

/* Not a description alone? */
static bool ends_element(const char *text)
{
	size_t n = strlen(text);

	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	return n && strchr(";}", text[n - 1]);
}

static void see_program(struct completion *completion, char flag,
			const char *value)
{
	dtrace_hdl_t *dtp = completion->command->dtp;
	struct stat status;

	if (letters_has(completion->command, flag))
		return;
	if (flag == 'p') /* $target */
		dtrace_proc_grab_pid(dtp, (pid_t)atoi(value), 0);
	if (!strchr("fimnPs", flag))
		return;
	completion->has_program = true;
	if (flag != 's') {
		dtrace_param_text_ext(dtp, value);
		if (flag == 'n')
			add_program(completion, value,
				    ends_element(value) ? "\n" : " {}\n");
	} else if (!letters_learn(completion->command, value) &&
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
			completion->wants_pid &= completion->is_over;
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

static void offer_word(struct completion *completion)
{
	const char *value = NULL;

	if (completion->wants_pid)
		offer_processes(completion, completion->word);
	if (completion->is_over)
		return;
	if (completion->flag) {
		offer_value(completion, completion->word);
		return;
	}
	if (*completion->word != '-')
		return;
	if (starts_with(completion->word, "--")) {
		offer_long(completion);
		return;
	}
	completion->flag = valued_flag(completion, completion->word, &value);
	if (value)
		offer_value(completion, value);
	else
		offer_flags(completion);
}

int command_complete(struct command *command, int argc, char **argv)
{
	struct completion completion = { .command = command, .before = "" };

	if (!argc)
		return 0;
	completion.word = argv[argc - 1];
	see_words(&completion, argc, argv);
	offer_word(&completion);
	free(completion.programs);
	return finish_output(stdout);
}
