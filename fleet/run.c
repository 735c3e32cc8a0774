/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtlive run: one D program on many hosts, from a terminal.
 *
 * What programs print appears at once, each line behind the name of its host.
 * Aggregations of all hosts are merged and printed at the end, as dtrace(8)
 * prints them; -x aggby=host keeps hosts apart.  Errors and drops are told by
 * host on standard error.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/visible.h"
#include "fleet/command.h"
#include "fleet/fleet.h"
#include "fleet/prometheus.h"
#include "live/spec.h"
#include "fleet/head.h"
#include "sink/output.h"
#include "sink/sink.h"

static const uint64_t SECOND = 1000000000;
enum { TICK = 100, PATIENCE = 4, NO_HOSTS = 3 };

struct run {
	struct bus_options bus;
	const char *hosts, *program, *script, *settings, *id;
	const char *metric, *by;
	int seconds;
	bool is_quiet, is_verbose, is_destructive;
	struct fleet *fleet;
	struct options options;
	struct output output;
	struct sink *sink;
	const char *address; /* for Prometheus */
	struct prometheus *prometheus;
	bool has_problem;
};

static volatile sig_atomic_t is_interrupted;

static int fail(const char *text)
{
	fprintf(stderr, "dtlive run: %s\n", text);
	return 1;
}

/* --------------------------------------------------------------- the spec */

static char *read_script(const char *file)
{
	FILE *stream = strcmp(file, "-") ? fopen(file, "re") : stdin;
	struct text text = { 0 };
	char bytes[4096];
	size_t n;

	if (!stream)
		return NULL;
	while ((n = fread(bytes, 1, sizeof(bytes), stream)))
		text_add(&text, bytes, n);
	if (stream != stdin)
		fclose(stream);
	/* lines keep their numbers */
	if (text.n > 2 && !strncmp(text.p, "#!", 2))
		memset(text.p, ' ', strcspn(text.p, "\n"));
	return text.p ? text.p : must_strdup("");
}

/* Options that are about what we print. */
static bool is_for_printing(const char *name)
{
	static const char *const names[] = { "agghist",	   "aggpack",
					     "aggsortkey", "aggsortkeypos",
					     "aggsortpos", "aggsortrev",
					     "aggzoom",	   "quiet" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* -x name=value: for us, for how we print, and for the hosts. */
static const char *take_settings(struct run *run, json_t *spec)
{
	json_t *options = json_object(), *by = json_array();
	char *copy = must_strdup(run->settings ? run->settings : "");
	char *state = NULL;
	const char *problem = NULL;

	for (char *word = strtok_r(copy, ",", &state); word;
	     word = strtok_r(NULL, ",", &state)) {
		char *value = strchr(word, '=');

		if (value)
			*value++ = '\0';
		if (!strcmp(word, "aggby")) {
			char *inner = NULL;

			for (char *at = value ? strtok_r(value, "+", &inner)
					      : NULL;
			     at; at = strtok_r(NULL, "+", &inner))
				json_array_append_new(by, json_string(at));
			continue;
		}
		if (option_find(word) == OPTION_COUNT)
			problem = "there is no such option (see dtrace -x)";
		else if (!spec_allows(word) && !is_for_printing(word))
			problem = "hosts do not take this option from others";
		else
			option_set(&run->options, word, value, ORIGIN_COMMAND);
		if (spec_allows(word))
			json_object_set_new(options, word,
					    value ? json_string(value)
						  : json_null());
	}
	free(copy);
	json_object_set_new(spec, "options", options);
	json_object_set_new(spec, "aggby", by);
	return problem;
}

static void put_metric(const struct run *run, json_t *spec)
{
	json_t *request = json_object(), *by = json_array();
	char *copy = must_strdup(run->by ? run->by : ""), *state = NULL;

	for (char *at = strtok_r(copy, ",", &state); at;
	     at = strtok_r(NULL, ",", &state))
		json_array_append_new(by, json_string(at));
	if (run->by)
		json_object_set(request, "by", by);
	json_decref(by);
	json_object_set_new(spec, "metric", json_string(run->metric));
	json_object_set_new(spec, "request", request);
	free(copy);
}

static json_t *spec_of(struct run *run, const char **problem)
{
	json_t *nats = json_object(), *spec = json_object();
	const struct {
		const char *name, *value;
	} words[] = {
		{ "url", run->bus.url },   { "creds", run->bus.creds },
		{ "user", run->bus.user }, { "password", run->bus.password },
		{ "ca", run->bus.ca },	   { "cert", run->bus.cert },
		{ "key", run->bus.key },   { "as", run->bus.as },
	};
	char *program = NULL;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (words[i].value)
			json_object_set_new(nats, words[i].name,
					    json_string(words[i].value));
	json_object_set_new(nats, "replicas", json_integer(run->bus.replicas));
	json_object_set_new(spec, "nats", nats);
	json_object_set_new(spec, "interval_ms", json_integer(1000));
	json_object_set_new(spec, "destructive",
			    json_boolean(run->is_destructive));
	*problem = take_settings(run, spec);
	if (run->hosts)
		json_object_set_new(spec, "hosts", json_string(run->hosts));
	if (run->id)
		json_object_set_new(spec, "id", json_string(run->id));
	if (run->script) {
		program = read_script(run->script);
		if (!program)
			*problem = strerror(errno);
	} else if (run->program) {
		program = must_strdup(run->program);
	} else if (run->metric) {
		put_metric(run, spec);
	} else if (!run->id) {
		*problem =
			"what shall the hosts run? (-n PROGRAM, -s FILE or --metric NAME)";
	}
	if (program)
		json_object_set_new(spec, "program", json_string(program));
	free(program);
	return spec;
}

/* ----------------------------------------------------------- what is said */

/* Each line with its host in front. */
static void take_line(void *context, struct fleet_host *host,
		      const struct message_line *line)
{
	struct run *run = context;
	const char *at = line->text.p, *end = at + line->text.n;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((newline ? newline : end) - at);

		output_write(&run->output, host->name, strlen(host->name));
		output_write(&run->output, ": ", 2);
		output_write(&run->output, at, n);
		output_write(&run->output, "\n", 1);
		at += n + 1;
	}
}

static void take_word(void *context, struct fleet_host *host, const char *kind,
		      const char *text)
{
	struct run *run = context;

	if (!strcmp(kind, "message") && run->is_quiet)
		return;
	run->has_problem |= !strcmp(kind, "error");
	/* words of other hosts, on our terminal */
	struct text visible = { 0 };

	text_add_visible(&visible, text, strlen(text), VISIBLE_LINES);
	fprintf(stderr, "dtlive run: %s%s%s\n", host ? host->name : "",
		host ? ": " : "", text_str(&visible));
	text_free(&visible);
}

/* At the end: who took part, who did not, whose clock is wrong. */
static void sum_up(struct run *run)
{
	struct fleet_counts counts;
	uint32_t nreported = 0;

	fleet_count(run->fleet, &counts);
	for (uint32_t i = 0; i < fleet_hosts(run->fleet); i++) {
		struct fleet_host *host = fleet_host(run->fleet, i);

		nreported += host->source != NULL;
		if (host->drops)
			fprintf(stderr, "dtlive run: %s: %llu drops\n",
				host->name, (unsigned long long)host->drops);
		if (host->is_wanted && !host->source &&
		    host->state != HOST_FAILED)
			fprintf(stderr, "dtlive run: %s: it did not report\n",
				host->name);
		if (host->has_clock && llabs(host->clock) > (int64_t)SECOND / 2)
			fprintf(stderr,
				"dtlive run: %s: its clock is %.1f s %s ours\n",
				host->name, (double)llabs(host->clock) / 1e9,
				host->clock > 0 ? "ahead of" : "behind");
	}
	if (merge_rows_lost(fleet_merge(run->fleet)))
		fprintf(stderr,
			"dtlive run: %llu keys were too many and are missing\n",
			(unsigned long long)
				merge_rows_lost(fleet_merge(run->fleet)));
	if (run->is_verbose)
		fprintf(stderr,
			"dtlive run: %u hosts reported, %u failed; %llu messages came twice, %llu were malformed, %llu foreign\n",
			nreported, counts.failed,
			(unsigned long long)counts.repeated,
			(unsigned long long)counts.bad,
			(unsigned long long)counts.foreign);
}

/* -------------------------------------------------------------- the loop */

static void interrupt(int signal)
{
	(void)signal;
	is_interrupted++;
}

/* False: there is nobody to run it. */
static bool follow(struct run *run)
{
	uint64_t start = clock_monotonic(), stopped = 0;
	struct pollfd waits[] = {
		{ .fd = fleet_fd(run->fleet), .events = POLLIN },
		{ .fd = run->prometheus ? prometheus_fd(run->prometheus) : -1,
		  .events = POLLIN },
	};

	for (;;) {
		struct fleet_counts counts;

		poll(waits, 2, TICK);
		fleet_work(run->fleet);
		if (run->prometheus)
			prometheus_work(run->prometheus);
		output_flush(&run->output);
		uint64_t now = clock_monotonic();

		fleet_count(run->fleet, &counts);
		if (!counts.wanted && now - start > NO_HOSTS * SECOND) {
			fleet_stop(run->fleet);
			return false;
		}
		bool is_due = is_interrupted ||
			      (run->seconds &&
			       now - start > (uint64_t)run->seconds * SECOND);

		if (is_due && !stopped) {
			stopped = now;
			fleet_stop(run->fleet);
		}
		/* the second ^C does not wait */
		if (fleet_is_over(run->fleet) || is_interrupted > 1 ||
		    (stopped && now - stopped > PATIENCE * SECOND))
			return true;
		usleep(10000);
	}
}

static int status_of(const struct run *run)
{
	int status = run->has_problem;

	for (uint32_t i = 0; i < fleet_hosts(run->fleet); i++) {
		const struct fleet_host *host = fleet_host(run->fleet, i);

		if (host->has_status && host->status > status)
			status = host->status;
	}
	return status;
}

static bool has_reports(const struct run *run)
{
	for (uint32_t i = 0; i < fleet_hosts(run->fleet); i++) {
		const struct fleet_host *host = fleet_host(run->fleet, i);

		if (host->source && host->state != HOST_FAILED)
			return true;
	}
	return false;
}

static int carry_out(struct run *run)
{
	struct sigaction action = { .sa_handler = interrupt };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (run->is_verbose)
		fprintf(stderr, "dtlive run: instrumentation %s\n",
			fleet_id(run->fleet));
	if (!follow(run)) {
		fprintf(stderr, "dtlive run: none of %u hosts matches \"%s\"\n",
			fleet_hosts(run->fleet), run->hosts ? run->hosts : "*");
		return 1;
	}
	fleet_stop(run->fleet);
	if (!has_reports(run))
		return status_of(run) ? status_of(run) : 1;
	run->sink = sink_text.open(&(struct sink_setup){
		.output = &run->output,
		.options = &run->options,
		.resolver = merge_resolver(fleet_merge(run->fleet)),
	});
	if (is_interrupted)
		sink_interrupted(run->sink);
	sink_summary(run->sink);
	merge_show_total(fleet_merge(run->fleet), &run->options, run->sink);
	sink_end(run->sink, &(struct fact_end){ 0 });
	sink_flush(run->sink);
	sink_close(run->sink);
	sum_up(run);
	return status_of(run);
}

static void put_totals(void *context, struct prometheus_page *page)
{
	struct run *run = context;

	prometheus_fleet(page, run->fleet, fleet_merge(run->fleet));
}

static const struct command_option options[] = {
	COMMAND_NATS(struct run, bus),
	COMMAND(struct run, hosts, TEXT, "hosts", "EXPRESSION",
		"which: role=db,site!=ulm,host=web*"),
	COMMAND_SHORT('n', struct run, program, TEXT, "program", "PROGRAM",
		      "a D program"),
	COMMAND_SHORT('s', struct run, script, TEXT, "script", "FILE",
		      "or a file that has one"),
	COMMAND(struct run, metric, TEXT, "metric", "NAME",
		"or a metric (see dtlive metrics)"),
	COMMAND(struct run, by, LIST, "by", "FIELD,...",
		"fields to break the metric down by"),
	COMMAND_SHORT('x', struct run, settings, LIST, "option", "NAME=VALUE",
		      "as dtrace -x; aggby=host, aggby=site keep them apart"),
	COMMAND_SHORT('w', struct run, is_destructive, FLAG, "destructive",
		      NULL, "if the policy of hosts allows it"),
	COMMAND_SHORT('q', struct run, is_quiet, FLAG, "quiet", NULL,
		      "no messages of hosts"),
	COMMAND_SHORT('v', struct run, is_verbose, FLAG, "verbose", NULL,
		      "say who took part"),
	COMMAND(struct run, seconds, NUMBER, "seconds", "N",
		"stop then; otherwise at exit() or ^C"),
	COMMAND(struct run, address, TEXT, "prometheus", "ADDRESS:PORT",
		"serve what is merged there, at /metrics"),
	COMMAND(struct run, id, TEXT, "take-over", "ID",
		"go on with what another head began"),
	{ 0 },
};

int run_main(int argc, char **argv)
{
	struct run run = { 0 };
	char problem[BUS_PROBLEM];
	const char *wrong;
	int status = command_read("run", options, &run, argc, argv, NULL);

	if (status)
		return status < 0 ? 0 : status;
	if (!run.bus.password)
		run.bus.password = getenv("DTLIVE_PASSWORD");
	signal(SIGPIPE, SIG_IGN);
	options_init(&run.options);
	option_set(&run.options, "quiet", NULL, ORIGIN_COMMAND);
	output_set_file(&run.output, stdout);
	json_t *spec = spec_of(&run, &wrong);

	if (wrong)
		return fail(wrong);
	run.fleet = fleet_open(
		&(struct fleet_setup){
			.spec = spec,
			.is_total = true,
			.line = take_line,
			.say = take_word,
			.context = &run,
		},
		problem);
	json_decref(spec);
	if (!run.fleet)
		return fail(problem);
	if (run.address) {
		run.prometheus = prometheus_open(run.address, put_totals, &run,
						 problem);
		if (!run.prometheus) {
			fleet_stop(run.fleet);
			fleet_close(run.fleet);
			return fail(problem);
		}
	}
	status = carry_out(&run);
	prometheus_close(run.prometheus);
	fleet_close(run.fleet);
	options_free(&run.options);
	return status;
}
