/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turns MS: two threads, "white" and "black", that compute for so many
 * milliseconds each, on one CPU.  They are scheduled round robin, in turns of
 * 100 ms on most kernels, so that the load of the machine does not matter.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long ms = 1000;
static pthread_barrier_t start;

static void *compute(void *name)
{
	struct timespec used;

	pthread_setname_np(pthread_self(), name);
	pthread_barrier_wait(&start);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < ms);
	return NULL;
}

int main(int argc, char **argv)
{
	cpu_set_t one;
	pthread_t white, black;

	if (argc > 1)
		ms = atol(argv[1]);
	sched_getaffinity(0, sizeof(one), &one);
	for (int cpu = 0, found = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &one) && found++)
			CPU_CLR(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	if (sched_setscheduler(0, SCHED_RR,
			       &(struct sched_param){ .sched_priority = 1 })) {
		perror("turns: sched_setscheduler");
		return 1;
	}
	pthread_barrier_init(&start, NULL, 2);
	pthread_create(&white, NULL, compute, "white");
	pthread_create(&black, NULL, compute, "black");
	pthread_join(white, NULL);
	pthread_join(black, NULL);
	return 0;
}
