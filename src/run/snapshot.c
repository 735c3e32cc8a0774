/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Snapshots: what was counted since the last one.
 *
 * With -x interval they are taken when the wall clock reaches a multiple of the
 * interval, so that snapshots of many hosts line up; a consumer may take more
 * at any time.  The store keeps what it drains in two places, and a snapshot
 * empties the second (agg/store.h): nothing is lost or counted twice, whatever
 * clear() and trunc() do to the first.  Pictures are made of snapshots, too;
 * if nobody else wants any there is one, at the end, or one for each interval
 * that a picture asks for, and nobody shows them (they are private).  So that
 * heat maps can be drawn later, a recording has one of each histogram a second.
 */
#include <errno.h>

#include "base/clock.h"
#include "run/internal.h"
#include "sink/picture.h"

static const uint64_t SECOND = 1000000000ull;
enum { RECORDED = 1000000000 }; /* ns between those of a recording */

/* The interval is the user's, or what pictures and recordings need. */
static int64_t interval_of(const struct session *session)
{
	int64_t interval = option_number(session->config.options,
					 OPTION_INTERVAL);
	int64_t drawn = session->pictures ? pictures_interval(session->pictures)
					  : 0;

	if (interval > 0)
		return interval;
	return session->records_histograms && (!drawn || drawn > RECORDED)
		       ? RECORDED
		       : drawn;
}

/* Both clocks are read together: taking a snapshot takes time, too. */
void session_plan_snapshot(struct session *session)
{
	int64_t interval = interval_of(session);

	session->snapshot_due = interval > 0
					? session_now() + (uint64_t)interval -
						  clock_wall() %
							  (uint64_t)interval
					: 0;
}

bool session_snapshot_is_due(const struct session *session, uint64_t now)
{
	return session->snapshot_due && now >= session->snapshot_due;
}

static void begin(struct session *session)
{
	if (!session->consumer.aggs || session->snapshot_from)
		return;
	agg_store_keep_fresh(session->consumer.aggs);
	session->snapshot_from = clock_wall();
	session_plan_snapshot(session);
}

void session_want_snapshots(struct session *session)
{
	session->wants_snapshots = true;
	session->has_private_snapshots = false;
	begin(session);
}

void session_want_private_snapshots(struct session *session)
{
	session->has_private_snapshots = true;
	begin(session);
}

struct snapshot {
	struct sink *sink;
	struct fact_snapshot fact;
};

static bool show(void *data, const struct fact_table *table)
{
	struct snapshot *snapshot = data;

	snapshot->fact.table = table;
	return sink_snapshot(snapshot->sink, &snapshot->fact);
}

int session_take_snapshot(struct session *session)
{
	struct agg_store *aggs = session->consumer.aggs;

	if (!session->snapshot_from)
		return 0;
	agg_store_drain(aggs, session->is_stopped);
	struct snapshot snapshot = {
		.sink = session->consumer.sink,
		.fact = {
			.second = session->snapshot_from / SECOND,
			.from = session->snapshot_from, .to = clock_wall(),
			.is_private = session->has_private_snapshots,
		},
	};

	session->snapshot_from = snapshot.fact.to;
	if (agg_store_show_fresh(aggs, show, &snapshot))
		return 0;
	session_abort(session);
	return -ECANCELED;
}
