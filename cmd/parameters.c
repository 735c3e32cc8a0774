/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parameters of programs: --NAME VALUE after -s, -n and the like.
 *
 * All programs are asked for their declarations before anything else is done, so
 * a word that none of them declares is refused before a command is started, a
 * file is created or a probe enabled.  Only a script that may take its time (a
 * pipe) is left for later, after commands have been started, as long as there is
 * no word for it.
 */
#include "cmd.h"

#include <string.h>
#include <sys/stat.h>

/* The path of the script, if that is all there is; else the other name. */
static const char *program_name(const struct command *command,
				const char *other)
{
	const struct request *request = command->requests;

	return command->nrequests == 1 && request->flag == 's' ? request->text
							       : other;
}

/* Is it a mode in which programs are compiled? */
static bool has_programs(enum mode mode)
{
	return mode == MODE_TRACE || mode == MODE_LIST || mode == MODE_HEADER ||
	       mode == MODE_LINK;
}

static bool is_file(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode);
}

static int read_declarations(struct command *command)
{
	bool is_wanted = command->noperands > 1;

	for (unsigned i = 0; i < command->nrequests; i++) {
		const struct request *request = &command->requests[i];

		if (request->is_read)
			continue;
		if (request->flag != 's') {
			if (dtrace_param_text_ext(command->dtp, request->text))
				return compile_failed(command, request);
			continue;
		}
		if (!is_wanted && !is_file(request->text))
			continue;
		if (dtrace_param_file_ext(command->dtp, request->text))
			return compile_failed(command, request);
	}
	return 0;
}

int command_parameters(struct command *command, bool *is_done)
{
	if (!command->nrequests || !has_programs(command->mode))
		return 0;
	int status = read_declarations(command);

	if (status)
		return status;
	switch (dtrace_param_parse_ext(command->dtp, &command->noperands,
				       command->operands)) {
	case 0:
		return 0;
	case 1:
		*is_done = true;
		dtrace_param_help_ext(command->dtp,
				      program_name(command, "dtrace ..."),
				      stdout);
		return finish_output(stdout);
	default:
		fail(command, "%s", program_name(command, "command line"));
		return EXIT_USAGE;
	}
}
