/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker: one instrumentation, and the only kind of process here that traces.
 *
 * It is a plain consumer of libdtrace.  Its facts go through a pipe, as a
 * recording; what else there is to say goes over a socket, a JSON object to a
 * line (live/lines.h):
 *
 *	compiled, error, running, status (each second), message, ended
 *
 * 1. Whoever reads is not waited for longer than the pipe is full: then records
 *    and keys are lost in the kernel, where they are counted.
 * 2. When the other end of the socket is closed, this process ends at once, and
 *    with it all its probes.
 * 3. Destructive programs are refused unless the one who started the monitor
 *    allowed them; a pragma in the text does not.
 */
#include "live/worker.h"

#include <dtrace.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "cmd/words.h"
#include "live/complaint.h"
#include "live/lines.h"

enum { NO_TIME = -1 };

struct worker {
	struct lines talk;
	json_t *spec;
	dtrace_hdl_t *dtp;
	dtrace_proc_t *proc; /* of -p or -c, or NULL */
	FILE *sunk;
	int timer;
	const char *reason;
	char *end_of_command;
};

static void say(struct worker *worker, json_t *line)
{
	/* a few lines a second: blocking is right, and the pipe does it, too */
	if (!lines_send(&worker->talk, line, NULL, 0))
		_exit(1);
	while (worker->talk.out) {
		struct pollfd wait = { .fd = worker->talk.fd,
				       .events = POLLOUT };

		poll(&wait, 1, NO_TIME);
		if (!lines_flush(&worker->talk))
			_exit(1);
	}
}

static int fail(struct worker *worker, const char *message, const char *hint)
{
	say(worker, json_pack("{s:s, s:o, s:o, s:s, s:[]}", "event", "error",
			      "message", text_json(message), "hint",
			      text_json(hint), "excerpt", "", "complaints"));
	return -1;
}

/* What the library says of its last error. */
static int library_fails(struct worker *worker, const char *what)
{
	int error = dtrace_errno(worker->dtp);
	const char *text = dtrace_errmsg(worker->dtp, error);
	dtrace_complaint_ext_t complaint;
	json_t *complaints = json_array();
	json_t *message = *what ? json_sprintf("%s: %s", what, text)
				: text_json(text);

	if (error == EDT_COMPILER &&
	    !dtrace_errplace_ext(worker->dtp, &complaint))
		json_array_append_new(complaints, complaint_json(&complaint));
	say(worker,
	    json_pack("{s:s, s:o, s:s, s:o, s:o}", "event", "error", "message",
		      message ? message : text_json(text), "hint", "",
		      "excerpt",
		      text_json(error == EDT_COMPILER
					? dtrace_errexcerpt_ext(worker->dtp)
					: ""),
		      "complaints", complaints));
	return -1;
}

static void tell_message(void *arg, const char *message)
{
	say(arg, json_pack("{s:s, s:o}", "event", "message", "text",
			   text_json(message)));
}

static void end_of_process(dtrace_proc_t *proc, const char *message, void *arg)
{
	struct worker *worker = arg;

	(void)proc;
	free(worker->end_of_command);
	worker->end_of_command = strdup(message);
}

/* --------------------------------------------------------------- the spec */

/* Waits for the first line. */
static bool read_spec(struct worker *worker)
{
	while (!worker->spec) {
		struct pollfd wait = { .fd = worker->talk.fd,
				       .events = POLLIN };

		poll(&wait, 1, NO_TIME);
		if (!lines_read(&worker->talk))
			return false;
		worker->spec = lines_next(&worker->talk);
	}
	return true;
}

static const char *word(const struct worker *worker, const char *name)
{
	return json_string_value(json_object_get(worker->spec, name));
}

static int set(struct worker *worker, const char *name, const char *value)
{
	return dtrace_setopt(worker->dtp, name, value)
		       ? library_fails(worker, name)
		       : 0;
}

static int set_options(struct worker *worker)
{
	json_t *options = json_object_get(worker->spec, "options"), *value;
	json_int_t interval = json_integer_value(
		json_object_get(worker->spec, "interval_ms"));
	char number[32], wire[32];
	const char *name;

	snprintf(number, sizeof(number), "%lldms",
		 (long long)(interval > 0 ? interval : 1000));
	snprintf(wire, sizeof(wire), "/proc/self/fd/%d", WORKER_WIRE);
	if (set(worker, "quiet", NULL) || set(worker, "interval", number) ||
	    set(worker, "record", wire))
		return -1;
	if (json_is_true(json_object_get(worker->spec, "destructive")) &&
	    set(worker, "destructive", NULL))
		return -1;
	json_object_foreach(options, name, value)
		if (set(worker, name, json_string_value(value)))
			return -1;
	return 0;
}

static int take_command(struct worker *worker, const char *command)
{
	const char *missing = NULL;
	char **words = command_words(command, &missing);
	int status = 0;

	if (!words || !*words)
		return fail(worker, "the command is empty or incomplete",
			    missing ? missing : "");
	worker->proc = dtrace_proc_create(worker->dtp, words[0], words, 0);
	if (!worker->proc)
		status = library_fails(worker, words[0]);
	free(words);
	return status;
}

static int take_process(struct worker *worker)
{
	json_int_t pid = json_integer_value(
		json_object_get(worker->spec, "pid"));
	const char *command = word(worker, "command");

	dtrace_handle_proc(worker->dtp, end_of_process, worker);
	if (command)
		return take_command(worker, command);
	if (pid <= 0)
		return 0;
	worker->proc = dtrace_proc_grab_pid(worker->dtp, (pid_t)pid, 0);
	return worker->proc ? 0
			    : library_fails(worker, "cannot trace the process");
}

/* ---------------------------------------------------------------- program */

/*
 * A text from the network: the preprocessor would read any file, and show its
 * lines in messages.
 */
static bool wants_preprocessor(const char *text)
{
	for (const char *line = text; line && *line;
	     line = strchr(line, '\n'), line += line ? 1 : 0) {
		const char *at = line + strspn(line, " \t\n");
		size_t n = strcspn(at, "\n");

		if (*at == '#' && memmem(at, n, "option", 6) &&
		    memmem(at, n, "cpp", 3))
			return true;
	}
	return false;
}

static dtrace_prog_t *compile(struct worker *worker)
{
	json_t *args = json_object_get(worker->spec, "args");
	const char *text = word(worker, "program"),
		   *file = word(worker, "file");
	size_t n = json_array_size(args);
	char **argv = calloc(n + 1, sizeof(*argv));

	for (size_t i = 0; i < n; i++) {
		const char *arg = json_string_value(json_array_get(args, i));

		argv[i] = (char *)(arg ? arg : "");
	}
	dtrace_prog_t *program =
		file ? dtrace_program_pathcompile_ext(worker->dtp, file, 0,
						      (int)n, argv)
		     : dtrace_program_strcompile(worker->dtp, text ? text : "",
						 DTRACE_PROBESPEC_NAME, 0,
						 (int)n, argv);

	free(argv);
	return program;
}

static int enable(struct worker *worker)
{
	const char *text = word(worker, "program");
	bool may_destroy =
		json_is_true(json_object_get(worker->spec, "destructive"));
	dtrace_optval_t destructive = DTRACEOPT_UNSET;
	dtrace_proginfo_t info;

	if (text && wants_preprocessor(text))
		return fail(worker, "a program of the page cannot use the "
				    "preprocessor",
			    "give the file to dtlive with -s");
	dtrace_prog_t *program = compile(worker);

	if (!program || dtrace_program_complete_ext(worker->dtp, program))
		return library_fails(worker, "");
	dtrace_getopt(worker->dtp, "destructive", &destructive);
	if (destructive != DTRACEOPT_UNSET && !may_destroy)
		return fail(worker, "destructive programs are refused",
			    "start dtlive with -w to allow them");
	if (dtrace_program_exec(worker->dtp, program, &info))
		return library_fails(worker, "");
	say(worker, json_pack("{s:s, s:I}", "event", "compiled", "probes",
			      (json_int_t)info.dpi_matches));
	return 0;
}

/* ----------------------------------------------------------------- status */

static uint64_t resident_bytes(void)
{
	unsigned long long size, pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");

	if (file && fscanf(file, "%llu %llu", &size, &pages) != 2)
		pages = 0;
	if (file)
		fclose(file);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t own_time(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return ((uint64_t)use.ru_utime.tv_sec + (uint64_t)use.ru_stime.tv_sec) *
		       1000000000 +
	       ((uint64_t)use.ru_utime.tv_usec +
		(uint64_t)use.ru_stime.tv_usec) *
		       1000;
}

static void tell_status(struct worker *worker)
{
	dtrace_progress_ext_t progress = { 0 };
	dtrace_cost_ext_t cost = { 0 };

	dtrace_progress_ext(worker->dtp, &progress);
	dtrace_cost_ext(worker->dtp, &cost);
	say(worker,
	    json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "event",
		      "status", "events", (json_int_t)progress.dtpr_events,
		      "drops", (json_int_t)progress.dtpr_drops, "programs_ns",
		      (json_int_t)cost.dtct_time, "programs_runs",
		      (json_int_t)cost.dtct_runs, "kernel_bytes",
		      (json_int_t)cost.dtct_bytes, "rss_bytes",
		      (json_int_t)resident_bytes(), "cpu_ns",
		      (json_int_t)own_time()));
}

/* ------------------------------------------------------------------- work */

/* What the server wants; it goes away together with us. */
static void listen_to_server(struct worker *worker)
{
	json_t *line;

	if (!lines_read(&worker->talk))
		_exit(0);
	while ((line = lines_next(&worker->talk))) {
		const char *what =
			json_string_value(json_object_get(line, "do"));

		if (what && !strcmp(what, "stop")) {
			worker->reason = "stopped";
			dtrace_interrupt(worker->dtp);
		}
		json_decref(line);
	}
}

static int work(struct worker *worker)
{
	struct pollfd waits[] = {
		{ .fd = dtrace_fd_ext(worker->dtp), .events = POLLIN },
		{ .fd = worker->talk.fd, .events = POLLIN },
		{ .fd = worker->timer, .events = POLLIN },
	};

	for (;;) {
		uint64_t times;

		if (poll(waits, 3, NO_TIME) < 0 && errno != EINTR)
			return fail(worker, strerror(errno), "");
		if (waits[1].revents)
			listen_to_server(worker);
		if (read(worker->timer, &times, sizeof(times)) > 0)
			tell_status(worker);
		switch (dtrace_poll_ext(worker->dtp, worker->sunk, NULL, NULL,
					NULL)) {
		case DTRACE_WORKSTATUS_OKAY:
			continue;
		case DTRACE_WORKSTATUS_DONE:
			return 0;
		default:
			return library_fails(worker, "tracing ended");
		}
	}
}

static void tell_end(struct worker *worker)
{
	int status = 0;
	bool has_exited = dtrace_exit_status_ext(worker->dtp, &status);
	const char *reason = worker->reason;

	if (!reason)
		reason = has_exited		  ? "exit() was called"
			 : worker->end_of_command ? worker->end_of_command
						  : "it ended";
	say(worker, json_pack("{s:s, s:i, s:o}", "event", "ended", "status",
			      status, "reason", text_json(reason)));
}

static int start(struct worker *worker)
{
	dtrace_cost_ext_t cost;
	struct itimerspec second = { { 1, 0 }, { 1, 0 } };

	dtrace_handle_message_ext(worker->dtp, tell_message, worker);
	if (set_options(worker) || take_process(worker) || enable(worker))
		return -1;
	dtrace_cost_ext(worker->dtp, &cost);
	if (dtrace_go(worker->dtp))
		return library_fails(worker, "cannot enable probes");
	if (worker->proc)
		dtrace_proc_continue(worker->dtp, worker->proc);
	say(worker, json_pack("{s:s}", "event", "running"));
	worker->timer = timerfd_create(CLOCK_MONOTONIC,
				       TFD_NONBLOCK | TFD_CLOEXEC);
	timerfd_settime(worker->timer, 0, &second, NULL);
	return 0;
}

int worker_main(void)
{
	struct worker worker = { .sunk = fopen("/dev/null", "we") };

	/* the file that was executed has another name */
	prctl(PR_SET_NAME, "dtlive");
	signal(SIGPIPE, SIG_IGN);
	lines_open(&worker.talk, WORKER_TALK);
	if (!worker.sunk || !read_spec(&worker))
		return 1;
	worker.dtp = dtrace_open(DTRACE_VERSION, 0, NULL);
	if (!worker.dtp)
		return 1;
	int status = start(&worker);

	if (!status)
		status = work(&worker);
	if (!status) {
		tell_status(&worker);
		dtrace_stop(worker.dtp);
		tell_end(&worker);
	}
	dtrace_close(worker.dtp);
	fclose(worker.sunk);
	free(worker.end_of_command);
	json_decref(worker.spec);
	lines_close(&worker.talk);
	return status ? 1 : 0;
}
