/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Users' stacks: room for their tables, and the processes that are known
 * beforehand.  proc/unwind.c does the rest; it is made only for scripts that
 * walk users' stacks.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/unwind.h"
#include "proc/symbols.h"
#include "proc/unwind.h"
#include "run/internal.h"

/* Unless said: less for the processes of -c and -p than for all there are. */
uint64_t session_unwind_size(const struct session *session)
{
	const struct options *options = session->config.options;
	int64_t size = option_number(options, OPTION_UNWINDSIZE);

	if (!options->values[OPTION_UNWINDSIZE].is_set && session->ntargets)
		size /= 2;
	if (size < UNWIND_LEAST)
		size = UNWIND_LEAST;
	if (size > UNWIND_MOST)
		size = UNWIND_MOST;
	return (uint64_t)size & ~7ull;
}

/* The process that the name of a probe's provider ends in, or 0. */
static uint32_t process_of(const struct probe *probe)
{
	const char *name = probe->provider_name;
	size_t length = strlen(name), at = length;

	while (at && isdigit((unsigned char)name[at - 1]))
		at--;
	return !strcmp(name, probe->provider->name) || at == length ||
	       length - at > 9 ? 0 : (uint32_t)atoi(name + at);
}

/* Those that have probes of their own: pid123:::, python123:::. */
static void note_processes(struct session *session)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < session->ngroups; i++) {
		const struct probe_group *group = &session->groups[i].probes;

		for (uint32_t n = 0; n < group->nprobes; n++) {
			uint32_t pid = process_of(group->probes[n]);

			if (pid && pid != last)
				unwind_note(session->printer.unwind, pid);
			if (pid)
				last = pid;
		}
	}
}

void session_unwind_start(struct session *session)
{
	if (!session->maps.unwind && !session->lowering.uses_user_addresses)
		return;
	symbols_watch(session->printer.symbols);
	if (!session->maps.unwind)
		return;
	session_fill_unwind(session, (uint64_t *)session->maps.unwind);
	session->printer.unwind = unwind_new(session->maps.unwind,
					     session->maps.unwind_size,
					     session->printer.symbols);
	for (uint32_t i = 0; i < session->ntargets; i++)
		unwind_note(session->printer.unwind,
			    (uint32_t)target_pid(session->targets[i].target));
	note_processes(session);
}

void session_unwind_look(struct session *session)
{
	symbols_poll(session->printer.symbols);
	if (session->printer.unwind)
		unwind_look(session->printer.unwind);
}
