/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plockstatPID: mutexes and readers/writer locks of a process.
 *
 * The locks are those of pthreads, and the probes are built from the entries
 * and returns of their functions, so this is a table (stable.h) that is
 * instantiated for each process: a dollar sign in it is the process.
 *
 * 1. When the return value is known, the lock no longer is: entries save it in
 *    a thread-local variable.  Each probe has its own variables, because their
 *    order of firing is undefined.  Some functions jump to others, which return
 *    in their place: pid's hidden `done` is at the ends of those, too, and
 *    fires for all their callers.  The firing is ours if the stack pointer is
 *    the same as at the entry.
 * 2. A thread blocks when it waits for a futex inside a function that acquires
 *    a lock.  It may wait more than once; it blocks once.
 * 3. Waiting for a condition releases the mutex and acquires it again.
 * 4. Spinning happens inside the functions and cannot be seen.  Only adaptive
 *    mutexes spin, and only while another thread holds them: if one is held
 *    when it is requested, the thread spins until it waits for a futex (it
 *    failed) or has the mutex.  The number of spins is not known; the mutex has
 *    the average.
 */
#include <ctype.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "provider/stable.h"
#include "provider/uprobe.h"

/* Where the functions are: in libc, or before glibc 2.34 in a library. */
#define AT(function, end, ...) \
	{ .probe = "pid$:libc.so.6:" function ":" end, .also = true, \
	  __VA_ARGS__ }, \
	{ .probe = "pid$:libpthread.so.0:" function ":" end, __VA_ARGS__ }

/* At the entry: do `what`, and never fire. */
#define ENTERED(function, variable, what) \
	AT(function, "entry", \
	   .when = "(" variable "_sp = uregs[" ARCH_UREGS_SP "]), " what ", 0")
/* At its return: does it fire? */
#define RETURNED(function, variable, condition, ...) \
	AT(function, "done", \
	   .when = variable "_sp == uregs[" ARCH_UREGS_SP "] ? (" variable "_sp = 0), (" \
		   condition ") : 0", \
	   .args = { __VA_ARGS__ })
/* Keep argument n of the function; never fires. */
#define KEEP(function, n, variable) \
	ENTERED(function, variable, "(" variable " = arg" #n ")")
/* Fires when the function returned what `condition` says. */
#define AROUND(function, n, variable, condition, ...) \
	KEEP(function, n, variable), \
	RETURNED(function, variable, condition, __VA_ARGS__)

/* 130: EOWNERDEAD, the lock is ours nevertheless */
#define TAKEN "arg1 == 0 || arg1 == 130"
/* not: held by another thread (EBUSY), timed out (ETIMEDOUT) */
#define FAILED "arg1 != 0 && arg1 != 16 && arg1 != 110 && arg1 != 130"
/* A thread that waits for a futex: WAIT, WAIT_BITSET, LOCK_PI, LOCK_PI2. */
#define WAITS "pid == $ && (1 << (arg1 & 0x7f)) & 0x2241"

/*
 * struct __pthread_mutex_s: the futex at 0, count at 4, owner at 8, kind at
 * 16, average of spins at 20.  Kind 1 is recursive, 2 checks for errors, 3
 * spins; 0 and 3 know no owner.
 */
#define IS_SPUN_FOR(lock) \
	"(*(userland int *)(" lock " + 16) & 0x7f) == 3 && *(userland int *)" lock " != 0"
#define SPINS(lock) "*(userland short *)(" lock " + 20)"
#define IS_HELD(lock) \
	"(*(userland int *)(" lock " + 16) & 3) % 3 == 0 || *(userland int *)(" lock " + 8) == tid"
#define IS_RECURSIVE(lock) \
	"(*(userland int *)(" lock " + 16) & 3) == 1 && *(userland int *)(" lock " + 4) > 1"
/* struct __pthread_rwlock_arch_t: thread that writes at 24. */
#define IS_WRITER(lock) "*(userland int *)(" lock " + 24) == tid"

/* ------------------------------------------------------------------- block */

/* `variable`: the lock while it is being acquired, before a thread waits. */
#define MAY_BLOCK(function, variable) \
	KEEP(function, 0, variable), \
	RETURNED(function, variable, "(" variable " = 0), 0", NULL)
#define BLOCKS(variable, ...) \
	{ .probe = "syscall::futex:entry", .also = true, \
	  .when = WAITS " && " variable " ? (" variable "_now = " variable "), (" variable " = 0), 1 : 0", \
	  .args = { variable "_now", __VA_ARGS__ } }

/* `variable`: the lock while it is being taken; _now: it has been waited for. */
#define MAY_HAVE_BLOCKED(function, variable, ...) \
	ENTERED(function, variable, "(" variable " = arg0), (" variable "_now = 0)"), \
	RETURNED(function, variable, \
		 "(" variable "_lock = " variable "), (" variable " = 0), " variable "_now", \
		 variable "_lock", __VA_ARGS__)
#define NOTE_BLOCK(variable) \
	{ .probe = "syscall::futex:entry", .also = true, \
	  .when = WAITS " && " variable " ? (" variable "_now = 1), 0 : 0" }

#define MUTEX "self->plockstat_mutex"
#define RW "self->plockstat_rw"

static const struct stable_probe probes[] = {
#define ACQUIRE(function, n, condition) \
	AROUND(function, n, MUTEX "_acquire", condition, MUTEX "_acquire", \
	       IS_RECURSIVE(MUTEX "_acquire"), "0")
	{ "mutex-acquire", { { "uintptr_t" }, { "int" }, { "int" } },
	  STABLE_SOURCES(
		ACQUIRE("pthread_mutex_lock", 0, TAKEN),
		ACQUIRE("pthread_mutex_trylock", 0, TAKEN),
		ACQUIRE("pthread_mutex_timedlock", 0, TAKEN),
		ACQUIRE("pthread_mutex_clocklock", 0, TAKEN),
		/* EPERM: it never was released */
		ACQUIRE("pthread_cond_wait", 1, "arg1 != 1"),
		ACQUIRE("pthread_cond_timedwait", 1, "arg1 != 1"),
		ACQUIRE("pthread_cond_clockwait", 1, "arg1 != 1")) },
#define RELEASE(function, lock) \
	AT(function, "entry", .when = IS_HELD(lock), \
	   .args = { lock, IS_RECURSIVE(lock) })
	{ "mutex-release", { { "uintptr_t" }, { "int" } },
	  STABLE_SOURCES(
		RELEASE("pthread_mutex_unlock", "arg0"),
		RELEASE("pthread_cond_wait", "arg1"),
		RELEASE("pthread_cond_timedwait", "arg1"),
		RELEASE("pthread_cond_clockwait", "arg1")) },
	{ "mutex-block", { { "uintptr_t" } },
	  STABLE_SOURCES(
		MAY_BLOCK("pthread_mutex_lock", MUTEX "_block"),
		MAY_BLOCK("pthread_mutex_timedlock", MUTEX "_block"),
		MAY_BLOCK("pthread_mutex_clocklock", MUTEX "_block"),
		BLOCKS(MUTEX "_block", NULL)) },
#define MUTEX_BLOCKED(function) \
	MAY_HAVE_BLOCKED(function, MUTEX "_blocked", TAKEN)
	{ "mutex-blocked", { { "uintptr_t" }, { "int" } },
	  STABLE_SOURCES(
		MUTEX_BLOCKED("pthread_mutex_lock"),
		MUTEX_BLOCKED("pthread_mutex_timedlock"),
		MUTEX_BLOCKED("pthread_mutex_clocklock"),
		NOTE_BLOCK(MUTEX "_blocked")) },
#define MUTEX_SPIN(function) \
	AT(function, "entry", .when = IS_SPUN_FOR("arg0"), .args = { "arg0" })
	{ "mutex-spin", { { "uintptr_t" } },
	  STABLE_SOURCES(
		MUTEX_SPIN("pthread_mutex_lock"),
		MUTEX_SPIN("pthread_mutex_timedlock"),
		MUTEX_SPIN("pthread_mutex_clocklock")) },
#define MUTEX_SPUN(function) \
	ENTERED(function, MUTEX "_spun", \
		"(" MUTEX "_spun = " IS_SPUN_FOR("arg0") " ? arg0 : 0)"), \
	RETURNED(function, MUTEX "_spun", \
		 "(" MUTEX "_spun_now = " MUTEX "_spun), (" MUTEX "_spun = 0), " MUTEX "_spun_now", \
		 MUTEX "_spun_now", TAKEN, SPINS(MUTEX "_spun_now"))
	{ "mutex-spun", { { "uintptr_t" }, { "int" }, { "int" } },
	  STABLE_SOURCES(
		MUTEX_SPUN("pthread_mutex_lock"),
		MUTEX_SPUN("pthread_mutex_timedlock"),
		MUTEX_SPUN("pthread_mutex_clocklock"),
		BLOCKS(MUTEX "_spun", "0", SPINS(MUTEX "_spun_now"))) },
#define MUTEX_ERROR(function) \
	AROUND(function, 0, MUTEX "_error", FAILED, MUTEX "_error", "arg1")
	{ "mutex-error", { { "uintptr_t" }, { "int" } },
	  STABLE_SOURCES(
		MUTEX_ERROR("pthread_mutex_lock"),
		MUTEX_ERROR("pthread_mutex_trylock"),
		MUTEX_ERROR("pthread_mutex_timedlock"),
		MUTEX_ERROR("pthread_mutex_clocklock"),
		MUTEX_ERROR("pthread_mutex_unlock")) },
#define RW_ACQUIRE(function, writer) \
	AROUND(function, 0, RW "_acquire", TAKEN, RW "_acquire", writer)
	{ "rw-acquire", { { "uintptr_t" }, { "int" } },
	  STABLE_SOURCES(
		RW_ACQUIRE("pthread_rwlock_rdlock", "0"),
		RW_ACQUIRE("pthread_rwlock_tryrdlock", "0"),
		RW_ACQUIRE("pthread_rwlock_timedrdlock", "0"),
		RW_ACQUIRE("pthread_rwlock_clockrdlock", "0"),
		RW_ACQUIRE("pthread_rwlock_wrlock", "1"),
		RW_ACQUIRE("pthread_rwlock_trywrlock", "1"),
		RW_ACQUIRE("pthread_rwlock_timedwrlock", "1"),
		RW_ACQUIRE("pthread_rwlock_clockwrlock", "1")) },
	{ "rw-release", { { "uintptr_t" }, { "int" } },
	  STABLE_SOURCES(
		AT("pthread_rwlock_unlock", "entry",
		   .args = { "arg0", IS_WRITER("arg0") })) },
#define RW_MAY_BLOCK(function, writer) \
	ENTERED(function, RW "_block", "(" RW "_block = arg0), (" RW "_writes = " writer ")"), \
	RETURNED(function, RW "_block", "(" RW "_block = 0), 0", NULL)
	{ "rw-block", { { "uintptr_t" }, { "int" } },
	  STABLE_SOURCES(
		RW_MAY_BLOCK("pthread_rwlock_rdlock", "0"),
		RW_MAY_BLOCK("pthread_rwlock_timedrdlock", "0"),
		RW_MAY_BLOCK("pthread_rwlock_clockrdlock", "0"),
		RW_MAY_BLOCK("pthread_rwlock_wrlock", "1"),
		RW_MAY_BLOCK("pthread_rwlock_timedwrlock", "1"),
		RW_MAY_BLOCK("pthread_rwlock_clockwrlock", "1"),
		BLOCKS(RW "_block", RW "_writes")) },
#define RW_BLOCKED(function, writer) \
	MAY_HAVE_BLOCKED(function, RW "_blocked", writer, TAKEN)
	{ "rw-blocked", { { "uintptr_t" }, { "int" }, { "int" } },
	  STABLE_SOURCES(
		RW_BLOCKED("pthread_rwlock_rdlock", "0"),
		RW_BLOCKED("pthread_rwlock_timedrdlock", "0"),
		RW_BLOCKED("pthread_rwlock_clockrdlock", "0"),
		RW_BLOCKED("pthread_rwlock_wrlock", "1"),
		RW_BLOCKED("pthread_rwlock_timedwrlock", "1"),
		RW_BLOCKED("pthread_rwlock_clockwrlock", "1"),
		NOTE_BLOCK(RW "_blocked")) },
#define RW_ERROR(function, writer) \
	AROUND(function, 0, RW "_error", FAILED, RW "_error", writer, "arg1")
	{ "rw-error", { { "uintptr_t" }, { "int" }, { "int" } },
	  STABLE_SOURCES(
		RW_ERROR("pthread_rwlock_rdlock", "0"),
		RW_ERROR("pthread_rwlock_tryrdlock", "0"),
		RW_ERROR("pthread_rwlock_timedrdlock", "0"),
		RW_ERROR("pthread_rwlock_wrlock", "1"),
		RW_ERROR("pthread_rwlock_trywrlock", "1"),
		RW_ERROR("pthread_rwlock_timedwrlock", "1"),
		RW_ERROR("pthread_rwlock_unlock", "0")) },
	{ .name = NULL },
};

/* ------------------------------------------------------------ one process */

/* The text with the process for each dollar sign. */
static const char *with_process(struct arena *arena, const char *text,
				const char *process)
{
	const char *dollar = text ? strchr(text, '$') : NULL;

	if (!dollar)
		return text;
	return arena_printf(arena, "%.*s%s%s", (int)(dollar - text), text,
			    process, with_process(arena, dollar + 1, process));
}

static const struct stable_probe *row_of(struct arena *arena,
					 const struct stable_probe *row,
					 const char *process)
{
	struct stable_probe *copy = arena_copy(arena, row, sizeof(*row));
	size_t count = 1;

	while (row->sources[count - 1].probe)
		count++;
	struct stable_source *sources = arena_copy(arena, row->sources,
						   count * sizeof(*sources));

	for (size_t i = 0; i + 1 < count; i++) {
		sources[i].probe = with_process(arena, sources[i].probe,
						process);
		sources[i].when = with_process(arena, sources[i].when, process);
	}
	copy->sources = sources;
	return copy;
}

static bool ignore(void *data, const struct probe *probe)
{
	(void)data;
	(void)probe;
	return false;
}

/* Has the process mapped the functions?  Without them no probe can fire. */
static bool has_locks(struct probe_registry *registry, const char *process)
{
	struct probe_desc desc = {
		.provider = arena_printf(registry_arena(registry), "pid%s",
					 process),
		.function = "pthread_mutex_lock", .name = "entry",
	};
	static const char *const modules[] = { "libc.so.6", "libpthread.so.0" };

	for (unsigned i = 0; i < sizeof(modules) / sizeof(*modules); i++) {
		desc.module = modules[i];
		if (registry_match(registry, &desc, ignore, NULL, NULL) > 0)
			return true;
	}
	return false;
}

/* The number of the requested process, or NULL. */
static const char *digits_of(const struct probe_desc *desc)
{
	enum { PREFIX = sizeof("plockstat") - 1 };

	if (strncmp(desc->provider, "plockstat", PREFIX))
		return NULL;
	const char *process = desc->provider + PREFIX;

	return !*process || strspn(process, "0123456789") != strlen(process) ||
			       strlen(process) > 9
		       ? NULL
		       : process;
}

static pid_t process_of(const struct probe_desc *desc)
{
	const char *process = digits_of(desc);

	return process ? atoi(process) : 0;
}

static void add_row(struct probe_registry *registry, const char *provider,
		    const struct stable_probe *row, const char *process)
{
	struct probe *probe =
		stable_add(registry, &plockstat_provider, provider, "libc.so.6",
			   row_of(registry_arena(registry), row, process), 0);

	if (probe)
		probe->pid = atoi(process);
}

static int plockstat_list(struct probe_registry *registry,
			  const struct probe_desc *desc,
			  struct probe_error *error)
{
	const char *process = desc ? digits_of(desc) : NULL;

	(void)error;
	if (!process || !has_locks(registry, process))
		return 0;
	for (const struct stable_probe *row = probes; row->name; row++)
		if (probe_desc_matches(desc, desc->provider, "libc.so.6", "",
				       row->name))
			add_row(registry, desc->provider, row, process);
	return 0;
}

const struct provider plockstat_provider = {
	.check = uprobe_check,
	.name = "plockstat",
	.about = "mutexes and readers/writer locks of a process",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = plockstat_list,
	.process_of = process_of,
	.argument = stable_argument,
	.shape = stable_shape,
	.sources = stable_sources,
	.context = stable_context,
	.attach = stable_attach,
	.detach = stable_detach,
};
