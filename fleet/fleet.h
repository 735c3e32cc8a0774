/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * One instrumentation on many hosts, as a head sees it.
 *
 * Hosts are chosen by labels, asked to enable the program, kept running by a
 * lease that is renewed, and merged (fleet/merge.h).  Hosts come, go, refuse
 * and are slow; nothing waits for a single one:
 *
 * 1. A second is shown as soon as all hosts that report have reported it, and
 *    within 2 s after its end in any case.  What comes later is shown when it comes.
 * 2. What the head knows is in JetStream: its spec in a bucket, all messages of
 *    the last ten minutes in a stream.  Another head with the same id reads both
 *    and has the same numbers.
 * 3. Whoever does not report is named, with the reason.
 */

#include "fleet/bus.h"
#include "fleet/merge.h"

enum { FLEET_CLOSES = 1800 }; /* ms after its end */

enum fleet_state {
	HOST_NEW,     /* not asked yet */
	HOST_ASKED,
	HOST_RUNNING,
	HOST_FAILED,  /* see `error` */
	HOST_ENDED,   /* its program called exit() */
	HOST_GONE,    /* it does not announce itself any more */
	HOST_STATES
};
extern const char *const fleet_states[HOST_STATES];

struct fleet_host {
	char *name;
	json_t *labels;
	char *kernel;
	uint64_t born; /* which life of its agent */
	bool is_wanted;
	enum fleet_state state;
	char *error;
	uint64_t seen, asked, heard; /* monotonic: announced, asked, reported */
	bool has_clock;
	int64_t clock;	     /* ns that it is ahead of us */
	uint64_t round_trip; /* ns, of the measurement */
	uint64_t drops, faults;
	uint64_t said; /* the last message, to tell it once */
	bool has_status;
	int status; /* of exit() */
	struct merge_source *source;
};

struct fleet_setup {
	json_t *spec; /* "program", "options", "hosts", "aggby", "id" ... */
	bool is_total;
	/* What hosts print, lose and say; `host` may be NULL. */
	void (*line)(void *context, struct fleet_host *host,
		     const struct message_line *line);
	void (*say)(void *context, struct fleet_host *host, const char *kind,
		    const char *text);
	/* A column was shown. */
	void (*column)(void *context, uint64_t second, uint32_t sources,
		       bool is_late);
	/* A message was merged. */
	void (*merged)(void *context, const char *host, const void *bytes,
		       size_t n);
	void *context;
};

struct fleet_counts {
	uint32_t wanted, reporting, late, failed, ended;
	uint64_t repeated, bad, foreign, refused;
	uint64_t status[STATUS_COUNT];
};

struct fleet;

/* Connects and asks the hosts; NULL with a problem. */
struct fleet *fleet_open(const struct fleet_setup *setup, char *problem);
void fleet_close(struct fleet *fleet);
const char *fleet_id(const struct fleet *fleet);
struct merge *fleet_merge(struct fleet *fleet);
struct bus *fleet_bus(struct fleet *fleet);
int fleet_fd(const struct fleet *fleet);
/* Takes what has arrived; renews; asks hosts that came.  Call it often. */
void fleet_work(struct fleet *fleet);
/* Shows columns that are complete or due.  False: the sink wants no more. */
bool fleet_show(struct fleet *fleet, struct sink *sink, bool is_final);
/* Asks all hosts to stop; those that run have until fleet_is_over(). */
void fleet_stop(struct fleet *fleet);
/* No host runs any more, and at least one did. */
bool fleet_is_over(const struct fleet *fleet);
/* Has the head answered?  NULL: nothing was asked, or not yet.  fleet/who.h */
struct who_question;
void fleet_ask_who(struct fleet *fleet, const struct who_question *question);
json_t *fleet_who(struct fleet *fleet);
void fleet_count(const struct fleet *fleet, struct fleet_counts *counts);
uint32_t fleet_hosts(const struct fleet *fleet);
struct fleet_host *fleet_host(const struct fleet *fleet, uint32_t i);
