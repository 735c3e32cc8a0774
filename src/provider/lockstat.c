/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockstat: kernel locks that a thread has to wait for; and, where functions
 * can be traced, locks that are acquired and released.
 *
 * adaptive is a lock whose waiters sleep (mutexes, semaphores), after they have
 * spun for a while; spin is one whose waiters spin; rw has readers and writers:
 * waiters of a rwsem sleep (rw-block), those of a rwlock spin (rw-spin).
 *
 * 1. The kernel reports the kind of wait when it begins, but not when it ends.
 *    So each probe saves the beginnings of its own kind, by thread and lock (an
 *    interrupt may wait for another lock meanwhile), and fires when a saved
 *    wait ends.
 * 2. A mutex is spun for and then slept for; spinning that failed has no end
 *    event and does not count towards the block.
 * 3. An acquisition is seen where the function returns, and the return does not
 *    say which lock it was: the entry saves it for the thread.
 * 4. Spin locks that are acquired without waiting are not traced: tracing
 *    itself uses such locks.
 * 5. The holder of a rwsem shows in its count: bit 0 a writer, from bit 8 on
 *    the number of readers.  It is read where the wait begins; a percpu rwsem
 *    has no such count, and its readers only wait for a writer.
 */
#include "provider/classic.h"
#include "provider/stable.h"

/* Bits of contention_begin's flags. */
#define SPINS "(args[1] & 1) != 0"
#define SLEEPS "(args[1] & 1) == 0"
#define READS "(args[1] & 2) != 0"
#define WRITES "(args[1] & 4) != 0"
#define IS_NOT_RW "(args[1] & 6) == 0"
#define IS_MUTEX "(args[1] & 32) != 0"
#define IS_NO_MUTEX "(args[1] & 32) == 0"

/*
 * Beginnings that are `ours` are saved in the array; `kind` is the 3rd
 * argument.
 */
#define SINCE(array) "self->" array "[(uintptr_t)args[0]]"
#define WAITS(array, ours, kind) \
	{ "rawtp:lock::contention_begin", .also = true, \
	  .when = ours " && (" SINCE(array) " = timestamp) == 0" }, \
	{ "rawtp:lock::contention_end", .also = true, \
	  .when = SINCE(array) " != 0 && " \
		  "(self->" array "_time = timestamp - " SINCE(array) ") && " \
		  "(" SINCE(array) " = 0) == 0", \
	  .args = { "(uintptr_t)args[0]", "self->" array "_time", kind } }

/* The same for threads that sleep for a rwsem: its holder is saved, too. */
#define HELD(array) "self->" array "_held[(uintptr_t)args[0]]"
#define READERS(array) "((self->" array "_count >> 8) & 0xffffffff)"
#define WAITS_FOR(array, ours, kind, percpu, has_writer) \
	{ "rawtp:lock::contention_begin", .also = true, \
	  .needs = "struct rw_semaphore.count", \
	  .when = ours " && (" SINCE(array) " = timestamp) && (" HELD(array) \
		  " = (args[1] & 16) != 0 ? " percpu \
		  " : ((struct rw_semaphore *)args[0])->count.counter) && 0" }, \
	{ "rawtp:lock::contention_begin", \
	  .when = ours " && (" SINCE(array) " = timestamp) && (" HELD(array) \
		  " = " percpu ") && 0" }, \
	{ "rawtp:lock::contention_end", .also = true, \
	  .when = SINCE(array) " != 0 && " \
		  "(self->" array "_time = timestamp - " SINCE(array) ") && " \
		  "(" SINCE(array) " = 0) == 0 && " \
		  "((self->" array "_count = " HELD(array) ") || 1) && " \
		  "(" HELD(array) " = 0) == 0", \
	  .args = { "(uintptr_t)args[0]", "self->" array "_time", kind, \
		    has_writer, READERS(array) } }

/* `function` has taken the lock that is its first argument. */
#define TAKES(function, variable, if_result, kind) \
	{ "fbt::" function ":entry", .also = true, \
	  .when = "(self->" variable " = (uintptr_t)args[0]) == 0" }, \
	{ "fbt::" function ":return", .also = true, \
	  .when = "self->" variable " != 0 && " if_result, \
	  .args = { "self->" variable, kind } }
/* `function` has not; what is lost is errno. */
#define FAILS(function, variable) \
	{ "fbt::" function ":entry", .also = true, \
	  .when = "(self->" variable " = (uintptr_t)args[0]) == 0" }, \
	{ "fbt::" function ":return", .also = true, \
	  .when = "self->" variable " != 0 && (int)args[1] != 0", \
	  .args = { "self->" variable, "-(int)args[1]" } }
#define GIVES(function, kind) \
	{ "fbt::" function ":entry", .also = true, \
	  .args = { "(uintptr_t)args[0]", kind } }

#define MUTEX                    \
	{                        \
		"struct mutex *" \
	}
#define RWSEM                           \
	{                               \
		"struct rw_semaphore *" \
	}
#define TIME               \
	{                  \
		"uint64_t" \
	}
#define KIND          \
	{             \
		"int" \
	}

static const struct stable_probe probes[] = {
	{ "adaptive-block", { MUTEX, TIME },
	  STABLE_SOURCES(WAITS("_lock_block", SLEEPS " && " IS_NOT_RW, NULL)) },
	{ "adaptive-spin", { MUTEX, TIME },
	  STABLE_SOURCES(
		WAITS("_lock_adaptive", SPINS " && " IS_MUTEX, NULL),
		/* spinning failed: now it sleeps */
		{ "rawtp:lock::contention_begin", .also = true,
		  .when = SLEEPS " && " IS_MUTEX " && "
			  SINCE("_lock_adaptive") " != 0 && ("
			  SINCE("_lock_adaptive") " = 0)" }) },
	{ "spin-spin", { { "spinlock_t *" }, TIME },
	  STABLE_SOURCES(
		WAITS("_lock_spin",
		      SPINS " && " IS_NO_MUTEX " && " IS_NOT_RW, NULL)) },
	{ "rw-block", { RWSEM, TIME, KIND, { "int" }, { "uint64_t" } },
	  STABLE_SOURCES(
		WAITS_FOR("_lock_reader", SLEEPS " && " READS, "1", "1",
			  "self->_lock_reader_count & 1"),
		/* without readers there is a writer, or one to be woken up */
		WAITS_FOR("_lock_writer", SLEEPS " && " WRITES, "0", "256",
			  READERS("_lock_writer") " == 0")) },
	{ "rw-spin", { { "rwlock_t *" }, TIME, KIND },
	  STABLE_SOURCES(
		WAITS("_lock_spin_reader", SPINS " && " READS, "1"),
		WAITS("_lock_spin_writer", SPINS " && " WRITES, "0")) },
	{ "adaptive-acquire", { MUTEX },
	  STABLE_SOURCES(
		TAKES("mutex_lock", "_mutex", "1", NULL),
		TAKES("mutex_lock_interruptible", "_mutex_i",
		      "(int)args[1] == 0", NULL),
		TAKES("mutex_lock_killable", "_mutex_k",
		      "(int)args[1] == 0", NULL),
		TAKES("mutex_trylock", "_mutex_t", "(int)args[1] != 0", NULL)) },
	{ "adaptive-release", { MUTEX },
	  STABLE_SOURCES(GIVES("mutex_unlock", NULL)) },
	{ "rw-acquire", { RWSEM, KIND },
	  STABLE_SOURCES(
		TAKES("down_read", "_rwsem_r", "1", "1"),
		TAKES("down_read_killable", "_rwsem_rk",
		      "(int)args[1] == 0", "1"),
		TAKES("down_read_interruptible", "_rwsem_ri",
		      "(int)args[1] == 0", "1"),
		TAKES("down_read_trylock", "_rwsem_rt",
		      "(int)args[1] != 0", "1"),
		TAKES("down_write", "_rwsem_w", "1", "0"),
		TAKES("down_write_killable", "_rwsem_wk",
		      "(int)args[1] == 0", "0"),
		TAKES("down_write_trylock", "_rwsem_wt",
		      "(int)args[1] != 0", "0")) },
	{ "rw-release", { RWSEM, KIND },
	  STABLE_SOURCES(GIVES("up_read", "1"), GIVES("up_write", "0")) },
	{ "adaptive-acquire-error", { MUTEX, { "int" } },
	  STABLE_SOURCES(FAILS("mutex_lock_interruptible", "_mutex_ie"),
			 FAILS("mutex_lock_killable", "_mutex_ke")) },
	{ "rw-downgrade", { RWSEM },
	  STABLE_SOURCES(GIVES("downgrade_write", NULL)) },
	{ .name = NULL },
};

static enum provider_status lockstat_check(struct probe_registry *registry,
					   const struct provider *provider,
					   const char **reason)
{
	enum provider_status status = stable_check(registry, provider, reason);

	if (status == PROVIDER_ABSENT)
		return status;
	*reason = arena_printf(
		registry_arena(registry),
		"%s%sthere is no spin-acquire and no spin-release: %s",
		status == PROVIDER_WORKS ? "" : *reason,
		status == PROVIDER_WORKS ? "" : "; ",
		classic_absence("lockstat", "spin-acquire"));
	return PROVIDER_PARTLY;
}

static int lockstat_list(struct probe_registry *registry,
			 const struct probe_desc *desc,
			 struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &lockstat_provider, probes, desc);
}

const struct provider lockstat_provider = {
	.name = "lockstat",
	.about = "locks of the kernel: waiting, taking, giving back",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = lockstat_list,
	.nids = sizeof(probes) / sizeof(probes[0]) - 1,
	STABLE_METHODS_EXCEPT_WORDS,
	.explain = stable_explain,
	.check = lockstat_check,
};
