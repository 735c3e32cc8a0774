/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of a session, and its messages.
 *
 * A session owns everything between D text and the last line of output: the
 * probe registry, the language (which asks the registry about probes), the
 * programs' kernel objects, the consumer.  It fails at most once: the first
 * session_fail() has the words, later ones are consequences.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "builtin/builtin.h"
#include "proc/served.h"
#include "proc/symbols.h"
#include "proc/unwind.h"
#include "out/structured.h"
#include "run/internal.h"

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
		session->config.warn(session->config.context,
				     text_str(&text));
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
	printer_set_file(&session->printer, output);
}

void session_set_hooks(struct session *session,
		       const struct printer_hooks *hooks)
{
	session->printer.hooks = hooks;
}

void session_keep_aggregations(struct session *session)
{
	session->keeps_aggregations = true;
}

struct printer *session_printer(struct session *session)
{
	return session->printer.aggs ? &session->printer : NULL;
}

uint64_t session_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static const struct lower_probe *find_probe(void *context, uint32_t id)
{
	struct session *session = context;
	struct enabling *enabling = enabling_find(session, id);

	if (enabling)
		return &enabling->names;
	/* a probe that ERROR speaks of, or one of a record gone wrong */
	const struct probe *probe = registry_by_id(session->registry, id);

	if (!probe)
		return NULL;
	struct lower_probe *names = arena_new_of(session->arena,
						 struct lower_probe);

	*names = (struct lower_probe){
		.id = probe->id,
		.provider = probe->provider_name,
		.module = probe->module,
		.function = probe->function,
		.name = probe->name,
	};
	return names;
}

static void warn_from_printer(void *context, const char *message)
{
	session_warn(context, "%s", message);
}

/* About descriptions of programs: like "matched 3 probes", not with -q. */
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
		.tell = warn_from_printer, .context = session,
	};
	session->registry = registry_new(session->arena, config->options);
	registry_set_budget(session->registry, &session->budget);
	registry_set_say(session->registry, say_note, session);
	session->oracle = registry_oracle(session->registry);
	session->language = language_new(&(struct language_config){
		.options = config->options,
		.registry = builtin_registry(),
		.oracle = &session->oracle,
		.args = config->args,
		.nargs = config->nargs,
	});
	registry_set_language(session->registry, session->language);
	session->printer = (struct printer){
		.options = config->options,
		.types = language_types(session->language),
		.testing = getenv("_DTRACE_TESTING") != NULL,
		.symbols = symbols_new(&session->budget),
		.find_probe = find_probe,
		.context = session,
		.warn = warn_from_printer,
	};
	printer_set_file(&session->printer, config->output);
	served_set_hooks(&(struct served_hooks){
		.waits = waits_for_files, .warn = warn_from_printer,
		.context = session,
	});
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
	agg_store_free(session->printer.aggs);
	structured_free(session->printer.structured);
	unwind_free(session->printer.unwind);
	served_drop_hooks(session);
	symbols_free(session->printer.symbols);
	if (session->has_maps) {
		rings_free(&session->rings);
		specs_free(&session->specs);
		bpf_maps_close(&session->maps);
	}
	free(session->targets);
	free(session->polls);
	free(session->last_layout);
	free(session->last_probe);
	text_free(&session->printer.scratch);
	free_enablings(session);
	language_free(session->language);
	registry_free(session->registry);
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

/* The status of the exit() that was recorded last; END's comes last. */
int session_exit_status(struct session *session, bool *was_set)
{
	const struct abi_state *state = session->maps.state;

	*was_set = true;
	if (session->printer.exit_requested)
		return session->printer.exit_status;
	if (session->has_maps && state->exit_called)
		return (int)state->exit_status;
	*was_set = false;
	return 0;
}
