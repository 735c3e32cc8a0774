/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockstat(8): the tables.
 *
 * One for each kind of events, the most frequent lines (or, with -P, those that
 * took the most time) first; indv is a line's share of all, cuml that of the
 * line and those above.
 */
#include "cmd/lockstat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char rule[] =
	"-------------------------------------------------------------------------------";

/* ------------------------------------------------------------------ names */

/* Names of section ends: what follows them has another name, or none. */
static bool is_mark(const char *name)
{
	return !strncmp(name, "__start_", 8) || !strncmp(name, "__stop_", 7);
}

/* "function+0x12", with its module unless it is the kernel's own. */
static void name_address(const struct lockstat *lockstat, uint64_t address,
			 char *text, size_t size)
{
	dtrace_symbol_ext_t symbol;

	if (dtrace_kaddr2sym_ext(lockstat->tool.dtp, address, &symbol) ||
	    (is_mark(symbol.dts_name) && address != symbol.dts_address)) {
		snprintf(text, size, "0x%" PRIx64, address);
		return;
	}

	bool is_kernel = !strcmp(symbol.dts_object, "vmlinux");
	uint64_t offset = address - symbol.dts_address;
	int n = snprintf(text, size, "%s%s%s",
			 is_kernel ? "" : symbol.dts_object,
			 is_kernel ? "" : "`", symbol.dts_name);

	if (offset && n > 0 && (size_t)n < size)
		snprintf(text + n, size - (size_t)n, "+0x%" PRIx64, offset);
}

static const char *name_caller(const struct lockstat *lockstat,
			       uint64_t address, char text[SYMBOL_SIZE])
{
	if (address)
		name_address(lockstat, address, text, SYMBOL_SIZE);
	else
		snprintf(text, SYMBOL_SIZE, "(usermode)");
	return text;
}

static const char *name_lock(const struct lockstat *lockstat,
			     const struct record *record,
			     char text[SYMBOL_SIZE])
{
	dtrace_symbol_ext_t symbol;

	if (lock_events[record->event].what == INTERRUPTS) {
		snprintf(text, SYMBOL_SIZE, "cpu[%" PRIu64 "]", record->lock);
		return text;
	}
	name_address(lockstat, record->lock, text, SYMBOL_SIZE);
	if (lockstat->by_array &&
	    !dtrace_kname2sym_ext(lockstat->tool.dtp, text, &symbol)) {
		size_t n = strlen(text);

		snprintf(text + n, SYMBOL_SIZE - n, "[%" PRIu64 "]",
			 symbol.dts_size);
	}
	return text;
}

/* ----------------------------------------------------------------- tables */

static void print_head(const struct lockstat *lockstat, int event)
{
	bool is_interrupt = lock_events[event].what == INTERRUPTS;
	char lock[32];

	snprintf(lock, sizeof(lock), "%s%s",
		 lockstat->any_lock ? "Hottest " : "",
		 is_interrupt ? "CPU+PIL" : "Lock");
	fprintf(lockstat->out, "%5s %4s %4s %4s %8s %-22s %s%s\n",
		lockstat->shows_rates ? "ops/s" : "Count",
		lockstat->is_generated ? "genr" : "indv", "cuml", "rcnt",
		lockstat->detail == DETAIL_COUNT ? "" : "nsec", lock,
		lockstat->any_caller ? "Hottest " : "", "Caller");
}

static void print_number(const struct lockstat *lockstat, int width,
			 int64_t number)
{
	if (lockstat->shows_rates)
		fprintf(lockstat->out, "%*.0f", width,
			(double)number / lockstat->elapsed);
	else
		fprintf(lockstat->out, "%*" PRId64, width, number);
}

/* Buckets from the first to the last that has something; frames beside. */
static void print_histogram(const struct lockstat *lockstat,
			    const struct record *record)
{
	static const char bar[] = "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@";
	int64_t total = 0;
	int first = BUCKETS, last = -1;
	long frame = 0;
	char name[SYMBOL_SIZE];
	bool has_stack = lockstat->depth && !lockstat->is_generated;

	for (int i = 0; record->histogram && i < BUCKETS; i++) {
		if (!record->histogram[i])
			continue;
		total += record->histogram[i];
		last = i;
		if (first == BUCKETS)
			first = i;
	}
	fprintf(lockstat->out, "\n%10s %31s %s%s\n", "nsec",
		"------ Time Distribution ------",
		lockstat->shows_rates ? "ops/s" : "count",
		has_stack ? "     Stack" : "");
	for (int i = first;; i++) {
		bool has_frame = has_stack && frame < lockstat->depth &&
				 record->stack[frame];

		if (i > last && !has_frame)
			return;
		if (i <= last) {
			int64_t part = record->histogram[i];

			fprintf(lockstat->out, "%10llu |%-30.*s ", 1ULL << i,
				(int)(30 * part / total), bar);
			print_number(lockstat, has_frame ? -9 : 0, part);
		} else {
			fprintf(lockstat->out, "%52s", "");
		}
		if (has_frame)
			fprintf(lockstat->out, " %s",
				name_caller(lockstat, record->stack[frame++],
					    name));
		fputc('\n', lockstat->out);
	}
}

/* Words separated by single spaces, for awk(1). */
static void print_parsable(const struct lockstat *lockstat,
			   const struct record *record)
{
	char name[SYMBOL_SIZE];
	FILE *out = lockstat->out;

	fprintf(out, "%d %" PRId64 " %s", record->event, record->count,
		name_lock(lockstat, record, name));
	fprintf(out, " %s %f", name_caller(lockstat, record->caller, name),
		(double)record->references / (double)record->count);
	if (lockstat->detail >= DETAIL_TIME)
		fprintf(out, " %" PRId64, record->time);
	for (int i = 0; record->histogram && i < BUCKETS; i++)
		fprintf(out, " %" PRId64, record->histogram[i]);
	for (int i = 0; i < lockstat->depth && record->stack[i]; i++)
		fprintf(out, " %s",
			name_caller(lockstat, record->stack[i], name));
	fputc('\n', out);
}

static void print_line(const struct lockstat *lockstat,
		       const struct record *record, double part, double sum)
{
	char name[SYMBOL_SIZE];
	FILE *out = lockstat->out;

	print_number(lockstat, 5, record->count);
	fprintf(out, " %3.0f%% ", part);
	if (lockstat->is_generated)
		fputs("---- ", out);
	else
		fprintf(out, "%3.0f%% ", sum);
	fprintf(out, "%4.2f ",
		(double)record->references / (double)record->count);
	if (lockstat->detail == DETAIL_COUNT)
		fprintf(out, "%8s ", "");
	else
		fprintf(out, "%8" PRId64 " ", record->time / record->count);
	fprintf(out, "%-22s ", name_lock(lockstat, record, name));
	fprintf(out, "%s\n", name_caller(lockstat, record->caller, name));
}

static void print_table(const struct lockstat *lockstat,
			const struct record *records, size_t n, int64_t count,
			int64_t time)
{
	int event = records[0].event;
	bool is_long = lockstat->detail == DETAIL_HISTOGRAM;
	double sum = 0;

	if (!lockstat->is_parsable) {
		fprintf(lockstat->out,
			"\n%s: %" PRId64
			" events in %.3f seconds (%.0f events/sec)\n\n",
			lock_events[event].title, count, lockstat->elapsed,
			(double)count / lockstat->elapsed);
		if (!is_long) {
			print_head(lockstat, event);
			fprintf(lockstat->out, "%s\n", rule);
		}
	}
	for (size_t i = 0; i < n; i++) {
		const struct record *record = &records[i];
		double part =
			lockstat->by_time && time
				? 100.0 * (double)record->time / (double)time
				: 100.0 * (double)record->count / (double)count;

		if (lockstat->limit && i == (size_t)lockstat->limit)
			break;
		sum += part;
		if (lockstat->is_parsable) {
			print_parsable(lockstat, record);
			continue;
		}
		if (is_long) {
			fprintf(lockstat->out, "%s\n", rule);
			print_head(lockstat, event);
		}
		print_line(lockstat, record, part, sum);
		if (is_long)
			print_histogram(lockstat, record);
	}
	if (!lockstat->is_parsable)
		fprintf(lockstat->out, "%s\n", rule);
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* By event, then the greatest first, then something that never changes. */
static int compare(const void *a, const void *b, void *context)
{
	const struct record *x = a, *y = b;
	const struct lockstat *lockstat = context;
	int order = COMPARE(x->event, y->event);

	if (!order && lockstat->by_time)
		order = COMPARE(y->time, x->time);
	if (!order)
		order = COMPARE(y->count, x->count);
	if (!order)
		order = COMPARE(x->lock, y->lock);
	return order ? order : COMPARE(x->caller, y->caller);
}

void lockstat_report(struct lockstat *lockstat)
{
	int64_t counts[EVENTS] = { 0 }, times[EVENTS] = { 0 };
	struct record *records;
	size_t n;

	/* before -g makes more of them */
	for (size_t i = 0; i < lockstat->nrecords; i++) {
		counts[lockstat->records[i].event] +=
			lockstat->records[i].count;
		times[lockstat->records[i].event] += lockstat->records[i].time;
	}
	lockstat_join(lockstat);
	records = lockstat->records;
	if (lockstat->nrecords)
		qsort_r(records, lockstat->nrecords, sizeof(struct record),
			compare, lockstat);
	for (size_t i = 0; i < lockstat->nrecords; i += n) {
		int event = records[i].event;

		for (n = 1; i + n < lockstat->nrecords &&
			    records[i + n].event == event;
		     n++)
			;
		print_table(lockstat, &records[i], n, counts[event],
			    times[event]);
	}
}

/* -T: one line for each event, in the order they were seen. */
void lockstat_report_trace(struct lockstat *lockstat)
{
	char lock[SYMBOL_SIZE], caller[SYMBOL_SIZE];
	FILE *out = lockstat->out;

	if (!lockstat->is_parsable)
		fprintf(out, "%5s  %10s  %16s  %-24s  %s\n%s\n", "Event",
			"Time", "Owner", "Lock", "Caller", rule);
	for (size_t i = 0; i < lockstat->nrecords; i++) {
		const struct record *record = &lockstat->records[i];

		fprintf(out, "%5d  %10" PRId64 "  %16" PRIx64 "  %-24s  %s\n",
			record->event, record->time, record->owner,
			name_lock(lockstat, record, lock),
			name_caller(lockstat, record->caller, caller));
		for (int j = 1; j < lockstat->depth && record->stack[j]; j++)
			fprintf(out, "%63s  %s\n", "",
				name_caller(lockstat, record->stack[j],
					    caller));
	}
}
