/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was probably meant by a description that matches nothing.
 *
 * People forget that fields are filled from the right (syscall:read:entry
 * names the module syscall), and they mistype names.  A description without
 * globs is compared with all probes that -l would show; the nearest one is
 * suggested if it differs in one field only, and by little.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "probe/registry.h"

static bool is_provider(const struct probe_registry *registry, const char *name)
{
	for (uint32_t i = 0; i < registry->nparts; i++)
		if (!strcmp(registry->parts[i].provider->name, name))
			return true;
	return false;
}

static bool is_glob(const struct probe_desc *desc)
{
	return strpbrk(desc->provider, "*?[\\") ||
	       strpbrk(desc->module, "*?[\\") ||
	       strpbrk(desc->function, "*?[\\") || strpbrk(desc->name, "*?[\\");
}

/* A provider's name in a field to the right: colons are missing. */
static const char *missing_colons(struct probe_registry *registry,
				  const struct probe_desc *desc)
{
	struct arena *arena = registry->arena;

	if (*desc->provider)
		return NULL;
	if (*desc->module)
		return is_provider(registry, desc->module)
			       ? arena_printf(arena, "%s::%s:%s", desc->module,
					      desc->function, desc->name)
			       : NULL;
	if (*desc->function)
		return is_provider(registry, desc->function)
			       ? arena_printf(arena, "%s:::%s", desc->function,
					      desc->name)
			       : NULL;
	return is_provider(registry, desc->name)
		       ? arena_printf(arena, "%s:::", desc->name)
		       : NULL;
}

/* ------------------------------------------------------ the nearest probe */

enum { FAR = 3 };

struct search {
	const struct probe_desc *desc;
	const struct probe *best;
	unsigned distance;
};

static unsigned word_distance(const char *wanted, const char *word)
{
	if (!*wanted || !strcmp(wanted, word))
		return 0;
	if (!strcasecmp(wanted, word))
		return 1;
	unsigned limit = strlen(wanted) < 4 ? 1 : FAR - 1;
	unsigned distance = str_distance(wanted, word, limit);

	return distance > limit ? FAR : distance;
}

static bool consider(void *data, const struct probe *probe)
{
	struct search *search = data;
	const struct probe_desc *desc = search->desc;
	const unsigned distances[] = {
		word_distance(desc->provider, probe->provider_name),
		word_distance(desc->module, probe->module),
		word_distance(desc->function, probe->function),
		word_distance(desc->name, probe->name),
	};
	unsigned sum = 0, wrong = 0;

	for (int i = 0; i < 4; i++) {
		sum += distances[i];
		wrong += distances[i] != 0;
	}
	if (wrong == 1 && sum < search->distance) {
		search->distance = sum;
		search->best = probe;
	}
	return true;
}

static const char *field(const char *asked, const char *found)
{
	return *asked ? found : "";
}

static const char *nearest(struct probe_registry *registry,
			   const struct probe_desc *desc)
{
	struct search search = { .desc = desc, .distance = FAR };

	registry_match(registry, NULL, consider, &search, NULL);
	if (!search.best)
		return NULL;
	const char *provider = field(desc->provider,
				     search.best->provider_name);
	const char *module = field(desc->module, search.best->module);
	const char *function = field(desc->function, search.best->function);
	const char *name = field(desc->name, search.best->name);

	if (!*provider && !*module && !*function)
		return name;
	return arena_printf(registry->arena, "%s:%s:%s:%s", provider, module,
			    function, name);
}

/* A provider may know the probe, and why it is missing. */
static const char *explanation(struct probe_registry *registry,
			       const struct probe_desc *desc)
{
	const char *text = NULL;

	for (uint32_t i = 0; !text && i < registry->nparts; i++) {
		const struct provider *provider = registry->parts[i].provider;

		if (provider->explain &&
		    (*desc->provider || provider->explains_names))
			text = provider->explain(registry, provider, desc);
	}
	return text;
}

/* A provider that is known but does not work on this machine. */
static const char *absence(struct probe_registry *registry, const char *name)
{
	for (uint32_t i = 0; i < registry->nparts; i++) {
		const struct provider *provider = registry->parts[i].provider;
		const char *reason = NULL;

		if (!strcmp(provider->name, name) && provider->check &&
		    registry_check(registry, provider, &reason) ==
			    PROVIDER_ABSENT)
			return reason;
	}
	return NULL;
}

const char *registry_suggest(struct probe_registry *registry,
			     const struct probe_desc *desc)
{
	if (desc->id)
		return NULL;
	const char *text = explanation(registry, desc);

	if (!text)
		text = absence(registry, desc->provider);
	if (text)
		return text;
	text = missing_colons(registry, desc);
	if (!text && !is_glob(desc))
		text = nearest(registry, desc);
	if (text)
		return arena_printf(registry->arena, "did you mean %s?", text);
	if (!*desc->provider || is_glob(desc) ||
	    is_provider(registry, desc->provider))
		return "dtrace -l lists the probes that are there";
	return arena_printf(
		registry->arena,
		"there is no provider %s here; dtrace -l lists the probes that are",
		desc->provider);
}
