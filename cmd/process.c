/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -c and -p: processes that the run is about, and that it ends with.
 *
 * They are started before anything is compiled, because programs may mention
 * $target, and wait until everything is armed.  A command is cut into words at
 * blanks; there is no quoting and no shell.
 */
#include "cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\n";

static int start(struct command *command, struct process *process)
{
	const char *text = process->text;
	char *words = strdup(text), *state;
	/* a word and a blank take two bytes at least */
	char **argv = calloc(strlen(text) / 2 + 2, sizeof(*argv));
	size_t count = 0;

	if (!words || !argv) {
		complain("out of memory");
		exit(EXIT_FATAL);
	}
	for (char *word = strtok_r(words, blanks, &state); word;
	     word = strtok_r(NULL, blanks, &state))
		argv[count++] = word;
	if (count)
		process->proc = dtrace_proc_create(command->dtp, argv[0],
						   argv, 0);
	free(argv);
	free(words);
	if (process->proc)
		return 0;
	if (count)
		return fail(command, "failed to execute %s", text);
	complain("-c wants a command");
	return EXIT_FATAL;
}

static int grab(struct command *command, struct process *process)
{
	char *end;

	errno = 0;
	long pid = strtol(process->text, &end, 10);

	if (errno || end == process->text || *end || pid != (pid_t)pid) {
		complain("invalid pid: %s", process->text);
		return EXIT_FATAL;
	}
	process->proc = dtrace_proc_grab_pid(command->dtp, (pid_t)pid, 0);
	return process->proc ? 0 : fail(command, "failed to grab pid %ld", pid);
}

static void show_end(dtrace_proc_t *proc, const char *message, void *arg)
{
	(void)proc;
	notice(arg, "%s", message);
}

int command_processes(struct command *command)
{
	int status = 0;

	if (command->nprocesses)
		command_early_options(command);
	dtrace_handle_proc(command->dtp, show_end, command);
	for (unsigned i = 0; i < command->nprocesses && !status; i++) {
		struct process *process = &command->processes[i];

		status = process->flag == 'c' ? start(command, process)
					      : grab(command, process);
	}
	return status;
}

void command_continue(struct command *command)
{
	for (unsigned i = 0; i < command->nprocesses; i++)
		dtrace_proc_continue(command->dtp, command->processes[i].proc);
}
