/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The consumer: sleeps, reads rings and tables, prints, says what was lost.
 *
 * Three clocks run while tracing: records are read every switchrate, drops
 * are looked at every statusrate, aggregation tables are emptied every
 * aggrate so that long runs find room in them.  Between those the process
 * sleeps (watch.c), to be woken by exit(), session_interrupt() and the end of
 * the processes of -c and -p.
 *
 * Records are printed up to a moment shortly before now (SETTLE_NS): all
 * older ones are in their rings for certain, so merging CPUs by time is
 * exact.  The rest waits for the next turn, which then comes soon.
 *
 * While it works it moves a deadline (-x deadman) ahead of itself.  Probes that
 * fire by themselves (clocks, counters) and find it passed stop all tracing:
 * who asked for more than the machine can do gets it back.
 *
 * The end of a run prints in this order: records of all probes, records of
 * END, a newline, aggregations that no printa() has shown.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "out/structured.h"
#include "run/internal.h"

enum {
	MS = 1000 * 1000,
	SETTLE_NS = 1 * MS,
	DEFAULT_SWITCH = 50 * MS,
	IDLE_SWITCH = 500 * MS,		/* nothing is expected but faults */
	DEFAULT_AGGRATE = 1000 * MS,
	DEFAULT_CLEAN = 10 * MS,
	CROWDED_AGGRATE = 100 * MS,	/* tables are getting full */
	SOON = 2 * MS,
	LAST_TRIES = 100,		/* for records not published at the end */
};

/* --------------------------------------------------------------- faults */

static const char *fault_text(uint32_t code)
{
	static const char *const texts[FAULT_COUNT] = {
		[FAULT_UNKNOWN] = "unknown fault",
		[FAULT_BADADDR] = "invalid address",
		[FAULT_BADALIGN] = "invalid alignment",
		[FAULT_ILLOP] = "illegal operation",
		[FAULT_DIVZERO] = "divide-by-zero",
		[FAULT_NOSCRATCH] = "out of scratch space",
		[FAULT_KPRIV] = "invalid kernel access",
		[FAULT_UPRIV] = "invalid user access",
		[FAULT_TUPOFLOW] = "tuple stack overflow",
		[FAULT_BADSTACK] = "bad stack",
		[FAULT_BADSIZE] = "invalid size",
		[FAULT_BADINDEX] = "index out of bounds",
	};

	return texts[code < FAULT_COUNT ? code : FAULT_UNKNOWN];
}

static bool has_address(uint32_t code)
{
	return code == FAULT_BADADDR || code == FAULT_BADALIGN ||
	       code == FAULT_BADSTACK;
}

/* The first instruction made for the expression that faulted; 0: unknown. */
static uint32_t fault_pc(const struct session *session,
			 const struct abi_fault *fault)
{
	if (fault->pc || fault->program >= session->ngroups)
		return fault->pc;
	const struct group *group = &session->groups[fault->program];
	const struct bpf_code *code = group->code;

	if (fault->site >= group->ir->nsites || !code->places)
		return 0;
	const struct place *place = &group->ir->sites[fault->site].place;

	for (uint32_t i = 0; i < code->count && place->source; i++)
		if (code->places[i].source == place->source &&
		    code->places[i].offset == place->offset)
			return i;
	return 0;
}

/* Does the output have a place for what else goes to stderr? */
static bool has_items(const struct session *session)
{
	const struct structured *structured = session->printer.structured;

	return structured && structured->form != FORM_CSV;
}

/* A consumer's function wants no more. */
static void abort_run(struct session *session)
{
	session_fail(session, -ECANCELED, "the consumer ended the run");
}

static void tell_fault(struct session *session, const struct abi_fault *fault,
		       const char *message)
{
	struct session_fault report = {
		.clause = fault->header.clause, .probe = fault->header.probe,
		.code = fault->code, .value = fault->value,
		.message = message,
	};

	if (!session->config.fault) {
		session_warn(session, "%s", message);
		return;
	}
	if (fault->program < session->ngroups) {
		const struct ir_program *ir =
			session->groups[fault->program].ir;

		if (fault->site < ir->nsites)
			report.statement = ir->sites[fault->site].statement;
	}
	if (!session->config.fault(session->config.context, &report))
		abort_run(session);
}

/* What the fault is about: an address, an index, a size. */
static void put_fault_value(const struct session *session,
			    const struct abi_fault *fault, struct text *text)
{
	const struct ir_program *ir = fault->program < session->ngroups ?
		session->groups[fault->program].ir : NULL;
	unsigned long long value = fault->value;

	if (has_address(fault->code))
		text_printf(text, " (0x%llx)", value);
	else if (fault->code == FAULT_BADINDEX && ir &&
		 fault->site < ir->nsites && ir->sites[fault->site].count)
		text_printf(text, " (index %lld, size %llu)", (long long)value,
			    (unsigned long long)ir->sites[fault->site].count);
	else if (fault->code == FAULT_NOSCRATCH && value)
		text_printf(text, " (size %llu)", value);
}

static void report_fault(struct session *session,
			 const struct abi_fault *fault)
{
	if (option_on(session->config.options, OPTION_NOERROR))
		return;
	uint32_t pc = fault_pc(session, fault);
	struct printer *printer = &session->printer;
	const struct lower_probe *probe =
		printer->find_probe(session, fault->header.probe);
	struct text text = { 0 };

	text_printf(&text, "error in dt_clause_%u for probe ID %u (%s:%s:%s:%s): %s",
		    fault->header.clause, fault->header.probe,
		    probe ? probe->provider : "", probe ? probe->module : "",
		    probe ? probe->function : "", probe ? probe->name : "",
		    fault_text(fault->code));
	put_fault_value(session, fault, &text);
	if (pc)
		text_printf(&text, " at BPF pc %u", pc);
	if (has_items(session))
		structured_error(printer, fault, fault_text(fault->code),
				 text_str(&text));
	else
		tell_fault(session, fault, text_str(&text));
	text_free(&text);
}

/* -------------------------------------------------------------- records */

static const struct record_layout *layout_of(const struct session *session,
					     uint32_t clause)
{
	const struct lower_session *lowering = &session->lowering;

	return clause < lowering->nlayouts ? lowering->layouts[clause] : NULL;
}

/* The next record of this CPU that will be printed, for -F. */
static void look_ahead(struct session *session, uint32_t cpu)
{
	const struct abi_record *next = session->is_speculative ? NULL :
		rings_after(&session->rings, cpu);
	struct printer *printer = &session->printer;

	printer->next = NULL;
	if (next && next->kind == RECORD_DATA) {
		printer->next = layout_of(session, next->clause);
		printer->next_probe = next->probe;
	}
}

static int print_record(struct session *session,
			const struct abi_record *record, uint32_t cpu)
{
	struct printer *printer = &session->printer;

	printer->layout = layout_of(session, record->clause);
	printer->record = record;
	printer->probe = printer->find_probe(session, record->probe);
	printer->cpu = cpu;
	if (!printer->layout || !printer->probe ||
	    record->size < printer->layout->size)
		return session_fail(session, -EIO,
				    "record of CPU %u makes no sense (clause %u, probe %u)",
				    cpu, record->clause, record->probe);
	printer->last = session->last_layout[cpu];
	printer->last_probe = session->last_probe[cpu];
	look_ahead(session, cpu);
	bool is_fine = printer_record(printer);

	session->last_layout[cpu] = printer->layout;
	session->last_probe[cpu] = record->probe;
	if (!is_fine)
		return session_fail(session, -EIO,
				    "cannot carry out an action of clause %u",
				    record->clause);
	if (printer->is_aborted)
		abort_run(session);
	return session->error ? -ECANCELED : 0;
}

/* Broken pipes end quietly; other write errors have a message. */
static int flush(struct session *session)
{
	if (session->is_broken)
		return -EPIPE;
	int error = printer_flush(&session->printer);

	if (!error)
		return 0;
	session->is_broken = true;
	return session_fail(session, error, "failed to write output: %s",
			    strerror(-error));
}

/* A speculation's records, in the place of its commit. */
static int print_speculation(struct session *session,
			     const struct abi_commit *commit)
{
	struct spec_content *content = specs_take(&session->specs, commit);
	int error = 0;

	for (uint32_t i = 0; content && i < content->nrecords && !error; i++) {
		session->is_speculative = true;
		error = print_record(session, content->records[i].record,
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
		error = flush(session);
		report_fault(session, (const struct abi_fault *)record);
	} else if (record->kind == RECORD_DATA) {
		error = print_record(session, record, cpu);
	} else if (record->kind == RECORD_COMMIT) {
		error = print_speculation(session,
					  (const struct abi_commit *)record);
	}
	return error;
}

/*
 * The clauses of one firing leave a record each, and `until` may fall between
 * them: the rest belongs to this pass, which shows one state of aggregations.
 */
static int consume_rest_of_firing(struct session *session, uint32_t cpu)
{
	struct rings *rings = &session->rings;
	const struct abi_record *record;
	const struct record_layout *layout;
	int error = 0;

	while (!error && session->last_layout[cpu] &&
	       (record = rings_peek(rings, cpu)) &&
	       record->probe == session->last_probe[cpu] &&
	       (layout = layout_of(session, record->clause)) &&
	       layout_follows(layout, session->last_layout[cpu]))
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
	agg_store_begin(session->printer.aggs);
	while (!error && (record = rings_next(rings, &cpu)))
		error = consume_record(session, record, cpu);
	for (cpu = 0; !error && rings->is_held && cpu < rings->count; cpu++)
		error = consume_rest_of_firing(session, cpu);
	agg_store_end(session->printer.aggs);
	rings_end(rings);
	if (rings->is_damaged)
		error = session_fail(session, -EIO,
				     "trace buffers are damaged");
	return error ? error : flush(session);
}

int session_consume_rest(struct session *session)
{
	if (session->policy == POLICY_RING)
		for (unsigned i = 0; !rings_rewind(&session->rings,
						   i == LAST_TRIES); i++)
			usleep(1000);
	for (unsigned i = 0; i < LAST_TRIES; i++) {
		int error = session_consume(session, UINT64_MAX);

		if (error || !session->rings.is_waiting)
			return error;
		usleep(1000);
	}
	return 0;
}

/* ---------------------------------------------------------------- drops */

static void report_drop(struct session *session, uint64_t count, int64_t cpu,
			const char *tag, const char *what, const char *where)
{
	if (!count)
		return;
	bool has_tag = option_on(session->config.options, OPTION_DROPTAGS);
	struct text text = { 0 };

	text_printf(&text, "%s%s%s%llu %s%s%s", has_tag ? "[DTRACEDROP_" : "",
		    has_tag ? tag : "", has_tag ? "] " : "",
		    (unsigned long long)count, what, count == 1 ? "" : "s",
		    where);
	struct session_drop drop = { tag, cpu, count, text_str(&text) };

	if (has_items(session))
		structured_drop(&session->printer, tag, count, cpu,
				text_str(&text));
	else if (!session->config.drop)
		session_warn(session, "%s", text_str(&text));
	else if (!session->config.drop(session->config.context, &drop))
		abort_run(session);
	text_free(&text);
}

static uint64_t fresh(const uint64_t *counter, uint64_t *seen)
{
	uint64_t total = __atomic_load_n(counter, __ATOMIC_RELAXED);
	uint64_t count = total - *seen;

	*seen = total;
	return count;
}

void session_report_drops(struct session *session)
{
	const struct abi_state *state = session->maps.state;

	for (uint32_t cpu = 0; cpu < session->maps.ncpus; cpu++) {
		char where[32];

		snprintf(where, sizeof(where), " on CPU %u", cpu);
		report_drop(session, rings_drops(&session->rings, cpu), cpu,
			    "PRINCIPAL", "drop", where);
		report_drop(session,
			    agg_store_drops(session->printer.aggs, cpu), cpu,
			    "AGGREGATION", "aggregation drop", where);
	}
	report_drop(session,
		    fresh(&state->dynamic_drops, &session->dynamic_seen), -1,
		    "DYNAMIC", "dynamic variable drop", "");
	report_drop(session, fresh(&state->scratch_drops,
				   &session->scratch_seen), -1,
		    "PRINCIPAL", "drop", " for want of scratch space");
	report_drop(session, fresh(&state->return_drops,
				   &session->return_seen), -1,
		    "PRINCIPAL", "drop",
		    " of returns nested more than 64 deep, which the kernel leaves out (try without -x uretprobe)");
	report_drop(session,
		    fresh(&state->spec_drops, &session->spec_seen) +
		    specs_lost(&session->specs), -1,
		    "SPEC", "speculative drop", "");
	report_drop(session,
		    fresh(&state->spec_busy, &session->spec_busy_seen), -1,
		    "SPECBUSY", "failed speculation",
		    " (available buffer(s) still busy)");
	report_drop(session, fresh(&state->spec_unavailable,
				   &session->spec_unavailable_seen), -1,
		    "SPECUNAVAIL", "failed speculation",
		    " (no speculative buffer available)");
	report_drop(session, fresh(&state->error_drops, &session->error_seen), -1,
		    "DBLERROR", "error", " in ERROR probe enabling");
}

/*
 * Firings for which the kernel did not run a program, because on that CPU it
 * had not come to its end: they were inside of it, or interrupted it, or were
 * another thread's that the CPU was given to meanwhile.  Asked when nothing is
 * attached any more.
 */
static void report_missed(struct session *session)
{
	for (uint32_t i = 0; i < session->ngroups; i++) {
		const struct group *group = &session->groups[i];
		char where[64];

		if (!group->probes.program)
			continue;
		snprintf(where, sizeof(where),
			 " of %s probes that fired while their program ran on that CPU",
			 group->probes.provider->name);
		report_drop(session, bpf_missed(group->probes.program), -1,
			    "PRINCIPAL", "drop", where);
	}
}

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

/* Sooner than planned when rings fill, or records wait for their turn. */
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

/* How long nobody need hear of the consumer; 0: for ever. */
static uint64_t patience(const struct session *session)
{
	const struct options *options = session->config.options;

	if (option_on(options, OPTION_DESTRUCTIVE))
		return 0;
	return (uint64_t)option_number(options, OPTION_DEADMAN);
}

void session_show_life(struct session *session)
{
	uint64_t wait = patience(session);
	uint64_t deadline = wait ? session_now() + wait : UINT64_MAX;

	__atomic_store_n(&session->maps.state->deadline, deadline,
			 __ATOMIC_RELAXED);
}

/* Tracing ended when the deadline passed: nobody may take that for the end. */
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
	uint64_t due = session->switch_due < session->status_due ?
			       session->switch_due : session->status_due;

	if (has_aggregations(session) && session->agg_due < due)
		due = session->agg_due;
	if (session->specs.maps && session->clean_due < due)
		due = session->clean_due;
	if (session->follows && session->follow_due < due)
		due = session->follow_due;
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
}

static bool is_over(const struct session *session)
{
	return session->printer.exit_requested || session->interrupts ||
	       session_targets_gone(session) ||
	       __atomic_load_n(&session->maps.state->filled,
			       __ATOMIC_ACQUIRE) ||
	       __atomic_load_n(&session->maps.state->exit_called,
			       __ATOMIC_ACQUIRE);
}

/* A newline after the ^C that the terminal shows. */
static void show_interrupt(struct session *session)
{
	if (!session->interrupts || session->is_interrupt_shown)
		return;
	session->is_interrupt_shown = true;
	if (!session->printer.structured)
		putc('\n', session->printer.file);
}

enum session_status session_work(struct session *session)
{
	if (session->error || !session->is_tracing)
		return SESSION_FAILED;
	if (!is_over(session))
		sleep_until(session, earliest(session));
	show_interrupt(session);
	if (is_killed(session))
		return SESSION_FAILED;
	if (is_over(session))
		return SESSION_DONE;
	session_show_life(session);
	session_extend(session);

	uint64_t now = session_now();

	if (now >= session->agg_due) {
		uint64_t wait = rate(session, OPTION_AGGRATE, DEFAULT_AGGRATE);

		if (agg_store_drain_for_room(session->printer.aggs) &&
		    wait > CROWDED_AGGRATE)
			wait = CROWDED_AGGRATE;
		session->agg_due = now + wait;
		session_forget(session, switch_rate(session));
		if (session->is_top)
			agg_store_print_top(&session->printer);
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
		session->switch_due = next_switch(session, now);
	}
	if (now >= session->status_due) {
		session_report_drops(session);
		session->status_due = now + rate(session, OPTION_STATUSRATE,
						 DEFAULT_AGGRATE);
	}
	return is_over(session) ? SESSION_DONE : SESSION_RUNNING;
}

/* ------------------------------------------------------------------ end */

static int finish(struct session *session)
{
	session_unwind_look(session);
	int error = session_consume_rest(session);

	if (!error)
		error = session_run_phase(session, PHASE_END);
	if (!error)
		error = session_consume_rest(session);
	session_report_drops(session);
	if (error)
		return error;
	agg_store_drain(session->printer.aggs, true);
	if (session->keeps_aggregations)
		return flush(session);
	if (!session->printer.structured)
		putc('\n', session->printer.file);
	/* a second interrupt asks for no more output */
	if (session->interrupts < 2)
		agg_store_print_rest(&session->printer);
	if (session->printer.structured) {
		bool has_status;
		int status = session_exit_status(session, &has_status);

		structured_end(&session->printer, has_status, status);
	}
	return flush(session);
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
	report_missed(session);
	if (session->error)
		return -EIO;
	show_interrupt(session);
	int error = finish(session);

	session->config.options->is_active = false;
	return error;
}
