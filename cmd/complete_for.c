/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --complete-for COMMAND WORD ...: how a command line of a tool could go on.
 *
 * A tool is a D script, whose parameters are known, or a command that explains its
 * options with --help, one to a line:
 *
 *	-p pid - only this process
 *	--off-cpu - time in which threads do not run
 *
 * so nothing about any of them is written down twice.  The word after an option says
 * what it takes: a pid, or an option of tracing.
 */
#include "cmd.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The file that the shell would run, or false. */
static bool find(const char *name, char *path, size_t size)
{
	const char *at = getenv("PATH");

	if (strchr(name, '/'))
		return snprintf(path, size, "%s", name) < (int)size &&
		       !access(path, X_OK);
	while (at && *at) {
		size_t n = strcspn(at, ":");

		if (snprintf(path, size, "%.*s/%s", (int)n, at, name) <
			    (int)size &&
		    !access(path, X_OK))
			return true;
		at += n + (at[n] == ':');
	}
	return false;
}

/* Begins with #! and the name of dtrace? */
static bool is_script(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[256] = "";

	if (!file)
		return false;
	bool is = fgets(line, sizeof(line), file) && !strncmp(line, "#!", 2) &&
		  strstr(line, "dtrace");

	fclose(file);
	return is;
}

/* What the command prints for --help, wherever; -1: it cannot be run. */
static int ask_for_help(const char *path)
{
	int ends[2];

	if (pipe(ends))
		return -1;
	pid_t pid = fork();

	if (!pid) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		execl(path, path, "--help", (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	return ends[0];
}

/* An option in a line of help, and what follows it. */
struct described {
	char option[64];
	const char *takes; /* "pid - only ...": the word after it, or "" */
	const char *about;
};

/* The option at the beginning of `line`; where to look for another, or NULL. */
static char *read_option(char *line, struct described *described)
{
	size_t n = strspn(line, " \t");
	char *option = line + n;
	size_t length = strcspn(option, " \t=,\n");

	if (!n || *option != '-' || length >= sizeof(described->option) ||
	    length < 2 || !isalnum((unsigned char)option[length - 1]))
		return NULL;
	memcpy(described->option, option, length);
	described->option[length] = '\0';
	described->takes = option + length + strspn(option + length, " =");
	const char *dash = strstr(option, " - "), *wide = strstr(option, "  ");
	const char *about = dash ? dash + 3 : wide ? wide : "";

	described->about = about + strspn(about, " ");
	return option[length] == ',' ? option + length + 1 : NULL;
}

struct search {
	const char *word;   /* at the cursor */
	const char *before; /* the one before it, or "" */
	bool takes_pid, takes_option;
};

static void see_line(struct search *search, char *line)
{
	line[strcspn(line, "\n")] = '\0';
	for (char *at = line; at;) {
		struct described described = { "", "", "" };

		at = read_option(at, &described);
		if (!*described.option)
			return;
		if (!strcmp(described.option, search->before)) {
			search->takes_pid |= !strncasecmp(described.takes,
							  "pid", 3);
			search->takes_option |=
				!strncmp(described.takes, "opt", 3) ||
				!strncmp(described.takes, "arg[", 4);
		}
		if (*search->word == '-' &&
		    !strncmp(described.option, search->word,
			     strlen(search->word)))
			printf("%s%s%s\n", described.option,
			       *described.about ? "\t" : "", described.about);
	}
}

int command_complete_for(struct command *command, int argc, char **argv)
{
	char path[PATH_MAX];

	if (argc < 2 || !find(argv[0], path, sizeof(path)))
		return 0;
	if (is_script(path)) {
		char *words[argc + 2];

		words[0] = "-s";
		words[1] = path;
		memcpy(words + 2, argv + 1, (size_t)argc * sizeof(*words));
		return command_complete(command, argc + 1, words);
	}
	int help = ask_for_help(path);
	FILE *file = help < 0 ? NULL : fdopen(help, "r");
	struct search search = { .word = argv[argc - 1],
				 .before = argc > 2 ? argv[argc - 2] : "" };
	char line[512];

	while (file && fgets(line, sizeof(line), file))
		see_line(&search, line);
	if (file)
		fclose(file);
	while (wait(NULL) > 0)
		continue;
	char *pids[] = { "-p", argv[argc - 1], NULL };
	char *options[] = { "-x", argv[argc - 1], NULL };

	if (search.takes_pid)
		return command_complete(command, 2, pids);
	if (search.takes_option)
		return command_complete(command, 2, options);
	return finish_output(stdout);
}
