/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a getppid() call every 10 ms until SIGUSR1 or SIGUSR2 comes.
 *
 * Prints "ready" first, then "signal S" and "done".
 */
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void catch(int number)
{
	caught = number;
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGUSR1, catch);
	signal(SIGUSR2, catch);
	puts("ready");
	for (;;) {
		struct timespec ms = { 0, 10 * 1000 * 1000 };

		syscall(SYS_getppid);
		if (caught)
			break;
		nanosleep(&ms, NULL);
	}
	printf("signal %s\n", caught == SIGUSR1 ? "USR1" : "USR2");
	puts("done");
	return 0;
}
