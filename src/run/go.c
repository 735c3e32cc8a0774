/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starting and stopping: what touches the kernel.
 *
 * The order matters.  BEGIN runs when everything is loaded but nothing is
 * attached, so it comes before all other data, and an exit() in it means that
 * nothing is attached at all.  With -x beginfirst it runs, and what it prints is
 * shown, before the rest is loaded: the verifier may take a tenth of a second,
 * and a tool shows its heading meanwhile.  It is not the default, because others
 * take what BEGIN prints as a sign that all probes are enabled.  Probes are attached while the phase is idle, so
 * that the first one attached does not fire long before the last; one store to
 * shared memory then starts them all.  END runs after everything is detached.
 * BEGIN and END run in this process, pinned to one CPU, so that pid is ours and
 * `cpu` agrees between them.
 *
 * Between the start and the end of tracing nothing here makes bpf(2) calls:
 * they would silence perf probes on the calling CPU.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proc/symbols.h"
#include "run/internal.h"

static void set_phase(struct session *session, uint32_t phase)
{
	__atomic_store_n(&session->maps.state->phase, phase, __ATOMIC_SEQ_CST);
}

static bool exit_called(const struct session *session)
{
	return __atomic_load_n(&session->maps.state->exit_called,
			       __ATOMIC_ACQUIRE);
}

static const struct fact_probe *probe_for_store(void *context, uint32_t id)
{
	return session_find_probe(context, id);
}

static void key_for_store(void *context, const struct schema_field *key,
			  uint8_t *bytes)
{
	struct session *session = context;

	resolve_key(&session->live, key, bytes);
}

static int create_maps(struct session *session)
{
	int error = session_allocate(session);

	if (error)
		return error;
	session->has_maps = true;
	session->maps.state->deadline = UINT64_MAX;

	uint32_t ncpus = session->maps.ncpus;

	rings_init(&session->rings, &session->maps,
		   option_on(session->config.options, OPTION_TEMPORAL));
	specs_init(&session->specs, &session->maps,
		   option_on(session->config.options, OPTION_TEMPORAL));
	if (session->maps.specs &&
	    option_number(session->config.options, OPTION_NSPEC) <= 0)
		session->maps.specs->free[0] = 0;
	session->consumer.aggs = agg_store_new(&session->lowering.schema,
					       &session->maps,
					       session->config.options,
					       &(struct agg_names){
						       .context = session,
						       .probe = probe_for_store,
						       .key = key_for_store,
					       });
	session->last = must_alloc(checked_mul(ncpus, sizeof(*session->last)));
	return session_open_sinks(session);
}

static bool load_program(struct session *session, struct group *group,
			 struct bpf_problem *problem)
{
	const struct provider *provider = group->probes.provider;
	const struct options *options = session->config.options;
	int64_t most = option_number(options, OPTION_BPFLOGSIZE);
	uint32_t log_size = !option_on(options, OPTION_BPFLOG) ? 0
			    : most < 1			       ? 1
			    : most > UINT32_MAX		       ? UINT32_MAX
							       : (uint32_t)most;

	if (group->code->looks_at_mappings)
		session_fill_mapping(session, session->maps.state->mapping);
	group->probes.program = bpf_load(session->arena, group->code,
					 &session->maps, &group->probes.kind,
					 provider->name, log_size, problem);
	if (group->probes.program && problem->text)
		session_warn(session, "the verifier on a program of %s:\n%s",
			     provider->name, problem->text);
	return group->probes.program;
}

/* A program too complex for the verifier is tried in smaller pieces. */
static int load(struct session *session, uint32_t index)
{
	for (;;) {
		struct group *group = &session->groups[index];
		int error = session_link_parts(session, group);
		struct bpf_problem problem = { 0 };

		if (error)
			return session_fail(session, error, "%s",
					    strerror(-error));
		if (load_program(session, group, &problem))
			return session_publish_part(session, group);
		if (!problem.is_too_large ||
		    !session_split(session, index, SPLIT_MUST))
			return session_fail_large(session, index, &problem);
		error = session_generate_group(session, index);
		for (uint32_t i = index + 1; i < session->ngroups && !error;
		     i++)
			if (!session->groups[i].code)
				error = session_generate_group(session, i);
		if (error)
			return error;
	}
}

static void say(void *data, const char *message)
{
	session_warn(data, "%s", message);
}

/* The provider has another method, with another program: one, not pieces. */
static int make_anew(struct session *session, struct group *group)
{
	uint32_t index = (uint32_t)(group - session->groups);
	uint32_t ngroups = session->ngroups;

	bpf_unload(group->probes.program);
	group->probes.program = NULL;
	int error = session_remake_group(session, index);

	if (!error && session->ngroups == ngroups)
		error = load(session, index);
	if (!error && session->ngroups != ngroups)
		error = session_fail(
			session, -E2BIG,
			"the clauses are too large for the other way of tracing a function; use fewer, or rawfbt");
	return error;
}

static int attach(struct session *session, struct group *group,
		  struct probe_group *const *groups, uint32_t ngroups)
{
	struct attach_context context = {
		.arena = session->arena,
		.options = session->config.options,
		.program_fd = group->probes.program->fd,
		.group = &group->probes,
		.groups = groups,
		.ngroups = ngroups,
		.interrupts = &session->interrupts,
		.say = say,
		.say_data = session,
	};
	const struct fact_probe *first = &group->enablings[0]->names;
	const struct provider *provider = group->probes.provider;

	if (!provider->attach)
		return 0;
	int error = provider->attach(&context, &group->probes);

	if (error && context.has_other_way && !group->nparts) {
		error = make_anew(session, group);
		return error ? error : attach(session, group, groups, ngroups);
	}
	if (error)
		return session_fail(session, error,
				    "failed to enable %s:%s:%s:%s: %s",
				    first->provider, first->module,
				    first->function, first->name,
				    context.error ? context.error
						  : strerror(-error));
	if (context.warning)
		session_warn(session, "%s: %s", provider->name,
			     context.warning);
	group->is_attached = true;
	return 0;
}

static bool is_attachable(const struct group *group)
{
	return group->probes.lower.phase == PHASE_ACTIVE && !group->part;
}

static enum attach_turn turn_of(const struct group *group)
{
	const struct provider *provider = group->probes.provider;

	return provider->turn ? provider->turn(&group->probes) : TURN_USUAL;
}

static int attach_at(struct session *session, enum attach_turn turn,
		     struct probe_group *const *groups, uint32_t ngroups)
{
	int error = 0;

	/* if the run is ended now, do not wait for the rest */
	for (uint32_t i = 0;
	     i < session->ngroups && !error && !session->interrupts; i++) {
		struct group *group = &session->groups[i];

		if (is_attachable(group) && turn_of(group) == turn)
			error = attach(session, group, groups, ngroups);
	}
	return error;
}

static int attach_all(struct session *session)
{
	struct probe_group **groups = arena_array_of(session->arena,
						     struct probe_group *,
						     session->ngroups);
	uint32_t n = 0;

	for (uint32_t i = 0; i < session->ngroups; i++)
		if (is_attachable(&session->groups[i]))
			groups[n++] = &session->groups[i].probes;
	int error = 0;

	for (enum attach_turn turn = 0; turn < NTURNS && !error; turn++)
		error = attach_at(session, turn, groups, n);
	return error;
}

int session_go_more(struct session *session, uint32_t first_group)
{
	int error = 0;

	for (uint32_t i = first_group; i < session->ngroups && !error; i++)
		error = load(session, i);
	for (enum attach_turn turn = 0; turn < NTURNS; turn++)
		for (uint32_t i = first_group; i < session->ngroups && !error;
		     i++) {
			struct group *group = &session->groups[i];
			struct probe_group *alone = &group->probes;

			if (turn_of(group) == turn)
				error = attach(session, group, &alone, 1);
		}
	return error;
}

void session_detach(struct session *session)
{
	for (uint32_t i = session->ngroups; i-- > 0;) {
		struct group *group = &session->groups[i];

		if (group->is_attached && group->probes.provider->detach)
			group->probes.provider->detach(&group->probes);
		group->is_attached = false;
	}
	sweep_close(session);
}

/* On one CPU: BEGIN's choice is kept for END if that CPU is still online. */
static bool pin(struct session *session, cpu_set_t *before)
{
	cpu_set_t only;
	int64_t only_cpu = option_number(session->config.options, OPTION_CPU);

	if (session->begin_cpu < 0)
		session->begin_cpu = only_cpu >= 0 ? (int)only_cpu
						   : sched_getcpu();
	if (session->begin_cpu < 0 || session->begin_cpu >= CPU_SETSIZE ||
	    sched_getaffinity(0, sizeof(*before), before))
		return false;
	CPU_ZERO(&only);
	CPU_SET((size_t)session->begin_cpu, &only);
	return !sched_setaffinity(0, sizeof(only), &only);
}

int session_run_phase(struct session *session, uint32_t phase)
{
	int error = 0;
	cpu_set_t before;
	bool is_pinned = pin(session, &before);

	set_phase(session, phase);
	for (uint32_t i = 0; i < session->ngroups && !error; i++) {
		struct group *group = &session->groups[i];

		if (group->probes.lower.phase == phase && !group->part)
			error = bpf_run_once(group->probes.program);
	}
	if (is_pinned)
		sched_setaffinity(0, sizeof(before), &before);
	if (error)
		return session_fail(session, error,
				    "cannot run the %s probe: %s",
				    phase == PHASE_BEGIN ? "BEGIN" : "END",
				    strerror(-error));
	return 0;
}

static bool is_of_begin(const struct group *group)
{
	return group->probes.lower.phase == PHASE_BEGIN;
}

/* Programs of BEGIN, or all that are not loaded yet. */
static int load_groups(struct session *session, bool begin_only)
{
	int error = 0;

	for (uint32_t i = 0; i < session->ngroups && !error; i++) {
		const struct group *group = &session->groups[i];

		if (!group->probes.program &&
		    (!begin_only || is_of_begin(group)))
			error = load(session, i);
	}
	return error;
}

static int load_rest(struct session *session)
{
	int error = load_groups(session, false);

	return error ? error : sweep_load(session);
}

int session_go(struct session *session)
{
	bool is_begin_first = option_on(session->config.options,
					OPTION_BEGINFIRST);
	int error = session_prepare(session);

	if (error)
		return error;
	const char *problem = bpf_privilege_problem();

	if (problem)
		return session_fail(session, -EPERM, "%s", problem);
	error = create_maps(session);
	if (!error)
		error = is_begin_first ? load_groups(session, true)
				       : load_rest(session);
	if (error)
		return error;
	session_say_doubts(session);
	processes_set_mangled(session->processes,
			      option_on(session->config.options,
					OPTION_MANGLED));
	session_settle(session);
	session_unwind_start(session);
	options_limit(session->config.options);
	session->config.options->is_active = true;
	session->is_tracing = true;
	session_set_loads(session);
	session_goroutines_start(session);
	error = session_oncpu_start(session);
	if (error)
		return error;
	error = session_run_phase(session, PHASE_BEGIN);
	if (!error && is_begin_first)
		error = session_consume_rest(session);
	if (!error && is_begin_first)
		error = load_rest(session);
	if (error)
		return error;
	if (exit_called(session)) {
		set_phase(session, PHASE_STOPPED);
		return 0;
	}
	set_phase(session, PHASE_IDLE);
	/* BEGIN's records are never overwritten, nor in the way of others */
	if (session->policy != POLICY_SWITCH)
		error = session_consume_rest(session);
	if (!error)
		error = sweep_attach(session);
	if (!error)
		error = attach_all(session);
	if (error)
		return error;
	session_heartbeat(session);
	session->begin = session_now();
	set_phase(session, PHASE_ACTIVE);
	return 0;
}
