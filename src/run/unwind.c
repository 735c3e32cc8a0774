/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User stacks: room for their tables, and the processes that are known
 * beforehand.  proc/unwind.c does the rest; it is used only for scripts that
 * walk user stacks.
 */
#include "bpf/unwind.h"
#include "proc/symbols.h"
#include "proc/unwind.h"
#include "runtime/inlines.h"
#include "runtime/runtime.h"
#include "run/internal.h"

/* Default: less for the processes of -c and -p than for all processes. */
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

/* Processes with probes of their own: pid123:::, python123:::. */
static void note_processes(struct session *session)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < session->ngroups; i++) {
		const struct probe_group *group = &session->groups[i].probes;

		for (uint32_t n = 0; n < group->nprobes; n++) {
			uint32_t pid = (uint32_t)group->probes[n]->pid;

			if (pid && pid != last)
				unwind_note(session->live.unwind, pid);
			if (pid)
				last = pid;
		}
	}
}

static void explain(void *context, const char *message)
{
	session_warn(context, "%s", message);
}

static void start_runtimes(struct session *session)
{
	bool is_asked = option_on(session->config.options, OPTION_EXPLAIN);

	session->live.runtimes = runtimes_new(session->processes,
					      is_asked ? explain : NULL,
					      session);
	unwind_set_runtimes(session->live.unwind,
			    &(struct unwind_runtimes){
				    .context = session->live.runtimes,
				    .prepare = runtimes_prepare,
				    .ask = runtimes_ask,
				    .read = runtimes_read,
			    });
}

void session_unwind_start(struct session *session)
{
	if (!session->maps.unwind && !session->lowering.uses_user_addresses)
		return;
	symbols_watch(session->live.symbols);
	if (!session->maps.unwind)
		return;
	session_fill_unwind(session, (uint64_t *)session->maps.unwind);
	session->live.unwind = unwind_new(session->maps.unwind,
					  session->maps.unwind_size,
					  session->live.symbols);
	start_runtimes(session);
	if (option_on(session->config.options, OPTION_INLINES))
		session->live.inlines = inlines_new(
			session->processes,
			option_on(session->config.options, OPTION_MANGLED));
	for (uint32_t i = 0; i < session->ntargets; i++)
		unwind_note(session->live.unwind,
			    (uint32_t)target_pid(session->targets[i].target));
	note_processes(session);
}

void session_unwind_look(struct session *session)
{
	symbols_poll(session->live.symbols);
	if (session->live.unwind)
		unwind_look(session->live.unwind);
}
