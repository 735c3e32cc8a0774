/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a getppid() call every 10 ms, N times, saying what signals it got:
 *
 *	sleeper N
 *
 * Prints "ready" first, "signal S" for SIGUSR1 and SIGUSR2, and "done".
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void catch(int number)
{
	caught = number;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 100;

	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGUSR1, catch);
	signal(SIGUSR2, catch);
	puts("ready");
	for (long i = 0; i < count; i++) {
		struct timespec ms = { 0, 10 * 1000 * 1000 };

		syscall(SYS_getppid);
		if (caught) {
			printf("signal %s\n", caught == SIGUSR1 ? "USR1" : "USR2");
			caught = 0;
		}
		nanosleep(&ms, NULL);
	}
	puts("done");
	return 0;
}
