/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes exactly N system calls of one kind, when told to.
 *
 *	calls [now] read|getppid|close|open N [THREADS]
 *
 * Waits for SIGUSR1 (without reading anything), unless it is to start now, makes N calls in each of
 * THREADS threads, and ends.  What a test counts, it can know.  Each open is of
 * another name of 39 characters, which does not exist.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *kind;
static long count;
static int zero_fd;

static void *work(void *number)
{
	char buffer[8192];

	for (long i = 0; i < count; i++) {
		if (!strcmp(kind, "read")) {
			/* sizes 1, 2, 4 ... 4096 in turn */
			if (read(zero_fd, buffer, 1u << (i % 13)) < 0)
				exit(1);
		} else if (!strcmp(kind, "close")) {
			close(-1);	/* fails with EBADF */
		} else if (!strcmp(kind, "open")) {
			snprintf(buffer, sizeof(buffer), "/nowhere/%015ld/%014ld",
				 (long)number, i);
			open(buffer, O_RDONLY);
		} else {
			syscall(SYS_getppid);
		}
	}
	return number;
}

int main(int argc, char **argv)
{
	sigset_t set;
	int signal_number;

	bool is_patient = argc < 2 || strcmp(argv[1], "now");

	argc -= !is_patient;
	argv += !is_patient;
	if (argc < 3)
		return 2;
	kind = argv[1];
	count = atol(argv[2]);
	int nthreads = argc > 3 ? atoi(argv[3]) : 1;

	zero_fd = open("/dev/zero", O_RDONLY);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (is_patient)
		sigwait(&set, &signal_number);

	pthread_t threads[64];

	for (long i = 1; i < nthreads && i < 64; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	work((void *)0);
	for (int i = 1; i < nthreads && i < 64; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
