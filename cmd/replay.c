/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --replay FILE: print a recording again, or write it in another format.
 *
 * The options are those of the run; -x, -q, -F and -o change what they say.
 */
#include "cmd.h"

int command_replay(struct command *command)
{
	dtrace_hdl_t *dtp = command->dtp;
	int status;

	if (!command->recording) {
		complain("--replay needs the name of a recording");
		return EXIT_USAGE;
	}
	if (command->nrequests || command->nprocesses ||
	    command->noperands > 1) {
		complain("--replay takes options only: -x, -q, -F, -o");
		return EXIT_USAGE;
	}
	if (dtrace_replay_ext(dtp, command->recording, command->output, NULL,
			      NULL, NULL)) {
		if (dtrace_errno(dtp) != EDT_PIPE)
			complain("%s", dtrace_errmsg(dtp, dtrace_errno(dtp)));
		return EXIT_FATAL;
	}
	if (dtrace_exit_status_ext(dtp, &status))
		return status & 0xff;
	return 0;
}
