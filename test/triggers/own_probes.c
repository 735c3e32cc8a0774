/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes probes with libusdt, waits for SIGUSR1, and uses them:
 *
 *	own_probes values		fires few, many and all, once each
 *	own_probes count N THREADS	fires few N times in each thread
 *	own_probes beat N		fires few with -1 until then, and N times
 *	own_probes toggle N THREADS	N times disables and enables meanwhile
 *	own_probes fork			a child fires few, and leaves
 *	own_probes many N		N probes of another provider, once each; then
 *					makes and forgets it again and again
 *	own_probes calls		uses the library in every wrong order
 *	own_probes cost N		nanoseconds of a test and a firing
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libusdt/usdt.h"

enum { MANY = 12 };

static usdt_provider_t *provider;
static usdt_probedef_t *few, *many, *all;
static volatile int is_over;
static int nfiring; /* threads that have fired at least once */

static usdt_probedef_t *make(const char *function, const char *name,
			     size_t argc, const char **types)
{
	usdt_probedef_t *probe = usdt_create_probe(function, name, argc, types);

	if (!probe || usdt_provider_add_probe(provider, probe))
		exit(2);
	return probe;
}

static void make_all(void)
{
	static const char *types[MANY] = {
		"int", "char *", "uint8_t", "int64_t", "uint64_t", "int16_t",
		"int", "const char *", "uint32_t", "int8_t", "long", "short",
	};
	static const char *words[USDT_ARG_MAX];

	for (int i = 0; i < USDT_ARG_MAX; i++)
		words[i] = "uint64_t";
	provider = usdt_create_provider("made", "its-module");
	few = make("work", "few-args", 2, types);
	many = make("work", "many", MANY, types);
	all = make(NULL, "all", USDT_ARG_MAX, words);
	if (usdt_provider_enable(provider)) {
		fprintf(stderr, "%s\n", usdt_errstr(provider));
		exit(2);
	}
}

static void wait_for_signal(void)
{
	sigset_t set;
	int number;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	sigwait(&set, &number);
}

static void fire_few(long number, const char *text)
{
	void *values[] = { (void *)number, (void *)(uintptr_t)text };

	usdt_fire_probe(few->probe, 2, values);
}

/* For tracers that do not tell when they are ready: they see a beat. */
static void beat_until_signal(void)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	while (sigtimedwait(&set, NULL, &pause) != SIGUSR1)
		fire_few(-1, "beat");
}

static void fire_values(void)
{
	void *values[USDT_ARG_MAX];

	for (long i = 0; i < USDT_ARG_MAX; i++)
		values[i] = (void *)(-100 - i);
	values[1] = "one";
	values[7] = "seven";
	printf("enabled: %d %d %d\n", usdt_is_enabled(few->probe) != 0,
	       usdt_is_enabled(many->probe) != 0,
	       usdt_is_enabled(all->probe) != 0);
	fire_few(-1, "text");
	usdt_fire_probedef(many, MANY, values);
	usdt_fire_probe(many->probe, 2, values); /* the others are 0 */
	for (long i = 0; i < USDT_ARG_MAX; i++)
		values[i] = (void *)(i + 1);
	usdt_fire_probe(all->probe, USDT_ARG_MAX, values);
}

static void *count(void *data)
{
	for (long i = *(long *)data; i > 0; i--)
		fire_few(i, "counted");
	return NULL;
}

/*
 * Texts are copied to memory that was written: a page of constants that the
 * program itself never read may not be there when a tracer wants to.
 */
static void *go_on(void *data)
{
	char text[] = "going on";

	(void)data;
	fire_few(0, text);
	__atomic_add_fetch(&nfiring, 1, __ATOMIC_SEQ_CST);
	for (long i = 1; !is_over; i++)
		fire_few(i, text);
	return NULL;
}

static void in_threads(long number, void *(*function)(void *), int toggles,
		       int nthreads)
{
	pthread_t threads[64];

	for (int i = 0; i < nthreads; i++)
		pthread_create(&threads[i], NULL, function, &number);
	/* each thread has fired before the first change */
	while (toggles && __atomic_load_n(&nfiring, __ATOMIC_SEQ_CST) < nthreads)
		usleep(200);
	for (int i = 0; i < toggles; i++) {
		usdt_provider_disable(provider);
		usleep(200);
		if (usdt_provider_enable(provider))
			printf("%s\n", usdt_errstr(provider));
		usleep(200);
	}
	is_over = 1;
	for (int i = 0; i < nthreads; i++)
		pthread_join(threads[i], NULL);
}

static void fork_and_fire(void)
{
	char own[] = "parent", its[] = "child";
	int status;
	pid_t child = fork();

	if (!child) {
		its[0] = 'c'; /* a page of its own */
		fire_few(getpid(), its);
		usdt_provider_free(provider); /* the file is not its own */
		exit(0);
	}
	waitpid(child, &status, 0);
	fire_few(getpid(), own);
}

/* A provider with so many probes, which are its only users. */
static usdt_provider_t *make_many(long number)
{
	const char *types[] = { "long", "char *" };
	usdt_provider_t *other = usdt_create_provider("lots", NULL);
	char name[32];

	for (long i = 0; i < number; i++) {
		snprintf(name, sizeof(name), "probe-%ld", i);
		usdt_probedef_t *probe =
			usdt_create_probe("f", name, 2, types);

		if (usdt_provider_add_probe(other, probe))
			exit(2);
		usdt_probe_release(probe);
	}
	if (usdt_provider_enable(other)) {
		printf("%s\n", usdt_errstr(other));
		exit(2);
	}
	return other;
}

/* Pages in memory, and mappings. */
static void size_of_all(long *pages, long *mappings)
{
	FILE *file = fopen("/proc/self/statm", "r");
	int c;

	if (!file || fscanf(file, "%*d %ld", pages) != 1)
		exit(2);
	fclose(file);
	file = fopen("/proc/self/maps", "r");
	for (*mappings = 0; file && (c = getc(file)) != EOF;)
		*mappings += c == '\n';
	if (file)
		fclose(file);
}

static void use_many(usdt_provider_t *other, long number)
{
	enum { FEW = 20, TIMES = 200, PAGES = 64 };
	long n = 0, pages[2], mappings[2];

	for (usdt_probedef_t *probe = other->probedefs; probe;
	     probe = probe->next) {
		void *values[] = { (void *)n++, (void *)(uintptr_t) "text" };

		usdt_fire_probedef(probe, 2, values);
	}
	usdt_provider_free(other);
	for (int i = 0; i < FEW + TIMES; i++) {
		if (i == FEW)
			size_of_all(&pages[0], &mappings[0]);
		usdt_provider_free(make_many(number / 100));
	}
	size_of_all(&pages[1], &mappings[1]);
	printf("fired %ld; pages: %s, mappings: %+ld\n", n,
	       pages[1] - pages[0] < PAGES ? "as before" : "more",
	       mappings[1] - mappings[0]);
}

static void say(const char *what, int result, const usdt_provider_t *of)
{
	printf("%s: %d%s%s\n", what, result, result ? " " : "",
	       result ? usdt_errstr(of) : "");
}

/* What must not be possible, and what must do no harm. */
static void call_wrongly(void)
{
	const char *types[] = { "int" };
	usdt_provider_t *other = usdt_create_provider("other", NULL);
	usdt_probedef_t *probe = usdt_create_probe(NULL, "p", 1, types);
	void *values[] = { (void *)1L };

	printf("names: %d %d %d\n", usdt_create_provider("a/b", NULL) != NULL,
	       usdt_create_provider("a", "..") != NULL,
	       usdt_create_probe(NULL, "a b", 0, NULL) != NULL);
	printf("many: %d\n",
	       usdt_create_probe(NULL, "p", USDT_ARG_MAX + 1, types) != NULL);
	say("empty", usdt_provider_enable(other), other);
	say("foreign", usdt_provider_remove_probe(other, probe), other);
	usdt_fire_probe(probe->probe, 1, values);
	say("added", usdt_provider_add_probe(other, probe), other);
	say("again", usdt_provider_add_probe(other, probe), other);
	usdt_fire_probe(probe->probe, 1, values);
	say("enabled", usdt_provider_enable(other), other);
	say("again", usdt_provider_enable(other), other);
	say("disabled", usdt_provider_disable(other), other);
	say("again", usdt_provider_disable(other), other);
	say("enabled", usdt_provider_enable(other), other);
	usdt_provider_free(other);
	usdt_fire_probe(probe->probe, 1, values);
	printf("is enabled: %d %d\n", usdt_is_enabled(probe->probe),
	       usdt_is_enabled(NULL));
	usdt_probe_release(probe);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static void measure(long number)
{
	volatile long sum = 0;
	double start = now();

	for (long i = 0; i < number; i++)
		sum += 1;
	double nothing = now() - start;

	start = now();
	for (long i = 0; i < number; i++)
		if (USDT_IS_ENABLED(few->probe))
			fire_few(i, "measured");
		else
			sum += 1;
	double test = now() - start - nothing;

	start = now();
	for (long i = 0; i < number; i++) {
		fire_few(i, "measured");
		sum += 1;
	}
	double call = now() - start - nothing;

	printf("test %.2f ns, call %.2f ns\n", test / (double)number,
	       call / (double)number);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "values";
	long number = argc > 2 ? atol(argv[2]) : 1000;
	int nthreads = argc > 3 ? atoi(argv[3]) : 1;

	setvbuf(stdout, NULL, _IOLBF, 0);
	make_all();
	if (!strcmp(mode, "cost")) {
		measure(number);
		return 0;
	}
	usdt_provider_t *other =
		strcmp(mode, "many") ? NULL : make_many(number);

	if (!strcmp(mode, "beat")) {
		beat_until_signal();
		count(&number);
	} else {
		wait_for_signal();
	}
	if (!strcmp(mode, "values"))
		fire_values();
	else if (!strcmp(mode, "count"))
		in_threads(number, count, 0, nthreads);
	else if (!strcmp(mode, "toggle"))
		in_threads(0, go_on, (int)number, nthreads);
	else if (!strcmp(mode, "fork"))
		fork_and_fire();
	else if (!strcmp(mode, "many"))
		use_many(other, number);
	else if (!strcmp(mode, "calls"))
		call_wrongly();
	usdt_provider_free(provider);
	usdt_probe_release(few);
	usdt_probe_release(many);
	usdt_probe_release(all);
	return 0;
}
