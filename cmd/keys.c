/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys of a run that shows pages: q ends it, as Ctrl-C does.
 *
 * A change of the terminal's size interrupts the wait, and the page is drawn again.
 */
#include "cmd.h"
#include "single_keys.h"

#include <signal.h>

bool keys_are_wanted(struct command *command)
{
	return command_has(command, "screen") && command->is_terminal;
}

static void on_resize(int number)
{
	(void)number;
}

dtrace_workstatus_t work_with_keys(dtrace_hdl_t *dtp, FILE *out)
{
	struct sigaction resize = { .sa_handler = on_resize };
	dtrace_workstatus_t status;

	single_keys_begin(NULL);
	messages_keep();
	sigaction(SIGWINCH, &resize, NULL);
	struct pollfd wait[] = {
		{ .fd = dtrace_fd_ext(dtp), .events = POLLIN },
		single_keys_pollfd(),
	};

	do {
		poll(wait, 2, -1);
		if (single_keys_quit(&wait[1]))
			dtrace_interrupt(dtp);
		status = dtrace_poll_ext(dtp, out, NULL, NULL, NULL);
	} while (status == DTRACE_WORKSTATUS_OKAY);
	single_keys_end();
	messages_show();
	return status;
}
