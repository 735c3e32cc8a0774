/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gap ROUNDS: a program that computes, and another one that stops it for a third
 * of a second now and then and computes instead.
 *
 * gap-worker runs; gap-blocker sleeps for 600 ms, makes the worker wait, computes
 * for 300 ms, and lets it go on.  Prints when the worker was asleep for certain,
 * by the wall clock: begin and end in ns.
 */
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct shared {
	volatile int is_wanted, is_over;
	sem_t go_on;
};

static long long wall(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void compute(long long ns)
{
	long long end = wall() + ns;

	while (wall() < end)
		;
}

static int is_asleep(pid_t pid)
{
	char path[64], state = '?';

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	FILE *file = fopen(path, "r");

	if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = '?';
	if (file)
		fclose(file);
	return state == 'S';
}

static void block(struct shared *shared, int rounds)
{
	pid_t worker = getppid();

	prctl(PR_SET_NAME, "gap-blocker");
	while (rounds-- > 0) {
		usleep(600000);
		shared->is_wanted = 1;
		while (!is_asleep(worker))
			;
		long long begin = wall();

		compute(300000000);
		printf("%lld %lld\n", begin, wall());
		shared->is_wanted = 0;
		sem_post(&shared->go_on);
	}
	fflush(stdout);
	shared->is_over = 1;
	_exit(0);
}

int main(int argc, char **argv)
{
	struct shared *shared = mmap(NULL, sizeof(*shared),
				     PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	sem_init(&shared->go_on, 1, 0);
	if (!fork())
		block(shared, argc > 1 ? atoi(argv[1]) : 3);
	prctl(PR_SET_NAME, "gap-worker");
	while (!shared->is_over)
		if (shared->is_wanted)
			sem_wait(&shared->go_on);
	wait(NULL);
	return 0;
}
