/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The parts of prstat(8): what /proc says about threads (prstat_threads.c), what
 * tracing says about them (prstat_states.c), users (prstat_users.c), and the
 * pages (prstat.c).
 */

#include "cmd/tool.h"

#include <stdint.h>
#include <sys/types.h>

/* The microstates, in the order of their columns. */
enum state { USR, SYS, TRP, TFL, DFL, LCK, SLP, LAT, NSTATES };

/* CAME: it was first seen when it got a CPU. */
enum count { VCX, ICX, SCL, SIG, CAME, NCOUNTS };

/* What tracing knows of a thread. */
struct microstates {
	/* Since the last page; for a process the sum over its threads. */
	int64_t time[NSTATES], count[NCOUNTS];
	enum state state; /* where it is now */
	uint64_t since;	  /* ns of the monotonic clock; 0: was never traced */
	/* for the next page */
	bool has_moved, is_new;
	enum state last_state;
	uint64_t last_since;
	/* counted on the last page, before the kernel's table had it */
	enum state owed_state;
	int64_t owed;
};

/* A thread, or a process: then tid is pid. */
struct thread {
	int pid, tid;
	uid_t uid;
	char name[32], letter; /* of its state in /proc */
	long priority, nice, nthreads;
	uint64_t size, resident;    /* KB */
	uint64_t ticks, last_ticks; /* CPU time, now and at the last page */
	uint64_t started;	    /* ticks since boot */
	double cpu;		    /* part of all CPUs, in percent */
	size_t nprocesses;	    /* of a user */
	struct microstates micro;
};

/* Sorted by tid. */
struct threads {
	struct thread *all;
	size_t n;
};

struct wanted {
	const int *pids; /* none: all processes */
	size_t npids;
	const uid_t *uids; /* none: of all users */
	size_t nuids;
	bool has_threads;
};

enum { USER_NAMES = 64 };

struct users {
	struct user_name {
		uid_t uid;
		char name[32];
	} names[USER_NAMES];
	size_t nnames;
	struct thread *sums; /* one for each user, by users_sum() */
	size_t nsums;
};

/* Of an effective id; good until the next call. */
const char *user_name(struct users *users, uid_t uid);
/* Of a name or a number. */
bool user_id(const char *text, uid_t *uid);
void users_sum(struct users *users, const struct thread *rows, size_t nrows);

/* Looks at /proc again.  What was known of a thread is kept. */
void threads_scan(struct threads *threads, const struct wanted *wanted);
struct thread *threads_find(const struct threads *threads, int tid);

int states_start(const struct tool *tool, const struct wanted *wanted);
/* What happened since `last`.  Returns until when: ns of the monotonic clock. */
uint64_t states_take(const struct tool *tool, struct threads *threads,
		     uint64_t last);
uint64_t states_now(void);
