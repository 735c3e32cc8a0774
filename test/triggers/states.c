/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that each are in one microstate, for prstat(8); each is named after it.
 *
 *	states CALLS
 *
 * burner computes, sleeper sleeps, waiter waits for a lock, data and text touch
 * memory and code that is not mapped, caller sleeps.  Prints "ready" when they are
 * there.  After SIGUSR1, caller is woken by a signal, makes CALLS calls of
 * getppid() and prints how many calls it made in all, with that of the handler's
 * end, that which prints, and the last, in which it sleeps again.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 256, NTHREADS = 6 };

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long sink;
static volatile sig_atomic_t is_woken;
static atomic_int tids[NTHREADS];
static long calls;

static void wake(int number)
{
	(void)number;
	is_woken = 1;
}

static void burner(void)
{
	for (;;)
		sink++;
}

static void sleeper(void)
{
	for (;;)
		syscall(SYS_pause);
}

static void waiter(void)
{
	pthread_mutex_lock(&held);
}

static void data(void)
{
	char *memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		exit(1);
	madvise(memory, PAGES * PAGE, MADV_NOHUGEPAGE);
	for (;;) {
		for (int i = 0; i < PAGES; i++)
			memory[i * PAGE] = 1;
		madvise(memory, PAGES * PAGE, MADV_DONTNEED);
	}
}

/* Alone on its page. */
__attribute__((noinline, noclone, aligned(4096))) static void alone(void)
{
	__asm__ volatile(".skip 4096, 0x90");
}

static void text(void)
{
	for (;;) {
		alone();
		madvise((void *)((unsigned long)&alone & ~(PAGE - 1UL)), PAGE,
			MADV_DONTNEED);
	}
}

static void caller(void)
{
	char line[32];

	while (!is_woken)
		syscall(SYS_pause);
	for (long i = 0; i < calls; i++)
		syscall(SYS_getppid);

	int n = sprintf(line, "%ld\n", calls + 3);

	syscall(SYS_write, STDOUT_FILENO, line, n);
	for (;;)
		syscall(SYS_pause);
}

static const struct kind {
	const char *name;
	void (*run)(void);
	int call; /* in which it sleeps; -1: it does not */
} kinds[NTHREADS] = {
	{ "burner", burner, -1 },	{ "sleeper", sleeper, SYS_pause },
	{ "waiter", waiter, SYS_futex }, { "data", data, -1 },
	{ "text", text, -1 },		{ "caller", caller, SYS_pause },
};

static void *begin(void *arg)
{
	const struct kind *kind = arg;

	pthread_setname_np(pthread_self(), kind->name);
	tids[kind - kinds] = (int)syscall(SYS_gettid);
	kind->run();
	return NULL;
}

static int sleeps_in(int tid, int call)
{
	char path[64], now[64] = "";

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", tid);

	FILE *file = fopen(path, "r");

	if (!file || !fgets(now, sizeof(now), file))
		now[0] = '\0';
	if (file)
		fclose(file);
	return now[0] >= '0' && now[0] <= '9' && atoi(now) == call;
}

int main(int argc, char **argv)
{
	pthread_t threads[NTHREADS];
	sigset_t set;
	int caught;

	calls = argc > 1 ? atol(argv[1]) : 0;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGUSR2, wake);
	setvbuf(stdout, NULL, _IOLBF, 0);
	pthread_mutex_lock(&held);
	for (int i = 0; i < NTHREADS; i++)
		if (pthread_create(&threads[i], NULL, begin,
				   (void *)&kinds[i]))
			return 1;
	for (int i = 0; i < NTHREADS; i++)
		while (!tids[i] || (kinds[i].call >= 0 &&
				    !sleeps_in(tids[i], kinds[i].call)))
			usleep(1000);
	puts("ready");
	sigwait(&set, &caught);
	pthread_kill(threads[NTHREADS - 1], SIGUSR2);
	for (;;)
		syscall(SYS_pause);
}
