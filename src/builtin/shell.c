/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command of system(), by the shell.
 *
 * system(3) ignores SIGINT while the command runs, so a run whose script calls
 * it often could not be interrupted.  Here a signal is noted as at any other
 * time, and the run ends after the command.
 */
#include "builtin/shell.h"

#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

bool shell_run(const char *command)
{
	char *words[] = { "sh", "-c", (char *)command, NULL };
	pid_t pid;
	int error = posix_spawn(&pid, "/bin/sh", NULL, NULL, words, environ);

	if (error) {
		errno = error;
		return false;
	}
	while (waitpid(pid, NULL, 0) < 0)
		if (errno != EINTR)
			return false;
	return true;
}
