/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The server: the process that speaks HTTP.  It has no privilege (confine.h),
 * one thread, and one loop that waits for everything:
 *
 *	clients		libmicrohttpd's own epoll descriptor
 *	wires		facts of workers, as a recording (doc/recording.md)
 *	statuses	workers' JSON lines
 *	monitor		starts workers, and says which have ended
 *	inspector	compiles for errors, completion and availability
 *	watcher		says which hosts a fleet has
 *	timer		once per second
 *
 *	http.c			clients: limits, token, routes
 *	api_*.c			what the routes answer
 *	events.c		server-sent events
 *	fleet.c			hosts, and what a head says more than a worker
 *	instrumentation.c	one of them: from its worker to its end
 *	store*.c, tape.c	what it has reported
 */

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "live/lines.h"
#include "live/settings.h"

struct instrumentation;
struct MHD_Daemon;
struct metrics;
struct peer;
struct request;
struct server;

/* How answers and events are written. */
#define JSON_FORM (JSON_COMPACT | JSON_REAL_PRECISION(9))

/* Something that the loop waits for. */
struct watch {
	int fd; /* -1: none */
	void (*ready)(struct server *server, struct watch *source);
	void *owner;
};

struct annotation {
	uint32_t n;
	int64_t t;
	char *text;
};

struct server {
	const struct settings *settings;
	struct metrics *metrics; /* NULL: there are none */
	json_t *catalogue;	 /* GET /api/1/metrics */
	json_t *programs;	 /* the metrics' own, to be tried */
	int epoll;
	struct watch timer, http, monitor_source, inspector_source;
	struct watch watcher_source;
	struct lines monitor, inspector, watcher;
	json_t *hosts;	    /* of the fleet; NULL: there is none, or not yet */
	char *host_problem; /* why they are not known, or NULL */
	struct MHD_Daemon *daemon;
	uint32_t ticks;
	char epoch[17];
	char host[65], kernel[65], boot[37];
	int statm; /* /proc/self/statm, opened when files could be */
	/* instrumentations, in the order of their numbers */
	struct instrumentation **list;
	uint32_t count, next_id;
	json_t *lost; /* of a server that was killed, or of --session */
	/* clients */
	struct peer *peers;
	uint32_t npeers;
	struct client *clients; /* those of events */
	uint32_t nclients;
	size_t queued; /* bytes in their queues */
	size_t answers; /* bytes that clients have not taken yet */
	/* requests that the inspector answers */
	struct request *asking;
	uint32_t next_question;
	uint32_t nquestions; /* that it has not answered */
	int64_t inspected;   /* server_clock() of the last sign of it */
	uint32_t availability; /* the question about a metric; 0: none */
	size_t tried;	       /* metrics */
	bool is_retrying;      /* only those that were not available */
	struct annotation *annotations;
	uint32_t nannotations, next_annotation;
	/* --replay */
	double replay_clock; /* ms; 0: not yet */
	int64_t replay_base;
};

/* The status to exit with if another one would fail, too; it has said why. */
enum { SERVER_BROKEN = 3 };

/* Runs until the monitor is gone.  Never returns. */
_Noreturn void server_run(const struct settings *settings, int monitor);

bool server_watch(struct server *server, struct watch *source);
void server_unwatch(struct server *server, struct watch *source);
/* Wall clock, ms; with --replay that of the recording. */
int64_t server_now(const struct server *server);
/* A clock that never jumps, ms. */
int64_t server_clock(void);
size_t server_memory(const struct server *server);

/* ------------------------------------------------- parts of the same process */

/* http.c */
bool http_open(struct server *server);
void http_tick(struct server *server);
/* inspect.c: asks; the answer comes later. */
bool inspect_open(struct server *server, int fd);
void inspect_closed(struct server *server);
void inspect_retry(struct server *server);
/* Ends it when one question takes too long. */
void inspect_tick(struct server *server);
/* fleet.c */
bool hosts_open(struct server *server, int fd);
