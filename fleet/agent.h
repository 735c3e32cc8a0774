/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The agent: one process on each host of a fleet.
 *
 * It announces the host, starts a worker (live/worker.h) for each program that a
 * head enables and its policy allows, and publishes what the worker counts.  It
 * holds no state that matters: when it ends, workers end, and whoever wants
 * their data enables them again.
 */

#include "facts/recording.h"
#include "fleet/bus.h"
#include "fleet/merge.h"
#include "fleet/policy.h"
#include "fleet/publish.h"
#include "live/lines.h"
#include "live/metric.h"

enum { AGENT_LEASE = 10 }; /* seconds without a head */

struct agent {
	struct bus *bus;
	char *host;
	json_t *labels;
	struct policy policy;
	bool has_syslog;
	struct agent_run *runs;
	uint32_t nruns;
	uint64_t born; /* ns, wall clock: which life of the agent this is */
	uint64_t announced, refused;
	struct prometheus *prometheus;
	struct metrics *metrics; /* of this host; NULL: it has none */
};

/* An instrumentation on this host: agent_run.c. */
struct agent_run {
	struct agent_run *next;
	struct agent *agent;
	char *id, *user;
	json_t *spec;
	pid_t pid;
	int wire; /* -1: its end was read */
	struct lines talk;
	bool is_talking;
	struct options options;
	struct recording recording;
	struct replay *replay;
	struct publisher *publisher;
	struct merge *total; /* for Prometheus */
	uint64_t lease;	     /* monotonic: until then it may run */
	uint64_t flushed;    /* monotonic */
	uint64_t through;    /* wall clock, that was told */
	uint64_t status[STATUS_COUNT];
	uint64_t cost, cost_at; /* ns at that time */
	unsigned too_costly;	/* seconds */
	bool is_stopping, is_ended, has_exit_status;
	int exit_status;
	uint64_t stop_at; /* monotonic: then it is killed */
	char *reason;
};

/* Starts a worker; NULL with a problem. */
struct agent_run *agent_run_start(struct agent *agent, const char *id,
				  const char *user, json_t *spec,
				  const char **problem);
/* Reads what is there.  False: it has ended and can be freed. */
bool agent_run_work(struct agent_run *run);
/* Something that happens every tenth of a second or so. */
void agent_run_tick(struct agent_run *run);
void agent_run_stop(struct agent_run *run, const char *reason);
void agent_run_free(struct agent_run *run);
/* Everything that is enabled or refused, for the host's administrator. */
void agent_audit(const struct agent *agent, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* dtlive agent ...; the arguments after that word. */
int agent_main(int argc, char **argv);
