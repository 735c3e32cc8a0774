/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside run/: what the parts of a session share.
 *
 *	session.c	life, options, messages
 *	enable.c	clauses and descriptions -> probes and their clauses
 *	group.c		probes -> programs: grouping, lowering, sizes, code
 *	allocate.c	sizes that fit the machine
 *	split.c		groups that are too large for one program
 *	go.c		maps, loading, BEGIN, attaching; detaching, END
 *	sweep.c		what threads leave when they end
 *	extend.c	probes that appear while tracing
 *	oncpu.c		the program for vtimestamp
 *	offsets.c	offsets of members in kernel structures
 *	goroutines.c	which goroutine a thread runs
 *	unwind.c	what is needed to walk user stacks
 *	watch.c		the wait, and the processes of -c and -p
 *	work.c		the consumer's clocks; the end of the run
 *	consume.c	records -> facts
 *	report.c	faults and drops
 *	sinks.c		where the facts go
 *	snapshot.c	what was counted in an interval
 *	resolve.c	names of addresses
 *	listing.c	-S
 */

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "agg/store.h"
#include "base/budget.h"
#include "base/table.h"
#include "base/vec.h"
#include "bpf/bpf.h"
#include "ir/lower.h"
#include "facts/consumer.h"
#include "probe/probe.h"
#include "run/resolve.h"
#include "run/ring.h"
#include "run/session.h"
#include "run/speculate.h"
#include "sink/output.h"

/* A probe and the clauses it runs, in order. */
struct enabling {
	const struct probe *probe;
	struct fact_probe names;
	const struct clause **clauses;
	uint32_t nclauses, capacity;
	uint64_t hash;	       /* of the clause list */
	uint32_t round;	       /* 0: before tracing began */
	uint32_t growth;       /* the probe's, when it was enabled */
	struct enabling *next; /* same hash bucket by probe id */
};

/* One program and its state. */
struct group {
	struct probe_group probes;
	struct enabling **enablings;
	uint32_t nenablings, capacity;
	struct ir_program *ir;
	struct bpf_code *code;
	bool is_attached;
	/* split.c: pieces of one list of clauses; 0 is attached */
	uint32_t head, part;  /* group with piece 0; which piece */
	uint32_t nparts;      /* in the head: how many more */
	uint32_t most_pieces; /* that this one may become; 0: all */
	int parts_fd;	      /* in the head: where they are; or -1 */
};

/* A process whose end the run waits for. */
struct watched {
	struct target *target;
	bool is_gone; /* and that was reported */
};

struct session {
	struct session_config config;
	struct arena *arena;
	struct probe_registry *registry;
	struct probe_oracle oracle;
	struct language *language;
	struct budget budget;	       /* for files of processes */
	struct processes *processes;   /* and all that is known about them */
	struct goroutines *goroutines; /* or NULL: goroutines.c */
	const char *error;
	int error_number;

	/* enable.c */
	struct vec programs;	 /* struct program */
	struct vec clauses;	 /* const struct clause */
	struct vec enablings;	 /* struct enabling */
	struct enabling **by_id; /* hash by probe id */
	uint32_t nby_id;
	struct vec error_clauses; /* const struct clause */
	/* extend.c: some description matches probes that appear later */
	bool follows;
	uint32_t round;
	uint64_t follow_due;

	/* group.c */
	bool is_prepared;
	struct lower_session lowering;
	struct group *groups;
	uint32_t ngroups, groups_capacity;
	struct bpf_maps_config sizes;
	struct bpf_agg_table *agg_tables;	    /* by aggregation */
	uint64_t asked_ring, asked_spec, asked_agg; /* before lowering */
	enum abi_policy policy;
	uint64_t spec_limit;
	bool has_records; /* something may appear while tracing */
	struct sweep {
		struct bpf_code *code;
		struct bpf_loaded *program;
		int link; /* 0: none */
	} * sweeps;
	uint32_t nsweeps;

	/* go.c */
	struct bpf_maps maps;
	bool has_maps, is_tracing, is_stopped;
	int begin_cpu; /* where BEGIN ran; -1: not yet */

	/* oncpu.c: for vtimestamp */
	struct bpf_code *oncpu_code;
	struct bpf_loaded *oncpu_program;
	int oncpu_link; /* 0: not attached */

	/* watch.c */
	struct watched *targets;
	uint32_t ntargets;
	struct pollfd *polls;
	int poll_fd, alarm_fd; /* 0: not requested */

	/* consume.c, work.c */
	struct rings rings;
	struct specs specs;
	struct consumer consumer;
	struct output output;
	struct live_resolver live;
	struct resolver resolver;
	/* sinks.c */
	struct sink *main_sink, *recording, *tee, *picture_sink, *picture_tee;
	struct pictures *pictures;
	struct sink *screen;	   /* all but recording and pictures */
	bool is_ended;		   /* the end of a document has been written */
	struct fact_value *values; /* of the action at hand */
	uint32_t values_capacity;
	/* snapshot.c: ns of the wall clock, and of the monotonic one */
	bool wants_snapshots, has_private_snapshots, records_histograms;
	uint64_t snapshot_from, snapshot_due;
	int wake_fd; /* eventfd: session_interrupt() */
	volatile sig_atomic_t interrupts;
	bool is_interrupt_told;
	bool is_speculative;	 /* the current output was committed */
	bool is_broken;		 /* output is gone: print no more */
	bool keeps_aggregations; /* the caller prints them */
	/* by CPU: what was consumed last; clause NULL: nothing yet */
	struct last_record {
		const struct schema_clause *clause;
		uint32_t probe;
		uint64_t stamp;
	} * last;
	/* for session_progress() */
	uint64_t begin, nrecords, ndrops;
	uint64_t switch_due, status_due, agg_due, clean_due;
	uint64_t dynamic_seen, error_seen, scratch_seen, return_seen;
	uint64_t spec_seen, spec_busy_seen, spec_unavailable_seen;
};

/* Records an error (the first report stays) and returns `error`. */
int session_fail(struct session *session, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void session_warn(struct session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
uint64_t session_now(void); /* CLOCK_MONOTONIC, as bpf_ktime_get_ns() */

/* enable.c: what lowering and printing know about a probe. */
struct fact_probe session_probe_names(const struct probe *probe);
struct enabling *enabling_find(const struct session *session, uint32_t id);

/* Everything up to the kernel: groups, IR, sizes, code.  0 or -errno. */
int session_prepare(struct session *session);
/* namespace.c: what lowering must know about the PID namespace. */
int session_find_namespace(struct session *session);
/* Generates code again, after session->sizes have changed. */
int session_generate(struct session *session);
/* Creates the maps, with sizes that fit; 0 or -errno. */
int session_allocate(struct session *session);
/* Are aggsize and dynvarsize enough for one element?  0 or -errno. */
int session_check_room(struct session *session);
/* Code of one group, in several pieces if needed. */
int session_generate_group(struct session *session, uint32_t index);
/* IR and code of one group when the maps exist: it must fit them. */
int session_remake_group(struct session *session, uint32_t index);
/* Moves some clauses of a group to a new one after all others. */
/* Because programs should be short, or because this one is too long. */
enum split_reason { SPLIT_SHORT, SPLIT_MUST };
bool session_split(struct session *session, uint32_t index,
		   enum split_reason reason);
bool session_should_split(const struct group *group);
/* Is it so long that not even a clause is kept whole? */
bool session_must_split(const struct group *group);
/* Reports a program that failed and cannot be split: what, why, remedy. */
int session_fail_large(struct session *session, uint32_t index,
		       const struct bpf_problem *problem);
/* A large one: room for what its clauses share, in case it is split. */
void session_expect_split(struct session *session, struct group *group);
int session_link_parts(struct session *session, struct group *group);
int session_publish_part(struct session *session, struct group *group);
/* Runs the programs of a phase once, here. */
int session_run_phase(struct session *session, uint32_t phase);
void session_detach(struct session *session);

/* extend.c: enables what has appeared since the last time, if it is due. */
void session_extend(struct session *session);
/* Its steps: the first of the new ones, or their number; negative errno. */
int session_enable_more(struct session *session);
int session_prepare_more(struct session *session, size_t first_enabling);
int session_go_more(struct session *session, uint32_t first_group);

/* sweep.c: each step of the programs that watch threads end. */
int sweep_prepare(struct session *session);
int sweep_load(struct session *session);
int sweep_attach(struct session *session);
void sweep_close(struct session *session);
int session_oncpu_generate(struct session *session);
int session_oncpu_start(struct session *session);
void session_oncpu_stop(struct session *session);

/* offsets.c: what programs must know about kernel structures. */
void session_fill_unwind(struct session *session, uint64_t *words);
void session_fill_mapping(struct session *session, uint64_t *words);

/* loads.c: current values, for programs that use them */
void session_set_loads(struct session *session);
/* doubt.c */
void session_say_doubts(struct session *session);
/* watch.c: commands run to the point that evaltime names. */
void session_settle(struct session *session);
/* goroutines.c: for scripts that use goid */
void session_goroutines_start(struct session *session);
void session_goroutines_look(struct session *session);
void session_goroutines_free(struct session *session);
/* unwind.c: for scripts that walk user stacks. */
void session_unwind_start(struct session *session);
uint64_t session_unwind_size(const struct session *session);
/* Everything that waits to be walked, while its process exists. */
void session_unwind_look(struct session *session);

/* forget.c; `turn`: how long records may wait to be printed, ns. */
void session_forget(struct session *session, uint64_t turn);

/* watch.c: sleeps until something happens, at most this long. */
void session_sleep(struct session *session, const struct timespec *timeout);
/* session_fd() becomes readable at that time, if it exists. */
void session_set_alarm(struct session *session, uint64_t due);
/* There were some, and none is left. */
bool session_targets_gone(const struct session *session);

/* What the consumer knows about a probe; NULL: no such probe. */
const struct fact_probe *session_find_probe(struct session *session,
					    uint32_t id);
/* sinks.c */
int session_open_sinks(struct session *session);
int session_draw_pictures(struct session *session);
void session_close_sinks(struct session *session);
/* snapshot.c: the same, but nobody shows them: pictures are made of them. */
void session_want_private_snapshots(struct session *session);
/* One of the consumer's functions asked to end the run. */
void session_abort(struct session *session);
/* A broken pipe ends the run quietly; other write errors have a message. */
int session_flush(struct session *session);
/* snapshot.c: when the next one is due, and whether it is. */
void session_plan_snapshot(struct session *session);
bool session_snapshot_is_due(const struct session *session, uint64_t now);
/* Consumes records stamped up to `until`; 0 or -errno. */
int session_consume(struct session *session, uint64_t until);
/* Consumes everything, waiting for programs that are still writing. */
int session_consume_rest(struct session *session);
void session_report_drops(struct session *session);
void session_report_missed(struct session *session);
void session_report_fault(struct session *session,
			  const struct abi_fault *fault);
/* The consumer is alive: moves the deadline of programs (-x deadman). */
void session_heartbeat(struct session *session);
