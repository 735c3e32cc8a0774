/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "#!/usr/sbin/dtrace -q -s": several words after the interpreter.
 *
 * Linux hands them to us as one argument, "-q -s", in front of the script's
 * name.  They are taken apart if the script really begins with such a line:
 * `dtrace '-n BEGIN'` stays one flag.
 */
#include "cmd.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 64 };

static char *trimmed(char *text)
{
	size_t n = strlen(text);

	while (n && isspace((unsigned char)text[n - 1]))
		text[--n] = '\0';
	return text + strspn(text, " \t");
}

/* Whether the script's first line is the one that started us. */
static bool is_interpreter_line(const char *script, const char *words)
{
	char line[4096] = "";
	FILE *file = fopen(script, "re");
	bool is_it = file && fgets(line, sizeof(line), file) &&
		     !strncmp(line, "#!", 2);

	if (file)
		fclose(file);
	if (!is_it)
		return false;
	char *rest = trimmed(line + 2);

	rest += strcspn(rest, " \t");
	return !strcmp(trimmed(rest), words);
}

char **interpreter_words(int *argc, char **argv)
{
	char *words = *argc > 2 ? argv[1] : NULL;
	char **all, *state;
	int count = 0;

	if (!words || *words != '-' || !strpbrk(words, " \t") ||
	    !is_interpreter_line(argv[2], words))
		return NULL;
	all = calloc((size_t)*argc + MOST_WORDS + 1, sizeof(*all));
	if (!all)
		return NULL;
	all[count++] = argv[0];
	for (char *word = strtok_r(words, " \t", &state);
	     word && count <= MOST_WORDS; word = strtok_r(NULL, " \t", &state))
		all[count++] = word;
	for (int i = 2; i < *argc; i++)
		all[count++] = argv[i];
	*argc = count;
	return all;
}
