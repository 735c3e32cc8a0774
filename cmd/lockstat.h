/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The parts of lockstat(8): what events there are and the D program that
 * watches them (lockstat_events.c), what it counted (lockstat_records.c), how
 * that is printed (lockstat_report.c), and the command itself (lockstat.c).
 */

#include "cmd/tool.h"

#include <stdint.h>

enum {
	CONTENTION = 1, HOLD = 2, INTERRUPTS = 4, ERRORS = 8,
	EVENTS = 64,		/* numbers of -e */
	EVENT_INTERRUPT = 56,
	BUCKETS = 64,		/* of a histogram: 1 << bucket and more */
	MOST_DEPTH = 50,	/* of -s */
	MOST_RANGES = 16,	/* of -l, and of -f */
	SYMBOL_SIZE = 128,
};

/* A kind of events, by its classic number. */
struct lock_event {
	unsigned what; /* CONTENTION ...; 0: there is no such event */
	const char *title;
	const char *probe;	/* NULL: see `absent` */
	const char *condition;	/* of the probe's firings; NULL: all */
	const char *begin;	/* HOLD: where the time begins */
	const char *references; /* D: how many hold the lock; NULL: one */
	const char *absent;	/* why Linux has no such thing */
};
extern const struct lock_event lock_events[EVENTS];

/* What is counted of each event. */
enum detail { DETAIL_COUNT, DETAIL_TIME, DETAIL_HISTOGRAM };

/* Addresses of one lock, or of one function. */
struct range {
	uint64_t first, size;
};

/* One line of a table: a lock, its caller, and maybe the stack. */
struct record {
	int event;
	uint64_t lock, caller, owner;
	int64_t count, time, references;
	int64_t *histogram;	    /* BUCKETS; NULL: none */
	uint64_t stack[MOST_DEPTH]; /* from the caller on */
};

struct lockstat {
	struct tool tool;
	/* what is watched */
	bool watches[EVENTS];
	bool counts_readers; /* that this kernel supports */
	long rate;
	enum detail detail;
	long depth; /* of stacks that are shown; 0: none */
	long most;  /* records */
	struct range locks[MOST_RANGES], functions[MOST_RANGES];
	unsigned nlocks, nfunctions;
	uint64_t shortest; /* nanoseconds */
	bool is_traced;	   /* -T: every event by itself */
	/* how it is shown */
	bool by_array, by_function, is_generated, any_caller, any_lock;
	bool shows_rates, is_parsable, by_time;
	long limit;
	FILE *out;
	/* what was seen */
	struct record *records;
	size_t nrecords, capacity;
	uint64_t lost;
	double elapsed;
};

/* lockstat_events.c */
/*
 * Events that this kernel cannot watch are left out, with a message; it is an
 * error if nothing remains, or if -e asked for them.
 */
int lockstat_choose(struct lockstat *lockstat, const bool *explicitly);
/* To be freed. */
char *lockstat_program(const struct lockstat *lockstat);
/* Frames of stack() in it. */
int lockstat_frames(const struct lockstat *lockstat);

/* lockstat_records.c */
int lockstat_take(const dtrace_aggdata_t *data, void *lockstat);
int lockstat_take_event(const dtrace_probedata_t *data,
			const dtrace_recdesc_t *rec, void *lockstat);
/* Merges records that are the same after -c, -k, -g, -w and -W. */
void lockstat_join(struct lockstat *lockstat);
void lockstat_free(struct lockstat *lockstat);

/* lockstat_report.c */
void lockstat_report(struct lockstat *lockstat);
void lockstat_report_trace(struct lockstat *lockstat);
