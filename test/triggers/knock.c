/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls getppid() every few milliseconds until SIGUSR1 comes.  A tracer that
 * raises it there shows that it is tracing, also where it prints nothing yet.
 */
#include <signal.h>
#include <time.h>
#include <unistd.h>

static void end(int signal)
{
	(void)signal;
	_exit(0);
}

int main(void)
{
	const struct timespec while_away = { .tv_nsec = 5 * 1000 * 1000 };

	signal(SIGUSR1, end);
	for (;;) {
		getppid();
		nanosleep(&while_away, 0);
	}
}
