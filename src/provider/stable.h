/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Stable providers: probes with a fixed meaning, whatever the kernel calls the
 * event.
 *
 * Such a provider is a table and nothing else.  A row is a probe: its
 * arguments as users see them, and the places in the kernel where it may be
 * found.  A place is a probe of another provider (a tracepoint, a function, a
 * system call), a condition, and the arguments as D expressions over that
 * probe's args[ ].  A kernel that changed something needs one more line in
 * the table.  provider/proc.c is an example; stable.c is the machinery.
 */

#include "provider/provider.h"

/* Rows leave out what they do not need. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

enum { STABLE_ARGUMENTS = 8 };

/* A place of the kernel that feeds the probe. */
struct stable_source {
	/*
	 * "rawtp:sched::sched_switch": a description of one probe.  With a
	 * group (vmlinux for those without an event) it is found at once.
	 */
	const char *probe;
	/* The probe itself, where it has been found already; NULL: not yet. */
	const struct probe *found;
	/*
	 * Kernels disagree about arguments: this line is only for kernels with
	 * these types ("bool, struct task_struct *, ..."), written in D.  NULL:
	 * any types.
	 */
	const char *prototype;
	/*
	 * Only for kernels with this type, struct member or enumerator, as in
	 * "struct bio.bi_bdev", or with this symbol; NULL: any.
	 */
	const char *needs, *symbol;
	/* Only for kernels without any probe of this description; NULL: any. */
	const char *without;
	/*
	 * D: firings where this is 0 do not belong to the probe; NULL: all do.
	 * It is evaluated once, so it may keep something in variables whose
	 * names begin with _ for another line: io.c and lockstat.c do.
	 */
	const char *when;
	/* D: the native arguments; NULL: 0 */
	const char *args[STABLE_ARGUMENTS];
	/*
	 * Lines are alternatives, the first that this kernel has is used.  A
	 * line with `also` begins another list of alternatives: the probe is
	 * fed by one line of each list that has any.
	 */
	bool also;
	/* Pointers among the arguments point to user memory. */
	bool is_user;
};

struct stable_probe {
	const char *name;
	struct stable_type {
		const char *native;
		const char *translated; /* NULL: as native */
	} types[STABLE_ARGUMENTS];
	const struct stable_source *sources; /* until .probe is NULL */
	const char *module, *function;	     /* NULL: vmlinux and none */
	/* Why it never fires, on any kernel; then it has no sources. */
	const char *never;
};

/* `sources` of a row, written in place. */
#define STABLE_SOURCES(...) \
	(const struct stable_source[]){ __VA_ARGS__, { .probe = NULL } }

/* The provider's list(): its table until .name is NULL. */
int stable_list(struct probe_registry *registry,
		const struct provider *provider,
		const struct stable_probe *table,
		const struct probe_desc *desc);

/* One row under another provider's name; NULL if it has no source here. */
struct probe *stable_add(struct probe_registry *registry,
			 const struct provider *provider,
			 const char *provider_name, const char *module,
			 const struct stable_probe *row, uint64_t number);

/* The row that a probe was made of. */
const struct stable_probe *stable_row(const struct probe *probe);

/* Members of struct provider that are the same for all of them. */
int stable_argument(struct probe_registry *registry, const struct probe *probe,
		    uint32_t n, const char **native, const char **translated);
uint32_t stable_shape(const struct probe *probe);
uint32_t stable_sources(const struct probe *probe);
int stable_context(struct arena *arena, struct probe_group *group);
int stable_attach(struct attach_context *context, struct probe_group *group);
void stable_detach(struct probe_group *group);
uint32_t stable_id(const struct probe *probe);
const char *stable_explain(struct probe_registry *registry,
			   const struct provider *provider,
			   const struct probe_desc *desc);
const char *stable_remark(struct probe_registry *registry,
			  const struct probe *probe);
enum provider_status stable_check(struct probe_registry *registry,
				  const struct provider *provider,
				  const char **reason);

#define STABLE_METHODS \
	STABLE_METHODS_EXCEPT_WORDS, .explain = stable_explain, \
	.check = stable_check
/* For providers that can say more about what is missing. */
#define STABLE_METHODS_EXCEPT_WORDS \
	.argument = stable_argument, .shape = stable_shape, \
	.sources = stable_sources, .context = stable_context, \
	.attach = stable_attach, .detach = stable_detach, \
	.fixed_id = stable_id, .names_suffice = true, \
	.remark = stable_remark
/* Provider and names Evolving/Evolving/Common, the rest Private. */
#define STABLE_ATTRS(args_class) \
	PROVIDER_ATTRS(STABILITY(EVOLVING, CLASS_COMMON), \
		       STABILITY(EVOLVING, CLASS_COMMON), \
		       STABILITY(EVOLVING, args_class))
