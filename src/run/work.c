/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The consumer at work: it sleeps, reads rings and tables, and reports what was
 * lost.
 *
 * Three clocks run while tracing: records are read every switchrate, drops are
 * checked every statusrate, aggregation tables are emptied every aggrate so
 * that long runs find room in them.  In between the process sleeps (watch.c),
 * until exit(), session_interrupt() or the end of the processes of -c and -p
 * wakes it.
 *
 * Records are consumed up to a time shortly before now (SETTLE_NS): all older
 * ones are certainly in their rings, so merging CPUs by time is exact.  The
 * rest waits for the next turn, which then comes soon.  So does the second turn of
 * a run, whatever switchrate is: what BEGIN prints shows that it has begun.
 *
 * While it works it moves a deadline (-x deadman) ahead of itself.  If probes
 * that fire by themselves (clocks, counters) find that it has passed, they stop
 * all tracing: a script that asks for more than the machine can do does not
 * keep the machine.
 *
 * The end of a run prints in this order: records of all probes, records of END,
 * a newline, aggregations that no printa() has shown.
 */
#include <errno.h>
#include <string.h>

#include "run/internal.h"
#include "sink/picture.h"

enum {
	MS = 1000 * 1000,
	SETTLE_NS = 1 * MS,
	DEFAULT_SWITCH = 10 * MS, /* a default buffer at 5 million a second */
	IDLE_SWITCH = 500 * MS,	  /* nothing is expected but faults */
	DEFAULT_AGGRATE = 1000 * MS,
	DEFAULT_CLEAN = 10 * MS,
	CROWDED_AGGRATE = 100 * MS, /* tables are getting full */
	SOON = 2 * MS,
};

/* ---------------------------------------------------------------- clock */

static uint64_t rate(const struct session *session, enum option_id id,
		     uint64_t fallback)
{
	int64_t ns = option_number(session->config.options, id);

	return ns > 0 ? (uint64_t)ns : fallback;
}

static uint64_t switch_rate(const struct session *session)
{
	return rate(session, OPTION_SWITCHRATE,
		    session->has_records ? DEFAULT_SWITCH : IDLE_SWITCH);
}

/* Sooner than planned if rings fill, or records wait for their turn. */
static uint64_t next_switch(const struct session *session, uint64_t now)
{
	const struct rings *rings = &session->rings;
	uint64_t interval = switch_rate(session);
	bool is_free = !option_number(session->config.options,
				      OPTION_SWITCHRATE);

	if (rings->is_filling)
		return now + SOON;
	if (is_free && (rings->is_held || rings->is_waiting))
		return now + (interval < SOON ? interval : SOON);
	return now + interval;
}

static bool has_aggregations(const struct session *session)
{
	return session->maps.naggs != 0;
}

/* How long the consumer may be silent; 0: forever. */
static uint64_t patience(const struct session *session)
{
	const struct options *options = session->config.options;

	if (option_on(options, OPTION_DESTRUCTIVE))
		return 0;
	return (uint64_t)option_number(options, OPTION_DEADMAN);
}

void session_heartbeat(struct session *session)
{
	uint64_t wait = patience(session);
	uint64_t deadline = wait ? session_now() + wait : UINT64_MAX;

	__atomic_store_n(&session->maps.state->deadline, deadline,
			 __ATOMIC_RELAXED);
}

/* Tracing ended because the deadline passed: say so, it is not a normal end. */
static bool is_killed(struct session *session)
{
	if (!__atomic_load_n(&session->maps.state->killed, __ATOMIC_ACQUIRE))
		return false;
	if (!session->error)
		session_fail(session, -EDEADLK,
			     "Abort due to systemic unresponsiveness");
	return true;
}

static uint64_t earliest(const struct session *session)
{
	uint64_t due = session->switch_due < session->status_due
			       ? session->switch_due
			       : session->status_due;

	if (has_aggregations(session) && session->agg_due < due)
		due = session->agg_due;
	if (session->specs.maps && session->clean_due < due)
		due = session->clean_due;
	if (session->follows && session->follow_due < due)
		due = session->follow_due;
	if (session->snapshot_due && session->snapshot_due < due)
		due = session->snapshot_due;
	uint64_t show_due = session_now() + patience(session) / 4;

	return patience(session) && show_due < due ? show_due : due;
}

static void sleep_until(struct session *session, uint64_t due)
{
	uint64_t now = session_now();
	struct timespec timeout = { 0 };

	if (due > now) {
		timeout.tv_sec = (time_t)((due - now) / 1000000000ull);
		timeout.tv_nsec = (long)((due - now) % 1000000000ull);
	}
	session_sleep(session, &timeout);

	struct abi_message message;

	while (bpf_control_read(&session->maps, &message))
		continue;
	session_unwind_look(session);
	session_goroutines_look(session);
}

static bool is_over(const struct session *session)
{
	return session->consumer.exit_requested || session->interrupts ||
	       session_targets_gone(session) ||
	       __atomic_load_n(&session->maps.state->filled,
			       __ATOMIC_ACQUIRE) ||
	       __atomic_load_n(&session->maps.state->exit_called,
			       __ATOMIC_ACQUIRE);
}

static void tell_interrupt(struct session *session)
{
	if (!session->interrupts || session->is_interrupt_told)
		return;
	session->is_interrupt_told = true;
	sink_interrupted(session->consumer.sink);
}

static bool show_table(void *data, const struct fact_table *table)
{
	return sink_table(data, table);
}

/* -x top: what was counted, replacing what the screen shows. */
static void show_top(struct session *session)
{
	struct sink *sink = session->screen;
	struct agg_store *aggs = session->consumer.aggs;
	uint32_t rows = sink_top(sink, agg_store_count_rest(aggs));

	if (!rows)
		return;
	agg_store_show_rest(aggs, rows, show_table, sink);
	sink_flush(sink);
}

static enum session_status work(struct session *session, bool may_sleep)
{
	if (session->error || !session->is_tracing)
		return SESSION_FAILED;
	if (!is_over(session))
		sleep_until(session, may_sleep ? earliest(session) : 0);
	tell_interrupt(session);
	if (is_killed(session))
		return SESSION_FAILED;
	if (is_over(session))
		return SESSION_DONE;
	session_heartbeat(session);
	session_extend(session);

	uint64_t now = session_now();

	if (now >= session->agg_due) {
		uint64_t wait = rate(session, OPTION_AGGRATE, DEFAULT_AGGRATE);

		if (agg_store_drain_for_room(session->consumer.aggs) &&
		    wait > CROWDED_AGGRATE)
			wait = CROWDED_AGGRATE;
		session->agg_due = now + wait;
		session_forget(session, switch_rate(session));
		if (option_on(session->config.options, OPTION_TOP))
			show_top(session);
	}
	if (session_snapshot_is_due(session, now)) {
		if (session_take_snapshot(session))
			return SESSION_FAILED;
		session_plan_snapshot(session);
	}
	if (session->specs.maps && now >= session->clean_due) {
		specs_clean(&session->specs);
		session->clean_due = now + rate(session, OPTION_CLEANRATE,
						DEFAULT_CLEAN);
	}
	if (now >= session->switch_due) {
		session_set_loads(session);
		if (session->policy == POLICY_SWITCH &&
		    session_consume(session, now - SETTLE_NS))
			return SESSION_FAILED;
		session->switch_due = session->switch_due
					      ? next_switch(session, now)
					      : now + SOON;
	}
	if (now >= session->status_due) {
		session_report_drops(session);
		session->status_due = now + rate(session, OPTION_STATUSRATE,
						 DEFAULT_AGGRATE);
	}
	return is_over(session) ? SESSION_DONE : SESSION_RUNNING;
}

void session_progress(const struct session *session,
		      struct session_progress *progress)
{
	*progress = (struct session_progress){
		.time = session->begin ? session_now() - session->begin : 0,
		.events = session->nrecords,
		.drops = session->ndrops,
		.pictures = session->pictures
				    ? pictures_count(session->pictures)
				    : 0,
	};
	if (session->consumer.aggs)
		progress->events += agg_store_updates(session->consumer.aggs);
}

enum session_status session_work(struct session *session)
{
	return work(session, true);
}

enum session_status session_poll(struct session *session)
{
	enum session_status status = work(session, false);

	session_set_alarm(session,
			  status == SESSION_RUNNING ? earliest(session) : 1);
	return status;
}

/* ------------------------------------------------------------------ end */

int session_show_aggregations(struct session *session)
{
	if (!agg_store_show_rest(session->consumer.aggs, 0, show_table,
				 session->consumer.sink))
		session_abort(session);
	return session_flush(session);
}

static void tell_end(struct session *session, struct sink *sink)
{
	struct fact_end end = { .stamp = session_now() };

	end.status = session_exit_status(session, &end.has_status);
	sink_end(sink, &end);
}

static int finish(struct session *session)
{
	session_unwind_look(session);
	session_goroutines_look(session);
	int error = session_consume_rest(session);

	if (!error)
		error = session_run_phase(session, PHASE_END);
	if (!error)
		error = session_consume_rest(session);
	session_report_drops(session);
	if (error)
		return error;
	agg_store_drain(session->consumer.aggs, true);
	if (agg_store_problem(session->consumer.aggs))
		return session_fail(session, -EIO,
				    "cannot read all aggregations: %s",
				    agg_store_problem(session->consumer.aggs));
	if (session_take_snapshot(session))
		return -ECANCELED;
	if (session->keeps_aggregations &&
	    !session->main_sink->class->is_document) {
		tell_end(session, session->picture_sink);
		error = session_draw_pictures(session);
		return error ? error : session_flush(session);
	}
	sink_summary(session->consumer.sink);
	/* a second interrupt asks for no more output */
	if (session->interrupts < 2)
		session_show_aggregations(session);
	tell_end(session, session->consumer.sink);
	session->is_ended = session->main_sink->class->is_document;
	error = session_flush(session);
	return error ? error : session_draw_pictures(session);
}

int session_stop(struct session *session)
{
	if (!session->is_tracing || session->is_stopped)
		return 0;
	session->is_stopped = true;
	is_killed(session);
	__atomic_store_n(&session->maps.state->phase, PHASE_STOPPED,
			 __ATOMIC_SEQ_CST);
	session->maps.state->deadline = UINT64_MAX;
	session_detach(session);
	session_report_missed(session);
	if (session->error)
		return -EIO;
	tell_interrupt(session);
	int error = finish(session);

	session->config.options->is_active = false;
	return error;
}
