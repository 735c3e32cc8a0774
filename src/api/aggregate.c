/* SPDX-License-Identifier: Apache-2.0 */
/* Aggregations, for consumers that want numbers and not text. */
#include <errno.h>

#include "api/internal.h"
#include "run/aggregate.h"

struct walk {
	dtrace_hdl_t *dtp;
	struct printer *printer;
	dtrace_aggregate_f *func;
	void *arg;
	int result;
};

static struct printer *printer_of(dtrace_hdl_t *dtp)
{
	struct printer *printer = dtp->session ? session_printer(dtp->session) :
						 NULL;

	if (!printer)
		handle_fail(dtp, EINVAL);
	return printer;
}

int dtrace_aggregate_snap(dtrace_hdl_t *dtp)
{
	struct printer *printer = printer_of(dtp);

	if (!printer)
		return -1;
	agg_store_drain(printer->aggs, dtp->is_stopped);
	return 0;
}

static enum agg_walk show_row(void *data, const struct agg_row *row)
{
	struct walk *walk = data;
	const struct agg_layout *layout = row->layout;
	const struct aggregate *aggregate = layout->function->aggregate;
	dtrace_value_ext_t *keys = handle_values(walk->dtp, layout->nkeys);
	dtrace_aggdata_t public = {
		.dtada_handle = walk->dtp,
		.dtada_name = layout->ident->name,
		.dtada_function = layout->function->name,
		.dtada_nkeys = layout->nkeys,
		.dtada_keys = keys,
		.dtada_nvalues = layout->nvalues,
		.dtada_values = row->values,
		.dtada_normal = row->normal,
		.dtada_has_number = aggregate->number != NULL,
	};

	for (uint32_t i = 0; i < layout->nkeys; i++) {
		struct print_value key = printer_key(walk->printer,
						     &layout->keys[i],
						     row->key);

		keys[i] = handle_value(walk->printer, &key);
	}
	if (aggregate->number)
		public.dtada_number = aggregate->number(row->values,
							row->normal);
	walk->result = walk->func(&public, walk->arg);
	switch (walk->result) {
	case DTRACE_AGGWALK_NEXT:
		return AGG_WALK_NEXT;
	case DTRACE_AGGWALK_CLEAR:
		return AGG_WALK_CLEAR;
	case DTRACE_AGGWALK_REMOVE:
		return AGG_WALK_REMOVE;
	default:
		return AGG_WALK_STOP;
	}
}

int dtrace_aggregate_walk_sorted(dtrace_hdl_t *dtp, dtrace_aggregate_f *func,
				 void *arg)
{
	struct walk walk = {
		.dtp = dtp, .printer = printer_of(dtp), .func = func,
		.arg = arg,
	};

	if (!walk.printer)
		return -1;
	agg_store_walk(walk.printer->aggs, show_row, &walk);
	if (walk.result == DTRACE_AGGWALK_ERROR)
		return handle_fail(dtp, EDT_ABORTED);
	return 0;
}

int dtrace_aggregate_walk(dtrace_hdl_t *dtp, dtrace_aggregate_f *func,
			  void *arg)
{
	return dtrace_aggregate_walk_sorted(dtp, func, arg);
}

int dtrace_aggregate_print(dtrace_hdl_t *dtp, FILE *fp, void *walk)
{
	struct printer *printer = printer_of(dtp);

	(void)walk;
	if (!printer)
		return -1;
	FILE *before = printer->file;

	if (fp)
		printer_set_file(printer, fp);
	agg_store_print_rest(printer);
	int error = printer_flush(printer);

	printer_set_file(printer, before);
	if (error)
		return handle_fail(dtp, -error);
	return handle_deliver(dtp, NULL) ? 0 : handle_fail(dtp, EDT_ABORTED);
}

static int clear_row(const dtrace_aggdata_t *data, void *arg)
{
	(void)data;
	(void)arg;
	return DTRACE_AGGWALK_CLEAR;
}

void dtrace_aggregate_clear(dtrace_hdl_t *dtp)
{
	if (!dtrace_aggregate_snap(dtp))
		dtrace_aggregate_walk(dtp, clear_row, NULL);
}
