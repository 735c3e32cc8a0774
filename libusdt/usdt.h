/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _USDT_H
#define _USDT_H

/*
 * libusdt: probes that a program makes while it runs.
 *
 * For interpreters and others that know their probes only at run time; a program
 * in C has its probes made by the compiler, which is simpler (dtrace -h, or
 * <sys/sdt.h>).  The names are those of the library that interpreters have used
 * on other systems.  The order:
 *
 *	usdt_create_provider
 *	usdt_create_probe, usdt_provider_add_probe, once per probe
 *	usdt_provider_enable
 *	usdt_is_enabled, usdt_fire_probe, as often as you like, in any thread
 *	usdt_provider_disable, usdt_provider_free, usdt_probe_release
 *
 * An enabled provider is a file with ordinary USDT notes that the process maps,
 * so any tracer finds its probes: dtrace, bpftrace, perf.  While nobody traces a
 * probe, to fire it is to read one word.
 *
 * Probes may be fired while another thread disables the provider, and tested and
 * fired before it is enabled and after it was freed: that does nothing, as long
 * as the probe was not released.  Other calls for one provider are for one thread
 * at a time.  A child of fork() has the probes of its parent.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Most arguments of a probe.  D knows the first ten as arg0 to arg9. */
#define USDT_ARG_MAX 32

typedef enum usdt_error {
	USDT_ERROR_MALLOC,	   /* no memory */
	USDT_ERROR_NOPROBES,	   /* it has no probes */
	USDT_ERROR_FILE,	   /* its file cannot be written or mapped */
	USDT_ERROR_ALREADYENABLED, /* it is enabled */
	USDT_ERROR_DUP_PROBE,	   /* it has such a probe */
	USDT_ERROR_REMOVE_PROBE,   /* it has no such probe */
} usdt_error_t;

/* What is needed to fire; it lives as long as its usdt_probedef. */
typedef struct usdt_probe {
	/* how many trace it; USDT_IS_ENABLED() reads it */
	const volatile uint16_t *enabled;
	void *site; /* the rest is the library's */
	void *provider;
	uint32_t argc;
} usdt_probe_t;

typedef struct usdt_probedef {
	const char *name;
	const char *function;
	size_t argc;
	usdt_probe_t *probe; /* never NULL */
	struct usdt_probedef *next;
	int refcnt;
	const char *types[USDT_ARG_MAX];
} usdt_probedef_t;

typedef struct usdt_provider {
	const char *name;
	const char *module;
	usdt_probedef_t *probedefs;
	const char *error;
	int enabled;
	void *file;
} usdt_provider_t;

/*
 * The module is what dtrace shows as that of the probes; NULL: the provider's
 * name.  NULL: no memory, or a name has other characters than letters, digits,
 * and "_-.".  Dashes in names of probes are written as two underscores, which D
 * shows as dashes.
 */
usdt_provider_t *usdt_create_provider(const char *name, const char *module);

/*
 * Types are those of C: "int", "uint64_t", "char *"...; one that is not known is
 * a word of 64 bits.  NULL: no memory, too many arguments, or a bad name.
 */
usdt_probedef_t *usdt_create_probe(const char *function, const char *name,
				   size_t argc, const char **types);

/*
 * 0, or -1 with a text in usdt_errstr().  The provider keeps a reference to the
 * probe.  A probe that is added while the provider is enabled can be traced when
 * it is disabled and enabled again.
 */
int usdt_provider_add_probe(usdt_provider_t *provider, usdt_probedef_t *probe);
int usdt_provider_remove_probe(usdt_provider_t *provider,
			       usdt_probedef_t *probe);
int usdt_provider_enable(usdt_provider_t *provider);
int usdt_provider_disable(usdt_provider_t *provider);
const char *usdt_errstr(const usdt_provider_t *provider);

/* Disables it and releases its probes. */
void usdt_provider_free(usdt_provider_t *provider);

/* Gives up the reference that usdt_create_probe() returned. */
void usdt_probe_release(usdt_probedef_t *probe);

/* Does anybody trace it?  Ask before you compute arguments. */
int usdt_is_enabled(const usdt_probe_t *probe);

/*
 * Each argument is a word: a number or the address of a string, cast to void *.
 * Those that are missing are 0.
 */
void usdt_fire_probe(usdt_probe_t *probe, size_t argc, void **argv);
void usdt_fire_probedef(usdt_probedef_t *probe, size_t argc, void **argv);

/* The same as usdt_is_enabled() without a call. */
#define USDT_IS_ENABLED(probe) \
	__builtin_expect(*__atomic_load_n(&(probe)->enabled, __ATOMIC_RELAXED) != 0, 0)

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* _USDT_H */
