/* SPDX-License-Identifier: Apache-2.0 */
/* Aggregations for consumers that want numbers instead of text. */
#include <errno.h>
#include <stdlib.h>

#include "agg/agg.h"
#include "agg/store.h"
#include "api/internal.h"
#include "base/arena.h"
#include "sink/output.h"

static struct consumer *consumer_of(dtrace_hdl_t *dtp)
{
	struct consumer *consumer = dtp->session
					    ? session_consumer(dtp->session)
					    : NULL;

	if (!consumer)
		handle_fail(dtp, EINVAL);
	return consumer;
}

static dtrace_aggdata_t row_data(dtrace_hdl_t *dtp,
				 const struct schema_aggregation *schema,
				 const struct fact_value *keys,
				 const int64_t *values, uint64_t normal)
{
	const struct aggregate *aggregate = schema->aggregate;

	return (dtrace_aggdata_t){
		.dtada_handle = dtp,
		.dtada_name = schema->name,
		.dtada_function = schema->function,
		.dtada_nkeys = schema->nkeys,
		.dtada_keys = handle_values(dtp, keys, schema->nkeys),
		.dtada_nvalues = schema->nvalues,
		.dtada_values = values,
		.dtada_normal = normal,
		.dtada_has_number = aggregate->number != NULL,
		.dtada_number = aggregate->number
					? aggregate->number(values, normal)
					: 0,
		.dtada_private = schema,
	};
}

int dtrace_aggregate_bucket_ext(const dtrace_aggdata_t *data, uint32_t n,
				dtrace_bucket_ext_t *bucket)
{
	const struct schema_aggregation *schema = data->dtada_private;

	if (!schema->aggregate->range || n >= data->dtada_nvalues)
		return -1;
	struct agg_range range = schema->aggregate->range(schema->params,
							  schema->nvalues, n);

	*bucket = (dtrace_bucket_ext_t){
		.dtb_low = range.low,
		.dtb_high = range.high,
		.dtb_is_open_below = range.is_open_below,
		.dtb_is_open_above = range.is_open_above,
		.dtb_count = agg_divide(data->dtada_values[n],
					data->dtada_normal),
	};
	return 0;
}

/* ------------------------------------------------------------ snapshots */

int dtrace_handle_snapshot_ext(dtrace_hdl_t *dtp, dtrace_snapshot_f *func,
			       void *arg)
{
	dtp->snapshot_func = func;
	dtp->snapshot_arg = arg;
	/* a session needs the operands before it is created */
	if (func && dtp->session)
		session_want_snapshots(dtp->session);
	return 0;
}

bool handle_see_snapshot(struct sink *sink,
			 const struct fact_snapshot *snapshot)
{
	dtrace_hdl_t *dtp = ((struct handle_sink *)sink)->dtp;
	const struct fact_table *table = snapshot->table;
	dtrace_snapdata_ext_t data = {
		.dtsn_second = snapshot->second,
		.dtsn_from = snapshot->from, .dtsn_to = snapshot->to,
	};

	bool is_seen = dtp->snapshot_func && !snapshot->is_private;

	for (uint32_t i = 0; is_seen && i < table->nrows; i++) {
		struct fact_row row;

		table->row(table, i, &row);
		dtrace_aggdata_t public = row_data(dtp, table->aggregations[0],
						   row.keys, row.values[0],
						   table->normals[0]);

		data.dtsn_row = &public;
		if (dtp->snapshot_func(&data, dtp->snapshot_arg) !=
		    DTRACE_HANDLE_OK)
			return false;
	}
	return sink_snapshot(((struct filter *)sink)->inner, snapshot);
}

int dtrace_aggregate_snap(dtrace_hdl_t *dtp)
{
	struct consumer *consumer = consumer_of(dtp);

	if (!consumer)
		return -1;
	agg_store_drain(consumer->aggs, dtp->is_stopped);
	return session_take_snapshot(dtp->session)
		       ? handle_fail(dtp, EDT_ABORTED)
		       : 0;
}

/* ---------------------------------------------------------------- walks */

struct walk {
	dtrace_hdl_t *dtp;
	const struct agg_store *aggs;
	dtrace_aggregate_f *func;
	void *arg;
	struct fact_value *keys;
	int result;
};

static enum agg_walk show_row(void *data, const struct agg_row *row)
{
	struct walk *walk = data;
	const struct schema_aggregation *schema = row->layout;

	walk->keys = must_realloc(walk->keys, checked_mul(schema->nkeys + 1,
							  sizeof(*walk->keys)));
	for (uint32_t i = 0; i < schema->nkeys; i++)
		walk->keys[i] = agg_store_key(walk->aggs, &schema->keys[i],
					      row->key);
	dtrace_aggdata_t public = row_data(walk->dtp, schema, walk->keys,
					   row->values, row->normal);

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
	struct consumer *consumer = consumer_of(dtp);

	if (!consumer)
		return -1;
	struct walk walk = {
		.dtp = dtp, .aggs = consumer->aggs, .func = func, .arg = arg,
	};

	agg_store_walk(consumer->aggs, show_row, &walk);
	free(walk.keys);
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
	struct consumer *consumer = consumer_of(dtp);

	(void)walk;
	if (!consumer)
		return -1;
	if (session_is_ended(dtp->session))
		return handle_fail_text(
			dtp, EDT_ORDER,
			"The output has ended: dtrace_stop() has written the aggregations");
	FILE *before = consumer->output->file;

	if (fp)
		output_set_file(consumer->output, fp);
	int error = session_show_aggregations(dtp->session);

	output_set_file(consumer->output, before);
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
