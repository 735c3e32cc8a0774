/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutexes that spin before they wait, each taken while it is held, when told
 * to.
 *
 * `patient` is held until its other thread sleeps: spinning was in vain.
 * `lucky` is released as soon as its other thread gets SIGUSR2, which a tracer
 * sends when it finds it spinning (or when it sleeps, if nobody does).
 * `plain` does not spin.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

pthread_mutex_t patient, lucky, plain = PTHREAD_MUTEX_INITIALIZER;
static atomic_int waiter, is_wanted, is_free;

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

static int sleeps(void)
{
	char path[64], state[256] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", waiter);
	file = fopen(path, "r");
	if (!fgets(state, sizeof(state), file))
		state[0] = '\0';
	fclose(file);
	return !strncmp(state, "202 ", 4);	/* futex */
}

static void release(int number)
{
	(void)number;
	is_wanted = 1;
	while (!is_free)
		;
}

/* Only the thread that waits gets the signal: the other one must go on. */
static void mask_release(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(how, &set, NULL);
}

static void *take(void *mutex)
{
	mask_release(SIG_UNBLOCK);
	waiter = (int)syscall(SYS_gettid);
	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
	return NULL;
}

static void hold(pthread_mutex_t *mutex)
{
	pthread_t thread;

	waiter = is_wanted = is_free = 0;
	pthread_mutex_lock(mutex);
	pthread_create(&thread, NULL, take, mutex);
	while (!waiter || (!is_wanted && !sleeps()))
		nap();
	pthread_mutex_unlock(mutex);
	is_free = 1;
	pthread_join(thread, NULL);
}

int main(void)
{
	pthread_mutexattr_t attributes;
	sigset_t set;
	int number;

	signal(SIGUSR2, release);
	mask_release(SIG_BLOCK);
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
	pthread_mutex_init(&patient, &attributes);
	pthread_mutex_init(&lucky, &attributes);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigwait(&set, &number);
	hold(&patient);
	hold(&lucky);
	hold(&plain);
	return 0;
}
