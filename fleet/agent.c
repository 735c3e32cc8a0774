/* SPDX-License-Identifier: Apache-2.0 */
/* dtlive agent: requests, announcements, the loop; see fleet/agent.h. */
#include "fleet/agent.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include <dtrace.h>

#include "base/arena.h"
#include "base/clock.h"
#include "fleet/command.h"
#include "fleet/labels.h"
#include "fleet/prometheus.h"
#include "live/spec.h"

static const uint64_t SECOND = 1000000000;
enum { ANNOUNCE = 4, MOST_RUNS = 256, TICK = 100 };
enum tags { TAG_REQUEST = BUS_OWN };

static volatile sig_atomic_t is_asked_to_end;

void agent_audit(const struct agent *agent, const char *format, ...)
{
	va_list args;
	char text[2048];

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* one line for each, whatever a request has in it */
	for (char *at = text; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 127)
			*at = ' ';
	if (agent->has_syslog)
		syslog(LOG_NOTICE, "%s", text);
	fprintf(stderr, "dtlive agent: %s\n", text);
}

/* ---------------------------------------------------------------- answers */

static json_t *answer(const struct agent *agent)
{
	return json_pack("{s:s, s:I, s:I}", "host", agent->host, "now",
			 (json_int_t)clock_wall(), "born",
			 (json_int_t)agent->born);
}

static json_t *refuse(struct agent *agent, const char *code,
		      const char *message)
{
	json_t *reply = answer(agent);

	agent->refused++;
	json_object_set_new(reply, "error",
			    json_pack("{s:s, s:s}", "code", code, "message",
				      message));
	return reply;
}

static struct agent_run *run_of(const struct agent *agent, const char *id)
{
	struct agent_run *run = agent->runs;

	while (run && strcmp(run->id, id) != 0)
		run = run->next;
	return run;
}

/* -------------------------------------------------------------- requests */

static const char *word(json_t *request, const char *name)
{
	return json_string_value(json_object_get(request, name));
}

/* For the audit: the program in one line, cut. */
static char *in_short(const char *program)
{
	char *copy = strndup(program, 200);

	for (char *at = copy; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 127)
			*at = ' ';
	return copy;
}

/*
 * A metric becomes D here, from this host's own files: whoever may enable metrics
 * only cannot bring a program of his own under the name of one.
 */
static json_t *metric_spec(struct agent *agent, json_t *request,
			   const char *name, char **problem)
{
	const struct metric *metric =
		agent->metrics ? metrics_find(agent->metrics, name) : NULL;
	struct metric_answer answer = { 0 };

	if (!metric) {
		if (asprintf(problem, "this host has no metric %.64s", name) <
		    0)
			*problem = NULL;
		return NULL;
	}
	char *program = metric_program(metric,
				       json_object_get(request, "request"),
				       &answer);
	json_t *spec = program ? json_copy(request) : NULL;

	if (spec)
		json_object_set_new(spec, "program", json_string(program));
	else
		*problem = must_strdup(answer.message ? answer.message
						      : "the metric is wrong");
	metric_answer_free(&answer);
	free(program);
	return spec;
}

static json_t *spec_of(struct agent *agent, json_t *request, char **problem)
{
	const char *metric = word(request, "metric");

	if (metric)
		return metric_spec(agent, request, metric, problem);
	if (word(request, "program"))
		return json_incref(request);
	*problem = must_strdup("the request has neither program nor metric");
	return NULL;
}

/* Files, libraries and the preprocessor of a host are not for heads. */
static char *wrong_option(json_t *request)
{
	json_t *value;
	const char *name;
	char *problem = NULL;

	json_object_foreach(json_object_get(request, "options"), name, value)
		if (!spec_allows(name) || (value && !json_is_string(value) &&
					   !json_is_null(value)))
			break;
	if (name && asprintf(&problem,
			     "a host does not take the option %.40s from others",
			     name) < 0)
		problem = NULL;
	return problem;
}

static json_t *enable(struct agent *agent, const char *user, json_t *request)
{
	const char *id = word(request, "id"), *metric = word(request, "metric");
	const char *problem = NULL;
	struct agent_run *run = id ? run_of(agent, id) : NULL;

	if (!id || !bus_is_word(id))
		return refuse(agent, "bad_request", "the request has no id");
	if (run) {
		run->lease = clock_monotonic() + AGENT_LEASE * SECOND;
		return answer(agent);
	}
	problem = policy_refuses(&agent->policy, user, metric,
				 json_is_true(json_object_get(request,
							      "destructive")));
	if (!problem && agent->nruns >= agent->policy.instrumentations)
		problem =
			"this host runs as many instrumentations as its policy allows";
	char *wrong = problem ? NULL : wrong_option(request);
	json_t *spec = problem || wrong ? NULL
					: spec_of(agent, request, &wrong);

	if (wrong)
		problem = wrong;
	if (!problem)
		run = agent_run_start(agent, id, user, spec, &problem);
	json_decref(spec);
	char *program = in_short(word(request, "program")
					 ? word(request, "program")
					 : "");

	if (problem)
		agent_audit(agent, "refused %s to %s: %s: %s", id, user,
			    problem, metric ? metric : program);
	else
		agent_audit(agent, "enabled %s for %s: %s", id, user,
			    metric ? metric : program);
	free(program);
	json_t *refused = problem ? refuse(agent, "refused", problem) : NULL;

	free(wrong);
	if (refused)
		return refused;
	run->next = agent->runs;
	agent->runs = run;
	agent->nruns++;
	return answer(agent);
}

static json_t *renew(struct agent *agent, const char *user, json_t *request)
{
	const char *id = word(request, "id");
	struct agent_run *run = id ? run_of(agent, id) : NULL;
	json_t *reply = answer(agent);

	(void)user;
	if (run)
		run->lease = clock_monotonic() + AGENT_LEASE * SECOND;
	json_object_set_new(reply, "running", json_boolean(run != NULL));
	return reply;
}

/* Who may not enable it may not stop it, either. */
static json_t *stop(struct agent *agent, const char *user, json_t *request)
{
	const char *id = word(request, "id");
	struct agent_run *run = id ? run_of(agent, id) : NULL;

	if (run && strcmp(run->user, user) != 0)
		return refuse(agent, "refused", "another user has enabled it");
	if (run) {
		agent_audit(agent, "stopped %s of %s: it was asked for", id,
			    user);
		agent_run_stop(run, "stopped");
	}
	return answer(agent);
}

static json_t *define(struct agent *agent, const char *user, json_t *request)
{
	const char *id = word(request, "id");
	struct agent_run *run = id ? run_of(agent, id) : NULL;

	(void)user;
	if (run)
		publisher_repeat_stacks(run->publisher);
	return answer(agent);
}

static json_t *list(struct agent *agent, const char *user, json_t *request)
{
	json_t *reply = answer(agent), *runs = json_array();

	(void)user;
	(void)request;
	for (struct agent_run *run = agent->runs; run; run = run->next)
		json_array_append_new(
			runs,
			json_pack("{s:s, s:s, s:s?, s:I}", "id", run->id,
				  "user", run->user, "metric",
				  word(run->spec, "metric"), "events",
				  (json_int_t)run->status[STATUS_EVENTS]));
	json_object_set_new(reply, "instrumentations", runs);
	return reply;
}

static const struct request {
	const char *name;
	json_t *(*carry_out)(struct agent *agent, const char *user,
			     json_t *request);
} requests[] = {
	{ "enable", enable }, { "renew", renew }, { "stop", stop },
	{ "define", define }, { "list", list },
};

static json_t *carry_out(struct agent *agent, const char *user, json_t *request)
{
	const char *what = word(request, "do");

	for (size_t i = 0; what && i < sizeof(requests) / sizeof(*requests);
	     i++)
		if (!strcmp(what, requests[i].name))
			return requests[i].carry_out(agent, user, request);
	return refuse(agent, "bad_request", "there is no such request");
}

/*
 * A head listens where it hears workers, too: nobody else can publish there.
 * Whoever has given a subject of his own gets the answer at that.
 */
static void answer_head(struct agent *agent, json_t *request,
			const char *subject, json_t *reply)
{
	const char *id = word(request, "id");
	char place[512];

	if (!subject && id && bus_is_word(id) &&
	    json_is_true(json_object_get(request, "answer"))) {
		snprintf(place, sizeof(place), "dt.1.hb.%s.%s", id,
			 agent->host);
		subject = place;
	}
	if (!reply || !subject) {
		json_decref(reply);
		return;
	}
	json_object_set_new(reply, "event", json_string("answer"));
	bus_say_json(agent->bus, subject, NULL, reply);
}

/* dt.1.ctl.USER.HOST; to all: only those that are meant answer. */
static void take_request(struct agent *agent, struct bus_message *message)
{
	enum { MOST = 1 << 20 };
	json_t *request = message->n < MOST ? json_loadb(message->data,
							 message->n, 0, NULL)
					    : NULL;
	char *user = bus_word_of(message->subject, 3);
	json_t *reply = NULL;

	if (!json_is_object(request))
		reply = refuse(agent, "bad_request",
			       "a request is a JSON object of at most 1 MB");
	else if (labels_match(word(request, "hosts"), agent->labels))
		reply = carry_out(agent, user, request);
	answer_head(agent, request, message->reply, reply);
	json_decref(request);
	free(user);
}

/* -------------------------------------------------------------- the loop */

static void announce(struct agent *agent)
{
	struct utsname system;
	json_t *runs = json_array();

	uname(&system);
	for (struct agent_run *run = agent->runs; run; run = run->next)
		json_array_append_new(runs, json_string(run->id));
	json_t *hello = answer(agent);

	json_object_set(hello, "labels", agent->labels);
	json_object_set_new(hello, "kernel", json_string(system.release));
	json_object_set_new(hello, "machine", json_string(system.machine));
	json_object_set_new(hello, "version",
			    json_string(dtrace_package_version_ext));
	json_object_set_new(hello, "instrumentations", runs);
	char *text = json_dumps(hello, JSON_COMPACT);

	bus_put(agent->bus, BUS_HOSTS, agent->host, text, strlen(text));
	free(text);
	json_decref(hello);
	agent->announced = clock_monotonic();
}

static void take_messages(struct agent *agent)
{
	struct bus_message *message;

	while ((message = bus_take(agent->bus))) {
		if (message->tag == TAG_REQUEST)
			take_request(agent, message);
		else if (message->tag == BUS_LOST)
			agent_audit(agent,
				    "the server is gone; waiting for it");
		else if (message->tag == BUS_BACK)
			agent_audit(agent, "connected again");
		else
			agent_audit(agent, "NATS: %s", message->data);
		bus_message_free(message);
	}
}

static void work_on_runs(struct agent *agent)
{
	for (struct agent_run **at = &agent->runs; *at;) {
		struct agent_run *run = *at;

		if (agent_run_work(run)) {
			agent_run_tick(run);
			at = &run->next;
			continue;
		}
		*at = run->next;
		agent->nruns--;
		agent_audit(agent, "ended %s of %s: %s", run->id, run->user,
			    run->reason ? run->reason : "");
		agent_run_free(run);
	}
}

static void wait_for_something(struct agent *agent)
{
	struct pollfd waits[2 * MOST_RUNS + 2];
	nfds_t n = 0;

	waits[n++] = (struct pollfd){ .fd = bus_fd(agent->bus),
				      .events = POLLIN };
	if (agent->prometheus)
		waits[n++] = (struct pollfd){
			.fd = prometheus_fd(agent->prometheus),
			.events = POLLIN,
		};
	for (struct agent_run *run = agent->runs; run && n < 2 * MOST_RUNS;
	     run = run->next) {
		waits[n++] = (struct pollfd){ .fd = run->wire,
					      .events = POLLIN };
		waits[n++] = (struct pollfd){
			.fd = run->is_talking ? run->talk.fd : -1,
			.events = POLLIN,
		};
	}
	poll(waits, n, TICK);
}

static void put_totals(void *context, struct prometheus_page *page)
{
	struct agent *agent = context;
	struct bus_counts counts;

	bus_count(agent->bus, &counts);
	prometheus_number(page, "dtrace_agent_instrumentations", "gauge",
			  "programs that run", "", agent->nruns);
	prometheus_number(page, "dtrace_agent_refused_total", "counter",
			  "requests that were refused", "", agent->refused);
	prometheus_number(page, "dtrace_agent_messages_total", "counter",
			  "messages to heads", "", counts.kept);
	prometheus_number(page, "dtrace_agent_messages_lost_total", "counter",
			  "messages that no server took", "", counts.given_up);
	for (struct agent_run *run = agent->runs; run; run = run->next)
		prometheus_run(page, run->id, run->total, run->status);
}

static void end(int signal)
{
	(void)signal;
	is_asked_to_end = 1;
}

static int serve(struct agent *agent)
{
	char subject[512];
	struct sigaction action = { .sa_handler = end };

	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	snprintf(subject, sizeof(subject), "dt.1.ctl.*.%s", agent->host);
	bus_listen(agent->bus, subject, TAG_REQUEST);
	bus_listen(agent->bus, "dt.1.ctl.*.all", TAG_REQUEST);
	agent_audit(agent, "host %s is ready", agent->host);
	while (!is_asked_to_end) {
		if (!agent->announced ||
		    clock_monotonic() - agent->announced > ANNOUNCE * SECOND)
			announce(agent);
		wait_for_something(agent);
		take_messages(agent);
		work_on_runs(agent);
		if (agent->prometheus)
			prometheus_work(agent->prometheus);
		bus_tick(agent->bus);
	}
	/* heads get what was counted until now */
	uint64_t until = clock_monotonic() + 3 * SECOND;

	for (struct agent_run *run = agent->runs; run; run = run->next)
		agent_run_stop(run, "the agent ends");
	while (agent->runs && clock_monotonic() < until) {
		wait_for_something(agent);
		work_on_runs(agent);
	}
	bus_remove(agent->bus, BUS_HOSTS, agent->host);
	return 0;
}

/* --------------------------------------------------------------- options */

struct agent_options {
	struct bus_options bus;
	const char *labels, *policy, *host, *prometheus;
	bool has_syslog;
};

static const struct command_option options[] = {
	COMMAND_NATS(struct agent_options, bus),
	COMMAND(struct agent_options, labels, LIST, "label", "NAME=VALUE,...",
		"what this host is: role=db,site=ulm"),
	COMMAND(struct agent_options, policy, TEXT, "policy", "FILE",
		"who may enable what here"),
	COMMAND(struct agent_options, host, TEXT, "host", "NAME",
		"instead of the host's own name"),
	COMMAND(struct agent_options, prometheus, TEXT, "prometheus",
		"ADDRESS:PORT", "serve totals there, at /metrics"),
	COMMAND(struct agent_options, has_syslog, FLAG, "syslog", NULL,
		"write the audit to syslog, too"),
	{ 0 },
};

static int fail(const char *text)
{
	fprintf(stderr, "dtlive agent: %s\n", text);
	return 1;
}

/* What can be wrong before there is a connection. */
static int set_up(struct agent *agent, const struct agent_options *given)
{
	char name[256] = "host", *wrong = NULL;
	const char *problem = NULL;
	struct utsname system;

	uname(&system);
	gethostname(name, sizeof(name) - 1);
	agent->host = bus_word(given->host ? given->host : name);
	if (!strcmp(agent->host, "all"))
		return fail("a host cannot be called \"all\" (see --host)");
	agent->labels = labels_read(given->labels ? given->labels : "",
				    &problem);
	if (!agent->labels)
		return fail(problem);
	json_object_set_new(agent->labels, "host", json_string(agent->host));
	json_object_set_new(agent->labels, "kernel",
			    json_string(system.release));
	char *directory = metrics_directory();

	agent->metrics = metrics_read(directory, &wrong);
	free(directory);
	free(wrong);
	wrong = NULL;
	policy_init(&agent->policy);
	if (given->policy)
		wrong = policy_read(&agent->policy, given->policy);
	if (wrong) {
		fail(wrong);
		free(wrong);
		return 1;
	}
	if (agent->policy.instrumentations > MOST_RUNS)
		agent->policy.instrumentations = MOST_RUNS;
	return 0;
}

int agent_main(int argc, char **argv)
{
	struct agent_options given = { 0 };
	struct agent agent = { .born = clock_wall() };
	char problem[BUS_PROBLEM];
	int status = command_read("agent", options, &given, argc, argv, NULL);

	if (status)
		return status < 0 ? 0 : status;
	if (!given.bus.url)
		return fail("which NATS server? (--nats nats://HOST:4222)");
	if (!given.bus.password)
		given.bus.password = getenv("DTLIVE_PASSWORD");
	status = set_up(&agent, &given);
	if (status)
		return status;
	agent.has_syslog = given.has_syslog;
	if (given.has_syslog)
		openlog("dtlive", LOG_PID, LOG_AUTHPRIV);
	signal(SIGPIPE, SIG_IGN);
	given.bus.name = agent.host;
	agent.bus = bus_connect(&given.bus, problem);
	if (!agent.bus)
		return fail(problem);
	/* a head may do that later, with more rights */
	if (!bus_prepare(agent.bus, problem))
		fail(problem);
	if (given.prometheus) {
		agent.prometheus = prometheus_open(given.prometheus, put_totals,
						   &agent, problem);
		if (!agent.prometheus)
			return fail(problem);
	}
	status = serve(&agent);
	while (agent.runs) {
		struct agent_run *run = agent.runs;

		agent.runs = run->next;
		agent_run_free(run);
	}
	prometheus_close(agent.prometheus);
	bus_close(agent.bus);
	policy_free(&agent.policy);
	if (agent.metrics)
		metrics_free(agent.metrics);
	json_decref(agent.labels);
	free(agent.host);
	return status;
}
