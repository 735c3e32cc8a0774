/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtrace(8): the modes.
 *
 * The command line decides between tracing (the default), listing, compiling
 * only, building probes for programs, and printing the version.  Exit status:
 * 0, 1 after a fatal error, 2 for wrong usage, or what exit() in the program
 * said.
 */
#include "cmd.h"
#include "streams.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	char flag;
	dtrace_probespec_t spec;
} specs[] = {
	{ 'P', DTRACE_PROBESPEC_PROVIDER }, { 'm', DTRACE_PROBESPEC_MOD },
	{ 'f', DTRACE_PROBESPEC_FUNC },	    { 'n', DTRACE_PROBESPEC_NAME },
	{ 'i', DTRACE_PROBESPEC_ID },
};

static dtrace_probespec_t spec_of(char flag)
{
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		if (specs[i].flag == flag)
			return specs[i].spec;
	}
	return DTRACE_PROBESPEC_NONE;
}

int compile_failed(struct command *command, const struct request *request)
{
	if (request->flag != 's')
		return fail(command, "invalid probe specifier %s",
			    request->text);
	if (dtrace_errno(command->dtp) == EDT_FILE) {
		fail(command, "failed to open %s", request->text);
		if (strchr(request->text, '{'))
			hint("a program on the command line is given with -n");
		return EXIT_FATAL;
	}
	return fail(command, "failed to compile script %s", request->text);
}

static void compile(struct command *command, struct request *request)
{
	char *const *operands = command->operands;
	int count = command->noperands;
	unsigned flags = command->is_building ? DTRACE_C_BUILD_EXT : 0;

	if (request->flag != 's') {
		request->program =
			dtrace_program_strcompile(command->dtp, request->text,
						  spec_of(request->flag), flags,
						  count, operands);
		return;
	}
	command->operands[0] = (char *)(uintptr_t)request->text;
	request->program = dtrace_program_pathcompile_ext(command->dtp,
							  request->text, flags,
							  count, operands);
}

int command_compile(struct command *command)
{
	char *name = command->operands[0];
	int status = command_processes(command); /* for $target */

	if (status)
		return status;
	for (unsigned i = 0; i < command->nrequests; i++) {
		struct request *request = &command->requests[i];

		command->operands[0] = name;
		compile(command, request);
		if (!request->program ||
		    dtrace_program_complete_ext(command->dtp, request->program))
			return compile_failed(command, request);
	}
	if (command->mode == MODE_TRACE && command->nrequests &&
	    dtrace_program_finish_ext(command->dtp))
		return compile_failed(
			command, &command->requests[command->nrequests - 1]);
	return 0;
}

bool command_has(struct command *command, const char *option)
{
	dtrace_optval_t value = DTRACEOPT_UNSET;

	dtrace_getopt(command->dtp, option, &value);
	return value != DTRACEOPT_UNSET && value != 0;
}

static bool is_dump_wanted(struct command *command)
{
	return command_has(command, "verbose") ||
	       command_has(command, "dump") || command_has(command, "tree");
}

int command_dump(struct command *command)
{
	if (is_dump_wanted(command) &&
	    dtrace_disassemble_ext(command->dtp, stderr))
		return fail(command, "could not enable tracing");
	return 0;
}

static int enable_quietly(struct command *command)
{
	for (unsigned i = 0; i < command->nrequests; i++) {
		const struct request *request = &command->requests[i];

		if (dtrace_program_exec(command->dtp, request->program, NULL))
			return fail(command, "failed to enable '%s'",
				    request->name);
	}
	return 0;
}

static int compile_only(struct command *command)
{
	/* Without a program the libraries of -L are compiled: with an empty one. */
	if (!command->nrequests &&
	    !dtrace_program_strcompile(command->dtp, "", DTRACE_PROBESPEC_NAME,
				       DTRACE_C_EMPTY, 0, NULL))
		return 1;
	int status = command_compile(command);

	if (!status && command->verbose)
		dtrace_optreport_ext(command->dtp, stderr);
	for (unsigned i = 0; !status && i < command->nrequests; i++) {
		const struct request *request = &command->requests[i];
		dtrace_proginfo_t info;

		dtrace_program_info(command->dtp, request->program, &info);
		if (command->verbose)
			report_program(command, request, &info);
	}
	if (status)
		return status;
	if (is_dump_wanted(command))
		status = enable_quietly(command);
	if (!status)
		status = command_dump(command);
	return status ? status : finish_output(command->output);
}

static int show_version(const struct command *command)
{
	printf("dtrace: %s\n", _dtrace_version);
	if (command->verbose) {
		printf("This is DTrace for Linux %s\n",
		       dtrace_package_version_ext);
		/* command and library are built together */
		printf("dtrace(8) version-control ID: %s\n",
		       dtrace_revision_ext);
		printf("libdtrace version-control ID: %s\n",
		       dtrace_revision_ext);
	}
	return finish_output(stdout);
}

static int run_mode(struct command *command)
{
	switch (command->mode) {
	case MODE_VERSION:
		return show_version(command);
	case MODE_CHECK:
		return command_check(command);
	case MODE_HELP:
		usage(stdout);
		return finish_output(stdout);
	case MODE_OPTIONS:
		dtrace_opthelp_ext(stdout);
		return finish_output(stdout);
	case MODE_REPLAY:
		return command_replay(command);
	case MODE_LIST:
		return command_list(command);
	case MODE_HEADER:
		return command_header(command);
	case MODE_LINK:
		return command_link(command);
	default:
		return command->compile_only ? compile_only(command)
					     : command_trace(command);
	}
}

static int open_output(struct command *command)
{
	command->output = stdout;
	if (command->output_path && !command->is_building)
		command->output = fopen(command->output_path, "ae");
	if (command->output) {
		command->is_terminal = isatty(fileno(command->output));
		return 0;
	}
	complain("failed to open output file '%s': %s", command->output_path,
		 strerror(errno));
	return EXIT_FATAL;
}

static void show_message(void *arg, const char *message)
{
	(void)arg;
	complain("%s", message);
}

int main(int argc, char **argv)
{
	struct command command = { .mode = MODE_TRACE };
	char **words;
	int error;

	streams_hold();
	words = interpreter_words(&argc, argv);
	if (words)
		argv = words;
	if (argc < 2) {
		usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--lsp"))
		return command_serve(argc - 2, argv + 2);
	/* a reader that goes away shows as an error of write(2) */
	signal(SIGPIPE, SIG_IGN);
	command.dtp = dtrace_open(DTRACE_VERSION, 0, &error);
	if (!command.dtp) {
		complain("failed to initialize dtrace: %s",
			 dtrace_errmsg(NULL, error));
		return EXIT_FATAL;
	}
	bool is_done = true;
	int status;

	if (!strcmp(argv[1], "--complete")) {
		status = command_complete(&command, argc - 2, argv + 2);
	} else if (!strcmp(argv[1], "--complete-for")) {
		status = command_complete_for(&command, argc - 2, argv + 2);
	} else {
		is_done = false;
		dtrace_handle_message_ext(command.dtp, show_message, NULL);
		status = command_parse(&command, argc, argv);
	}
	if (!status && !is_done)
		status = command_parameters(&command, &is_done);
	if (!status && !is_done)
		status = open_output(&command);
	if (!status && !is_done)
		status = run_mode(&command);
	if (command.output && command.output != stdout &&
	    fclose(command.output) && !status)
		status = EXIT_FATAL;
	command_free(&command);
	dtrace_close(command.dtp);
	free(words);
	return status;
}
