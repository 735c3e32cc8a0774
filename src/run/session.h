/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A session: from compiled programs to the last line of output.
 *
 * Order of a run: open, set options, compile programs (language), enable
 * them, go (maps, programs, BEGIN, attach), work until it is over, stop (END,
 * final output), close.
 */

#include <stdio.h>

#include "base/option.h"
#include "lang/lang.h"
#include "probe/probe.h"
#include "proc/target.h"

struct session;

struct consumer; /* facts/consumer.h */
struct filter;	 /* facts/sink.h */
struct symbols;	 /* proc/symbols.h */

struct session_config {
	struct options *options;
	FILE *output;
	const char *const *args; /* $0, $1 ... */
	uint32_t nargs;
	/* Messages, without "dtrace: " and newline. */
	void (*warn)(void *context, const char *message);
	/* In front of the sink that the options name, or NULL.  Borrowed. */
	struct filter *filter;
	/* Called when a watched process is gone; may be NULL. */
	void (*ended)(void *context, struct target *target);
	void *context;
};

struct session *session_new(const struct session_config *config);
void session_close(struct session *session);
struct language *session_language(struct session *session);
struct probe_registry *session_registry(struct session *session);

/*
 * The run ends when all watched processes are gone; the first is $target for
 * programs compiled from now on.  The caller keeps the target, and frees it
 * after session_unwatch() or session_close().
 */
void session_watch(struct session *session, struct target *target);
/* Reads what a process has mapped, for names. */
void session_note(struct session *session, const struct target *target);
void session_unwatch(struct session *session, const struct target *target);

/*
 * Programs are compiled while a command is held at the end of its execve(2).
 * What they need to know about its libraries is only known later: such a
 * program waits (program_waits).  This step, between compiling and enabling,
 * lets the command run to the point of evaltime, where it is held again, and
 * compiles the rest.  0, or -EINVAL and language_diag() says why.  Only this
 * and session_go() ever resume a held command.
 */
int session_complete(struct session *session, struct program *program);
/* Adds a complete program: matches its probes.  Returns how many, or -errno. */
int session_enable(struct session *session, struct program *program);
/* Code was generated: nothing more can be enabled. */
bool session_is_fixed(const struct session *session);
/* Generates, loads, runs BEGIN, attaches.  0 or -errno: session_error(). */
int session_go(struct session *session);
/* Sleeps at most until something is due, consumes, prints. */
enum session_status { SESSION_RUNNING, SESSION_DONE, SESSION_FAILED };
enum session_status session_work(struct session *session);
/* The same without sleeping, and a descriptor that polls when it has work. */
enum session_status session_poll(struct session *session);
int session_fd(struct session *session);
/* Detaches, runs END, prints what is left.  Safe to call twice. */
int session_stop(struct session *session);
/* A signal arrived: ends the run cleanly.  Async-signal-safe. */
void session_interrupt(struct session *session);
int session_exit_status(struct session *session, bool *was_set);
const char *session_error(const struct session *session);
/* The negative errno that belongs to session_error(), or 0. */
int session_error_number(const struct session *session);
/* Prints to another file from now on. */
void session_set_output(struct session *session, FILE *output);
/*
 * Aggregations that were not printed are not printed at the end, either: the
 * caller does that.  Structured output always has them.
 */
void session_keep_aggregations(struct session *session);
/* Prints them now; 0 or -errno. */
int session_show_aggregations(struct session *session);
/* NULL before session_go(). */
struct consumer *session_consumer(struct session *session);
/* The end of a document has been written: nothing may follow. */
bool session_is_ended(const struct session *session);
struct symbols *session_symbols(struct session *session);
/* Snapshots (facts/fact.h): enables them; takes one, 0 or -errno. */
void session_want_snapshots(struct session *session);
int session_take_snapshot(struct session *session);
/* How far a run is. */
struct session_progress {
	uint64_t time;	 /* ns since probes fire; 0: not yet */
	uint64_t events; /* records, and updates of aggregations */
	uint64_t drops;
	uint32_t pictures; /* that will be drawn */
};
void session_progress(const struct session *session,
		      struct session_progress *progress);
/* -S: IR and BPF of everything enabled, without touching the kernel. */
int session_disassemble(struct session *session, struct text *out);
