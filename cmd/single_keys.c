/* SPDX-License-Identifier: Apache-2.0 */
#include "single_keys.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static struct termios saved, keys;
static volatile sig_atomic_t has_keys;
static void (*continued)(void);

static void take(void)
{
	has_keys = tcgetpgrp(STDIN_FILENO) == getpgrp() &&
		   !tcsetattr(STDIN_FILENO, TCSANOW, &keys);
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
	take();
	if (continued)
		continued();
	errno = error;
}

void single_keys_begin(void (*on_continue)(void))
{
	struct sigaction stop = { .sa_handler = on_stop };

	if (tcgetpgrp(STDIN_FILENO) != getpgrp() ||
	    tcgetattr(STDIN_FILENO, &saved))
		return;
	keys = saved;
	keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	keys.c_cc[VMIN] = 1;
	keys.c_cc[VTIME] = 0;
	continued = on_continue;
	take();
	if (has_keys)
		sigaction(SIGTSTP, &stop, NULL);
}

void single_keys_end(void)
{
	if (has_keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &saved);
	has_keys = 0;
	signal(SIGTSTP, SIG_DFL);
}

struct pollfd single_keys_pollfd(void)
{
	return (struct pollfd){ .fd = has_keys ? STDIN_FILENO : -1,
				.events = POLLIN };
}

bool single_keys_quit(struct pollfd *terminal)
{
	char typed[64];

	if (!terminal->revents)
		return false;
	terminal->revents = 0;

	ssize_t n = read(STDIN_FILENO, typed, sizeof(typed));

	/* a terminal that is gone has no keys any more */
	if (!n || (n < 0 && errno != EINTR))
		terminal->fd = -1;
	return n > 0 &&
	       (memchr(typed, 'q', (size_t)n) || memchr(typed, 'Q', (size_t)n));
}
