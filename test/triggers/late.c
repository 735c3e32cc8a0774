/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function whose argument is in a page that comes late: only when another
 * thread, on the same CPU, has called the function often.
 *
 *	late N
 *
 * Waits for SIGUSR1, calls arrive() with a page that is not there, with N
 * short strings while a reader of that page waits for it, and ends.
 */
#include <err.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static long count;
static int events;
static char *page;
static long page_size;

__attribute__((noinline, noclone)) void arrive(long number, const char *text)
{
	asm volatile("" : : "r"(number), "r"(text) : "memory");
}

static void *bring(void *unused)
{
	struct uffd_msg message;
	static char text[65536];

	if (read(events, &message, sizeof(message)) != sizeof(message))
		err(1, "read");
	for (long i = 1; i <= count; i++)
		arrive(i, "in time");
	strcpy(text, "late");
	if (ioctl(events, UFFDIO_COPY, &(struct uffdio_copy){
			.dst = (unsigned long)page,
			.src = (unsigned long)text,
			.len = (unsigned long)page_size }))
		err(1, "UFFDIO_COPY");
	return unused;
}

int main(int argc, char **argv)
{
	sigset_t set;
	int number;
	pthread_t thread;
	cpu_set_t cpus;

	if (argc < 2)
		return 2;
	count = atol(argv[1]);
	page_size = sysconf(_SC_PAGESIZE);
	page = mmap(NULL, (size_t)page_size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	events = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	if (events < 0)
		err(77, "userfaultfd");
	if (ioctl(events, UFFDIO_API, &(struct uffdio_api){ .api = UFFD_API }))
		err(77, "UFFDIO_API");
	if (ioctl(events, UFFDIO_REGISTER, &(struct uffdio_register){
			.range.start = (unsigned long)page,
			.range.len = (unsigned long)page_size,
			.mode = UFFDIO_REGISTER_MODE_MISSING }))
		err(77, "UFFDIO_REGISTER");
	/* runs of one program meet where they share a CPU */
	CPU_ZERO(&cpus);
	CPU_SET(sched_getcpu(), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigwait(&set, &number);
	pthread_create(&thread, NULL, bring, NULL);
	arrive(0, page);
	/* a tracer that cannot wait has not asked for the page */
	*(volatile char *)page;
	pthread_join(thread, NULL);
	return 0;
}
