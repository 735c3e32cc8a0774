/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Letters of scripts: #pragma D parameter name -n string ...
 *
 * Tools have had one-letter options for twenty years, and some of these are
 * dtrace's own: opensnoop's -n is a name and its -x means "failed only".  So a
 * letter that a script declares is the script's after it; all others remain
 * dtrace's.  A letter becomes a long word among the operands, where parameters.c
 * finds it.  -h is a script's --help, if it declares letters and not that one.
 *
 * The script is read when its name is seen, because the meaning of what follows
 * depends on it.  Options of the preprocessor must stand before it then.
 */
#include "cmd.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void *checked(void *memory)
{
	if (memory)
		return memory;
	complain("out of memory");
	exit(EXIT_FATAL);
}

static struct script_letter *find(const struct command *command, char letter)
{
	for (unsigned i = 0; i < command->nletters; i++)
		if (command->letters[i].letter == letter)
			return &command->letters[i];
	return NULL;
}

static void add(struct command *command, char letter, bool takes_value,
		const char *name)
{
	size_t size = (command->nletters + 1) * sizeof(*command->letters);
	char *word;

	if (find(command, letter))
		return;
	command->letters = checked(realloc(command->letters, size));
	word = checked(malloc(strlen(name) + sizeof("--")));
	memcpy(word, "--", 2);
	strcpy(word + 2, name);
	command->letters[command->nletters++] =
		(struct script_letter){ letter, takes_value, word };
}

static int see_parameter(dtrace_hdl_t *dtp, const dtrace_param_ext_t *param,
			 void *arg)
{
	(void)dtp;
	if (param->dtpa_letter)
		add(arg, param->dtpa_letter, strcmp(param->dtpa_type, "bool"),
		    param->dtpa_name);
	return 0;
}

/* Ours that are not the scripts', then the scripts'. */
static void merge_flags(struct command *command)
{
	char *at = checked(calloc(1, strlen(flag_letters) +
					     2 * command->nletters + 1));

	free(command->flags);
	command->flags = at;
	for (const char *p = flag_letters; *p; p++) {
		bool is_ours = !find(command, *p);

		if (is_ours)
			*at++ = *p;
		if (p[1] == ':') {
			p++;
			if (is_ours)
				*at++ = *p;
		}
	}
	for (unsigned i = 0; i < command->nletters; i++) {
		*at++ = command->letters[i].letter;
		if (command->letters[i].takes_value)
			*at++ = ':';
	}
}

bool letters_are_in(const struct command *command, const char *path)
{
	struct stat status;

	/* a pipe can be read only once, and a file that is missing is told later */
	return !stat(path, &status) && S_ISREG(status.st_mode) &&
	       dtrace_param_letters_ext(command->dtp, path) == 1;
}

int letters_learn(struct command *command, const char *path)
{
	if (!letters_are_in(command, path))
		return 0;
	if (dtrace_param_file_ext(command->dtp, path))
		return -1;
	dtrace_param_iter_ext(command->dtp, see_parameter, command);
	add(command, 'h', false, "help");
	merge_flags(command);
	return 1;
}

bool letters_has(const struct command *command, char letter)
{
	return find(command, letter);
}

const char *letters_flags(const struct command *command)
{
	return command->flags ? command->flags : flag_letters;
}

char *letters_word(struct command *command, char letter, const char *value)
{
	const struct script_letter *found = find(command, letter);
	char *word;

	if (!found)
		return NULL;
	if (!found->takes_value)
		return found->word;
	command->words = checked(realloc(command->words,
					 (command->nwords + 1) *
						 sizeof(*command->words)));
	word = checked(malloc(strlen(found->word) + strlen(value) + 2));
	sprintf(word, "%s=%s", found->word, value);
	return command->words[command->nwords++] = word;
}

void letters_free(struct command *command)
{
	for (unsigned i = 0; i < command->nletters; i++)
		free(command->letters[i].word);
	for (unsigned i = 0; i < command->nwords; i++)
		free(command->words[i]);
	free(command->letters);
	free(command->words);
	free(command->flags);
}
