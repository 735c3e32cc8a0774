/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside run/: what the parts of a session share.
 *
 *	session.c	life, options, messages
 *	enable.c	clauses and descriptions -> probes and their clauses
 *	group.c		probes -> programs: grouping, lowering, sizes, code
 *	allocate.c	sizes that fit the machine
 *	split.c		groups that are too much for one program
 *	go.c		maps, loading, BEGIN, attaching; detaching, END
 *	sweep.c		what ending threads leave behind
 *	extend.c	probes that come while tracing
 *	oncpu.c		the program behind vtimestamp
 *	offsets.c	where members of the kernel's structures are
 *	unwind.c	what walks of users' stacks need
 *	watch.c		the wait, and the processes of -c and -p
 *	consume.c	records, faults, drops, aggregations; end of the run
 *	listing.c	-S
 */

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/budget.h"
#include "base/table.h"
#include "base/vec.h"
#include "bpf/bpf.h"
#include "ir/lower.h"
#include "out/out.h"
#include "probe/probe.h"
#include "run/aggregate.h"
#include "run/ring.h"
#include "run/session.h"
#include "run/speculate.h"

enum { PROBE_ID_ERROR = 3 };	/* probe/probe.h: the same in every run */

/* A probe and the clauses it runs, in order. */
struct enabling {
	const struct probe *probe;
	struct lower_probe names;
	const struct clause **clauses;
	uint32_t nclauses, capacity;
	uint64_t hash;			/* of the clause list */
	uint32_t round;			/* 0: before tracing began */
	uint32_t growth;		/* the probe's, when it was enabled */
	struct enabling *next;		/* same hash bucket by probe id */
};

/* One program and what became of it. */
struct group {
	struct probe_group probes;
	struct enabling **enablings;
	uint32_t nenablings, capacity;
	struct ir_program *ir;
	struct bpf_code *code;
	bool is_attached;
	/* split.c: pieces of one list of clauses; 0 is attached */
	uint32_t head, part;		/* group that has piece 0; which */
	uint32_t nparts;		/* of the head: how many more */
	uint32_t most_pieces;		/* that this one may become; 0: all */
	int parts_fd;			/* of the head: where they are; or -1 */
};

/* A process whose end the run waits for. */
struct watched {
	struct target *target;
	bool is_gone;			/* and that was said */
};

struct session {
	struct session_config config;
	struct arena *arena;
	struct probe_registry *registry;
	struct probe_oracle oracle;
	struct language *language;
	struct budget budget;		/* for files of processes */
	const char *error;
	int error_number;

	/* enable.c */
	struct vec programs;		/* struct program */
	struct vec clauses;		/* const struct clause */
	struct vec enablings;		/* struct enabling */
	struct enabling **by_id;	/* hash by probe id */
	uint32_t nby_id;
	struct vec error_clauses;	/* const struct clause */
	/* extend.c: some description asks for probes that come later */
	bool follows;
	uint32_t round;
	uint64_t follow_due;

	/* group.c */
	bool is_prepared;
	struct lower_session lowering;
	struct group *groups;
	uint32_t ngroups, groups_capacity;
	struct bpf_maps_config sizes;
	struct bpf_agg_table *agg_tables;	/* by aggregation */
	uint64_t asked_ring, asked_spec, asked_agg;	/* before lowering */
	enum abi_policy policy;
	uint64_t spec_limit;
	bool has_records;		/* something may come while tracing */
	struct sweep {
		struct bpf_code *code;
		struct bpf_loaded *program;
		int link;		/* 0: none */
	} *sweeps;
	uint32_t nsweeps;

	/* go.c */
	struct bpf_maps maps;
	bool has_maps, is_tracing, is_stopped;
	int begin_cpu;			/* where BEGIN ran; -1: nowhere yet */

	/* oncpu.c: for vtimestamp */
	struct bpf_code *oncpu_code;
	struct bpf_loaded *oncpu_program;
	int oncpu_link;			/* 0: not attached */

	/* watch.c */
	struct watched *targets;
	uint32_t ntargets;
	struct pollfd *polls;

	/* consume.c */
	struct rings rings;
	struct specs specs;
	struct printer printer;
	int wake_fd;			/* eventfd: session_interrupt() */
	volatile sig_atomic_t interrupts;
	bool is_interrupt_shown;
	bool is_speculative;		/* what is printed was committed */
	bool is_broken;			/* output is gone: print no more */
	bool keeps_aggregations;	/* somebody else prints them */
	bool is_top;			/* -x top, and on a terminal */
	/* by CPU, for -F */
	const struct record_layout **last_layout;
	uint32_t *last_probe;
	uint64_t switch_due, status_due, agg_due, clean_due;
	uint64_t dynamic_seen, error_seen, scratch_seen, return_seen;
	uint64_t spec_seen, spec_busy_seen, spec_unavailable_seen;
};

/* Record what went wrong (the first report stays) and return `error`. */
int session_fail(struct session *session, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void session_warn(struct session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
uint64_t session_now(void);	/* CLOCK_MONOTONIC, as bpf_ktime_get_ns() */

struct enabling *enabling_find(const struct session *session, uint32_t id);

/* Everything up to the kernel: groups, IR, sizes, code.  0 or -errno. */
int session_prepare(struct session *session);
/* namespace.c: what lowering must know of the PID namespace. */
int session_find_namespace(struct session *session);
/* Code again, after session->sizes have changed. */
int session_generate(struct session *session);
/* The maps, with sizes that fit; 0 or -errno. */
int session_allocate(struct session *session);
/* Are aggsize and dynvarsize enough for one element?  0, or it failed. */
int session_check_room(struct session *session);
/* Code of one group, in several pieces if need be. */
int session_generate_group(struct session *session, uint32_t index);
/* IR and code of one group when the maps are there: it must fit them. */
int session_remake_group(struct session *session, uint32_t index);
/* Move some clauses of a group to a new one behind all others. */
/* Because programs should be short, or because this one cannot be. */
enum split_reason { SPLIT_SHORT, SPLIT_MUST };
bool session_split(struct session *session, uint32_t index,
		   enum split_reason reason);
bool session_should_split(const struct group *group);
/* Is it so long that even a clause is not kept whole? */
bool session_must_split(const struct group *group);
/* A program that failed and cannot be split: what, why, what to do. */
int session_fail_large(struct session *session, uint32_t index,
		       const char *problem);
/* A large one: room for what its clauses share, should it come to that. */
void session_expect_split(struct session *session, struct group *group);
int session_link_parts(struct session *session, struct group *group);
int session_publish_part(struct session *session, struct group *group);
/* Run the programs of a phase once, here. */
int session_run_phase(struct session *session, uint32_t phase);
void session_detach(struct session *session);

/* extend.c: enable what has come since the last time, if it is time. */
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

/* offsets.c: what programs must know of the kernel's structures. */
void session_fill_unwind(struct session *session, uint64_t *words);
void session_fill_mapping(struct session *session, uint64_t *words);

/* loads.c: programs that ask have them as they are now */
void session_set_loads(struct session *session);
/* doubt.c */
void session_say_doubts(struct session *session);
/* Commands run until the moment that evaltime names. */
void session_settle(struct session *session);
/* unwind.c: for scripts that walk users' stacks. */
void session_unwind_start(struct session *session);
uint64_t session_unwind_size(const struct session *session);
/* Whatever waits to be walked, while its process is there. */
void session_unwind_look(struct session *session);

/* forget.c; `turn`: how long records may wait to be printed, ns. */
void session_forget(struct session *session, uint64_t turn);

/* watch.c: sleep until something happens, at most so long. */
void session_sleep(struct session *session, const struct timespec *timeout);
/* There were some, and none is left. */
bool session_targets_gone(const struct session *session);

/* Print records stamped up to `until`; 0 or -errno. */
int session_consume(struct session *session, uint64_t until);
/* Everything there is, waiting for programs that are still writing. */
int session_consume_rest(struct session *session);
void session_report_drops(struct session *session);
/* The consumer is at work: programs wait for it again (-x deadman). */
void session_show_life(struct session *session);
