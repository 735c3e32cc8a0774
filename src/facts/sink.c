/* SPDX-License-Identifier: Apache-2.0 */
/* Calling sinks: functions that a sink leaves NULL are skipped. */
#include "facts/sink.h"

#define CALL(member, otherwise, ...) \
	return !sink || !sink->class->member ? (otherwise) : \
		sink->class->member(sink, ##__VA_ARGS__)
#define TELL(member, ...) \
	do { \
		if (sink && sink->class->member) \
			sink->class->member(sink, ##__VA_ARGS__); \
	} while (0)

bool sink_start(struct sink *sink, const struct fact_start *start)
{
	CALL(start, true, start);
}

bool sink_record(struct sink *sink, const struct fact_record *record)
{
	CALL(record, true, record);
}

bool sink_action(struct sink *sink, const struct fact_record *record,
		 const struct fact_action *action)
{
	CALL(action, true, record, action);
}

bool sink_done(struct sink *sink, const struct fact_record *record)
{
	CALL(done, true, record);
}

bool sink_table(struct sink *sink, const struct fact_table *table)
{
	CALL(table, true, table);
}

bool sink_snapshot(struct sink *sink, const struct fact_snapshot *snapshot)
{
	CALL(snapshot, true, snapshot);
}

bool sink_drop(struct sink *sink, const struct fact_drop *drop)
{
	CALL(drop, true, drop);
}

bool sink_fault(struct sink *sink, const struct fact_fault *fault)
{
	CALL(fault, true, fault);
}

bool sink_takes_drops(const struct sink *sink)
{
	return sink && sink->class->drop;
}

bool sink_takes_faults(const struct sink *sink)
{
	return sink && sink->class->fault;
}

void sink_option(struct sink *sink, const char *name, const char *value)
{
	TELL(option, name, value);
}

void sink_interrupted(struct sink *sink)
{
	TELL(interrupted);
}

void sink_summary(struct sink *sink)
{
	TELL(summary);
}

void sink_end(struct sink *sink, const struct fact_end *end)
{
	TELL(end, end);
}

uint32_t sink_top(struct sink *sink, uint32_t ntables)
{
	CALL(top, 0, ntables);
}

int sink_flush(struct sink *sink)
{
	CALL(flush, 0);
}

void sink_close(struct sink *sink)
{
	TELL(close);
}
