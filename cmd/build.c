/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -h and -G: probes for programs, added when they are built.
 *
 * Makefiles were written for one of several dtrace commands.  What Linux
 * distributions install under that name understands little D but has flags of
 * its own; they are accepted, and what it ignores is ignored here, too, as
 * long as -h or -G says that this is a build.
 */
#include "cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Flags of the other command. */
static const char *const foreign_words[] = {
	"-k", "--types", "--no-pyparsing", "-fpic", "-fPIC",
};

static bool is_foreign(const char *word)
{
	for (size_t i = 0; i < sizeof(foreign_words) / sizeof(*foreign_words);
	     i++) {
		if (!strcmp(word, foreign_words[i]))
			return true;
	}
	return false;
}

/* After a tool, -h is its help. */
static bool is_building(struct command *command, int argc, char **argv)
{
	const char *script = NULL;
	bool is_found = false;
	int flag;

	opterr = 0;
	while ((flag = next_flag(argc, argv, flag_letters)) != -1) {
		if (flag == 's')
			script = optarg;
		if (flag == 'h' || flag == 'G')
			is_found |= !script || !letters_are_in(command, script);
	}
	opterr = 1;
	optind = 0; /* begin anew */
	return is_found;
}

bool build_prepare(struct command *command, int *argc, char **argv)
{
	int kept = 1;

	if (!is_building(command, *argc, argv))
		return false;
	for (int i = 1; i < *argc; i++) {
		if (!strcmp(argv[i], "--")) {
			while (i < *argc)
				argv[kept++] = argv[i++];
			break;
		}
		if (!is_foreign(argv[i]))
			argv[kept++] = argv[i];
	}
	argv[kept] = NULL;
	*argc = kept;
	return true;
}

/* The script's name without directory and ".d", with another suffix. */
static char *default_path(const char *script, const char *suffix)
{
	const char *slash = strrchr(script, '/');
	const char *base = slash ? slash + 1 : script;
	const char *dot = strrchr(base, '.');
	size_t n = dot && dot != base ? (size_t)(dot - base) : strlen(base);
	char *path = malloc(n + strlen(suffix) + 1);

	if (!path) {
		complain("out of memory");
		exit(EXIT_FATAL);
	}
	memcpy(path, base, n);
	strcpy(path + n, suffix);
	return path;
}

/* A script without a name from which output files could be named. */
static bool is_stdin(const struct request *request)
{
	return request->flag == 's' && (!strcmp(request->text, "-") ||
					!strcmp(request->text, "/dev/stdin"));
}

/* Others name a header after any script; never after their own. */
static bool is_header_name(const char *script)
{
	size_t n = strlen(script);

	return n > 2 && !strcmp(script + n - 2, ".h");
}

static int require_scripts(struct command *command, char flag)
{
	if (command->nrequests)
		return 0;
	complain("-%c requires one or more scripts or enabling options", flag);
	return EXIT_USAGE;
}

/*
 * make must not find half a header.  Only a file is removed: not a device, a
 * FIFO or a link, nor what took its name in the meantime.
 */
static void remove_half(const char *path, const struct stat *opened)
{
	struct stat now;

	if (S_ISREG(opened->st_mode) && !lstat(path, &now) &&
	    now.st_dev == opened->st_dev && now.st_ino == opened->st_ino)
		unlink(path);
}

static int write_header(struct command *command, const char *path)
{
	FILE *fp = fopen(path, "we");

	if (!fp) {
		complain("failed to open header file '%s': %s", path,
			 strerror(errno));
		return EXIT_FATAL;
	}
	struct stat opened;
	int status = 0;

	if (fstat(fileno(fp), &opened))
		opened.st_mode = 0;
	if (dtrace_program_header(command->dtp, fp, path))
		status = fail(command, "failed to create header file %s", path);
	if (fclose(fp) && !status) {
		complain("failed to create header file %s: %s", path,
			 strerror(errno));
		status = EXIT_FATAL;
	}
	if (status)
		remove_half(path, &opened);
	return status;
}

int command_header(struct command *command)
{
	int status = require_scripts(command, 'h');
	const struct request *request = command->requests;
	const char *path = command->output_path;

	if (status)
		return status;
	if (!path && command->nrequests > 1) {
		complain(
			"-h requires an output file if multiple scripts are specified");
		return EXIT_USAGE;
	}
	if (!path && request->flag != 's') {
		complain(
			"-h requires an output file if no scripts are specified");
		return EXIT_USAGE;
	}
	if (!path && is_stdin(request)) {
		complain(
			"-h requires an output file (-o) if the script is standard input");
		return EXIT_USAGE;
	}
	if (!path && is_header_name(request->text)) {
		complain(
			"-h requires an output file (-o): '%s' would be written over",
			request->text);
		return EXIT_USAGE;
	}
	status = command_compile(command);
	if (status)
		return status;
	char *own = path ? NULL : default_path(request->text, ".h");

	status = write_header(command, own ? own : path);
	free(own);
	return status;
}

/* An object of a program, or of all when pgp is NULL. */
static int link_program(struct command *command, const struct request *request,
			const char *path)
{
	unsigned flags = command->is_32	  ? DTRACE_D_32_EXT
			 : command->is_64 ? DTRACE_D_64_EXT
					  : 0;

	if (command_has(command, "lazyload"))
		flags |= DTRACE_D_LAZYLOAD_EXT;
	if (!dtrace_program_link(command->dtp,
				 command->output_path ? NULL : request->program,
				 flags, path, command->noperands - 1,
				 command->operands + 1))
		return 0;
	return fail(command, "failed to link %s %s", request_kind(request),
		    request->name);
}

int command_link(struct command *command)
{
	int status = require_scripts(command, 'G');

	if (!status)
		status = command_compile(command);
	if (status)
		return status;
	if (command->verbose)
		dtrace_optreport_ext(command->dtp, stderr);
	if (command->output_path)
		return link_program(command, command->requests,
				    command->output_path);
	for (unsigned i = 0; i < command->nrequests && !status; i++) {
		const struct request *request = &command->requests[i];
		bool is_named = request->flag == 's' && !is_stdin(request);
		char *path = is_named ? default_path(request->text, ".o")
				      : default_path("d", ".out");

		status = link_program(command, request, path);
		free(path);
	}
	return status;
}
