/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtrace --check: what works on this machine.
 *
 * The provider decides; one that says nothing works if it has probes.
 */
#include "probe/registry.h"

struct count {
	const struct provider *provider;
	uint32_t probes;
};

static bool count_probe(void *data, const struct probe *probe)
{
	struct count *count = data;

	count->probes += probe->provider == count->provider;
	return true;
}

uint32_t registry_count(struct probe_registry *registry,
			const struct provider *provider)
{
	const struct probe_desc desc = {
		.provider = provider->name, .module = "", .function = "",
		.name = "",
	};
	struct count count = { .provider = provider };

	registry_match(registry, &desc, count_probe, &count, NULL);
	return count.probes;
}

enum provider_status registry_check(struct probe_registry *registry,
				    const struct provider *provider,
				    const char **reason)
{
	const char *problem = bpf_privilege_problem();

	*reason = problem;
	if (problem)
		return PROVIDER_ABSENT;
	if (provider->check)
		return provider->check(registry, provider, reason);
	if (registry_count(registry, provider))
		return PROVIDER_WORKS;
	*reason = "this kernel has none of its probes";
	return PROVIDER_ABSENT;
}
