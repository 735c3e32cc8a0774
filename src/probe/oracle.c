/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler's view of the registry.
 *
 * The front end asks about probes through struct probe_oracle and knows nothing
 * else about this room; here its questions become calls of the registry.
 * Modules are those in /sys/module, and the kernel itself under its names.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "probe/registry.h"

struct match_visit {
	const struct probe_desc *desc;
	bool (*visit)(void *data, const struct probe_info *probe);
	void *data;
};

static struct probe_info info_of(const struct probe *probe,
				 const struct probe_desc *desc)
{
	return (struct probe_info){
		.id = probe->id,
		.provider = probe->provider_name,
		.module = probe->module,
		.function = probe->function,
		.name = probe->name,
		.attr = probe_attr(probe, desc),
		.arg_attr = probe->provider->attrs.args,
		.opaque = (void *)(uintptr_t)probe,
		.is_user = probe->provider->has_user_pointers,
	};
}

static bool visit_probe(void *data, const struct probe *probe)
{
	const struct match_visit *match = data;
	struct probe_info info = info_of(probe, match->desc);

	return match->visit(match->data, &info);
}

static int oracle_match(void *context, const struct probe_desc *desc,
			bool (*visit)(void *data,
				      const struct probe_info *probe),
			void *data, struct probe_error *error)
{
	struct match_visit match = { desc, visit, data };

	return registry_match(context, desc, visit_probe, &match, error);
}

/* The probe's answer, if its arguments are declared. */
struct silent_visit {
	const struct probe_desc *desc;
	struct probe_info *info;
	bool is_found;
};

static bool visit_silent(void *data, const struct probe *probe)
{
	struct silent_visit *silent = data;

	if (!probe->provider->declares_arguments ||
	    !probe->provider->declares_arguments(probe))
		return true;
	*silent->info = info_of(probe, silent->desc);
	silent->is_found = true;
	return false;
}

static bool oracle_match_silent(void *context, const struct probe_desc *desc,
				struct probe_info *info)
{
	struct silent_visit silent = { .desc = desc, .info = info };

	registry_match_silent(context, desc, visit_silent, &silent);
	return silent.is_found;
}

static int oracle_argument(void *context, const struct probe_info *info,
			   uint32_t n, struct type **native,
			   struct type **translated, uint32_t *mapping)
{
	const struct probe *probe = info->opaque;
	struct typed_argument argument = { .mapping = n };
	int status;

	if (!probe->provider->typed_argument) {
		*mapping = probe->provider->word
				   ? probe->provider->word(context, probe, n)
				   : n;
		return registry_argument(context, probe, n, native, translated);
	}
	status = probe->provider->typed_argument(context, probe, n, &argument);
	*native = *translated = argument.type;
	*mapping = argument.mapping;
	return status;
}

static const char *oracle_argument_problem(void *context,
					   const struct probe_info *info,
					   uint32_t n)
{
	const struct probe *probe = info->opaque;
	struct typed_argument argument = { 0 };

	if (probe->provider->typed_argument)
		probe->provider->typed_argument(context, probe, n, &argument);
	return argument.problem;
}

static bool oracle_has_provider(void *context, const char *name)
{
	const struct probe_registry *registry = context;

	for (uint32_t i = 0; i < registry->nparts; i++) {
		const struct provider *provider = registry->parts[i].provider;

		if (!strcmp(provider->name, name))
			return true;
	}
	return false;
}

static bool oracle_has_module(void *context, const char *name)
{
	char path[128];

	(void)context;
	if (!*name || !strcmp(name, "vmlinux") || !strcmp(name, "genunix"))
		return true;
	if (strchr(name, '/') || name[0] == '.')
		return false;
	int n = snprintf(path, sizeof(path), "/sys/module/%s", name);

	return n > 0 && (size_t)n < sizeof(path) && !access(path, F_OK);
}

static const char *oracle_suggest(void *context, const struct probe_desc *desc)
{
	return registry_suggest(context, desc);
}

static bool oracle_waits(void *context, const struct probe_desc *desc)
{
	return registry_waits(context, desc);
}

static int oracle_symbol(void *context, const char *module, const char *name,
			 uint64_t *address, uint64_t *size)
{
	return registry_symbol(context, module, name, address, size);
}

struct probe_oracle registry_oracle(struct probe_registry *registry)
{
	return (struct probe_oracle){
		.context = registry,
		.match = oracle_match,
		.match_silent = oracle_match_silent,
		.argument = oracle_argument,
		.argument_problem = oracle_argument_problem,
		.has_provider = oracle_has_provider,
		.has_module = oracle_has_module,
		.suggest = oracle_suggest,
		.waits = oracle_waits,
		.symbol = oracle_symbol,
	};
}
