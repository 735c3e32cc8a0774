/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Probes: what can be traced, and which provider offers it.
 *
 * A provider announces probes on demand: asked about a description, it adds
 * the probes that may match to the registry, and no others.  The registry
 * numbers them (BEGIN, END, ERROR are 1, 2, 3; the same probe has the same
 * number in every run on the same kernel), matches globs, and is the
 * compiler's probe oracle.
 *
 * Adding a provider = one file in provider/, one line in provider/registry.c.
 */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/bpf.h"
#include "ir/lower.h"
#include "lang/lang.h"

struct processes; /* proc/symbols.h */
struct provider;
struct probe_registry;

struct probe {
	uint32_t id;
	const struct provider *provider;
	const char *provider_name; /* "syscall", "pid123" */
	const char *module, *function, *name;
	uint64_t number; /* the provider's own: syscall nr, ns ... */
	void *data;
	/* the one process that it is in (the 123 of pid123); 0: any, or none */
	pid_t pid;
	/* stands for probes to come: neither listed nor counted */
	bool is_silent;
	/*
	 * Counts its places.  A probe that gets more while tracing is enabled
	 * again, and context() takes the new ones.
	 */
	uint32_t growth;
	struct probe *next; /* registry's */
};

/* Attributes of provider, module, function, name, arguments. */
struct provider_attrs {
	struct attr provider, module, function, name, args;
};

/*
 * Probes that share a program: same provider, same shape, same clauses.
 * `kind` tells the back end and the loader what to make; it starts from the
 * provider's program_type, and the provider's context() may say more.
 */
struct probe_group {
	const struct provider *provider;
	struct bpf_kind kind;
	const struct probe **probes;
	uint32_t nprobes;
	uint32_t source;	  /* which of provider->sources() */
	struct lower_group lower; /* clauses and hooks */
	void *provider_data;	  /* made by provider->context */
	/* after loading */
	struct bpf_loaded *program;
	void *attachment;
};

/* args[n] of a probe. */
struct typed_argument {
	struct type *type;
	uint32_t mapping;    /* which arg of the probe it is */
	const char *problem; /* what, and what to do */
};

struct attach_context {
	struct arena *arena;
	const struct options *options;
	int program_fd;
	const struct probe_group *group;
	/* all that are attached in this session, loaded, in this order */
	struct probe_group *const *groups;
	uint32_t ngroups;
	const char *error;   /* set on failure: what and what to do */
	const char *warning; /* set on success: what is left out */
	/*
	 * Set on failure: the provider has another method.  Its context() is
	 * called again, and attach() with the resulting program.
	 */
	bool has_other_way;
	/*
	 * For what takes long: not 0 if the user wants to end the run (then
	 * keep what is attached, and return 0), and a line to print.  NULL: not
	 * available.
	 */
	const volatile sig_atomic_t *interrupts;
	void (*say)(void *data, const char *message);
	void *say_data;
};

/*
 * Groups are attached in turns, since that decides the order in which probes of
 * one event fire: those of one tracepoint in the order in which they were
 * attached, those on one instruction of a program in reverse.
 */
enum attach_turn { TURN_EARLY, TURN_USUAL, TURN_LATE, NTURNS };

/* Does a provider work on this machine?  For dtrace --check. */
enum provider_status { PROVIDER_WORKS, PROVIDER_PARTLY, PROVIDER_ABSENT };

struct provider {
	const char *name, *about;
	/*
	 * What a user types for it, if that is not its name: "pid$target"; "":
	 * its probes go by other names.
	 */
	const char *typed;
	struct provider_attrs attrs;
	/* kernel program type (enum bpf_prog_type) of its programs */
	uint32_t program_type;

	/*
	 * Announce the probes that may match `desc` (NULL: all that -l shows)
	 * with registry_add().  0, or negative errno with *error set.
	 */
	int (*list)(struct probe_registry *registry,
		    const struct probe_desc *desc, struct probe_error *error);
	/*
	 * Does the probe answer to the description?  For providers whose
	 * probes have more names than one; NULL: probe_desc_matches().
	 */
	bool (*matches)(const struct probe *probe,
			const struct probe_desc *desc);
	/*
	 * Type of argument n: 1 and the types (D text), 0 no such argument,
	 * -1 untyped.  NULL: no arguments.  A native type that begins with
	 * "userland " points to user memory.
	 */
	int (*argument)(struct probe_registry *registry,
			const struct probe *probe, uint32_t n,
			const char **native, const char **translated);
	/* Which of the probe's words args[n] is.  NULL: word n. */
	uint32_t (*word)(struct probe_registry *registry,
			 const struct probe *probe, uint32_t n);
	/*
	 * The same for a provider that has type objects. -1: it cannot be read,
	 * and the problem says why; its type may be known.
	 */
	int (*typed_argument)(struct probe_registry *registry,
			      const struct probe *probe, uint32_t n,
			      struct typed_argument *argument);
	/*
	 * Fires like a clock, on one CPU: small buffers suffice.  NULL: none
	 * does.
	 */
	bool (*is_rare)(const struct probe *probe);
	/* Its entries lead from a program into the kernel: -F draws => and <=.
	 */
	bool enters_kernel;
	/*
	 * Each of its functions has a probe "entry", which is all that is asked
	 * for where only names of functions are wanted: others may be costly.
	 */
	bool has_entries;
	/* Pointers among the arguments are addresses of user memory. */
	bool has_user_pointers;
	/*
	 * Are the types of its arguments declared, so that they are known
	 * before a process is?  NULL: they are not.
	 */
	bool (*declares_arguments)(const struct probe *probe);
	/* Probes of different shape never share a program.  NULL: all alike. */
	uint32_t (*shape)(const struct probe *probe);
	/*
	 * In how many places of the kernel the probe must be attached: a
	 * program for each, with group->source counting them.  NULL: one.
	 */
	uint32_t (*sources)(const struct probe *probe);
	/* Fill in group->lower.select, .argument ... and provider_data. */
	int (*context)(struct arena *arena, struct probe_group *group);
	/* Attach; keep what detach needs in group->attachment. */
	int (*attach)(struct attach_context *context,
		      struct probe_group *group);
	void (*detach)(struct probe_group *group);
	/*
	 * Probes that appear while tracing.  `follows`: does the description
	 * ask for them?  `look`: has anything appeared since the last call?
	 * Then list() announces it.  NULL: no.
	 */
	bool (*follows)(const struct probe_desc *desc);
	bool (*look)(struct probe_registry *registry);
	/*
	 * The process whose libraries must be mapped before the description
	 * can be matched; 0: it is about none.  NULL: they never are.
	 */
	pid_t (*process_of)(const struct probe_desc *desc);
	/* When the group is attached; NULL: at the usual turn. */
	enum attach_turn (*turn)(const struct probe_group *group);
	/*
	 * Ids: how many the provider owns, and which of them (0-based) a probe
	 * has.  ID_ON_DEMAND, or no function: numbered above all ranges as
	 * they come.
	 */
	uint32_t nids;
	uint32_t (*fixed_id)(const struct probe *probe);
	/*
	 * Why a requested probe does not exist, if the description may be for
	 * this provider; or NULL.
	 */
	const char *(*explain)(struct probe_registry *registry,
			       const struct provider *provider,
			       const struct probe_desc *desc);
	bool explains_names; /* also where the description names no provider */
	/*
	 * Why probes that the description names are unlikely to fire, or NULL;
	 * *instead: functions (a glob) that do, or NULL.  Asked at the start of
	 * tracing.
	 */
	const char *(*doubt)(struct probe_registry *registry,
			     const struct probe_desc *desc,
			     const char **instead);
	/*
	 * Does it work here?  Unless it does, *reason says what is missing
	 * and what to do.  NULL: it works when it has probes.
	 */
	enum provider_status (*check)(struct probe_registry *registry,
				      const struct provider *provider,
				      const char **reason);
	/* What -lv says about a probe besides its arguments, or NULL. */
	const char *(*remark)(struct probe_registry *registry,
			      const struct probe *probe);
	/*
	 * Its probes mean the same wherever they are: a module or function
	 * that a description has from another system does not matter.
	 */
	bool names_suffice;
	/* Frees what registry_state() holds. */
	void (*forget)(void *state);
};

#define ID_ON_DEMAND UINT32_MAX

/* The processes are somebody else's (proc/symbols.h), and outlive it. */
struct probe_registry *registry_new(struct arena *arena,
				    const struct options *options,
				    struct processes *processes);
void registry_free(struct probe_registry *registry);
struct arena *registry_arena(struct probe_registry *registry);
/* May be NULL. */
const struct options *registry_options(struct probe_registry *registry);
/* What is known of processes, for who finds probes in them; never NULL. */
struct processes *registry_processes(const struct probe_registry *registry);
struct budget; /* base/budget.h: for files of processes; NULL: no limit */
struct budget *registry_budget(const struct probe_registry *registry);
/*
 * Is there memory for a probe of an untrusted file?  It is taken, and released
 * if the probe existed already.
 */
bool registry_afford(struct probe_registry *registry);
void registry_refund(struct probe_registry *registry);
/* whose types providers use; set after the language is created */
void registry_set_language(struct probe_registry *registry,
			   struct language *language);
struct types *registry_types(struct probe_registry *registry);
/* NULL in tests */
struct language *registry_language(struct probe_registry *registry);

/* Prints notes about descriptions; NULL: dropped. */
void registry_set_say(struct probe_registry *registry,
		      void (*say)(void *data, const char *note), void *data);
/* A line for users about a description that was accepted, printed once. */
void registry_note(struct probe_registry *registry, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Is the description about a process that is held here, and has not mapped
 * what it will have mapped at evaltime?  Nobody moves it before
 * session_settle() does.
 */
bool registry_waits(struct probe_registry *registry,
		    const struct probe_desc *desc);
/* The providers' `follows` and `look`, of any of them. */
bool registry_follows(const struct probe_desc *desc);
bool registry_look(struct probe_registry *registry);

/* Called by providers.  Returns the existing probe if there is one. */
struct probe *registry_add(struct probe_registry *registry,
			   const struct provider *provider,
			   const char *provider_name, const char *module,
			   const char *function, const char *name,
			   uint64_t number);
/* The provider's own memory in this registry; NULL until it sets it. */
void **registry_state(struct probe_registry *registry,
		      const struct provider *provider);
/*
 * A directory descriptor for tracefs, opened at the first call without
 * mounting anything, or a negative errno.  The registry closes it.
 */
int registry_tracefs(struct probe_registry *registry);
/* Why tracefs is missing, and what to do; NULL: it is available. */
const char *registry_tracefs_problem(struct probe_registry *registry);
/* The text of /proc/kallsyms, read at the first call, or NULL. */
const char *registry_symbols(struct probe_registry *registry);
/* Does it show us addresses?  Reads a page of it. */
bool registry_symbols_shown(struct probe_registry *registry);
/*
 * For processes that are not ours: may we do all that debuggers do, may we see
 * what they have mapped?
 */
bool may_trace_others(void);
bool may_see_others(void);
/* Address of a kernel symbol; module "" = anywhere. */
bool registry_symbol(struct probe_registry *registry, const char *module,
		     const char *name, uint64_t *address, uint64_t *size);
/* Does a probe of these names answer to the description?  Ids aside. */
bool probe_desc_matches(const struct probe_desc *desc, const char *provider,
			const char *module, const char *function,
			const char *name);
/* Attributes of the parts of a probe that `desc` (or the probe) names. */
struct attr probe_attr(const struct probe *probe,
		       const struct probe_desc *desc);
/*
 * Every provider owns a fixed range of ids, so that ids do not depend on what
 * was asked first; a provider that creates probes on demand numbers them above
 * all fixed ranges.
 */
const struct probe *registry_by_id(struct probe_registry *registry,
				   uint32_t id);
int registry_match(struct probe_registry *registry,
		   const struct probe_desc *desc,
		   bool (*visit)(void *data, const struct probe *probe),
		   void *data, struct probe_error *error);
/* The silent ones, after registry_match(). */
void registry_match_silent(struct probe_registry *registry,
			   const struct probe_desc *desc,
			   bool (*visit)(void *data, const struct probe *probe),
			   void *data);
/* The type is set even for an argument that cannot be read. */
int registry_argument(struct probe_registry *registry,
		      const struct probe *probe, uint32_t n,
		      struct type **native, struct type **translated);
/*
 * A type that a provider gave for an argument and that this kernel does not
 * have, so that it was taken for a long; NULL: there was none.
 */
const char *registry_unknown_type(const struct probe_registry *registry);
/* The compiler's view of this registry. */
struct probe_oracle registry_oracle(struct probe_registry *registry);

/* dtrace --check: does it work here, and if not, why and what to do. */
enum provider_status registry_check(struct probe_registry *registry,
				    const struct provider *provider,
				    const char **reason);
/* How many probes -l shows of it. */
uint32_t registry_count(struct probe_registry *registry,
			const struct provider *provider);

/* * ? [a-z] [!x] \c, anchored, case-sensitive; "" matches anything. */
bool glob_match(const char *pattern, const char *text);
bool glob_is_plain(const char *pattern);

/* All providers; NULL-terminated (provider/registry.c). */
extern const struct provider *const providers[];
