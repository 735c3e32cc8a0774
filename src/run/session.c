/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of a session, and its messages.
 *
 * A session owns everything between D text and the last line of output: the
 * probe registry, the language (which asks the registry about probes), the
 * programs' kernel objects, the consumer.  It fails at most once: the first
 * session_fail() sets the message, later ones are consequences.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "builtin/builtin.h"
#include "proc/served.h"
#include "proc/symbols.h"
#include "proc/unwind.h"
#include "run/internal.h"
#include "runtime/inlines.h"
#include "runtime/runtime.h"

int session_fail(struct session *session, int error, const char *format, ...)
{
	va_list args;

	if (session->error)
		return error;
	session->error_number = error;
	va_start(args, format);
	session->error = arena_vprintf(session->arena, format, args);
	va_end(args);
	return error;
}

void session_warn(struct session *session, const char *format, ...)
{
	struct text text = { 0 };
	va_list args;

	va_start(args, format);
	text_vprintf(&text, format, args);
	va_end(args);
	if (session->config.warn)
		session->config.warn(session->config.context, text_str(&text));
	text_free(&text);
}

const char *session_error(const struct session *session)
{
	return session->error ? session->error : "unknown error";
}

int session_error_number(const struct session *session)
{
	return session->error_number;
}

void session_set_output(struct session *session, FILE *output)
{
	session->config.output = output;
	output_set_file(&session->output, output);
}

void session_keep_aggregations(struct session *session)
{
	session->keeps_aggregations = true;
}

struct consumer *session_consumer(struct session *session)
{
	return session->consumer.aggs ? &session->consumer : NULL;
}

bool session_is_ended(const struct session *session)
{
	return session->is_ended;
}

struct symbols *session_symbols(struct session *session)
{
	return session->live.symbols;
}

uint64_t session_now(void)
{
	return clock_monotonic();
}

const struct fact_probe *session_find_probe(struct session *session,
					    uint32_t id)
{
	struct enabling *enabling = enabling_find(session, id);

	if (enabling)
		return &enabling->names;
	/* a probe that ERROR refers to, or one of a bad record */
	const struct probe *probe = registry_by_id(session->registry, id);

	if (!probe)
		return NULL;
	struct fact_probe *names = arena_new_of(session->arena,
						struct fact_probe);

	*names = session_probe_names(probe);
	return names;
}

static void warn_from_below(void *context, const char *message)
{
	session_warn(context, "%s", message);
}

/* Messages about descriptions: like "matched 3 probes", not with -q. */
static void say_note(void *context, const char *note)
{
	const struct session *session = context;

	if (!option_on(session->config.options, OPTION_QUIET))
		session_warn(context, "%s", note);
}

static bool waits_for_files(void *context)
{
	const struct session *session = context;

	return option_on(session->config.options, OPTION_BLOCKINGREADS);
}

struct session *session_new(const struct session_config *config)
{
	struct session *session = must_alloc(sizeof(*session));

	session->config = *config;
	session->arena = arena_new();
	session->begin_cpu = -1;
	session->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	session->budget = (struct budget){
		.options = config->options,
		.tell = warn_from_below,
		.context = session,
	};
	session->processes = processes_new(&session->budget,
					   &(struct served_hooks){
						   .waits = waits_for_files,
						   .warn = warn_from_below,
						   .context = session,
					   });
	session->registry = registry_new(session->arena, config->options,
					 session->processes);
	registry_set_say(session->registry, say_note, session);
	session->oracle = registry_oracle(session->registry);
	session->language = language_new(&(struct language_config){
		.options = config->options,
		.registry = builtin_registry(),
		.oracle = &session->oracle,
		.args = config->args,
		.nargs = config->nargs,
		.warn = warn_from_below,
		.context = session,
	});
	registry_set_language(session->registry, session->language);
	session->live = (struct live_resolver){
		.options = config->options,
		.symbols = symbols_new(session->processes),
		.warn = warn_from_below,
		.context = session,
	};
	session->resolver = live_resolver(&session->live);
	session->consumer = (struct consumer){
		.options = config->options,
		.output = &session->output,
		.resolver = &session->resolver,
		.warn = warn_from_below,
		.context = session,
	};
	output_set_file(&session->output, config->output);
	session->lowering.arena = session->arena;
	session->lowering.language = session->language;
	return session;
}

static void free_enablings(struct session *session)
{
	for (size_t i = 0; i < session->enablings.count; i++)
		free(vec_at(&session->enablings, i, struct enabling)->clauses);
	vec_free(&session->enablings);
	vec_free(&session->programs);
	vec_free(&session->clauses);
	vec_free(&session->error_clauses);
	free(session->by_id);
}

static void free_groups(struct session *session)
{
	for (uint32_t i = 0; i < session->ngroups; i++) {
		struct group *group = &session->groups[i];

		if (group->probes.program)
			bpf_unload(group->probes.program);
		if (group->part)
			continue;
		if (group->parts_fd >= 0)
			close(group->parts_fd);
		free(group->enablings);
	}
	free(session->groups);
}

void session_close(struct session *session)
{
	if (!session)
		return;
	session_detach(session);
	session_oncpu_stop(session);
	free_groups(session);
	session_close_sinks(session);
	agg_store_free(session->consumer.aggs);
	session_goroutines_free(session);
	unwind_free(session->live.unwind);
	runtimes_free(session->live.runtimes);
	inlines_free(session->live.inlines);
	symbols_free(session->live.symbols);
	if (session->has_maps) {
		rings_free(&session->rings);
		specs_free(&session->specs);
		bpf_maps_close(&session->maps);
	}
	free(session->targets);
	free(session->polls);
	if (session->poll_fd > 0)
		close(session->poll_fd);
	if (session->alarm_fd > 0)
		close(session->alarm_fd);
	free(session->last);
	free(session->values);
	free_enablings(session);
	language_free(session->language);
	registry_free(session->registry);
	processes_free(session->processes);
	if (session->wake_fd >= 0)
		close(session->wake_fd);
	arena_free(session->arena);
	free(session);
}

struct language *session_language(struct session *session)
{
	return session->language;
}

struct probe_registry *session_registry(struct session *session)
{
	return session->registry;
}

void session_interrupt(struct session *session)
{
	uint64_t one = 1;
	int saved = errno;

	if (session->interrupts < 2)
		session->interrupts = session->interrupts + 1;
	if (write(session->wake_fd, &one, sizeof(one)) < 0)
		errno = saved;
	errno = saved;
}

/* The status of the exit() recorded last; END's comes last. */
int session_exit_status(struct session *session, bool *was_set)
{
	const struct abi_state *state = session->maps.state;

	*was_set = true;
	if (session->consumer.exit_requested)
		return session->consumer.exit_status;
	if (session->has_maps && state->exit_called)
		return (int)state->exit_status;
	*was_set = false;
	return 0;
}
