/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts and ends N threads, a few at a time, each of which makes one
 * getppid(2), after SIGUSR1.
 *
 *	threads N
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { AT_ONCE = 8 };

static void *work(void *unused)
{
	syscall(SYS_getppid);
	return unused;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 1;
	pthread_t threads[AT_ONCE];
	sigset_t set;
	int signal_number;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigwait(&set, &signal_number);
	while (count > 0) {
		int started = 0;

		while (started < AT_ONCE && count-- > 0)
			if (pthread_create(&threads[started++], NULL, work,
					   NULL))
				return 1;
		while (started > 0)
			pthread_join(threads[--started], NULL);
	}
	return 0;
}
