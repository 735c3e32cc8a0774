/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registry of probes: numbers, names, matching.
 *
 * It is empty until the first question.  A question (a description) goes to
 * every provider, which announces what may answer it; then the probes that
 * really match are visited in the order of their ids.
 *
 * 1. An id depends on the probe alone, never on the order of questions: each
 *    provider owns a range, in the order of the provider table.  Probes that
 *    are created on demand (profile-123, pid probes) are numbered after the
 *    last range as they come.  A provider with very many probes has its range
 *    far away, so that the ids of the others stay short.
 * 2. A probe, once announced, stays where it is until registry_free().
 * 3. A walk works on a copy of the list: the visitor may ask questions.
 */
#include "probe/registry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/budget.h"
#include "btf/type.h"
#include "proc/symbols.h"
#include "proc/target.h"

enum {
	MANY_IDS = 1 << 16, FAR_IDS = 100000,
	PROBE_SIZE = 512,	/* with its names and places, about */
};

struct probe_registry *registry_new(struct arena *arena,
				    const struct options *options,
				    struct processes *processes)
{
	struct probe_registry *registry = arena_new_of(arena,
						       struct probe_registry);
	uint32_t id = 1, n = 0;

	registry->arena = arena;
	registry->options = options;
	registry->processes = processes;
	registry->far_end = FAR_IDS;
	while (providers[n])
		n++;
	registry->parts = arena_array_of(arena, struct registry_part, n);
	registry->nparts = n;
	for (uint32_t i = 0; i < n; i++) {
		registry->parts[i].provider = providers[i];
		if (providers[i]->nids >= MANY_IDS) {
			registry->parts[i].first_id = registry->far_end;
			registry->far_end += providers[i]->nids;
			continue;
		}
		registry->parts[i].first_id = id;
		id += providers[i]->nids;
	}
	registry->next_id = id;
	registry->tracefs = -EBADF;
	return registry;
}

void registry_free(struct probe_registry *registry)
{
	if (!registry)
		return;
	for (uint32_t i = 0; i < registry->nparts; i++) {
		struct registry_part *part = &registry->parts[i];

		if (part->state && part->provider->forget)
			part->provider->forget(part->state);
	}
	if (registry->tracefs >= 0)
		close(registry->tracefs);
	registry_symbols_close(registry);
	text_free(&registry->symbols);
	table_free(&registry->names);
	table_free(&registry->notes);
	vec_free(&registry->probes);
}

struct arena *registry_arena(struct probe_registry *registry)
{
	return registry->arena;
}

struct processes *registry_processes(const struct probe_registry *registry)
{
	return registry->processes;
}

struct budget *registry_budget(const struct probe_registry *registry)
{
	return processes_budget(registry->processes);
}

bool registry_afford(struct probe_registry *registry)
{
	if (budget_hold(registry_budget(registry), PROBE_SIZE))
		return true;
	budget_refuse(registry_budget(registry), -1);
	return false;
}

void registry_refund(struct probe_registry *registry)
{
	budget_release(registry_budget(registry), PROBE_SIZE);
}

const struct options *registry_options(struct probe_registry *registry)
{
	return registry->options;
}

void registry_set_language(struct probe_registry *registry,
			   struct language *language)
{
	registry->language = language;
	registry->types = language_types(language);
}

struct types *registry_types(struct probe_registry *registry)
{
	return registry->types;
}

struct language *registry_language(struct probe_registry *registry)
{
	return registry->language;
}

static struct registry_part *part_of(struct probe_registry *registry,
				     const struct provider *provider)
{
	for (uint32_t i = 0; i < registry->nparts; i++) {
		if (registry->parts[i].provider == provider)
			return &registry->parts[i];
	}
	return NULL;
}

void **registry_state(struct probe_registry *registry,
		      const struct provider *provider)
{
	return &part_of(registry, provider)->state;
}

/* ----------------------------------------------------------- announcing */

static uint32_t number_probe(struct probe_registry *registry,
			     const struct probe *probe)
{
	const struct provider *provider = probe->provider;
	const struct registry_part *part = part_of(registry, provider);

	if (part && provider->fixed_id) {
		uint32_t offset = provider->fixed_id(probe);

		if (offset < provider->nids)
			return part->first_id + offset;
	}
	if (registry->next_id == FAR_IDS)
		registry->next_id = registry->far_end;
	return registry->next_id++;
}

struct probe *registry_add(struct probe_registry *registry,
			   const struct provider *provider,
			   const char *provider_name, const char *module,
			   const char *function, const char *name,
			   uint64_t number)
{
	struct arena *arena = registry->arena;
	char buffer[512];
	int length = snprintf(buffer, sizeof(buffer), "%s:%s:%s:%s",
			      provider_name, module, function, name);

	if (length < 0 || (size_t)length >= sizeof(buffer))
		return NULL;
	struct str key = { buffer, (size_t)length };
	struct probe *probe = table_get(&registry->names, key);

	if (probe)
		return probe;
	probe = arena_new_of(arena, struct probe);
	probe->provider = provider;
	probe->provider_name = arena_strdup(arena, provider_name);
	probe->module = arena_strdup(arena, module);
	probe->function = arena_strdup(arena, function);
	probe->name = arena_strdup(arena, name);
	probe->number = number;
	probe->id = number_probe(registry, probe);

	key.p = arena_strndup(arena, buffer, key.n);
	table_put(&registry->names, key, probe);
	vec_push(&registry->probes, probe);
	registry->is_sorted = false;
	return probe;
}

/* ------------------------------------------------------------- matching */

bool probe_desc_matches(const struct probe_desc *desc, const char *provider,
			const char *module, const char *function,
			const char *name)
{
	return glob_match(desc->name, name) &&
	       glob_match(desc->function, function) &&
	       glob_match(desc->module, module) &&
	       glob_match(desc->provider, provider);
}

static bool matches(const struct probe *probe, const struct probe_desc *desc)
{
	if (probe->provider->matches)
		return probe->provider->matches(probe, desc);
	return probe_desc_matches(desc, probe->provider_name, probe->module,
				  probe->function, probe->name);
}

static int compare_ids(const void *a, const void *b)
{
	const struct probe *x = *(const struct probe *const *)a;
	const struct probe *y = *(const struct probe *const *)b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Probes mostly come in order. */
static void sort_by_id(struct probe **probes, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (probes[i - 1]->id > probes[i]->id) {
			qsort(probes, count, sizeof(*probes), compare_ids);
			return;
		}
	}
}

static void sort_probes(struct probe_registry *registry)
{
	if (!registry->is_sorted)
		sort_by_id((struct probe **)registry->probes.items,
			   registry->probes.count);
	registry->is_sorted = true;
}

static const struct probe *find_id(struct probe_registry *registry, uint32_t id)
{
	size_t low = 0, high = registry->probes.count;

	sort_probes(registry);
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct probe *probe = vec_at(&registry->probes, middle,
					     struct probe);

		if (probe->id == id)
			return probe;
		if (probe->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static int list_part(struct probe_registry *registry,
		     struct registry_part *part, const struct probe_desc *desc,
		     struct probe_error *error)
{
	if (part->is_complete && !desc)
		return 0;
	int err = part->provider->list(registry, desc, error);

	if (!err && !desc)
		part->is_complete = true;
	return err;
}

const struct probe *registry_by_id(struct probe_registry *registry, uint32_t id)
{
	const struct probe *probe = find_id(registry, id);
	struct probe_error ignored = { 0 };

	for (uint32_t i = 0; !probe && i < registry->nparts; i++) {
		struct registry_part *part = &registry->parts[i];

		if (id < part->first_id ||
		    id - part->first_id >= part->provider->nids)
			continue;
		if (!list_part(registry, part, NULL, &ignored))
			probe = find_id(registry, id);
	}
	return probe;
}

/* Does the description ask for anything in particular? */
static bool is_anything(const struct probe_desc *desc)
{
	return !*desc->provider && !*desc->module && !*desc->function &&
	       !*desc->name;
}

static int match(struct probe_registry *registry, const struct probe_desc *desc,
		 bool (*visit)(void *data, const struct probe *probe),
		 void *data, struct probe_error *error)
{
	for (uint32_t i = 0; i < registry->nparts; i++) {
		int err = list_part(registry, &registry->parts[i], desc, error);

		if (err)
			return err;
	}
	size_t total = registry->probes.count, nfound = 0;
	struct probe **found = must_alloc((total + 1) * sizeof(*found));

	bool is_named = desc && *desc->name && glob_is_plain(desc->name);

	for (size_t i = 0; i < total; i++) {
		struct probe *probe = vec_at(&registry->probes, i,
					     struct probe);

		/* Most probes have another name: do not ask further. */
		if (is_named && !probe->provider->matches &&
		    (*probe->name != *desc->name ||
		     strcmp(probe->name, desc->name)))
			continue;
		if (!probe->is_silent && (!desc || matches(probe, desc)))
			found[nfound++] = probe;
	}
	sort_by_id(found, nfound);
	int visited = 0;

	for (size_t i = 0; i < nfound; i++) {
		visited++;
		if (!visit(data, found[i]))
			break;
	}
	free(found);
	return visited;
}

/*
 * A description from another system, where the same probes are in modules and
 * functions that do not exist here: drop those.  A function stays if nothing
 * else says which probes are meant, or if probes here have functions.
 */
static bool without_place(const struct probe_registry *registry,
			  const struct probe_desc *desc,
			  struct probe_desc *plain)
{
	*plain = *desc;
	plain->module = "";
	if (*desc->name)
		plain->function = "";
	if (!strcmp(plain->module, desc->module) &&
	    !strcmp(plain->function, desc->function))
		return false;
	for (uint32_t i = 0; i < registry->nparts; i++) {
		const struct provider *provider = registry->parts[i].provider;

		if (provider->names_suffice &&
		    !strcmp(provider->name, desc->provider))
			return true;
	}
	return false;
}

struct placeless {
	const struct probe_desc *desc;
	bool (*visit)(void *data, const struct probe *probe);
	void *data;
	int count;
	bool has_functions;
};

static bool visit_placeless(void *data, const struct probe *probe)
{
	struct placeless *placeless = data;

	if (!probe->provider->names_suffice)
		return true;
	if (*probe->function &&
	    !glob_match(placeless->desc->function, probe->function))
		return true;
	placeless->has_functions |= *probe->function;
	placeless->count++;
	return placeless->visit(placeless->data, probe);
}

int registry_match(struct probe_registry *registry,
		   const struct probe_desc *desc,
		   bool (*visit)(void *data, const struct probe *probe),
		   void *data, struct probe_error *error)
{
	struct probe_error ignored;
	struct probe_desc plain;

	if (!error)
		error = &ignored;
	*error = (struct probe_error){ 0 };
	if (desc && desc->id) {
		const struct probe *probe = registry_by_id(registry, desc->id);

		if (!probe)
			return 0;
		visit(data, probe);
		return 1;
	}
	if (desc && is_anything(desc))
		desc = NULL;
	int found = match(registry, desc, visit, data, error);

	if (found || !desc || !without_place(registry, desc, &plain))
		return found;
	struct placeless placeless = {
		.desc = desc, .visit = visit, .data = data,
	};

	found = match(registry, &plain, visit_placeless, &placeless, error);
	if (found < 0)
		return found;
	if (placeless.count)
		registry_note(registry,
			      "no probe here is %s:%s:%s:%s: using %s:%s:%s:%s",
			      desc->provider, desc->module, desc->function,
			      desc->name, desc->provider, plain.module,
			      placeless.has_functions ? desc->function
						      : plain.function,
			      desc->name);
	return placeless.count;
}

void registry_match_silent(struct probe_registry *registry,
			   const struct probe_desc *desc,
			   bool (*visit)(void *data, const struct probe *probe),
			   void *data)
{
	if (desc->id)
		return;
	for (size_t i = 0; i < registry->probes.count; i++) {
		const struct probe *probe = vec_at(&registry->probes, i,
						   struct probe);

		if (probe->is_silent && matches(probe, desc) &&
		    !visit(data, probe))
			return;
	}
}

bool registry_waits(struct probe_registry *registry,
		    const struct probe_desc *desc)
{
	const struct options *options = registry->options;

	if (desc->id || !options ||
	    option_number(options, OPTION_EVALTIME) == MOMENT_EXEC)
		return false;
	for (uint32_t i = 0; i < registry->nparts; i++) {
		const struct provider *provider = registry->parts[i].provider;
		pid_t pid = provider->process_of ? provider->process_of(desc)
						 : 0;

		if (pid && processes_waits(registry->processes, pid))
			return true;
	}
	return false;
}

bool registry_follows(const struct probe_desc *desc)
{
	for (uint32_t i = 0; providers[i]; i++)
		if (providers[i]->follows && providers[i]->follows(desc))
			return true;
	return false;
}

bool registry_look(struct probe_registry *registry)
{
	bool is_new = false;

	for (uint32_t i = 0; providers[i]; i++)
		if (providers[i]->look)
			is_new |= providers[i]->look(registry);
	return is_new;
}

/* ---------------------------------------------------- facts about probes */

struct attr probe_attr(const struct probe *probe, const struct probe_desc *desc)
{
	const struct provider_attrs *attrs = &probe->provider->attrs;
	const char *module = probe->module, *function = probe->function;
	const char *name = probe->name;
	struct attr attr = attrs->provider;

	if (desc && !desc->id) {
		module = desc->module;
		function = desc->function;
		name = desc->name;
	}
	if (*module)
		attr = attr_min(attr, attrs->module);
	if (*function)
		attr = attr_min(attr, attrs->function);
	if (*name)
		attr = attr_min(attr, attrs->name);
	return attr;
}

static struct type *parse_type(struct probe_registry *registry,
			       const char *text)
{
	struct type *type = registry->language
				    ? language_parse_type(registry->language,
							  text)
				    : types_parse(registry->types, text);

	if (!type)
		registry->unknown_type = arena_strdup(registry->arena, text);
	return type;
}

const char *registry_unknown_type(const struct probe_registry *registry)
{
	return registry->unknown_type;
}

static struct type *parse_native(struct probe_registry *registry,
				 const struct probe *probe, const char *text)
{
	static const char userland[] = "userland ";
	bool is_user = !strncmp(text, userland, sizeof(userland) - 1);
	struct type *type = parse_type(registry,
				       is_user ? text + sizeof(userland) - 1
					       : text);

	if (!type)
		type = types_base(registry->types, BASE_LONG);
	if (is_user || probe->provider->has_user_pointers)
		type = type_to_user(registry->types, type);
	return type;
}

int registry_argument(struct probe_registry *registry,
		      const struct probe *probe, uint32_t n,
		      struct type **native, struct type **translated)
{
	const char *native_text = NULL, *translated_text = NULL;
	struct declared_argument declared;
	int status =
		!registry->language
			? -1
			: language_declared(registry->language,
					    probe->provider_name, probe->name,
					    n,
					    probe->provider->has_user_pointers,
					    &declared);

	if (status >= 0) {
		*native = declared.native;
		*translated = declared.output;
		return status;
	}
	if (probe->provider->typed_argument) {
		struct typed_argument argument = { 0 };
		status = probe->provider->typed_argument(registry, probe, n,
							 &argument);

		*native = *translated = argument.type;
		return argument.type ? 1 : status;
	}
	if (!probe->provider->argument)
		return 0;
	int result = probe->provider->argument(registry, probe, n, &native_text,
					       &translated_text);

	if (result != 1)
		return result;
	if (!registry->types || !native_text)
		return -1;
	*native = parse_native(registry, probe, native_text);
	*translated = *native;
	if (translated_text && translated_text != native_text) {
		*translated = parse_type(registry, translated_text);
		if (!*translated)
			*translated = *native;
	}
	return 1;
}
