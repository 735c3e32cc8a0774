/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Doubts: probes that exist but will hardly ever fire, or cost too much.
 *
 * A script that waits for something that never happens looks broken.  Providers
 * know such probes; a script that names one gets a message at the start, unless
 * it also traces what happens instead.
 */
#include "run/internal.h"

static bool is_enabled(const struct session *session,
		       const struct provider *provider, const char *functions)
{
	for (size_t i = 0; functions && i < session->enablings.count; i++) {
		const struct probe *probe =
			vec_at(&session->enablings, i, struct enabling)->probe;

		if (probe->provider == provider &&
		    glob_match(functions, probe->function))
			return true;
	}
	return false;
}

/* Is the description for this provider, by its name or by a process? */
static bool is_asked(const struct provider *provider,
		     const struct probe_desc *desc)
{
	return !strcmp(provider->name, desc->provider) ||
	       (provider->process_of && provider->process_of(desc));
}

static void say(struct session *session, const struct probe_desc *desc)
{
	for (uint32_t i = 0; providers[i]; i++) {
		const struct provider *provider = providers[i];
		const char *instead = NULL;
		const char *doubt = provider->doubt && is_asked(provider, desc)
					    ? provider->doubt(session->registry,
							      desc, &instead)
					    : NULL;

		if (doubt && !is_enabled(session, provider, instead))
			registry_note(session->registry, "%s", doubt);
	}
}

void session_say_doubts(struct session *session)
{
	for (size_t i = 0; i < session->clauses.count; i++) {
		const struct clause *clause = vec_at(&session->clauses, i,
						     const struct clause);

		for (const struct probe_desc *desc = clause->descs; desc;
		     desc = desc->next)
			if (!desc->id)
				say(session, desc);
	}
}
