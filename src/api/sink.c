/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library's callbacks are a sink in front of the one that prints.
 *
 * It asks the consumer's functions before it passes on a record or an action.
 * What they do not want printed does not reach the inner sink.  What they are
 * shown lives in the handle and is valid until they return.
 */
#include <string.h>

#include "api/internal.h"

static dtrace_hdl_t *handle_of(struct sink *sink)
{
	return ((struct handle_sink *)sink)->dtp;
}

static struct sink *inner_of(struct sink *sink)
{
	return ((struct filter *)sink)->inner;
}

/* -------------------------------------------------------------- records */

static void describe(const struct fact_probe *probe, dtrace_probedesc_t *to)
{
	struct probe_desc desc = {
		.id = probe->id, .provider = probe->provider,
		.module = probe->module, .function = probe->function,
		.name = probe->name,
	};

	handle_desc(&desc, to);
}

static void note_record(dtrace_hdl_t *dtp, const struct fact_record *record)
{
	describe(record->probe, &dtp->probe_desc);
	dtp->probe_data = (dtrace_probedata_t){
		.dtpda_handle = dtp,
		.dtpda_pdesc = &dtp->probe_desc,
		.dtpda_epid = record->clause->clause,
		.dtpda_cpu = record->cpu,
		.dtpda_timestamp = record->stamp,
		.dtpda_data = record->data,
	};
}

/* Does the consumer have functions of its own, or a place for text? */
static bool is_watched(const dtrace_hdl_t *dtp)
{
	return dtp->probe_func || dtp->rec_func || dtp->output == dtp->stream;
}

static bool see_record(struct sink *sink, const struct fact_record *record)
{
	dtrace_hdl_t *dtp = handle_of(sink);
	int choice = DTRACE_CONSUME_THIS;

	if (is_watched(dtp))
		note_record(dtp, record);
	if (dtp->probe_func)
		choice = dtp->probe_func(&dtp->probe_data, dtp->consume_arg);
	dtp->sink.is_skipped = choice != DTRACE_CONSUME_THIS;
	if (!dtp->sink.is_skipped)
		return sink_record(inner_of(sink), record);
	return choice == DTRACE_CONSUME_NEXT;
}

static bool see_action(struct sink *sink, const struct fact_record *record,
		       const struct fact_action *action)
{
	dtrace_hdl_t *dtp = handle_of(sink);
	int choice = DTRACE_CONSUME_THIS;

	if (dtp->sink.is_skipped)
		return true;
	if (dtp->rec_func) {
		dtrace_recdesc_t rec = {
			.dtrd_action = action->action->name,
			.dtrd_nvalues = action->action->nfields,
			.dtrd_values = handle_values(dtp, action->values,
						     action->action->nfields),
		};

		choice = dtp->rec_func(&dtp->probe_data, &rec,
				       dtp->consume_arg);
	}
	if (choice == DTRACE_CONSUME_THIS)
		return sink_action(inner_of(sink), record, action);
	return choice == DTRACE_CONSUME_NEXT;
}

static bool see_done(struct sink *sink, const struct fact_record *record)
{
	dtrace_hdl_t *dtp = handle_of(sink);
	int choice = DTRACE_CONSUME_THIS;
	bool goes_on = true;

	if (!dtp->sink.is_skipped)
		goes_on = sink_done(inner_of(sink), record);
	/* keep a line open that a later piece of the clause may continue */
	if (dtp->output && dtp->output == dtp->stream &&
	    !record->clause->is_cut) {
		sink_flush(inner_of(sink));
		goes_on &= handle_deliver(dtp, &dtp->probe_data);
	}
	if (dtp->rec_func)
		choice = dtp->rec_func(&dtp->probe_data, NULL,
				       dtp->consume_arg);
	return goes_on &&
	       (choice == DTRACE_CONSUME_THIS || choice == DTRACE_CONSUME_NEXT);
}

/* ----------------------------------------------------- drops and errors */

static bool see_drop(struct sink *sink, const struct fact_drop *drop)
{
	dtrace_hdl_t *dtp = handle_of(sink);
	struct sink *inner = inner_of(sink);
	dtrace_dropdata_t data = {
		.dtdda_handle = dtp, .dtdda_cpu = (int)drop->cpu,
		.dtdda_kind = (dtrace_dropkind_t)drop->kind,
		.dtdda_drops = drop->count, .dtdda_msg = drop->text,
	};
	bool goes_on = sink_drop(inner, drop);

	if (dtp->drop_func)
		return dtp->drop_func(&data, dtp->drop_arg) ==
			       DTRACE_HANDLE_OK &&
		       goes_on;
	if (!sink_takes_drops(inner))
		handle_message(dtp, drop->text);
	return goes_on;
}

static bool see_fault(struct sink *sink, const struct fact_fault *fault)
{
	dtrace_hdl_t *dtp = handle_of(sink);
	struct sink *inner = inner_of(sink);
	dtrace_probedesc_t desc;
	dtrace_errdata_t data = {
		.dteda_handle = dtp, .dteda_pdesc = &desc,
		.dteda_epid = fault->clause, .dteda_action = fault->statement,
		.dteda_fault = (int)fault->code, .dteda_addr = fault->value,
		.dteda_msg = fault->text,
	};
	bool goes_on = sink_fault(inner, fault);

	if (!dtp->err_func) {
		if (!sink_takes_faults(inner))
			handle_message(dtp, fault->text);
		return goes_on;
	}
	memset(&desc, 0, sizeof(desc));
	if (fault->probe)
		describe(fault->probe, &desc);
	return dtp->err_func(&data, dtp->err_arg) == DTRACE_HANDLE_OK &&
	       goes_on;
}

/* --------------------------------------------------------- everything else */

static bool pass_start(struct sink *sink, const struct fact_start *start)
{
	return sink_start(inner_of(sink), start);
}

static bool pass_table(struct sink *sink, const struct fact_table *table)
{
	return sink_table(inner_of(sink), table);
}

static void pass_option(struct sink *sink, const char *name, const char *value)
{
	sink_option(inner_of(sink), name, value);
}

static void pass_interrupted(struct sink *sink)
{
	sink_interrupted(inner_of(sink));
}

static void pass_summary(struct sink *sink)
{
	sink_summary(inner_of(sink));
}

static void pass_end(struct sink *sink, const struct fact_end *end)
{
	sink_end(inner_of(sink), end);
}

static uint32_t pass_top(struct sink *sink, uint32_t ntables)
{
	return sink_top(inner_of(sink), ntables);
}

static int pass_flush(struct sink *sink)
{
	return sink_flush(inner_of(sink));
}

static const struct sink_class handle_class = {
	.name = "api",
	.start = pass_start,
	.record = see_record,
	.action = see_action,
	.done = see_done,
	.table = pass_table,
	.snapshot = handle_see_snapshot,
	.drop = see_drop,
	.fault = see_fault,
	.option = pass_option,
	.interrupted = pass_interrupted,
	.summary = pass_summary,
	.end = pass_end,
	.top = pass_top,
	.flush = pass_flush,
};

void handle_sink_init(dtrace_hdl_t *dtp)
{
	dtp->sink.filter.sink.class = &handle_class;
	dtp->sink.dtp = dtp;
}
