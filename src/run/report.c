/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What goes wrong while tracing: faults of clauses, and drops.
 *
 * Both are facts.  Sinks that do not handle them leave them to the consumer's
 * messages.  The messages are written here and nowhere else.
 */
#include "run/internal.h"

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
		[FAULT_LOOPLIMIT] = "loop limit exceeded",
	};

	return texts[code < FAULT_COUNT ? code : FAULT_UNKNOWN];
}

static bool has_address(uint32_t code)
{
	return code == FAULT_BADADDR || code == FAULT_BADALIGN ||
	       code == FAULT_BADSTACK;
}

/* First instruction generated for the expression that faulted; 0: unknown. */
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

/* Where in the program it was; NULL: unknown. */
static const struct ir_site *fault_site(const struct session *session,
					const struct abi_fault *fault)
{
	const struct ir_program *ir =
		fault->program < session->ngroups
			? session->groups[fault->program].ir
			: NULL;

	return ir && fault->site < ir->nsites ? &ir->sites[fault->site] : NULL;
}

/* The operand of the fault: an address, an index, a size, a time. */
static void put_fault_value(const struct session *session,
			    const struct abi_fault *fault, struct text *text)
{
	const struct ir_site *site = fault_site(session, fault);
	unsigned long long value = fault->value;

	if (has_address(fault->code))
		text_printf(text, " (0x%llx)", value);
	else if (fault->code == FAULT_LOOPLIMIT && value)
		text_printf(text, " (%llu ms)", value / 1000000);
	else if (fault->code == FAULT_BADINDEX && site && site->count)
		text_printf(text, " (index %lld, size %llu)", (long long)value,
			    (unsigned long long)site->count);
	else if (fault->code == FAULT_NOSCRATCH && value)
		text_printf(text, " (size %llu)", value);
}

static uint32_t fault_statement(const struct session *session,
				const struct abi_fault *fault)
{
	const struct ir_site *site = fault_site(session, fault);

	return site ? site->statement : 0;
}

/* The function written in D that it was in, and its line. */
static void put_fault_function(const struct session *session,
			       const struct abi_fault *fault, struct text *text)
{
	const struct ir_site *site = fault_site(session, fault);

	if (site && site->function)
		text_printf(text, " in function %s() at line %u",
			    site->function, site->line);
}

void session_report_fault(struct session *session,
			  const struct abi_fault *fault)
{
	if (option_on(session->config.options, OPTION_NOERROR))
		return;
	uint32_t pc = fault_pc(session, fault);
	const struct fact_probe *probe =
		session_find_probe(session, fault->header.probe);
	struct text text = { 0 };

	text_printf(&text,
		    "error in dt_clause_%u for probe ID %u (%s:%s:%s:%s): %s",
		    fault->header.clause, fault->header.probe,
		    probe ? probe->provider : "", probe ? probe->module : "",
		    probe ? probe->function : "", probe ? probe->name : "",
		    fault_text(fault->code));
	put_fault_value(session, fault, &text);
	put_fault_function(session, fault, &text);
	if (pc)
		text_printf(&text, " at BPF pc %u", pc);
	struct fact_fault fact = {
		.probe = probe, .clause = fault->header.clause,
		.statement = fault_statement(session, fault),
		.code = fault->code, .what = fault_text(fault->code),
		.value = fault->value, .stamp = fault->header.stamp,
		.text = text_str(&text),
	};

	if (!sink_takes_faults(session->consumer.sink))
		session_warn(session, "%s", fact.text);
	if (!sink_fault(session->consumer.sink, &fact))
		session_abort(session);
	text_free(&text);
}

/* ---------------------------------------------------------------- drops */

static void report_drop(struct session *session, uint64_t count, int64_t cpu,
			enum drop_kind kind, const char *what,
			const char *where)
{
	if (!count)
		return;
	bool has_tag = option_on(session->config.options, OPTION_DROPTAGS);
	struct text text = { 0 };

	text_printf(&text, "%s%s%s%llu %s%s%s", has_tag ? "[DTRACEDROP_" : "",
		    has_tag ? drop_name(kind) : "", has_tag ? "] " : "",
		    (unsigned long long)count, what, count == 1 ? "" : "s",
		    where);
	struct fact_drop drop = {
		.kind = kind, .cpu = cpu, .count = count,
		.stamp = session_now(), .text = text_str(&text),
	};

	session->ndrops += count;
	if (!sink_takes_drops(session->consumer.sink))
		session_warn(session, "%s", drop.text);
	if (!sink_drop(session->consumer.sink, &drop))
		session_abort(session);
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
			    DROP_PRINCIPAL, "drop", where);
		report_drop(session,
			    agg_store_drops(session->consumer.aggs, cpu), cpu,
			    DROP_AGGREGATION, "aggregation drop", where);
	}
	report_drop(session,
		    fresh(&state->dynamic_drops, &session->dynamic_seen), -1,
		    DROP_DYNAMIC, "dynamic variable drop", "");
	report_drop(session,
		    fresh(&state->scratch_drops, &session->scratch_seen), -1,
		    DROP_PRINCIPAL, "drop", " for want of scratch space");
	report_drop(
		session, fresh(&state->return_drops, &session->return_seen), -1,
		DROP_PRINCIPAL, "drop",
		" of returns nested more than 64 deep, which the kernel leaves out (try without -x uretprobe)");
	report_drop(session,
		    fresh(&state->spec_drops, &session->spec_seen) +
			    specs_lost(&session->specs),
		    -1, DROP_SPEC, "speculative drop", "");
	report_drop(session, fresh(&state->spec_busy, &session->spec_busy_seen),
		    -1, DROP_SPECBUSY, "failed speculation",
		    " (available buffer(s) still busy)");
	report_drop(session,
		    fresh(&state->spec_unavailable,
			  &session->spec_unavailable_seen),
		    -1, DROP_SPECUNAVAIL, "failed speculation",
		    " (no speculative buffer available)");
	report_drop(session, fresh(&state->error_drops, &session->error_seen),
		    -1, DROP_DBLERROR, "error", " in ERROR probe enabling");
}

/*
 * Firings for which the kernel did not run a program because the program had
 * not finished on that CPU: they happened inside it, or interrupted it, or came
 * from another thread that was scheduled meanwhile.  Read when nothing is
 * attached any more.
 */
void session_report_missed(struct session *session)
{
	for (uint32_t i = 0; i < session->ngroups; i++) {
		const struct group *group = &session->groups[i];
		char where[128];

		if (!group->probes.program)
			continue;
		snprintf(
			where, sizeof(where),
			" of %s probes that fired while their program ran on that CPU",
			group->probes.provider->name);
		report_drop(session, bpf_missed(group->probes.program), -1,
			    DROP_PRINCIPAL, "drop", where);
	}
}
