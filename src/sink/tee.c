/* SPDX-License-Identifier: Apache-2.0 */
#include "sink/tee.h"

#include <stdlib.h>

#include "base/arena.h"

struct tee {
	struct sink sink;
	struct sink *first, *second;
};

/* Both see it; the run continues if both want it to. */
#define BOTH(call, ...) \
	do { \
		struct tee *tee = (struct tee *)sink; \
		bool goes_on = call(tee->first, ##__VA_ARGS__); \
\
		return call(tee->second, ##__VA_ARGS__) && goes_on; \
	} while (0)
#define TELL(call, ...) \
	do { \
		struct tee *tee = (struct tee *)sink; \
\
		call(tee->first, ##__VA_ARGS__); \
		call(tee->second, ##__VA_ARGS__); \
	} while (0)

static bool tee_start(struct sink *sink, const struct fact_start *start)
{
	BOTH(sink_start, start);
}

static bool tee_record(struct sink *sink, const struct fact_record *record)
{
	BOTH(sink_record, record);
}

static bool tee_action(struct sink *sink, const struct fact_record *record,
		       const struct fact_action *action)
{
	BOTH(sink_action, record, action);
}

static bool tee_done(struct sink *sink, const struct fact_record *record)
{
	BOTH(sink_done, record);
}

static bool tee_table(struct sink *sink, const struct fact_table *table)
{
	BOTH(sink_table, table);
}

static bool tee_snapshot(struct sink *sink,
			 const struct fact_snapshot *snapshot)
{
	BOTH(sink_snapshot, snapshot);
}

static bool tee_drop(struct sink *sink, const struct fact_drop *drop)
{
	BOTH(sink_drop, drop);
}

static bool tee_fault(struct sink *sink, const struct fact_fault *fault)
{
	BOTH(sink_fault, fault);
}

static void tee_option(struct sink *sink, const char *name, const char *value)
{
	TELL(sink_option, name, value);
}

static void tee_interrupted(struct sink *sink)
{
	TELL(sink_interrupted);
}

static void tee_summary(struct sink *sink)
{
	TELL(sink_summary);
}

static void tee_end(struct sink *sink, const struct fact_end *end)
{
	TELL(sink_end, end);
}

/* The screen belongs to the second. */
static uint32_t tee_top(struct sink *sink, uint32_t ntables)
{
	return sink_top(((struct tee *)sink)->second, ntables);
}

static int tee_flush(struct sink *sink)
{
	struct tee *tee = (struct tee *)sink;
	int error = sink_flush(tee->first), other = sink_flush(tee->second);

	return error ? error : other;
}

static void tee_close(struct sink *sink)
{
	free(sink);
}

static const struct sink_class tee_class = {
	.name = "tee",
	.close = tee_close,
	.start = tee_start,
	.record = tee_record,
	.action = tee_action,
	.done = tee_done,
	.table = tee_table,
	.snapshot = tee_snapshot,
	.drop = tee_drop,
	.fault = tee_fault,
	.option = tee_option,
	.interrupted = tee_interrupted,
	.summary = tee_summary,
	.end = tee_end,
	.top = tee_top,
	.flush = tee_flush,
};

struct sink *tee_open(struct sink *first, struct sink *second)
{
	struct tee *tee = must_alloc(sizeof(*tee));

	*tee = (struct tee){ { &tee_class }, first, second };
	return &tee->sink;
}
