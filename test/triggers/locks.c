/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes and releases locks a known number of times, when told to.
 *
 *	locks [now]
 *
 * A mutex 10 times, a recursive one 3 deep, a condition once, errors, a
 * readers/writer lock 5 and 4 times; then one thread holds a mutex, and then a
 * readers/writer lock, until others wait for it.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t contended = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t nested, checked;
static atomic_int waiter;

/* Until the thread that set `waiter` sleeps. */
static void await_waiter(void)
{
	char path[64], state[256] = "";
	struct timespec nap = { .tv_nsec = 1000000 };

	while (!waiter)
		nanosleep(&nap, NULL);
	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", waiter);
	while (strncmp(state, "202 ", 4)) {	/* futex */
		FILE *file = fopen(path, "r");

		if (!fgets(state, sizeof(state), file))
			state[0] = '\0';
		fclose(file);
		nanosleep(&nap, NULL);
	}
	waiter = 0;
}

static void *take_mutex(void *unused)
{
	waiter = (int)syscall(SYS_gettid);
	pthread_mutex_lock(&contended);
	pthread_mutex_unlock(&contended);
	return unused;
}

static void *take_to_write(void *unused)
{
	waiter = (int)syscall(SYS_gettid);
	pthread_rwlock_wrlock(&shared);
	pthread_rwlock_unlock(&shared);
	return unused;
}

static void make(pthread_mutex_t *mutex, int kind)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, kind);
	pthread_mutex_init(mutex, &attributes);
}

static void alone(void)
{
	struct timespec soon;

	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&plain);
		pthread_mutex_unlock(&plain);
	}
	for (int i = 0; i < 3; i++)
		pthread_mutex_lock(&nested);
	for (int i = 0; i < 3; i++)
		pthread_mutex_unlock(&nested);
	clock_gettime(CLOCK_REALTIME, &soon);
	pthread_mutex_lock(&plain);
	pthread_cond_timedwait(&condition, &plain, &soon);
	pthread_mutex_unlock(&plain);
	pthread_mutex_lock(&checked);
	pthread_mutex_lock(&checked);	/* EDEADLK */
	pthread_mutex_trylock(&checked);	/* EBUSY is no error */
	pthread_mutex_unlock(&checked);
	pthread_mutex_unlock(&checked);	/* EPERM */
	for (int i = 0; i < 5; i++) {
		pthread_rwlock_rdlock(&shared);
		pthread_rwlock_unlock(&shared);
	}
	for (int i = 0; i < 4; i++) {
		pthread_rwlock_wrlock(&shared);
		pthread_rwlock_rdlock(&shared);	/* EDEADLK */
		pthread_rwlock_unlock(&shared);
	}
}

int main(int argc, char **argv)
{
	sigset_t set;
	int number;
	pthread_t thread;

	(void)argv;
	make(&nested, PTHREAD_MUTEX_RECURSIVE);
	make(&checked, PTHREAD_MUTEX_ERRORCHECK);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (argc < 2)
		sigwait(&set, &number);
	alone();
	pthread_mutex_lock(&contended);
	pthread_create(&thread, NULL, take_mutex, NULL);
	await_waiter();
	pthread_mutex_unlock(&contended);
	pthread_join(thread, NULL);
	pthread_rwlock_rdlock(&shared);
	pthread_create(&thread, NULL, take_to_write, NULL);
	await_waiter();
	pthread_rwlock_unlock(&shared);
	pthread_join(thread, NULL);
	return 0;
}
