/* SPDX-License-Identifier: Apache-2.0 */
/*
 * USDT sites of every form, N times when told to.
 *
 *	sites [now|traced] [N [THREADS [CHILDREN]]]
 *
 * Waits for SIGUSR1 unless it is to start now, or as soon as somebody listens.
 * Prints how far the semaphore
 * of each probe is up before and after waiting.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "site.h"

SEMAPHORE(sites_guarded_semaphore);
SEMAPHORE(sites_idle_semaphore);

int sites_global[4] = { 10, 20, -30, 40 };
static long count = 1;

__attribute__((noinline)) static void registers(void)
{
	asm volatile(
		"mov $0x8877665544332211, %%rax\n"
		"mov $0xf1f2f3f4f5f6f7f8, %%rdi\n"
		"mov %%rdi, %%r8\n"
		"mov %%rax, %%r15\n"
		SITE("sites", "wide", "0", "8@%%rax -8@%%rdi 4@%%eax -4@%%edi 4@%%r8d -4@%%r15d 8@%%r15 -8@%%r8")
		SITE("sites", "narrow", "0", "2@%%ax -2@%%di 1@%%al 1@%%ah -1@%%dil 1@%%r8b -2@%%r8w -1@%%r15b 1@%%dil 2@%%r15w")
		::: "rax", "rdi", "r8", "r15");
}

__attribute__((noinline)) static void memory(void)
{
	long numbers[4] = { 1, -2, 3, -4 };

	asm volatile(
		"mov %0, %%rax\n"
		"mov $2, %%rcx\n"
		SITE("sites", "memory", "0", "-8@(%%rax) -8@8(%%rax) -8@(%%rax,%%rcx,8) -8@-8(%%rax,%%rcx,4) -4@24(%%rax) 1@24(%%rax) -4@sites_global+4(%%rip) -4@8+sites_global(%%rip) 8@$sites_global")
		SITE("sites", "segment", "0", "8@%%fs:0 8@%%fs:14(%%rcx)")
		SITE("sites", "constant", "0", "4@$5 -4@$-5 8@$0x7fffffffffffffff -8@$-1 1@$255 -1@$255 2@$-1")
		:: "r"(numbers) : "rax", "rcx", "memory");
}

/* Two sites of one probe, with arguments in different places. */
__attribute__((noinline)) static void twice(void)
{
	asm volatile("mov $1, %%rax\n"
		     SITE("sites", "two__places", "0", "8@%%rax 4@$100")
		     "mov $2, %%rbx\n"
		     SITE("sites", "two__places", "0", "8@%%rbx -2@$-7 4@$200")
		     ::: "rax", "rbx");
}

/* The same names in another function: another probe. */
__attribute__((noinline)) static void elsewhere(void)
{
	asm volatile(SITE("sites", "two__places", "0", "4@$3"));
}

__attribute__((noinline)) static void guarded(const char *text)
{
	asm volatile("mov %0, %%rdx\n"
		     SITE("sites", "guarded", "sites_guarded_semaphore",
			  "8@%%rdx -4@$42") :: "r"(text) : "rdx");
}

__attribute__((noinline)) static void never(void)
{
	asm volatile(SITE("sites", "idle", "sites_idle_semaphore", ""));
	asm volatile(SITE("sites", "float", "0", "8f@%xmm0 4@$1"));
	asm volatile(SITE("sites", "lost", "0", "8@nowhere(%rip) 4@$1"));
}

static void *work(void *unused)
{
	for (long i = 0; i < count; i++) {
		registers();
		memory();
		twice();
		elsewhere();
		if (sites_guarded_semaphore)
			guarded("hello");
		if (sites_idle_semaphore)
			never();
	}
	return unused;
}

static void wait_for_signal(void)
{
	sigset_t set;
	int number;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	printf("semaphores %d %d\n", sites_guarded_semaphore,
	       sites_idle_semaphore);
	fflush(stdout);
	sigwait(&set, &number);
	printf("semaphores %d %d\n", sites_guarded_semaphore,
	       sites_idle_semaphore);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int waits = argc > 1 && !strcmp(argv[1], "traced");
	int is_patient = argc < 2 || (strcmp(argv[1], "now") && !waits);

	argc -= !is_patient;
	argv += !is_patient;
	count = argc > 1 ? atol(argv[1]) : 1;
	int nthreads = argc > 2 ? atoi(argv[2]) : 1;
	int nchildren = argc > 3 ? atoi(argv[3]) : 0;
	pthread_t *threads = calloc((size_t)nthreads, sizeof(*threads));

	if (is_patient)
		wait_for_signal();
	while (waits && !sites_guarded_semaphore)
		usleep(1000);
	for (int i = 0; i < nchildren; i++)
		if (!fork()) {
			work(NULL);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	for (int i = 1; i < nthreads; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	work(NULL);
	for (int i = 1; i < nthreads; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
