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

struct printer;
struct printer_hooks;

/* Something was lost, or went wrong in a clause. */
struct session_drop {
	const char *kind;	/* "PRINCIPAL", "DYNAMIC" ... */
	int64_t cpu;		/* -1: not of one CPU */
	uint64_t count;
	const char *message;
};
struct session_fault {
	uint32_t clause, probe, statement;
	uint32_t code;		/* enum fault */
	uint64_t value;
	const char *message;
};

struct session_config {
	struct options *options;
	FILE *output;
	const char *const *args;	/* $0, $1 ... */
	uint32_t nargs;
	/* Messages for stderr, without "dtrace: " and newline. */
	void (*warn)(void *context, const char *message);
	/* In place of warn(), if there; false: end the run. */
	bool (*drop)(void *context, const struct session_drop *drop);
	bool (*fault)(void *context, const struct session_fault *fault);
	/* A process that was watched is gone; NULL: nobody wants to know. */
	void (*ended)(void *context, struct target *target);
	void *context;
};

struct session *session_new(const struct session_config *config);
void session_close(struct session *session);
struct language *session_language(struct session *session);
struct probe_registry *session_registry(struct session *session);

/*
 * The run ends when all processes watched are gone; the first is $target for
 * programs compiled from now on.  The caller keeps the target, and frees it
 * after session_unwatch() or session_close().
 */
void session_watch(struct session *session, struct target *target);
/* Look at what a process has mapped, for names. */
void session_note(struct session *session, const struct target *target);
void session_unwatch(struct session *session, const struct target *target);

/* Add a compiled program: match its probes.  Returns how many, or -errno. */
int session_enable(struct session *session, struct program *program);
/* Code was generated: nothing more can be enabled. */
bool session_is_fixed(const struct session *session);
/* Generate, load, run BEGIN, attach.  0 or -errno; session_error() says why. */
int session_go(struct session *session);
/* Sleep at most until something is due, consume, print. */
enum session_status { SESSION_RUNNING, SESSION_DONE, SESSION_FAILED };
enum session_status session_work(struct session *session);
/* Detach, run END, print what is left.  Safe to call twice. */
int session_stop(struct session *session);
/* A signal arrived: end politely.  Async-signal-safe. */
void session_interrupt(struct session *session);
int session_exit_status(struct session *session, bool *was_set);
const char *session_error(const struct session *session);
/* The negative errno behind session_error(), or 0. */
int session_error_number(const struct session *session);
/* Print elsewhere from now on. */
void session_set_output(struct session *session, FILE *output);
/* Who else sees records; NULL: nobody.  Borrowed. */
void session_set_hooks(struct session *session,
		       const struct printer_hooks *hooks);
/* Aggregations that nobody printed are printed at the end, or not. */
void session_keep_aggregations(struct session *session);
/* NULL before session_go(). */
struct printer *session_printer(struct session *session);
/* -S: IR and BPF of everything enabled, without touching the kernel. */
int session_disassemble(struct session *session, struct text *out);
