/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * An instrumentation: one D program, the worker that runs it, and what it has
 * reported.
 *
 *	starting   the monitor was asked for a worker
 *	running    it traces
 *	ended      it has ended, or was told to; what it reported is kept
 *	failed     its program is wrong, or its worker was killed
 *
 * The worker ends when its status socket is closed.  So whatever goes wrong
 * here, closing it is enough.
 */

#include "base/option.h"
#include "facts/recording.h"
#include "live/server.h"
#include "live/store.h"
#include "live/tape.h"

enum state { STATE_STARTING, STATE_RUNNING, STATE_ENDED, STATE_FAILED };

/* Totals that the worker reports once per second. */
struct totals {
	uint64_t events, drops, programs_ns, programs_runs;
	uint64_t kernel_bytes, rss_bytes, cpu_ns;
};

struct instrumentation {
	struct server *server;
	uint32_t id;
	json_t *request; /* how it was asked for; for restoring it */
	json_t *spec;	 /* for the worker */
	char *title, *program, *reason;
	json_t *error; /* of the worker, or NULL */
	/* of the metric */
	json_t *metric, *by, *where, *fields;
	bool has_stacks;
	char *view, *unit; /* NULL: sets decide */
	double full;
	bool is_pinned;
	enum state state;
	int64_t started, ended; /* ms, wall clock; 0: not yet */
	int64_t looked;		/* server_clock(): somebody was interested */
	int64_t asked_to_stop;	/* server_clock(), or 0 */
	int64_t flushed;	/* server_clock(): when lines were sent */
	/* from the worker */
	struct watch wire, status;
	struct lines lines;
	struct replay *replay;
	struct recording recording;
	struct options options;
	struct store *store;
	struct tape tape;
	bool is_recorded; /* --record */
	struct totals totals, before;
	int64_t totals_at, before_at; /* server_clock() */
	uint32_t probes, overs;
	double cost;
	/* of a fleet: fleet.c */
	json_t *sources, *refused, *hosts, *said;
	uint32_t late; /* columns that were shown again */
};

extern const char *const state_names[];

/* Takes the request; an error is a JSON object in *error, else NULL. */
struct instrumentation *instrumentation_new(struct server *server,
					    json_t *request, json_t **error,
					    unsigned *status);
struct instrumentation *instrumentation_find(const struct server *server,
					     uint32_t id);
/* Ends tracing and keeps what was reported. */
void instrumentation_stop(struct instrumentation *instrumentation,
			  const char *reason);
/* All of it; clients are told. */
void instrumentation_delete(struct instrumentation *instrumentation);
/* The monitor has started its worker, or could not. */
void instrumentation_started(struct instrumentation *instrumentation, int wire,
			     int status);
/* Its worker is gone: `signal` 0, or what killed it. */
void instrumentation_gone(struct instrumentation *instrumentation, int signal,
			  const char *message);
/* Once per second. */
void instrumentation_tick(struct instrumentation *instrumentation);
/* Feeds bytes of its wire. */
bool instrumentation_feed(struct instrumentation *instrumentation,
			  const void *bytes, size_t n);
/* Sends new lines of its log, if it is time to. */
void instrumentation_flush(struct instrumentation *instrumentation);
/* Ready to be fed; --replay feeds it without a worker. */
void instrumentation_begin(struct instrumentation *instrumentation);
/* Tells the monitor what to keep, after a change. */
void instrumentation_keep(struct instrumentation *instrumentation);
/* fleet.c: what a head says; what of it is in the status, and in the API. */
bool fleet_take(struct instrumentation *instrumentation, const char *event,
		json_t *line);
void fleet_put_status(const struct instrumentation *instrumentation,
		      json_t *status);
json_t *fleet_json(const struct instrumentation *instrumentation);
void fleet_forget(struct instrumentation *instrumentation);
void instrumentation_changed(struct instrumentation *instrumentation);

/* As the API has it; sets are text, so it is text. */
void instrumentation_put(struct text *out,
			 const struct instrumentation *instrumentation);
json_t *instrumentation_status(const struct instrumentation *instrumentation);
