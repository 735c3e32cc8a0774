/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Synthetic providers: named probes made of functions of programs, in D.
 *
 * A D file declares a provider whose probes have bodies (lang/synthetic.c).
 * Here such a declaration becomes probes of processes, as USDT probes are:
 * mysql1234:mariadbd:FUNCTION:query-start in each process that executes the
 * object.  A probe is a row of a table (stable.h), made for a process: each
 * function that a clause names is a source of the pid provider.
 *
 * 1. There are no probes before one is requested by process (mysql1234:::,
 *    mysql$target:::) or by a glob (mysql*:::), as with USDT.
 * 2. A clause of a body must have a function in the process, one at least.
 *    Otherwise the probe is not there, and the reason is kept for those who
 *    ask for it.
 * 3. Processes that come while tracing get their probes when they map the
 *    object; what they do before that is not seen.  Clauses must have been
 *    compiled by then: if there is no process yet (-Z), a silent probe has the
 *    sources that a process would have, and never fires.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "proc/object_users.h"
#include "proc/symbols.h"
#include "provider/accessor.h"
#include "provider/pid.h"
#include "provider/stable.h"
#include "provider/uprobe.h"

enum { MOST_SOURCES = 64, NAME_LIMIT = 256 };

struct synthetic_state {
	struct object_users users;
	bool has_all;	    /* all processes have been examined */
	struct table tried; /* "mysql123 query-start" -> struct outcome */
};

/* What became of a declared probe in a process. */
struct outcome {
	const char *problem; /* NULL: it is there */
};

/* The table's row, and what it was made of. */
struct synthetic_probe {
	struct stable_probe row; /* first: stable_row() leads here */
	const struct provider_probe *declared;
};

static struct synthetic_state *state_of(struct probe_registry *registry)
{
	void **state = registry_state(registry, &synthetic_provider);

	if (!*state) {
		struct synthetic_state *fresh = must_alloc(sizeof(*fresh));

		*fresh = (struct synthetic_state){
			.users.processes = registry_processes(registry),
		};
		*state = fresh;
	}
	return *state;
}

static void forget(void *memory)
{
	struct synthetic_state *state = memory;

	object_users_free(&state->users);
	table_free(&state->tried);
	free(state);
}

/* ------------------------------------------------------------ descriptions */

/* A description while it is being answered. */
struct search {
	struct probe_registry *registry;
	const struct probe_desc *desc;
	pid_t only; /* the process that is named; 0: it is a glob */
	/* what was found */
	const struct provider_decl *provider; /* the last one that fits */
	uint32_t nprobes; /* that it declares, of that name */
	uint32_t nfound;
};

/* May a process of this provider be meant? */
static bool wants(void *data, const char *provider)
{
	const struct search *search = data;
	const char *pattern = search->desc->provider;
	size_t length = strlen(provider);

	if (search->only) {
		const char *digits = pattern + length;

		return !strncmp(pattern, provider, length) && *digits &&
		       digits[strspn(digits, "0123456789")] == '\0';
	}
	size_t plain = strcspn(pattern, "*?[\\");

	/* processes are compared later */
	return !strncmp(pattern, provider, plain < length ? plain : length);
}

/* False: it cannot be about synthetic probes. */
static bool begin(struct search *search, struct probe_registry *registry,
		  const struct probe_desc *desc)
{
	const char *provider = desc ? desc->provider : "";
	const char *end = provider + strlen(provider);

	*search = (struct search){ .registry = registry, .desc = desc };
	if (!*provider || !registry_language(registry))
		return false;
	if (!glob_is_plain(provider))
		return true;
	while (end > provider && isdigit((unsigned char)end[-1]))
		end--;
	if (end == provider || *end == '0' || strlen(end) > 9)
		return false;
	search->only = atoi(end);
	return search->only;
}

/* ---------------------------------------------------------------- binding */

/* Probes of the functions that one description of a clause names. */
struct functions {
	const struct probe *items[MOST_SOURCES];
	uint32_t count;
};

static bool keep(void *data, const struct probe *probe)
{
	struct functions *functions = data;

	if (functions->count < MOST_SOURCES)
		functions->items[functions->count++] = probe;
	return functions->count < MOST_SOURCES;
}

/* A row in the making. */
struct binding {
	struct probe_registry *registry;
	const char *process; /* "pid1234" */
	struct stable_source sources[MOST_SOURCES + 1];
	uint32_t nsources;
	const struct probe *fires; /* the first function that makes it fire */
	const char *problem;
};

static bool fail(struct binding *binding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static bool fail(struct binding *binding, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	binding->problem = arena_vprintf(registry_arena(binding->registry),
					 format, arguments);
	va_end(arguments);
	return false;
}

/* The text with what accessors of the function's object say; or NULL. */
static const char *expand(struct binding *binding, const struct probe *function,
			  const char *text)
{
	const struct pid_place *place = function->data;
	const char *problem = NULL;
	const char *expanded =
		accessor_expand(registry_arena(binding->registry), place->image,
				text, &problem);

	if (problem)
		fail(binding, "%s %s", place->module->name, problem);
	return expanded;
}

static bool add_source(struct binding *binding,
		       const struct provider_probe *probe,
		       const struct provider_clause *clause,
		       const struct probe *function)
{
	struct stable_source *source = &binding->sources[binding->nsources];

	if (binding->nsources == MOST_SOURCES)
		return fail(binding,
			    "it is made of more than %d functions there",
			    MOST_SOURCES);
	*source = (struct stable_source){
		.probe = arena_printf(registry_arena(binding->registry),
				      "%s:%s:%s:%s", function->provider_name,
				      function->module, function->function,
				      function->name),
		.found = function,
		.also = true,
		.is_user = true,
	};
	if (clause->when)
		source->when = expand(binding, function, clause->when);
	for (uint32_t i = 0; clause->fires && i < probe->nnative; i++)
		source->args[i] = expand(binding, function, clause->args[i]);
	if (binding->problem)
		return false;
	if (clause->fires && !binding->fires)
		binding->fires = function;
	binding->nsources++;
	return true;
}

static bool add_clause(struct binding *binding,
		       const struct provider_probe *probe,
		       const struct provider_clause *clause, pid_t pid)
{
	struct functions functions = { .count = 0 };

	for (const struct probe_desc *desc = clause->descs; desc;
	     desc = desc->next) {
		struct probe_desc place = *desc;

		place.provider = binding->process;
		place.next = NULL;
		registry_match(binding->registry, &place, keep, &functions,
			       NULL);
	}
	for (uint32_t i = 0; i < functions.count; i++)
		if (!add_source(binding, probe, clause, functions.items[i]))
			return false;
	return functions.count ||
	       fail(binding,
		    "%s of process %d has no function %s to probe its %s",
		    clause->descs->module, (int)pid, clause->descs->function,
		    clause->descs->name);
}

static bool bind(struct binding *binding, const struct provider_probe *probe,
		 pid_t pid)
{
	if (probe->nnative > STABLE_ARGUMENTS)
		return fail(binding, "it has more than %d arguments",
			    STABLE_ARGUMENTS);
	for (const struct provider_clause *clause = probe->clauses; clause;
	     clause = clause->next)
		if (!add_clause(binding, probe, clause, pid))
			return false;
	return true;
}

static struct probe *add_probe(const struct binding *binding,
			       const struct provider_probe *declared,
			       const char *provider, const char *module)
{
	struct arena *arena = registry_arena(binding->registry);
	struct synthetic_probe *own = arena_new_of(arena,
						   struct synthetic_probe);

	own->declared = declared;
	own->row = (struct stable_probe){
		.name = declared->name,
		.sources = arena_copy(arena, binding->sources,
				      sizeof(binding->sources)),
		.function = binding->fires ? binding->fires->function : "",
	};
	return stable_add(binding->registry, &synthetic_provider, provider,
			  module, &own->row, 0);
}

/* -------------------------------------------------------------- announcing */

static struct outcome *outcome_of(struct probe_registry *registry,
				  const char *provider, const char *probe,
				  bool *is_new)
{
	struct table *tried = &state_of(registry)->tried;
	struct arena *arena = registry_arena(registry);
	char name[NAME_LIMIT];
	int length = snprintf(name, sizeof(name), "%s %s", provider, probe);
	struct str key = { name, (size_t)length };
	struct outcome *outcome = table_get(tried, key);

	*is_new = !outcome;
	if (!outcome) {
		outcome = arena_new_of(arena, struct outcome);
		key.p = arena_strdup(arena, name);
		table_put(tried, key, outcome);
	}
	return outcome;
}

static void announce(struct search *search, const struct provider_probe *probe,
		     const char *provider, const struct object_user *user)
{
	struct arena *arena = registry_arena(search->registry);
	bool is_new;
	struct outcome *outcome = outcome_of(search->registry, provider,
					     probe->name, &is_new);

	if (is_new) {
		struct binding binding = {
			.registry = search->registry,
			.process = arena_printf(arena, "pid%d", (int)user->pid),
		};

		if (bind(&binding, probe, user->pid)) {
			struct probe *added = add_probe(&binding, probe,
							provider,
							binding.fires->module);

			if (added)
				added->pid = user->pid;
		}
		outcome->problem = binding.problem;
	}
	search->nfound += !outcome->problem;
}

/* Is it made of this object? */
static bool is_of(const struct provider_probe *probe,
		  const struct object_user *user)
{
	return object_user_answers(user, probe->clauses->descs->module);
}

static void announce_process(struct search *search,
			     const struct provider_decl *provider,
			     const struct object_user *user)
{
	char name[NAME_LIMIT];

	snprintf(name, sizeof(name), "%s%d", provider->name, (int)user->pid);
	if (!glob_match(search->desc->provider, name))
		return;
	for (const struct provider_probe *probe = provider->probes; probe;
	     probe = probe->next)
		if (probe->clauses && is_of(probe, user) &&
		    glob_match(search->desc->name, probe->name))
			announce(search, probe, name, user);
}

/*
 * No process yet: the sources have no place, but the same variables.  Such a
 * probe has no number in its provider's name, so no other has its names.
 */
static void announce_silent(struct search *search,
			    const struct provider_decl *provider,
			    const struct provider_probe *probe)
{
	struct binding binding = { .registry = search->registry };
	bool is_new;

	outcome_of(search->registry, provider->name, probe->name, &is_new);
	for (const struct provider_clause *clause = probe->clauses;
	     is_new && clause; clause = clause->next)
		if (!add_source(&binding, probe, clause,
				pid_nowhere(search->registry, clause->descs)))
			return;
	struct probe *added = is_new ? add_probe(&binding, probe,
						 provider->name,
						 probe->clauses->descs->module)
				     : NULL;

	if (!added)
		return;
	added->is_silent = true;
	added->pid = getpid(); /* where it never fires */
}

static void look_for_users(struct search *search,
			   const struct provider_decl *provider)
{
	struct synthetic_state *state = state_of(search->registry);
	bool is_new = false;

	for (const struct provider_probe *probe = provider->probes; probe;
	     probe = probe->next)
		if (probe->clauses)
			is_new |= object_users_add_name(
				&state->users, probe->clauses->descs->module);
	if (search->only) {
		object_users_look_at(&state->users, search->only);
	} else if (is_new || !state->has_all) {
		object_users_look_at_all(&state->users);
		state->has_all = true;
	}
}

static void visit_provider(void *data, const struct provider_decl *provider)
{
	struct search *search = data;
	const struct object_users *users = &state_of(search->registry)->users;

	search->provider = provider;
	for (const struct provider_probe *probe = provider->probes; probe;
	     probe = probe->next)
		search->nprobes += probe->clauses &&
				   glob_match(search->desc->name, probe->name);
	look_for_users(search, provider);
	for (size_t i = 0; i < users->nusers; i++)
		if (!search->only || users->users[i].pid == search->only)
			announce_process(search, provider, &users->users[i]);
	if (search->only)
		return;
	for (const struct provider_probe *probe = provider->probes; probe;
	     probe = probe->next)
		if (probe->clauses && !search->nfound &&
		    glob_match(search->desc->name, probe->name))
			announce_silent(search, provider, probe);
}

static int synthetic_list(struct probe_registry *registry,
			  const struct probe_desc *desc,
			  struct probe_error *error)
{
	struct search search;

	(void)error;
	if (begin(&search, registry, desc))
		language_synthetics(registry_language(registry), wants,
				    visit_provider, &search);
	return 0;
}

static bool synthetic_look(struct probe_registry *registry)
{
	struct synthetic_state *state = *registry_state(registry,
							&synthetic_provider);

	return state && state->has_all && object_users_follow(&state->users);
}

/* A process that was found, and has ended since, has nothing to trace. */
static int synthetic_attach(struct attach_context *context,
			    struct probe_group *group)
{
	int error = stable_attach(context, group);

	if (error != -ESRCH)
		return error;
	context->error = NULL;
	return 0;
}

static int synthetic_argument(struct probe_registry *registry,
			      const struct probe *probe, uint32_t n,
			      struct typed_argument *argument)
{
	const struct synthetic_probe *own =
		(const struct synthetic_probe *)stable_row(probe);
	const struct provider_probe *declared = own->declared;

	(void)registry;
	if (n >= declared->noutput)
		return 0;
	argument->type = declared->output[n];
	argument->mapping = declared->mapping[n];
	return 1;
}

static bool declares_arguments(const struct probe *probe)
{
	(void)probe;
	return true;
}

/* ------------------------------------------------------------ explanations */

/* The first reason why a probe of that name is missing, or NULL. */
static const char *problem_of(const struct search *search)
{
	const struct object_users *users = &state_of(search->registry)->users;
	struct arena *arena = registry_arena(search->registry);

	for (size_t i = 0; i < users->nusers; i++)
		for (const struct provider_probe *probe =
			     search->provider->probes;
		     probe; probe = probe->next) {
			bool is_new;
			const char *provider =
				arena_printf(arena, "%s%d",
					     search->provider->name,
					     (int)users->users[i].pid);

			if (!glob_match(search->desc->provider, provider) ||
			    !glob_match(search->desc->name, probe->name))
				continue;
			const struct outcome *outcome =
				outcome_of(search->registry, provider,
					   probe->name, &is_new);

			if (outcome->problem)
				return arena_printf(arena,
						    "%s:::%s is missing: %s",
						    provider, probe->name,
						    outcome->problem);
		}
	return NULL;
}

/* What it is made of. */
static const char *object_of(const struct provider_decl *provider)
{
	const struct provider_probe *probe = provider->probes;

	while (!probe->clauses) /* some probe has them */
		probe = probe->next;
	return probe->clauses->descs->module;
}

static const char *synthetic_explain(struct probe_registry *registry,
				     const struct provider *provider,
				     const struct probe_desc *desc)
{
	struct arena *arena = registry_arena(registry);
	struct search search;

	(void)provider;
	if (!begin(&search, registry, desc))
		return NULL;
	language_synthetics(registry_language(registry), wants, visit_provider,
			    &search);
	if (!search.provider)
		return NULL;
	const char *problem = problem_of(&search);

	if (problem)
		return problem;
	if (!search.nprobes)
		return arena_printf(
			arena,
			"provider %s has no probe %s (dtrace -ln '%s*:::' lists those that it has)",
			search.provider->name, desc->name,
			search.provider->name);
	const char *object = object_of(search.provider);

	if (search.only)
		return arena_printf(
			arena,
			"provider %s is made of functions of %s, which process %d does not execute",
			search.provider->name, object, (int)search.only);
	if (state_of(registry)->users.ndenied)
		return arena_printf(
			arena,
			"provider %s is made of functions of %s, which no process executes that may be looked at; %zu may not (CAP_SYS_PTRACE, or be their owner)",
			search.provider->name, object,
			state_of(registry)->users.ndenied);
	return arena_printf(
		arena,
		"provider %s is made of functions of %s, which no process executes; with -Z one may come later",
		search.provider->name, object);
}

const struct provider synthetic_provider = {
	.check = uprobe_check,
	.name = "synthetic",
	.typed = "",
	.about = "probes that D files make of functions: providerPID:::name",
	.attrs = PROVIDER_ATTRS(STABILITY(UNSTABLE, CLASS_COMMON),
				STABILITY(UNSTABLE, CLASS_COMMON),
				STABILITY(UNSTABLE, CLASS_COMMON)),
	.list = synthetic_list,
	.typed_argument = synthetic_argument,
	.has_user_pointers = true,
	.declares_arguments = declares_arguments,
	.shape = stable_shape,
	.sources = stable_sources,
	.context = stable_context,
	.attach = synthetic_attach,
	.detach = stable_detach,
	.look = synthetic_look,
	.explain = synthetic_explain,
	.forget = forget,
};
