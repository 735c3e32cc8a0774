/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records become facts.
 *
 * They are consumed up to a time shortly before now (work.c): all older ones
 * are certainly in their rings, so merging CPUs by time is exact.
 *
 * Each action of a record is handed to the sink with its values; then, if it
 * controls the run, it is carried out.  So printa() shows what a clear() after
 * it removes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "run/internal.h"

enum { LAST_TRIES = 100 }; /* for records not published at the end */

void session_abort(struct session *session)
{
	session_fail(session, -ECANCELED, "the consumer ended the run");
}

static const struct schema_clause *clause_of(const struct session *session,
					     uint32_t clause)
{
	const struct schema *schema = &session->lowering.schema;

	return clause < schema->nclauses ? schema->clauses[clause] : NULL;
}

/* ------------------------------------------------------------------ flow */

static bool ends_with(const char *name, const char *word)
{
	size_t n = strlen(name), m = strlen(word);

	if (n < m || strcmp(name + n - m, word))
		return false;
	return n == m || name[n - m - 1] == '-';
}

/* Does a record belong to the firing of the last one of its CPU? */
static bool is_same_firing(const struct session *session, uint32_t cpu,
			   uint32_t probe, const struct schema_clause *clause,
			   uint64_t stamp)
{
	const struct last_record *last = &session->last[cpu];

	return last->clause && last->probe == probe &&
	       (clause->clause > last->clause->clause ||
		clause_continues(clause, stamp, last->clause, last->stamp));
}

/* Is there a record of a later clause, beyond the rest of this one? */
static bool has_later_clause(const struct session *session,
			     const struct fact_record *record)
{
	const struct schema_clause *mine = record->clause, *clause;
	const struct abi_record *next;
	uint64_t ahead = 0;

	if (session->is_speculative)
		return false;
	while ((next = rings_after(&session->rings, record->cpu, &ahead)) &&
	       next->kind == RECORD_DATA && next->probe == record->probe->id &&
	       (clause = clause_of(session, next->clause))) {
		if (clause->clause > mine->clause)
			return true;
		if (!clause_continues(clause, next->stamp, mine, record->stamp))
			return false;
	}
	return false;
}

/*
 * -F: a firing of a probe with several clauses leaves several records, and only
 * one of them may change the indentation.  For an entry this is the first
 * record, which is recognized by the record before it on the same CPU.  For a
 * return it is the first record of the last clause, so those after it must be
 * examined.
 */
static enum fact_flow flow_of(const struct session *session,
			      const struct fact_record *record)
{
	uint32_t cpu = record->cpu;
	const struct last_record *last = &session->last[cpu];

	if (ends_with(record->probe->name, "entry"))
		return is_same_firing(session, cpu, record->probe->id,
				      record->clause, record->stamp)
			       ? CALL_NONE
			       : CALL_ENTRY;
	if (!ends_with(record->probe->name, "return") ||
	    (last->clause && last->probe == record->probe->id &&
	     clause_continues(record->clause, record->stamp, last->clause,
			      last->stamp)) ||
	    has_later_clause(session, record))
		return CALL_NONE;
	return CALL_RETURN;
}

/* --------------------------------------------------------------- actions */

static const struct fact_value *values_of(struct session *session,
					  const struct schema_action *action,
					  const struct fact_record *record)
{
	const uint8_t *start = record->data;

	if (action->nfields > session->values_capacity) {
		session->values_capacity = action->nfields;
		session->values = must_realloc(
			session->values,
			checked_mul(action->nfields, sizeof(*session->values)));
	}
	for (uint32_t i = 0; i < action->nfields; i++) {
		const struct schema_field *field = &action->fields[i];
		struct fact_value *value = &session->values[i];

		if (field->form == FIELD_BYTES)
			fact_stored(value, field, start);
		else
			*value = fact_value_of(field, start, record->probe,
					       NULL);
		if (field->symbol)
			resolve_value(&session->live, value);
	}
	return session->values;
}

static bool do_action(struct session *session,
		      const struct schema_action *action,
		      const struct fact_record *record)
{
	struct consumer *consumer = &session->consumer;
	struct fact_action fact = {
		.action = action,
		.values = values_of(session, action, record),
	};
	struct agg_table *table = NULL;

	if (action->rule == RULE_TABLE) {
		table = agg_table_new(consumer->aggs, action->aggregations,
				      action->naggregations);
		fact.table = agg_table_fact(table);
	}
	bool goes_on = sink_action(consumer->sink, record, &fact);

	if (table)
		agg_table_free(table);
	if (action->control)
		action->control(consumer, &fact);
	return goes_on;
}

static bool tell_record(struct session *session,
			const struct fact_record *record)
{
	struct consumer *consumer = &session->consumer;
	const uint8_t *bytes = record->data;
	bool goes_on = sink_record(consumer->sink, record);

	consumer->record = record;
	for (const struct schema_action *action = record->clause->actions;
	     action; action = action->next)
		if (action->rule && (!action->guard || bytes[action->guard]))
			goes_on &= do_action(session, action, record);
	consumer->record = NULL;
	return sink_done(consumer->sink, record) && goes_on;
}

static int consume_data(struct session *session,
			const struct abi_record *record, uint32_t cpu)
{
	struct fact_record fact = {
		.clause = clause_of(session, record->clause),
		.probe = session_find_probe(session, record->probe),
		.cpu = cpu, .stamp = record->stamp, .data = record,
	};

	if (!fact.clause || !fact.probe || record->size < fact.clause->size)
		return session_fail(
			session, -EIO,
			"record of CPU %u makes no sense (clause %u, probe %u)",
			cpu, record->clause, record->probe);
	if (session->recording ||
	    option_on(session->config.options, OPTION_FLOWINDENT))
		fact.flow = flow_of(session, &fact);
	session->nrecords++;
	bool goes_on = tell_record(session, &fact);

	session->last[cpu] = (struct last_record){
		.clause = fact.clause,
		.probe = record->probe,
		.stamp = record->stamp,
	};
	if (!goes_on)
		session_abort(session);
	return session->error ? -ECANCELED : 0;
}

/* A broken pipe ends the run quietly; other write errors have a message. */
int session_flush(struct session *session)
{
	if (session->is_broken)
		return -EPIPE;
	int error = sink_flush(session->consumer.sink);

	if (!error)
		return 0;
	session->is_broken = true;
	return session_fail(session, error, "failed to write output: %s",
			    strerror(-error));
}

/* A speculation's records, at the position of its commit. */
static int consume_speculation(struct session *session,
			       const struct abi_commit *commit)
{
	struct spec_content *content = specs_take(&session->specs, commit);
	int error = 0;

	for (uint32_t i = 0; content && i < content->nrecords && !error; i++) {
		session->is_speculative = true;
		error = consume_data(session, content->records[i].record,
				     content->records[i].cpu);
	}
	session->is_speculative = false;
	spec_content_free(content);
	return error;
}

static int consume_record(struct session *session,
			  const struct abi_record *record, uint32_t cpu)
{
	int error = 0;

	if (record->kind == RECORD_FAULT) {
		error = session_flush(session);
		session_report_fault(session, (const struct abi_fault *)record);
	} else if (record->kind == RECORD_DATA) {
		error = consume_data(session, record, cpu);
	} else if (record->kind == RECORD_COMMIT) {
		error = consume_speculation(session,
					    (const struct abi_commit *)record);
	}
	return error;
}

/*
 * The clauses of one firing leave one record or more, and `until` may fall between
 * them.  The rest belongs to this pass, which shows one state of aggregations.
 */
static int consume_rest_of_firing(struct session *session, uint32_t cpu)
{
	struct rings *rings = &session->rings;
	const struct abi_record *record;
	const struct schema_clause *clause;
	int error = 0;

	while (!error && session->last[cpu].clause &&
	       (record = rings_peek(rings, cpu)) &&
	       (clause = clause_of(session, record->clause)) &&
	       is_same_firing(session, cpu, record->probe, clause,
			      record->stamp))
		error = consume_record(session, rings_take(rings, cpu), cpu);
	return error;
}

int session_consume(struct session *session, uint64_t until)
{
	struct rings *rings = &session->rings;
	const struct abi_record *record;
	uint32_t cpu;
	int error = 0;

	rings_begin(rings, session_now(), until);
	agg_store_begin(session->consumer.aggs);
	while (!error && (record = rings_next(rings, &cpu)))
		error = consume_record(session, record, cpu);
	for (cpu = 0; !error && rings->is_held && cpu < rings->count; cpu++)
		error = consume_rest_of_firing(session, cpu);
	agg_store_end(session->consumer.aggs);
	rings_end(rings);
	if (rings->is_damaged)
		error = session_fail(session, -EIO,
				     "trace buffers are damaged");
	return error ? error : session_flush(session);
}

int session_consume_rest(struct session *session)
{
	if (session->policy == POLICY_RING)
		for (unsigned i = 0;
		     !rings_rewind(&session->rings, i == LAST_TRIES); i++)
			usleep(1000);
	for (unsigned i = 0; i < LAST_TRIES; i++) {
		int error = session_consume(session, UINT64_MAX);

		if (error || !session->rings.is_waiting)
			return error;
		usleep(1000);
	}
	return 0;
}
