/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function that gets strings on pages that nobody has touched yet, in a
 * process whose other threads change its mappings all the time.
 *
 *	churn N
 *
 * Waits for SIGUSR1, calls take() with N strings, and ends.
 */
#include <err.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, THREADS = 3, CHURNED = 2048 * PAGE };

__attribute__((noinline, noclone)) void take(const char *text)
{
	asm volatile("" : : "r"(text) : "memory");
}

static void *churn(void *unused)
{
	for (;;) {
		void *memory = mmap(NULL, CHURNED, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
				    -1, 0);

		munmap(memory, CHURNED);
	}
	return unused;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1, number;
	int fd = memfd_create("strings", MFD_CLOEXEC);
	sigset_t set;

	if (fd < 0 || ftruncate(fd, (off_t)count * PAGE))
		err(1, "memfd");
	for (int i = 0; i < count; i++)
		if (pwrite(fd, "untouched", 10, (off_t)i * PAGE) != 10)
			err(1, "memfd");
	char *strings = mmap(NULL, (size_t)count * PAGE, PROT_READ,
			     MAP_PRIVATE, fd, 0);

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigwait(&set, &number);
	for (int i = 0; i < THREADS; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, churn, NULL);
	}
	for (int i = 0; i < count; i++) {
		/* the kernel brings in what is beside it, too */
		madvise(strings, (size_t)count * PAGE, MADV_DONTNEED);
		take(strings + (size_t)i * PAGE);
	}
	_exit(0);
}
