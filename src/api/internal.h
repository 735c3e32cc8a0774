/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside api/: what a handle holds.
 *
 * A handle is a session and its options.  The session is created at the first
 * compilation or query about probes or parameters.  Options set before that go
 * to the options alone.
 */

#include <dtrace.h>

#include "facts/consumer.h"
#include "run/session.h"
#include "sink/output.h"

struct dtrace_prog {
	struct program *program;
	const char *name; /* its $0, or NULL */
	struct dtrace_prog *next;
};

struct dtrace_proc {
	struct target *target;
	struct dtrace_proc *next;
};

struct dtrace_hdl {
	struct options options;
	struct session *session; /* NULL: not needed yet */
	FILE *output;		 /* given to the session */
	/* $0, $1 ... of the first program; the array stays where it is */
	const char **args;
	uint32_t nargs;
	struct handle_script *scripts; /* parameter.c */

	int error;
	struct text message, excerpt;
	struct dtrace_prog *programs;
	struct dtrace_proc *procs; /* in the order of requests */
	dtrace_handle_proc_f *proc_func;
	void *proc_arg;
	dtrace_typeinfo_t *types; /* of the last dtrace_probe_info() */

	bool is_running, is_stopped;
	int cost_fd; /* the kernel measures programs; -1: nobody asked */
	dtrace_message_f *message_func;
	void *message_arg;
	dtrace_handle_drop_f *drop_func;
	void *drop_arg;
	dtrace_handle_err_f *err_func;
	void *err_arg;

	/* sink.c: the current record, and the functions that see it */
	struct handle_sink {
		struct filter filter;
		dtrace_hdl_t *dtp;
		bool is_skipped; /* the current record */
	} sink;
	/* replay.c */
	struct {
		struct output output;
		const struct resolver *resolver; /* during the replay */
		bool has_status;
		int status;
	} replay;
	dtrace_consume_probe_f *probe_func;
	dtrace_consume_rec_f *rec_func;
	void *consume_arg;
	dtrace_probedesc_t probe_desc;
	dtrace_probedata_t probe_data;
	/* value.c */
	dtrace_value_ext_t *values;
	uint32_t values_capacity;
	dtrace_frame_ext_t *frames;
	uint32_t nframes, frames_capacity;
	struct arena *names; /* of those frames */
	/* aggregate.c */
	dtrace_snapshot_f *snapshot_func;
	void *snapshot_arg;
	/* text for dtrace_handle_buffered() */
	dtrace_handle_buffered_f *buffered_func;
	void *buffered_arg;
	FILE *stream;
	char *buffered;
	size_t buffered_size;
};

/* The session, created if needed; never NULL. */
struct session *handle_session(dtrace_hdl_t *dtp);
void handle_set_args(dtrace_hdl_t *dtp, int argc, char *const argv[]);
/* Records an error; always returns -1. */
int handle_fail(dtrace_hdl_t *dtp, int error);
int handle_fail_text(dtrace_hdl_t *dtp, int error, const char *text);
/* Makes the compiler's diagnostic the handle's error; always returns -1. */
int handle_fail_compile(dtrace_hdl_t *dtp);

/* parameter.c: the script, if its parameters were read; only once. */
const struct source *handle_take_script(dtrace_hdl_t *dtp, const char *path);

/* proc.c: what the session must know about processes; frees all of them. */
void handle_watch_procs(dtrace_hdl_t *dtp);
void handle_proc_ended(void *context, struct target *target);
void handle_free_procs(dtrace_hdl_t *dtp);

void handle_desc(const struct probe_desc *from, dtrace_probedesc_t *to);

/* Writes text that may contain foreign names: made visible on a terminal. */
void handle_put(FILE *fp, const char *text);
/* Sends a message to the consumer's function, if there is one. */
void handle_message(void *context, const char *message);

/* sink.c: the filter between the consumer and the sink. */
void handle_sink_init(dtrace_hdl_t *dtp);
/* consume.c: where records and text go from now on. */
void handle_set_consumer(dtrace_hdl_t *dtp, FILE *fp,
			 dtrace_consume_probe_f *probe,
			 dtrace_consume_rec_f *rec, void *arg);
/* fp, or a stream whose text goes to dtrace_handle_buffered(). */
void handle_set_stream(dtrace_hdl_t *dtp, FILE *fp);
/* Hands over the text printed so far; false: the run must end. */
bool handle_deliver(dtrace_hdl_t *dtp, const dtrace_probedata_t *probe);
/* value.c: values as the consumer's functions see them, until they return. */
const dtrace_value_ext_t *handle_values(dtrace_hdl_t *dtp,
					const struct fact_value *values,
					uint32_t n);
void handle_free_values(dtrace_hdl_t *dtp);
/* aggregate.c */
bool handle_see_snapshot(struct sink *sink,
			 const struct fact_snapshot *snapshot);
