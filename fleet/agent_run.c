/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One instrumentation on this host: a worker, and its facts on their way out.
 *
 * The worker is this program again ("worker"), with a pipe for facts and a socket
 * for JSON lines, as the live page has it.  What comes through the pipe is a
 * recording; it is replayed into the publisher (fleet/publish.h), and each
 * snapshot leaves the host at once.
 *
 * 1. A worker never outlives the agent (PDEATHSIG), nor its lease.
 * 2. What a worker costs is bounded by the policy; one that costs more is
 *    stopped, and the head is told why.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/clock.h"
#include "fleet/agent.h"
#include "live/worker.h"

static const uint64_t SECOND = 1000000000;
enum { PIECE = 1 << 16, PATIENCE = 5, COSTLY = 3 };

/* ------------------------------------------------------------ the worker */

/* In the child: nothing here may take a lock that libnats's threads hold. */
static void become_worker(int wire, int talk)
{
	int high_wire = fcntl(wire, F_DUPFD, 10);
	int high_talk = fcntl(talk, F_DUPFD, 10);
	char *const argv[] = { "dtlive", "worker", NULL };
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(high_wire, WORKER_WIRE);
	dup2(high_talk, WORKER_TALK);
	close(high_wire);
	close(high_talk);
	execv("/proc/self/exe", argv);
	_exit(127);
}

static bool start_worker(struct agent_run *run)
{
	int wire[2], talk[2];

	if (pipe2(wire, O_CLOEXEC))
		return false;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, talk)) {
		close(wire[0]);
		close(wire[1]);
		return false;
	}
	fcntl(wire[0], F_SETFL, O_NONBLOCK);
	fcntl(wire[0], F_SETPIPE_SZ, 1 << 20);
	run->pid = fork();
	if (!run->pid)
		become_worker(wire[1], talk[1]);
	close(wire[1]);
	close(talk[1]);
	run->wire = wire[0];
	lines_open(&run->talk, talk[0]);
	run->is_talking = true;
	return run->pid > 0;
}

/* ------------------------------------------------------------- the facts */

static void send_message(void *context, const void *bytes, size_t n)
{
	struct agent_run *run = context;
	char subject[512];

	snprintf(subject, sizeof(subject), "dt.1.agg.%s.%s", run->id,
		 run->agent->host);
	bus_keep(run->agent->bus, subject, bytes, n);
	if (run->total)
		merge_add(run->total, run->agent->host, bytes, n, 0);
}

static struct sink *open_sink(void *context, const struct resolver *resolver,
			      uint32_t target)
{
	struct agent_run *run = context;

	(void)target;
	return publisher_sink(run->publisher, resolver);
}

static void flush(struct agent_run *run, uint64_t through)
{
	run->status[STATUS_KEYS_LOST] = publisher_keys_lost(run->publisher);
	run->status[STATUS_LINES_LOST] = publisher_lines_lost(run->publisher);
	publisher_status(run->publisher, run->status);
	if (through > run->through)
		run->through = through;
	publisher_flush(run->publisher, run->through, 1);
	run->flushed = clock_monotonic();
}

static void read_wire(struct agent_run *run)
{
	char bytes[PIECE];

	while (run->wire >= 0) {
		ssize_t n = read(run->wire, bytes, sizeof(bytes));

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		enum recording_end end = n > 0 ? replay_feed(run->replay, bytes,
							     (size_t)n)
					       : RECORDING_WHOLE;

		if (end == RECORDING_BAD)
			publisher_tell(run->publisher, PART_FAULT, 1,
				       "the worker's facts cannot be read");
		if (n > 0 && (end == RECORDING_CUT || end == RECORDING_WHOLE))
			continue;
		close(run->wire);
		run->wire = -1;
	}
}

/* --------------------------------------------------------- what it says */

static uint64_t number(json_t *line, const char *name)
{
	return (uint64_t)json_integer_value(json_object_get(line, name));
}

/* A worker that costs too much for some seconds is stopped. */
static void watch_cost(struct agent_run *run)
{
	const struct policy *policy = &run->agent->policy;
	uint64_t now = clock_monotonic();
	uint64_t cost = run->status[STATUS_PROGRAMS_NS] +
			run->status[STATUS_CPU_NS];
	uint64_t memory = run->status[STATUS_KERNEL_BYTES] +
			  run->status[STATUS_RSS_BYTES];
	char reason[128];

	if (run->cost_at) {
		double share = (double)(cost - run->cost) /
			       (double)(now - run->cost_at + 1);

		run->too_costly = share > policy->cpu ? run->too_costly + 1 : 0;
	}
	run->cost = cost;
	run->cost_at = now;
	*reason = '\0';
	if (run->too_costly >= COSTLY)
		snprintf(
			reason, sizeof(reason),
			"it takes more than %.0f %% of a CPU, the limit of this host",
			policy->cpu * 100);
	if (memory > policy->memory)
		snprintf(reason, sizeof(reason),
			 "it takes more than %llu MB, the limit of this host",
			 (unsigned long long)(policy->memory >> 20));
	if (!*reason || run->is_stopping)
		return;
	agent_audit(run->agent, "stopped %s of %s: %s", run->id, run->user,
		    reason);
	publisher_tell(run->publisher, PART_FAULT, 1, reason);
	agent_run_stop(run, reason);
}

/* Heads hear what the worker says, but for numbers, which messages have. */
static void forward(struct agent_run *run, json_t *line)
{
	char subject[512];

	snprintf(subject, sizeof(subject), "dt.1.hb.%s.%s", run->id,
		 run->agent->host);
	json_object_set_new(line, "host", json_string(run->agent->host));
	bus_say_json(run->agent->bus, subject, NULL, json_incref(line));
}

static void take_line(struct agent_run *run, json_t *line)
{
	const char *event = json_string_value(json_object_get(line, "event"));

	if (!event)
		return;
	if (!strcmp(event, "status")) {
		for (int i = 0; i < STATUS_KEYS_LOST; i++)
			run->status[i] = number(line, message_status_names[i]);
		watch_cost(run);
		return;
	}
	if (!strcmp(event, "error")) {
		const char *message =
			json_string_value(json_object_get(line, "message"));

		free(run->reason);
		run->reason = must_strdup(message ? message : "");
		agent_audit(run->agent, "%s of %s failed: %s", run->id,
			    run->user, run->reason);
	}
	if (!strcmp(event, "ended")) {
		const char *reason =
			json_string_value(json_object_get(line, "reason"));

		run->exit_status = (int)number(line, "status");
		run->has_exit_status = true;
		if (!run->reason)
			run->reason = must_strdup(reason ? reason : "");
	}
	forward(run, line);
}

static void read_talk(struct agent_run *run)
{
	json_t *line;

	if (!run->is_talking)
		return;
	bool is_there = lines_read(&run->talk);

	while ((line = lines_next(&run->talk))) {
		take_line(run, line);
		json_decref(line);
	}
	lines_flush(&run->talk);
	run->is_talking = is_there;
}

/* ---------------------------------------------------------------- public */

/* What the worker is told: nothing but what it knows. */
static json_t *spec_of(const struct agent_run *run)
{
	static const char *const words[] = { "program",	    "args",
					     "options",	    "pid",
					     "destructive", "interval_ms" };
	json_t *spec = json_object();

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		json_object_set(spec, words[i],
				json_object_get(run->spec, words[i]));
	return spec;
}

struct agent_run *agent_run_start(struct agent *agent, const char *id,
				  const char *user, json_t *spec,
				  const char **problem)
{
	struct agent_run *run = must_alloc(sizeof(*run));

	run->agent = agent;
	run->id = must_strdup(id);
	run->user = must_strdup(user);
	run->spec = json_incref(spec);
	run->wire = -1;
	run->lease = clock_monotonic() + AGENT_LEASE * SECOND;
	run->flushed = clock_monotonic();
	options_init(&run->options);
	run->publisher = publisher_new(&(struct publish_setup){
		.host = agent->host,
		.instrumentation = id,
		.run = clock_wall(),
		.most_keys = (uint32_t)agent->policy.keys,
		.most_lines = (uint32_t)agent->policy.lines,
		.send = send_message,
		.context = run,
	});
	if (agent->prometheus)
		run->total = merge_new(&(struct merge_setup){
			.instrumentation = run->id,
			.is_total = true,
			.most_host_rows = UINT32_MAX,
			.most_rows = 1000,
			.most_hosts = 1,
			.most_bytes = 8 << 20,
		});
	run->recording = (struct recording){
		.aggregate = agg_find,
		.options = &run->options,
		.open = open_sink,
		.context = run,
	};
	run->replay = replay_new(&run->recording);
	if (start_worker(run) &&
	    lines_send(&run->talk, spec_of(run), NULL, 0) &&
	    lines_flush(&run->talk))
		return run;
	*problem = strerror(errno);
	agent_run_free(run);
	return NULL;
}

bool agent_run_work(struct agent_run *run)
{
	read_talk(run);
	read_wire(run);
	uint64_t through = publisher_through(run->publisher);

	if (through > run->through)
		flush(run, through);
	if (run->is_talking || run->wire >= 0)
		return true;
	if (!run->is_ended) {
		publisher_end(run->publisher, run->has_exit_status,
			      run->exit_status,
			      run->reason ? run->reason
					  : "the worker was killed");
		flush(run, clock_wall());
		run->is_ended = true;
	}
	return false;
}

/*
 * Lines do not wait for a snapshot; and a host that counted nothing reports that,
 * too, when the snapshot that did not come would have been here.
 */
void agent_run_tick(struct agent_run *run)
{
	uint64_t now = clock_monotonic();
	bool has_lines = publisher_has_news(run->publisher) &&
			 now - run->flushed > SECOND / 4;

	if (has_lines)
		flush(run, run->through);
	else if (now - run->flushed > SECOND + SECOND / 5)
		flush(run, clock_wall() - SECOND * 7 / 10);
	if (now > run->lease && !run->is_stopping) {
		agent_audit(run->agent, "stopped %s of %s: its head is gone",
			    run->id, run->user);
		agent_run_stop(run, "its head is gone");
	}
	if (run->is_stopping && now > run->stop_at && run->pid > 0)
		kill(run->pid, SIGKILL);
}

void agent_run_stop(struct agent_run *run, const char *reason)
{
	if (run->is_stopping)
		return;
	run->is_stopping = true;
	run->stop_at = clock_monotonic() + PATIENCE * SECOND;
	if (!run->reason)
		run->reason = must_strdup(reason);
	if (run->is_talking)
		lines_send(&run->talk, json_pack("{s:s}", "do", "stop"), NULL,
			   0);
	lines_flush(&run->talk);
}

void agent_run_free(struct agent_run *run)
{
	if (run->pid > 0) {
		kill(run->pid, SIGKILL);
		waitpid(run->pid, NULL, 0);
	}
	replay_free(run->replay);
	publisher_free(run->publisher);
	if (run->total)
		merge_free(run->total);
	options_free(&run->options);
	if (run->wire >= 0)
		close(run->wire);
	lines_close(&run->talk);
	json_decref(run->spec);
	free(run->id);
	free(run->user);
	free(run->reason);
	free(run);
}
