/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockstat(8): what was counted, as records.
 *
 * An element of an aggregation becomes a record: the caller is the first
 * function of the stack that is not one of the locks' own.  Elements differ in
 * frames that are not shown, so equal records are joined: all are sorted by
 * what distinguishes them, and neighbours are added up.
 */
#include "cmd/lockstat.h"

#include <stdlib.h>
#include <string.h>

enum { QUANTIZE_ONE = 64 }; /* the bucket of 1, among quantize()'s words */

/* Functions of locks, and of tracing, by how their names begin. */
static const char *const lock_functions[] = {
	"__pv_queued_spin", "native_queued_spin", "queued_", "_raw_", "__raw_",
	"do_raw_", "mutex_", "__mutex_", "ww_mutex", "__ww_mutex", "rwsem_",
	"down_", "__down", "up_", "__up", "percpu_", "__percpu_", "rt_mutex",
	"rt_spin", "rtlock", "rt_read", "rt_write", "rwbase", "bpf_",
	"trace_contention", "__traceiter_contention", "__bpf_trace",
	"osq_lock", "lock_", "__lock_", "ftrace_", "fprobe_", "kprobe_",
	"schedule_preempt_disabled", "optimistic_", "aggr_pre_handler",
	"arch_rethook", "rethook_", "kretprobe_", "__fentry__", "sched_mutex",
};

static bool is_lock_function(const struct lockstat *lockstat, uint64_t address)
{
	dtrace_symbol_ext_t symbol;

	if (dtrace_kaddr2sym_ext(lockstat->tool.dtp, address, &symbol))
		return false;
	for (size_t i = 0;
	     i < sizeof(lock_functions) / sizeof(lock_functions[0]); i++)
		if (!strncmp(symbol.dts_name, lock_functions[i],
			     strlen(lock_functions[i])))
			return true;
	return false;
}

/* The beginning of what an address is in, or the address. */
static uint64_t begin_of(const struct lockstat *lockstat, uint64_t address)
{
	dtrace_symbol_ext_t symbol;

	if (dtrace_kaddr2sym_ext(lockstat->tool.dtp, address, &symbol))
		return address;
	return symbol.dts_address;
}

static bool is_in(const struct range *ranges, unsigned n, uint64_t address)
{
	for (unsigned i = 0; i < n; i++)
		if (address - ranges[i].first < ranges[i].size)
			return true;
	return !n;
}

/* ----------------------------------------------------------------- adding */

static struct record *add_record(struct lockstat *lockstat)
{
	if (lockstat->nrecords == lockstat->capacity) {
		lockstat->capacity = lockstat->capacity ? lockstat->capacity * 2
							: 256;
		lockstat->records = tool_must(
			reallocarray(lockstat->records, lockstat->capacity,
				     sizeof(struct record)));
	}

	struct record *record = &lockstat->records[lockstat->nrecords++];

	memset(record, 0, sizeof(*record));
	return record;
}

/* Caller and stack from the frames; `caller` 0: it is to be found. */
static void set_stack(const struct lockstat *lockstat, struct record *record,
		      const dtrace_value_ext_t *value)
{
	size_t nframes = value->dtv_size / sizeof(uint64_t), first = 0;
	uint64_t frames[MOST_DEPTH * 2 + 64] = { 0 };

	if (nframes > sizeof(frames) / sizeof(frames[0]))
		nframes = sizeof(frames) / sizeof(frames[0]);
	memcpy(frames, value->dtv_bytes, nframes * sizeof(uint64_t));
	if (lock_events[record->event].what == INTERRUPTS) {
		while (first < nframes && frames[first] != record->caller)
			first++;
		if (first == nframes)
			first = 0;
	} else {
		while (first < nframes && frames[first] &&
		       is_lock_function(lockstat, frames[first]))
			first++;
		record->caller = first < nframes ? frames[first] : 0;
	}
	for (long i = 0; i < lockstat->depth && first < nframes; i++)
		record->stack[i] = frames[first++];
}

int lockstat_take(const dtrace_aggdata_t *data, void *arg)
{
	struct lockstat *lockstat = arg;
	const dtrace_value_ext_t *keys = data->dtada_keys;
	char what;
	int event;

	if (sscanf(data->dtada_name, "%c%d", &what, &event) != 2)
		return DTRACE_AGGWALK_NEXT;

	struct record *record = add_record(lockstat);

	record->event = event;
	record->lock = (uint64_t)keys[0].dtv_integer;
	if (lock_events[event].what == INTERRUPTS)
		record->caller = (uint64_t)keys[1].dtv_integer;
	set_stack(lockstat, record, &keys[data->dtada_nkeys - 1]);
	if (what == 'n') {
		record->count = data->dtada_number;
		if (!lock_events[event].references || !lockstat->counts_readers)
			record->references = record->count;
	} else if (what == 't') {
		record->time = data->dtada_number;
	} else if (what == 'r') {
		record->references = data->dtada_number;
	} else {
		record->histogram = tool_must(calloc(BUCKETS, sizeof(int64_t)));
		/* what took no time counts as the shortest */
		record->histogram[0] = data->dtada_values[QUANTIZE_ONE - 1];
		for (uint32_t i = 0;
		     i < BUCKETS && QUANTIZE_ONE + i < data->dtada_nvalues; i++)
			record->histogram[i] +=
				data->dtada_values[QUANTIZE_ONE + i];
	}
	if (!is_in(lockstat->functions, lockstat->nfunctions, record->caller)) {
		free(record->histogram);
		lockstat->nrecords--;
	}
	return DTRACE_AGGWALK_NEXT;
}

/* What print_actions() leaves of an event: a printf(), then the stack. */
int lockstat_take_event(const dtrace_probedata_t *data,
			const dtrace_recdesc_t *rec, void *arg)
{
	struct lockstat *lockstat = arg;
	const dtrace_value_ext_t *values = rec ? rec->dtrd_values : NULL;

	(void)data;
	if (!rec || !rec->dtrd_nvalues)
		return DTRACE_CONSUME_NEXT;
	if (rec->dtrd_nvalues == 5) {
		struct record *record = add_record(lockstat);

		record->event = (int)values[0].dtv_integer;
		record->lock = (uint64_t)values[1].dtv_integer;
		record->time = values[2].dtv_integer;
		record->caller = (uint64_t)values[3].dtv_integer;
		record->owner = (uint64_t)values[4].dtv_integer;
		return DTRACE_CONSUME_NEXT;
	}

	struct record *record = &lockstat->records[lockstat->nrecords - 1];

	set_stack(lockstat, record, &values[0]);
	if (!is_in(lockstat->functions, lockstat->nfunctions, record->caller)) {
		lockstat->nrecords--;
	} else if (lockstat->nrecords > (size_t)lockstat->most) {
		lockstat->nrecords--;
		lockstat->lost++;
	}
	return DTRACE_CONSUME_NEXT;
}

/* ---------------------------------------------------------------- joining */

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

struct identity {
	bool any_lock, any_caller;
};

static int compare(const void *a, const void *b, void *context)
{
	const struct record *x = a, *y = b;
	const struct identity *identity = context;
	int order = COMPARE(x->event, y->event);

	if (!order && !identity->any_lock)
		order = COMPARE(x->lock, y->lock);
	if (!order && !identity->any_caller)
		order = COMPARE(x->caller, y->caller);
	if (!order && !identity->any_caller)
		order = memcmp(x->stack, y->stack, sizeof(x->stack));
	return order;
}

static void add_up(struct record *to, struct record *from)
{
	to->count += from->count;
	to->time += from->time;
	to->references += from->references;
	if (to->histogram && from->histogram) {
		for (int i = 0; i < BUCKETS; i++)
			to->histogram[i] += from->histogram[i];
		free(from->histogram);
	} else if (from->histogram) {
		to->histogram = from->histogram;
	}
}

static void join(struct lockstat *lockstat, struct identity identity)
{
	struct record *records = lockstat->records;
	size_t n = 0;
	int64_t hottest = 0;

	if (!lockstat->nrecords)
		return;
	qsort_r(records, lockstat->nrecords, sizeof(struct record), compare,
		&identity);
	for (size_t i = 0; i < lockstat->nrecords; i++) {
		struct record *last = n ? &records[n - 1] : NULL;

		if (!last || compare(last, &records[i], &identity)) {
			hottest = records[i].count;
			records[n++] = records[i];
			continue;
		}
		/* of those that are combined the first is shown */
		if (records[i].count > hottest) {
			hottest = records[i].count;
			last->lock = records[i].lock;
			last->caller = records[i].caller;
			memcpy(last->stack, records[i].stack,
			       sizeof(last->stack));
		}
		add_up(last, &records[i]);
	}
	lockstat->nrecords = n;
}

/* -g: an event counts for every function of its stack. */
static void generate(struct lockstat *lockstat)
{
	size_t n = lockstat->nrecords;

	for (size_t i = 0; i < n; i++) {
		struct record from = lockstat->records[i];

		for (int j = 0; j < lockstat->depth && from.stack[j]; j++) {
			if (!j && from.stack[j] == from.caller)
				continue;
			struct record *record = add_record(lockstat);

			*record = from;
			record->caller = from.stack[j];
			memset(record->stack, 0, sizeof(record->stack));
			if (!from.histogram)
				continue;
			record->histogram = tool_must(calloc(BUCKETS,
							     sizeof(int64_t)));
			memcpy(record->histogram, from.histogram,
			       BUCKETS * sizeof(int64_t));
		}
		memset(lockstat->records[i].stack, 0, sizeof(from.stack));
	}
}

void lockstat_join(struct lockstat *lockstat)
{
	/* count, times and the rest of one element first */
	join(lockstat, (struct identity){ 0 });
	if (lockstat->is_generated)
		generate(lockstat);
	for (size_t i = 0; i < lockstat->nrecords; i++) {
		struct record *record = &lockstat->records[i];

		if (lockstat->by_array &&
		    lock_events[record->event].what != INTERRUPTS)
			record->lock = begin_of(lockstat, record->lock);
		if (!lockstat->by_function)
			continue;
		record->caller = begin_of(lockstat, record->caller);
		for (int j = 0; j < lockstat->depth; j++)
			record->stack[j] = begin_of(lockstat, record->stack[j]);
	}
	join(lockstat, (struct identity){ 0 });
	if (lockstat->any_lock || lockstat->any_caller)
		join(lockstat, (struct identity){ lockstat->any_lock,
						  lockstat->any_caller });
}

void lockstat_free(struct lockstat *lockstat)
{
	for (size_t i = 0; i < lockstat->nrecords; i++)
		free(lockstat->records[i].histogram);
	free(lockstat->records);
}
