/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -c and -p: the processes that are traced; the run ends with them.
 *
 * They are started before anything is compiled, because programs may mention
 * $target, and wait until everything is armed.  There is no shell: words.c cuts
 * a command into words.
 */
#include "cmd.h"
#include "words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int start(struct command *command, struct process *process)
{
	const char *missing;
	char **words = command_words(process->text, &missing);

	if (!words) {
		complain("-c lacks %s: %s", missing, process->text);
		return EXIT_FATAL;
	}
	bool is_empty = !words[0];

	if (!is_empty)
		process->proc = dtrace_proc_create(command->dtp, words[0],
						   words, 0);
	free(words);
	if (process->proc)
		return 0;
	if (!is_empty)
		return fail(command, "failed to execute %s", process->text);
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
