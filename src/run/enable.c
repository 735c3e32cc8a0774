/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Enabling: which probes run which clauses.
 *
 * Every description of every clause is matched against the registry, in the
 * order of the programs.  A clause that names a probe by two descriptions runs
 * twice when the probe fires, as it always has in DTrace, and counts twice in
 * "matched N probes".  Clauses of dtrace:::ERROR get no program: they are woven
 * into all the others, to run where something faults.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "run/internal.h"

enum { FIRST_SLOTS = 64 };

static uint32_t slot_of(const struct session *session, uint32_t id)
{
	return (id * 2654435761u) & (session->nby_id - 1);
}

struct enabling *enabling_find(const struct session *session, uint32_t id)
{
	if (!session->nby_id)
		return NULL;
	struct enabling *enabling = session->by_id[slot_of(session, id)];

	while (enabling && enabling->probe->id != id)
		enabling = enabling->next;
	return enabling;
}

static void link_enabling(struct session *session, struct enabling *enabling)
{
	struct enabling **slot =
		&session->by_id[slot_of(session, enabling->probe->id)];

	enabling->next = *slot;
	*slot = enabling;
}

static void grow_slots(struct session *session)
{
	session->nby_id = session->nby_id ? session->nby_id * 2 : FIRST_SLOTS;
	free(session->by_id);
	session->by_id = must_alloc(checked_mul(session->nby_id,
						sizeof(*session->by_id)));
	for (size_t i = 0; i < session->enablings.count; i++)
		link_enabling(session,
			      vec_at(&session->enablings, i, struct enabling));
}

struct fact_probe session_probe_names(const struct probe *probe)
{
	return (struct fact_probe){
		.id = probe->id,
		.provider = probe->provider_name,
		.module = probe->module,
		.function = probe->function,
		.name = probe->name,
		.enters_kernel = probe->provider->enters_kernel,
	};
}

static bool needs_process_name(const struct probe *probe)
{
	return probe->is_silent && !probe->pid;
}

static struct enabling *enabling_make(struct session *session,
				      const struct probe *probe)
{
	struct enabling *enabling = enabling_find(session, probe->id);

	if (enabling && enabling->round == session->round) {
		enabling->growth = probe->growth;
		return enabling;
	}
	enabling = arena_new_of(session->arena, struct enabling);
	enabling->probe = probe;
	enabling->round = session->round;
	enabling->growth = probe->growth;
	enabling->names = session_probe_names(probe);
	enabling->names.has_process_name = needs_process_name(probe);
	if (session->enablings.count >= session->nby_id)
		grow_slots(session);
	vec_push(&session->enablings, enabling);
	link_enabling(session, enabling);
	return enabling;
}

static void add_clause(struct enabling *enabling, const struct clause *clause)
{
	if (enabling->nclauses == enabling->capacity) {
		enabling->capacity = enabling->capacity ? enabling->capacity * 2
							: 2;
		enabling->clauses = must_realloc(enabling->clauses,
						 checked_mul(enabling->capacity,
							     sizeof(clause)));
	}
	enabling->clauses[enabling->nclauses++] = clause;
	enabling->hash = (enabling->hash ^ (clause->id + 1ull)) *
			 0xff51afd7ed558ccdull;
	enabling->hash ^= enabling->hash >> 29;
}

struct match {
	struct session *session;
	const struct clause *clause;
	uint32_t count;
};

static bool visit_probe(void *data, const struct probe *probe)
{
	struct match *match = data;
	struct enabling *enabling = enabling_make(match->session, probe);

	match->count++;
	if (probe->id == lower_error_probe.id)
		vec_push(&match->session->error_clauses,
			 (void *)(uintptr_t)match->clause);
	else
		add_clause(enabling, match->clause);
	return true;
}

static bool visit_silent(void *data, const struct probe *probe)
{
	const struct match *match = data;

	match->session->lowering.has_process_names |= needs_process_name(probe);
	add_clause(enabling_make(match->session, probe), match->clause);
	return true;
}

bool session_is_fixed(const struct session *session)
{
	return session->is_prepared;
}

int session_enable(struct session *session, struct program *program)
{
	struct match match = { .session = session };

	assert(!session->is_prepared && !program_waits(program));
	vec_push(&session->programs, program);
	for (struct clause *clause = program->clauses; clause;
	     clause = clause->next) {
		match.clause = clause;
		for (const struct probe_desc *desc = clause->descs; desc;
		     desc = desc->next)
			session->follows |= registry_follows(desc);
		vec_push(&session->clauses, clause);
		for (const struct probe_desc *desc = clause->descs; desc;
		     desc = desc->next) {
			struct probe_error error;
			int found = registry_match(session->registry, desc,
						   visit_probe, &match, &error);

			if (found < 0)
				return session_fail(
					session, found, "%s",
					error.text ? probe_error_print(
							     session->arena,
							     &error)
						   : "Failed to enable probe");
			registry_match_silent(session->registry, desc,
					      visit_silent, &match);
		}
	}
	return (int)match.count;
}

/* ---------------------------------------------------------- while tracing */

static bool visit_new(void *data, const struct probe *probe)
{
	struct match *match = data;
	struct session *session = match->session;
	const struct enabling *there = enabling_find(session, probe->id);

	if (there && there->round != session->round &&
	    there->growth == probe->growth)
		return true;
	add_clause(enabling_make(session, probe), match->clause);
	return true;
}

/* How many probes have been added; their enablings are the last ones. */
int session_enable_more(struct session *session)
{
	struct match match = { .session = session };
	size_t before = session->enablings.count;

	session->round++;
	for (size_t i = 0; i < session->clauses.count; i++) {
		match.clause = vec_at(&session->clauses, i,
				      const struct clause);
		for (const struct probe_desc *desc = match.clause->descs; desc;
		     desc = desc->next) {
			if (!registry_follows(desc) ||
			    registry_match(session->registry, desc, visit_new,
					   &match, NULL) < 0)
				continue;
			registry_match_silent(session->registry, desc,
					      visit_new, &match);
		}
	}
	return (int)(session->enablings.count - before);
}
