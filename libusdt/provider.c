/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Providers and their probes: made, enabled, fired.
 *
 * An enabled provider is a mapped file (object.h): a function for each probe, which
 * is called to fire it, and a semaphore that the kernel counts up for each tracer.
 * `probe->enabled` points to the semaphore, or to a zero that is always there.
 *
 * 1. A probe that nobody traces costs a test of that word: no lock, no atomic.
 * 2. Who fires while another thread disables must find code and a word to read.
 *    So semaphores are never unmapped before the last probe is gone, but replaced
 *    by zeros, and code is unmapped when nobody is in it: a firing counts itself
 *    in (`firing`), then looks whether the provider `is_live`; who disables writes
 *    and reads these in the other order.
 * 3. Enabling again uses the same addresses if the probes are as many as before.
 *    If not, the old semaphores stay behind as zeros: a page or so.
 * 4. A probe that was removed has no place any more, because another may get it.
 * 5. The list of all providers is the one thing that is global.  The end of the
 *    process needs it, to remove files, and the child of a fork, in which nobody
 *    fires who fired in its parent.
 */
#include "usdt.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "object.h"
#include "machine.h"

/* How long to wait for firings to end. */
enum { WAITS = 1000, WAIT_NS = 1000000 };

/* What is mapped.  The provider and its probes share it; the last one frees it. */
struct live {
	unsigned references;
	bool is_live;
	unsigned firing;
	uint8_t *base; /* NULL: not mapped yet */
	size_t code, data, mapped;
	struct file file;
	pid_t owner; /* of the file */
	struct live *next, *previous;
};

static const volatile uint16_t nobody;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct live *all;

/* -------------------------------------------------------------------- fork */

static void fork_begins(void)
{
	pthread_mutex_lock(&lock);
}

static void fork_is_over(void)
{
	pthread_mutex_unlock(&lock);
}

/* The other threads are gone, those that were firing, too. */
static void child_begins(void)
{
	for (struct live *live = all; live; live = live->next)
		__atomic_store_n(&live->firing, 0, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(fork_begins, fork_is_over, child_begins);
}

/* -------------------------------------------------------------------- live */

static struct live *live_new(void)
{
	struct live *live = calloc(1, sizeof(*live));

	if (!live)
		return NULL;
	live->references = 1;
	pthread_mutex_lock(&lock);
	live->next = all;
	if (all)
		all->previous = live;
	all = live;
	pthread_mutex_unlock(&lock);
	return live;
}

static void live_release(struct live *live)
{
	if (!live || __atomic_sub_fetch(&live->references, 1, __ATOMIC_ACQ_REL))
		return;
	pthread_mutex_lock(&lock);
	if (live->next)
		live->next->previous = live->previous;
	*(live->previous ? &live->previous->next : &all) = live->next;
	pthread_mutex_unlock(&lock);
	if (live->base)
		munmap(live->base, live->mapped);
	free(live);
}

/* Was none mapped so far? */
static bool is_first(void)
{
	bool is_first = true;

	pthread_mutex_lock(&lock);
	for (const struct live *live = all; live && is_first; live = live->next)
		is_first = !live->base;
	pthread_mutex_unlock(&lock);
	return is_first;
}

static void remove_file(struct live *live)
{
	if (live->owner == getpid())
		file_remove(&live->file);
}

__attribute__((destructor)) static void remove_files(void)
{
	/* who exits with the lock held leaves files, and does not hang */
	if (pthread_mutex_trylock(&lock))
		return;
	for (struct live *live = all; live; live = live->next)
		remove_file(live);
	pthread_mutex_unlock(&lock);
}

static bool map_at(const struct live *live, size_t from, size_t to, int rights,
		   int flags, int fd)
{
	return mmap(live->base + from, to - from, rights, flags | MAP_FIXED, fd,
		    fd < 0 ? 0 : (off_t)from) != MAP_FAILED;
}

static bool live_map(struct live *live, const struct object *object)
{
	enum { ALONE = MAP_PRIVATE | MAP_ANONYMOUS };

	if (!live->base || live->data != object->data ||
	    live->mapped != object->mapped) {
		void *base = mmap(NULL, object->mapped, PROT_NONE, ALONE, -1,
				  0);

		if (base == MAP_FAILED)
			return false;
		live->base = base;
		live->code = object->code;
		live->data = object->data;
		live->mapped = object->mapped;
	}
	/* semaphores first: the kernel counts in what is there */
	return map_at(live, live->data, live->mapped, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE, live->file.fd) &&
	       map_at(live, 0, live->data, PROT_READ | PROT_EXEC, MAP_PRIVATE,
		      live->file.fd);
}

static void live_unmap(struct live *live)
{
	enum { ALONE = MAP_PRIVATE | MAP_ANONYMOUS };
	const struct timespec pause = { .tv_nsec = WAIT_NS };

	__atomic_store_n(&live->is_live, false, __ATOMIC_SEQ_CST);
	map_at(live, live->data, live->mapped, PROT_READ | PROT_WRITE, ALONE,
	       -1);
	for (int i = 0; i < WAITS; i++) {
		if (!__atomic_load_n(&live->firing, __ATOMIC_SEQ_CST)) {
			map_at(live, 0, live->data, PROT_NONE, ALONE, -1);
			return;
		}
		nanosleep(&pause, NULL);
	}
}

/* ----------------------------------------------------------------- probes */

static bool is_name(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-.";

	return name && *name && *name != '.' && strlen(name) < 128 &&
	       name[strspn(name, letters)] == '\0';
}

static void probedef_free(usdt_probedef_t *probe)
{
	free((char *)(uintptr_t)probe->name);
	free((char *)(uintptr_t)probe->function);
	for (size_t i = 0; i < probe->argc; i++)
		free((char *)(uintptr_t)probe->types[i]);
	if (probe->probe)
		live_release(probe->probe->provider);
	free(probe->probe);
	free(probe);
}

usdt_probedef_t *usdt_create_probe(const char *function, const char *name,
				   size_t argc, const char **types)
{
	usdt_probedef_t *probe;

	if (!is_name(name) || argc > USDT_ARG_MAX || (argc && !types))
		return NULL;
	probe = calloc(1, sizeof(*probe));
	if (!probe)
		return NULL;
	probe->refcnt = 1;
	probe->argc = argc;
	probe->name = strdup(name);
	probe->function = strdup(function ? function : name);
	probe->probe = calloc(1, sizeof(*probe->probe));
	bool is_complete = probe->name && probe->function && probe->probe;

	for (size_t i = 0; i < argc; i++) {
		probe->types[i] = types[i] ? strdup(types[i]) : NULL;
		is_complete &= !!probe->types[i];
	}
	if (!is_complete) {
		probedef_free(probe);
		return NULL;
	}
	probe->probe->enabled = &nobody;
	probe->probe->argc = (uint32_t)argc;
	return probe;
}

void usdt_probe_release(usdt_probedef_t *probe)
{
	if (!__atomic_sub_fetch(&probe->refcnt, 1, __ATOMIC_ACQ_REL))
		probedef_free(probe);
}

int usdt_is_enabled(const usdt_probe_t *probe)
{
	return probe && USDT_IS_ENABLED(probe);
}

/* ----------------------------------------------------------------- firing */

typedef void site_few(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
		      uint64_t);
typedef void site_many(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
		       uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
		       uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
		       uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
		       uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
		       uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
		       uint64_t, uint64_t);

/* Few are in registers; the others are on the stack as the notes say. */
static void call(void *site, uint32_t argc, const uint64_t *a)
{
	_Static_assert(MACHINE_REGISTER_ARGS == 6 && USDT_ARG_MAX == 32,
		       "the calls below");
	if (argc <= MACHINE_REGISTER_ARGS)
		((site_few *)site)(a[0], a[1], a[2], a[3], a[4], a[5]);
	else
		((site_many *)site)(a[0], a[1], a[2], a[3], a[4], a[5], a[6],
				    a[7], a[8], a[9], a[10], a[11], a[12],
				    a[13], a[14], a[15], a[16], a[17], a[18],
				    a[19], a[20], a[21], a[22], a[23], a[24],
				    a[25], a[26], a[27], a[28], a[29], a[30],
				    a[31]);
}

/* Apart, so that a probe that nobody traces needs no stack. */
__attribute__((noinline)) static void fire(usdt_probe_t *probe, size_t argc,
					   void **argv)
{
	uint64_t words[USDT_ARG_MAX] = { 0 };
	struct live *live = probe->provider;

	for (size_t i = 0; i < argc && i < probe->argc; i++)
		words[i] = (uint64_t)(uintptr_t)argv[i];
	__atomic_add_fetch(&live->firing, 1, __ATOMIC_SEQ_CST);
	void *site = __atomic_load_n(&live->is_live, __ATOMIC_SEQ_CST)
			     ? __atomic_load_n(&probe->site, __ATOMIC_ACQUIRE)
			     : NULL;

	if (site)
		call(site, probe->argc, words);
	__atomic_sub_fetch(&live->firing, 1, __ATOMIC_SEQ_CST);
}

void usdt_fire_probe(usdt_probe_t *probe, size_t argc, void **argv)
{
	if (probe && USDT_IS_ENABLED(probe))
		fire(probe, argc, argv);
}

void usdt_fire_probedef(usdt_probedef_t *probe, size_t argc, void **argv)
{
	usdt_fire_probe(probe->probe, argc, argv);
}

/* -------------------------------------------------------------- providers */

static const char *const messages[] = {
	[USDT_ERROR_MALLOC] = "no memory",
	[USDT_ERROR_NOPROBES] = "the provider has no probes",
	[USDT_ERROR_FILE] = "cannot create the file of the probes",
	[USDT_ERROR_ALREADYENABLED] = "the provider is already enabled",
	[USDT_ERROR_DUP_PROBE] = "the provider has such a probe already",
	[USDT_ERROR_REMOVE_PROBE] = "the provider has no such probe",
};

static int fail(usdt_provider_t *provider, usdt_error_t error,
		const char *detail)
{
	char *text = NULL;

	free((char *)(uintptr_t)provider->error);
	if (asprintf(&text, "%s%s%s", messages[error], detail ? ": " : "",
		     detail ? detail : "") < 0)
		text = NULL;
	provider->error = text;
	return -1;
}

const char *usdt_errstr(const usdt_provider_t *provider)
{
	return provider->error ? provider->error : "no error";
}

usdt_provider_t *usdt_create_provider(const char *name, const char *module)
{
	usdt_provider_t *provider;

	if (!is_name(name) || (module && !is_name(module)))
		return NULL;
	provider = calloc(1, sizeof(*provider));
	if (!provider)
		return NULL;
	provider->name = strdup(name);
	provider->module = strdup(module ? module : name);
	provider->file = live_new();
	if (!provider->name || !provider->module || !provider->file) {
		usdt_provider_free(provider);
		return NULL;
	}
	return provider;
}

static bool is_same(const usdt_probedef_t *a, const usdt_probedef_t *b)
{
	return !strcmp(a->name, b->name) && !strcmp(a->function, b->function);
}

int usdt_provider_add_probe(usdt_provider_t *provider, usdt_probedef_t *probe)
{
	usdt_probedef_t **end = &provider->probedefs;
	struct live *live = provider->file;

	/* a probe is in one list */
	if (probe->probe->provider)
		return fail(provider, USDT_ERROR_DUP_PROBE, probe->name);
	for (; *end; end = &(*end)->next)
		if (is_same(*end, probe))
			return fail(provider, USDT_ERROR_DUP_PROBE,
				    probe->name);
	__atomic_add_fetch(&live->references, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&probe->refcnt, 1, __ATOMIC_RELAXED);
	probe->probe->provider = live;
	probe->next = NULL;
	*end = probe;
	return 0;
}

static void retire(usdt_probedef_t *probe)
{
	__atomic_store_n(&probe->probe->enabled, &nobody, __ATOMIC_RELEASE);
}

/* It keeps what is live, which it may be firing; so it cannot be added again. */
int usdt_provider_remove_probe(usdt_provider_t *provider,
			       usdt_probedef_t *probe)
{
	for (usdt_probedef_t **at = &provider->probedefs; *at;
	     at = &(*at)->next)
		if (*at == probe) {
			*at = probe->next;
			retire(probe);
			__atomic_store_n(&probe->probe->site, NULL,
					 __ATOMIC_RELEASE);
			usdt_probe_release(probe);
			return 0;
		}
	return fail(provider, USDT_ERROR_REMOVE_PROBE, probe->name);
}

static void connect_probes(usdt_provider_t *provider)
{
	const struct live *live = provider->file;
	size_t n = 0;

	for (usdt_probedef_t *def = provider->probedefs; def;
	     def = def->next, n++) {
		usdt_probe_t *probe = def->probe;
		const volatile uint16_t *semaphore =
			(const volatile uint16_t *)(live->base + live->data) +
			n;

		__atomic_store_n(&probe->site,
				 live->base + live->code + n * OBJECT_SITE,
				 __ATOMIC_RELEASE);
		__atomic_store_n(&probe->enabled, semaphore, __ATOMIC_RELEASE);
	}
}

int usdt_provider_enable(usdt_provider_t *provider)
{
	struct live *live = provider->file;
	struct object object;
	int error;

	if (provider->enabled)
		return fail(provider, USDT_ERROR_ALREADYENABLED, NULL);
	if (!provider->probedefs)
		return fail(provider, USDT_ERROR_NOPROBES, NULL);
	if (!object_make(&object, provider))
		return fail(provider, USDT_ERROR_MALLOC, NULL);
	error = file_make(&live->file, provider->module, object.bytes,
			  object.size, is_first());
	free(object.bytes);
	if (error)
		return fail(provider, USDT_ERROR_FILE, strerror(-error));
	live->owner = getpid();
	bool is_mapped = live_map(live, &object);

	error = errno;
	close(live->file.fd);
	if (!is_mapped) {
		remove_file(live);
		return fail(provider, USDT_ERROR_FILE, strerror(error));
	}
	connect_probes(provider);
	__atomic_store_n(&live->is_live, true, __ATOMIC_SEQ_CST);
	provider->enabled = 1;
	return 0;
}

int usdt_provider_disable(usdt_provider_t *provider)
{
	if (!provider->enabled)
		return 0;
	for (usdt_probedef_t *probe = provider->probedefs; probe;
	     probe = probe->next)
		retire(probe);
	live_unmap(provider->file);
	remove_file(provider->file);
	provider->enabled = 0;
	return 0;
}

void usdt_provider_free(usdt_provider_t *provider)
{
	if (!provider)
		return;
	usdt_provider_disable(provider);
	for (usdt_probedef_t *probe = provider->probedefs, *next; probe;
	     probe = next) {
		next = probe->next;
		usdt_probe_release(probe);
	}
	live_release(provider->file);
	free((char *)(uintptr_t)provider->name);
	free((char *)(uintptr_t)provider->module);
	free((char *)(uintptr_t)provider->error);
	free(provider);
}
