/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside api/: what a handle holds.
 *
 * A handle is a session and its options.  The session is made at the first
 * compilation or question about probes, because it wants to know the operands;
 * options set before go to the options alone.
 */

#include <dtrace.h>

#include "out/out.h"
#include "run/session.h"

struct dtrace_prog {
	struct program *program;
	struct dtrace_prog *next;
};

struct dtrace_proc {
	struct target *target;
	struct dtrace_proc *next;
};

struct dtrace_hdl {
	struct options options;
	struct session *session;	/* NULL: not needed yet */
	FILE *output;			/* given to the session */
	/* $0, $1 ...; the array stays where it is */
	const char **args;
	uint32_t nargs;

	int error;
	struct text message, excerpt;
	struct dtrace_prog *programs;
	struct dtrace_proc *procs;	/* in the order they were asked for */
	dtrace_handle_proc_f *proc_func;
	void *proc_arg;
	dtrace_typeinfo_t *types;	/* of the last dtrace_probe_info() */

	bool is_running, is_stopped;
	dtrace_message_f *message_func;
	void *message_arg;
	dtrace_handle_drop_f *drop_func;
	void *drop_arg;
	dtrace_handle_err_f *err_func;
	void *err_arg;

	/* consume.c: the record at hand, and who wants to see it */
	struct printer_hooks hooks;
	dtrace_consume_probe_f *probe_func;
	dtrace_consume_rec_f *rec_func;
	void *consume_arg;
	dtrace_probedesc_t probe_desc;
	dtrace_probedata_t probe_data;
	dtrace_value_ext_t *values;
	uint32_t values_capacity;
	/* text for dtrace_handle_buffered() */
	dtrace_handle_buffered_f *buffered_func;
	void *buffered_arg;
	FILE *stream;
	char *buffered;
	size_t buffered_size;
};

/* The session, made if there is none; never NULL. */
struct session *handle_session(dtrace_hdl_t *dtp);
void handle_set_args(dtrace_hdl_t *dtp, int argc, char *const argv[]);
/* Note an error; always -1. */
int handle_fail(dtrace_hdl_t *dtp, int error);
int handle_fail_text(dtrace_hdl_t *dtp, int error, const char *text);
/* The compiler's diagnostic becomes the handle's error; always -1. */
int handle_fail_compile(dtrace_hdl_t *dtp);

/* proc.c: what the session must know of processes; all of them are freed. */
void handle_watch_procs(dtrace_hdl_t *dtp);
void handle_proc_ended(void *context, struct target *target);
void handle_free_procs(dtrace_hdl_t *dtp);

void handle_desc(const struct probe_desc *from, dtrace_probedesc_t *to);

/* Writes text that may hold names of others: visible on a terminal. */
void handle_put(FILE *fp, const char *text);
/* To the consumer's function for messages, or stderr. */
void handle_message(void *context, const char *message);

/* consume.c */
bool handle_drop(void *context, const struct session_drop *drop);
bool handle_fault(void *context, const struct session_fault *fault);
/* Where records and text go from now on. */
void handle_set_consumer(dtrace_hdl_t *dtp, FILE *fp,
			 dtrace_consume_probe_f *probe,
			 dtrace_consume_rec_f *rec, void *arg);
/* Hand over text that was printed meanwhile; false: the run must end. */
bool handle_deliver(dtrace_hdl_t *dtp, const dtrace_probedata_t *probe);
/* Room for n values that a callback is shown. */
dtrace_value_ext_t *handle_values(dtrace_hdl_t *dtp, uint32_t n);
dtrace_value_ext_t handle_value(struct printer *printer,
				const struct print_value *value);
