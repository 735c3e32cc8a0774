/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys of a run that shows pages: q ends it, as Ctrl-C does.
 *
 * The terminal is asked for single keys and does not show them.  It is used only
 * while this process is in its foreground: another would be stopped.  While the
 * process is stopped (Ctrl-Z) the terminal is as it was before.  A change of its
 * size interrupts the wait, and the page is drawn again.
 */
#include "cmd.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static struct termios saved, keys;
static volatile sig_atomic_t is_changed;

bool keys_are_wanted(struct command *command)
{
	return command_has(command, "screen") && command->is_terminal;
}

static void begin(void)
{
	if (tcgetpgrp(STDIN_FILENO) != getpgrp() ||
	    tcgetattr(STDIN_FILENO, &saved))
		return;
	keys = saved;
	keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	keys.c_cc[VMIN] = 1;
	keys.c_cc[VTIME] = 0;
	is_changed = !tcsetattr(STDIN_FILENO, TCSANOW, &keys);
}

void keys_end(void)
{
	if (is_changed)
		tcsetattr(STDIN_FILENO, TCSANOW, &saved);
	is_changed = 0;
}

static void on_resize(int number)
{
	(void)number;
}

/* Stops here, as it would have without us, and goes on from here. */
static void on_stop(int number)
{
	struct sigaction usual = { .sa_handler = SIG_DFL }, ours;
	int error = errno;
	sigset_t stop, before;

	tcsetattr(STDIN_FILENO, TCSANOW, &saved);
	sigaction(number, &usual, &ours);
	sigemptyset(&stop);
	sigaddset(&stop, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &stop, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	sigaction(number, &ours, NULL);
	if (is_changed && tcgetpgrp(STDIN_FILENO) == getpgrp())
		tcsetattr(STDIN_FILENO, TCSANOW, &keys);
	errno = error;
}

/* A terminal that is gone has no keys any more. */
static void read_keys(dtrace_hdl_t *dtp, struct pollfd *terminal)
{
	char typed[64];
	ssize_t n = read(STDIN_FILENO, typed, sizeof(typed));

	if (!n || (n < 0 && errno != EINTR))
		terminal->fd = -1;
	if (n > 0 &&
	    (memchr(typed, 'q', (size_t)n) || memchr(typed, 'Q', (size_t)n)))
		dtrace_interrupt(dtp);
}

dtrace_workstatus_t work_with_keys(dtrace_hdl_t *dtp, FILE *out)
{
	struct sigaction resize = { .sa_handler = on_resize };
	struct sigaction stop = { .sa_handler = on_stop };
	dtrace_workstatus_t status;

	begin();
	messages_keep();
	sigaction(SIGWINCH, &resize, NULL);
	if (is_changed)
		sigaction(SIGTSTP, &stop, NULL);
	struct pollfd wait[] = {
		{ .fd = dtrace_fd_ext(dtp), .events = POLLIN },
		{ .fd = is_changed ? STDIN_FILENO : -1, .events = POLLIN },
	};

	do {
		poll(wait, 2, -1);
		if (wait[1].revents)
			read_keys(dtp, &wait[1]);
		wait[1].revents = 0;
		status = dtrace_poll_ext(dtp, out, NULL, NULL, NULL);
	} while (status == DTRACE_WORKSTATUS_OKAY);
	keys_end();
	signal(SIGTSTP, SIG_DFL);
	messages_show();
	return status;
}
