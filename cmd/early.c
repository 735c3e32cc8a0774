/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options that a program sets for the command of -c.
 *
 * The command is started before the programs are compiled, because they may
 * mention its pid; `#pragma D option setenv=` in them would come too late for
 * its environment.  So the texts are looked through for these lines first.
 * What is found goes to the handle as with -x; the compiler reports what is
 * wrong with it when it gets there.
 *
 * Lines in comments do not count.  Lines that only the C preprocessor would
 * remove or add do; a script that can be read once (a pipe) is left alone.
 */
#include "cmd.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const early[] = { "setenv", "unsetenv" };

/* After the word and the blanks that follow it, or NULL. */
static const char *after_word(const char *p, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(p, word, n) || !isspace((unsigned char)p[n]))
		return NULL;
	return p + n + strspn(p + n, " \t");
}

/* The option of "#pragma D option OPTION", or NULL. */
static const char *option_of(const char *line)
{
	line += strspn(line, " \t");
	if (*line != '#')
		return NULL;
	line += 1 + strspn(line + 1, " \t");
	line = after_word(line, "pragma");
	if (line)
		line = after_word(line, "D");
	return line ? after_word(line, "option") : NULL;
}

static void look_at_line(struct command *command, const char *line)
{
	const char *option = option_of(line);

	for (size_t i = 0; option && i < sizeof(early) / sizeof(*early); i++) {
		size_t n = strlen(early[i]);
		char value[1024];

		if (strncmp(option, early[i], n) || option[n] != '=')
			continue;
		snprintf(value, sizeof(value), "%.*s",
			 (int)strcspn(option + n + 1, " \t\r\n"),
			 option + n + 1);
		char *expanded = dtrace_param_expand_ext(command->dtp, value);

		dtrace_setopt(command->dtp, early[i],
			      expanded ? expanded : value);
		free(expanded);
	}
}

/* Comments become blanks; newlines and strings stay. */
static void blank_comments(char *text)
{
	bool is_comment = false, is_string = false;

	for (char *p = text; *p; p++) {
		if (is_comment && p[0] == '*' && p[1] == '/') {
			p[0] = p[1] = ' ';
			p++;
			is_comment = false;
		} else if (is_comment) {
			*p = *p == '\n' ? '\n' : ' ';
		} else if (is_string) {
			if (*p == '\\' && p[1])
				p++;
			else if (*p == '"' || *p == '\n')
				is_string = false;
		} else if (p[0] == '/' && p[1] == '*') {
			p[0] = p[1] = ' ';
			p++;
			is_comment = true;
		} else {
			is_string = *p == '"';
		}
	}
}

static void look_at_text(struct command *command, char *text)
{
	char *state;

	blank_comments(text);
	for (char *line = strtok_r(text, "\n", &state); line;
	     line = strtok_r(NULL, "\n", &state))
		look_at_line(command, line);
}

/* NULL: it cannot be read, or not more than once. */
static char *read_script(const char *path)
{
	struct stat status;
	FILE *file = stat(path, &status) || !S_ISREG(status.st_mode)
			     ? NULL
			     : fopen(path, "r");
	char *text = file ? malloc((size_t)status.st_size + 1) : NULL;

	if (text)
		text[fread(text, 1, (size_t)status.st_size, file)] = '\0';
	if (file)
		fclose(file);
	return text;
}

void command_early_options(struct command *command)
{
	for (unsigned i = 0; i < command->nrequests; i++) {
		const struct request *request = &command->requests[i];
		char *text = request->flag == 's' ? read_script(request->text)
						  : strdup(request->text);

		if (text)
			look_at_text(command, text);
		free(text);
	}
}
