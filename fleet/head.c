/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtlive head: merged facts go out as a recording, words as JSON lines.
 *
 * Lines that hosts print become records of a clause that has one action,
 * printf("%s: %s"), with the host and the text: sinks need to know nothing of
 * fleets.
 */
#include "fleet/head.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/table.h"
#include "facts/format.h"
#include "fleet/fleet.h"
#include "fleet/prometheus.h"
#include "fleet/who.h"
#include "live/lines.h"
#include "live/worker.h"
#include "sink/recording.h"

static const uint64_t SECOND = 1000000000;
enum {
	TICK = 100,
	PATIENCE = 4,
	MOST_PROBES = 4096,
	MOST_ERRORS = 100,
	HOSTS = 5 /* seconds between lists of them */
};

struct head {
	struct lines talk;
	json_t *spec;
	struct fleet *fleet;
	struct sink *sink;
	struct options options;
	struct arena *arena;
	struct table probes;
	struct schema_clause *clauses[1];
	bool is_stopping, is_running;
	uint64_t status_at, hosts_at, stop_at;
	struct prometheus *prometheus;
	struct merge *total; /* for Prometheus */
	json_int_t asked;    /* the question that is to be answered; 0: none */
};

static void say(struct head *head, json_t *line)
{
	if (!line)
		return;
	if (!lines_send(&head->talk, line, NULL, 0))
		_exit(1);
	lines_flush(&head->talk);
}

static int fail(struct head *head, const char *message)
{
	say(head,
	    json_pack("{s:s, s:s, s:s, s:s, s:[]}", "event", "error", "message",
		      message, "hint", "", "excerpt", "", "complaints"));
	/* it must get there before we end */
	for (int i = 0; i < 50 && head->talk.out; i++) {
		usleep(20000);
		lines_flush(&head->talk);
	}
	return 1;
}

/* ----------------------------------------------------------------- lines */

/* One clause: printf("%s: %s", host, text). */
static void make_clause(struct head *head)
{
	static const char format[] = "%s: %s";
	struct schema_clause *clause = arena_new_of(head->arena,
						    struct schema_clause);
	struct schema_action *action = arena_new_of(head->arena,
						    struct schema_action);
	const char *problem;

	action->fields = arena_array_of(head->arena, struct schema_field, 2);
	action->nfields = 2;
	for (int i = 0; i < 2; i++)
		action->fields[i] = (struct schema_field){
			.form = FIELD_BYTES,
			.kind = FACT_STRING,
			.offset = i ? 256 : 0,
			.size = i ? 1 << 16 : 256,
			.type = "string",
			.name = i ? "text" : "host",
		};
	action->name = "printf";
	action->rule = RULE_FORMAT;
	action->statement = 1;
	action->format = format_read(head->arena, format, sizeof(format) - 1,
				     &problem);
	*clause = (struct schema_clause){
		.clause = 1,
		.size = 256 + (1 << 16),
		.records = true,
		.actions = action,
		.last_action = action,
	};
	head->clauses[0] = clause;
}

static const struct fact_probe *probe_of(struct head *head,
					 const struct message_line *line)
{
	const char *names[4];
	struct text key = { 0 };

	for (int i = 0; i < 4; i++) {
		text_add(&key, line->probe[i].p, line->probe[i].n);
		text_putc(&key, ':');
	}
	struct fact_probe *probe =
		table_get(&head->probes, (struct str){ text_str(&key), key.n });

	if (!probe && head->probes.count < MOST_PROBES) {
		probe = arena_new_of(head->arena, struct fact_probe);
		for (int i = 0; i < 4; i++)
			names[i] = arena_strndup(head->arena, line->probe[i].p,
						 line->probe[i].n);
		*probe = (struct fact_probe){
			.id = head->probes.count + 1,
			.provider = names[0],
			.module = names[1],
			.function = names[2],
			.name = names[3],
		};
		table_put(&head->probes,
			  (struct str){ arena_strndup(head->arena,
						      text_str(&key), key.n),
					key.n },
			  probe);
	}
	text_free(&key);
	/* too many: the first one must do */
	return probe ? probe : head->probes.entries[0].value;
}

static struct fact_value text_value(const struct schema_field *field,
				    const char *bytes, size_t n)
{
	return (struct fact_value){
		.kind = FACT_STRING,
		.size = (uint32_t)n + 1,
		.bytes = (const uint8_t *)bytes,
		.field = field,
	};
}

static void take_line(void *context, struct fleet_host *host,
		      const struct message_line *line)
{
	struct head *head = context;
	const struct schema_action *action = head->clauses[0]->actions;
	char *text = strndup(line->text.p, line->text.n);
	struct fact_value values[2] = {
		text_value(&action->fields[0], host->name, strlen(host->name)),
		text_value(&action->fields[1], text, strlen(text)),
	};
	/* on our clock, which began with the recording */
	uint64_t ago = clock_wall() - line->wall;
	struct fact_record record = {
		.clause = head->clauses[0], .probe = probe_of(head, line),
		.cpu = line->cpu, .stamp = clock_monotonic() - ago,
	};

	sink_record(head->sink, &record);
	sink_action(head->sink, &record,
		    &(struct fact_action){ .action = action,
					   .values = values });
	sink_done(head->sink, &record);
	free(text);
}

/* ----------------------------------------------------------------- words */

static void take_word(void *context, struct fleet_host *host, const char *kind,
		      const char *text)
{
	struct head *head = context;

	say(head,
	    json_pack("{s:s, s:s?, s:s, s:s}", "event", "message", "host",
		      host ? host->name : NULL, "kind", kind, "text", text));
	head->hosts_at = 0;
}

static void take_column(void *context, uint64_t second, uint32_t sources,
			bool is_late)
{
	struct head *head = context;
	struct fleet_counts counts;

	fleet_count(head->fleet, &counts);
	say(head, json_pack("{s:s, s:I, s:i, s:i, s:b}", "event", "column",
			    "second", (json_int_t)second, "sources", sources,
			    "wanted", counts.wanted, "late", is_late));
}

static void take_merged(void *context, const char *host, const void *bytes,
			size_t n)
{
	struct head *head = context;

	if (head->total)
		merge_add(head->total, host, bytes, n, 0);
}

static json_t *errors_of(struct head *head)
{
	json_t *errors = json_object();

	for (uint32_t i = 0; i < fleet_hosts(head->fleet); i++) {
		struct fleet_host *host = fleet_host(head->fleet, i);

		if (host->state == HOST_FAILED &&
		    json_object_size(errors) < MOST_ERRORS)
			json_object_set_new(errors, host->name,
					    json_string(host->error));
	}
	return errors;
}

static uint64_t own_time(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return ((uint64_t)use.ru_utime.tv_sec + (uint64_t)use.ru_stime.tv_sec) *
		       SECOND +
	       ((uint64_t)use.ru_utime.tv_usec +
		(uint64_t)use.ru_stime.tv_usec) *
		       1000;
}

static void tell_status(struct head *head)
{
	struct fleet_counts counts;
	json_t *line = json_pack("{s:s}", "event", "status");

	fleet_count(head->fleet, &counts);
	for (int i = 0; i < STATUS_COUNT; i++)
		json_object_set_new(line, message_status_names[i],
				    json_integer((json_int_t)counts.status[i]));
	json_object_set_new(line, "sources",
			    json_pack("{s:i, s:i, s:i}", "wanted",
				      counts.wanted, "reporting",
				      counts.reporting, "late", counts.late));
	json_object_set_new(line, "errors", errors_of(head));
	json_object_set_new(line, "refused",
			    json_pack("{s:I, s:I, s:I, s:I, s:I}", "repeated",
				      (json_int_t)counts.repeated, "malformed",
				      (json_int_t)counts.bad, "foreign",
				      (json_int_t)counts.foreign, "time",
				      (json_int_t)counts.refused, "keys",
				      (json_int_t)merge_rows_lost(
					      fleet_merge(head->fleet))));
	json_object_set_new(line, "head_ns",
			    json_integer((json_int_t)own_time()));
	say(head, line);
}

static void tell_hosts(struct head *head)
{
	enum { MOST = 2000 };
	json_t *hosts = json_array();

	for (uint32_t i = 0; i < fleet_hosts(head->fleet) && i < MOST; i++) {
		struct fleet_host *host = fleet_host(head->fleet, i);

		if (!host->is_wanted)
			continue;
		json_t *one = json_pack(
			"{s:s, s:s, s:s?, s:s?, s:O?, s:I, s:I}", "host",
			host->name, "state", fleet_states[host->state], "error",
			host->error, "kernel", host->kernel, "labels",
			host->labels, "drops", (json_int_t)host->drops,
			"faults", (json_int_t)host->faults);

		if (host->has_clock) {
			json_object_set_new(one, "clock_ms",
					    json_real((double)host->clock /
						      1e6));
			json_object_set_new(one, "round_trip_ms",
					    json_real((double)host->round_trip /
						      1e6));
		}
		json_array_append_new(hosts, one);
	}
	say(head, json_pack("{s:s, s:s, s:o}", "event", "hosts", "id",
			    fleet_id(head->fleet), "hosts", hosts));
}

static void put_totals(void *context, struct prometheus_page *page)
{
	struct head *head = context;

	prometheus_fleet(page, head->fleet, head->total);
}

/* -------------------------------------------------------------- the loop */

static bool read_spec(struct head *head)
{
	while (!head->spec) {
		struct pollfd wait = { .fd = head->talk.fd, .events = POLLIN };

		poll(&wait, 1, -1);
		if (!lines_read(&head->talk))
			return false;
		head->spec = lines_next(&head->talk);
	}
	return true;
}

static void stop(struct head *head)
{
	if (head->is_stopping)
		return;
	head->is_stopping = true;
	head->stop_at = clock_monotonic() + PATIENCE * SECOND;
	fleet_stop(head->fleet);
}

/* -------------------------------------------------------------- questions */

static uint64_t number_of(json_t *line, const char *name)
{
	json_int_t number = json_integer_value(json_object_get(line, name));

	return number > 0 ? (uint64_t)number : 0;
}

static void answer_who(struct head *head, json_t *answer)
{
	json_object_set_new(answer, "event", json_string("who"));
	json_object_set_new(answer, "n", json_integer(head->asked));
	head->asked = 0;
	say(head, answer);
}

/* One at a time: whoever asks next has left the cell before. */
static void take_question(struct head *head, json_t *line)
{
	const char *name = json_string_value(json_object_get(line, "name"));
	const char *function = json_string_value(
		json_object_get(line, "function"));
	struct who_question question = {
		.name = name ? name : "",
		.function = function ? function : "",
		.from = number_of(line, "from"),
		.to = number_of(line, "to"),
		.low = (int64_t)number_of(line, "low"),
		.high = (int64_t)number_of(line, "high"),
	};

	if (head->asked)
		answer_who(head, json_pack("{s:s}", "problem",
					   "another question came"));
	head->asked = json_integer_value(json_object_get(line, "n"));
	if (question.to > question.from + WHO_SECONDS * 1000)
		answer_who(head,
			   json_pack("{s:s}", "problem",
				     "that is more than a minute: choose less"));
	else
		fleet_ask_who(head->fleet, &question);
}

static void listen_to_server(struct head *head)
{
	json_t *line;

	if (!lines_read(&head->talk)) {
		/* who started us is gone: nobody needs the data */
		fleet_stop(head->fleet);
		fleet_close(head->fleet);
		_exit(0);
	}
	while ((line = lines_next(&head->talk))) {
		const char *what = json_string_value(json_object_get(line,
								     "do"));

		if (what && !strcmp(what, "stop"))
			stop(head);
		if (what && !strcmp(what, "who"))
			take_question(head, line);
		json_decref(line);
	}
}

static void tell(struct head *head)
{
	uint64_t now = clock_monotonic();
	struct fleet_counts counts;

	fleet_count(head->fleet, &counts);
	if (!head->is_running && counts.reporting) {
		head->is_running = true;
		head->hosts_at = 0;
		say(head, json_pack("{s:s}", "event", "running"));
	}
	if (now - head->status_at > SECOND) {
		head->status_at = now;
		tell_status(head);
	}
	if (now - head->hosts_at > HOSTS * SECOND) {
		head->hosts_at = now;
		tell_hosts(head);
	}
}

static void work(struct head *head)
{
	struct pollfd waits[] = {
		{ .fd = fleet_fd(head->fleet), .events = POLLIN },
		{ .fd = head->talk.fd, .events = POLLIN },
		{ .fd = head->prometheus ? prometheus_fd(head->prometheus) : -1,
		  .events = POLLIN },
	};
	bool goes_on = true;

	while (goes_on) {
		poll(waits, 3, TICK);
		if (waits[1].revents)
			listen_to_server(head);
		fleet_work(head->fleet);
		goes_on = fleet_show(head->fleet, head->sink, false) &&
			  !sink_flush(head->sink);
		tell(head);
		json_t *answer = head->asked ? fleet_who(head->fleet) : NULL;

		if (answer)
			answer_who(head, answer);
		if (head->prometheus)
			prometheus_work(head->prometheus);
		if (fleet_is_over(head->fleet) ||
		    (head->is_stopping && clock_monotonic() > head->stop_at))
			break;
		/* many messages a second: take them together */
		usleep(20000);
	}
	fleet_show(head->fleet, head->sink, true);
}

static bool open_sink(struct head *head, const char **problem)
{
	char host[256] = "", wire[32];

	gethostname(host, sizeof(host) - 1);
	snprintf(wire, sizeof(wire), "/proc/self/fd/%d", WORKER_WIRE);
	options_init(&head->options);
	option_set(&head->options, "quiet", NULL, ORIGIN_COMMAND);
	head->sink = recording_open(
		&(struct sink_setup){
			.options = &head->options,
			.resolver = merge_resolver(fleet_merge(head->fleet)),
			.file = wire,
		},
		problem);
	if (!head->sink)
		return false;
	make_clause(head);
	merge_set_clauses(fleet_merge(head->fleet), head->clauses, 1);
	return sink_start(head->sink, &(struct fact_start){
					      .schema = merge_schema(
						      fleet_merge(head->fleet)),
					      .host = host,
					      .boot = "",
					      .stamp = clock_monotonic(),
					      .wall = clock_wall(),
				      });
}

/* The highest status of exit() that any host had. */
static int status_of(const struct fleet *fleet)
{
	int status = 0;

	for (uint32_t i = 0; i < fleet_hosts(fleet); i++)
		if (fleet_host(fleet, i)->has_status &&
		    fleet_host(fleet, i)->status > status)
			status = fleet_host(fleet, i)->status;
	return status;
}

/* Nobody can run it: that is a failure, with the reason of one of them. */
static bool has_failed(struct head *head)
{
	struct fleet_counts counts;
	char text[1024] = "";

	fleet_count(head->fleet, &counts);
	if (head->is_stopping || head->is_running || !counts.failed ||
	    counts.failed < counts.wanted)
		return false;
	for (uint32_t i = 0; i < fleet_hosts(head->fleet) && !*text; i++) {
		struct fleet_host *host = fleet_host(head->fleet, i);

		if (host->state == HOST_FAILED)
			snprintf(text, sizeof(text),
				 "none of %u hosts runs it; %s: %s",
				 counts.wanted, host->name, host->error);
	}
	tell_status(head);
	tell_hosts(head);
	fail(head, text);
	return true;
}

static void finish(struct head *head)
{
	int status = status_of(head->fleet);

	sink_summary(head->sink);
	sink_end(head->sink, &(struct fact_end){
				     .stamp = clock_monotonic(),
				     .has_status = true,
				     .status = status,
			     });
	sink_flush(head->sink);
	tell_status(head);
	tell_hosts(head);
	say(head, json_pack("{s:s, s:i, s:s}", "event", "ended", "status",
			    status, "reason",
			    head->is_stopping ? "stopped"
					      : "no host runs it any more"));
	for (int i = 0; i < 50 && head->talk.out; i++) {
		usleep(20000);
		lines_flush(&head->talk);
	}
}

int head_main(void)
{
	struct head head = { .arena = arena_new() };
	char problem[BUS_PROBLEM];
	const char *why = NULL;

	signal(SIGPIPE, SIG_IGN);
	lines_open(&head.talk, WORKER_TALK);
	if (!read_spec(&head))
		return 1;
	head.fleet = fleet_open(
		&(struct fleet_setup){
			.spec = head.spec,
			.line = take_line,
			.say = take_word,
			.column = take_column,
			.merged = take_merged,
			.context = &head,
		},
		problem);
	if (!head.fleet)
		return fail(&head, problem);
	const char *address = json_string_value(json_object_get(head.spec,
								"prometheus"));

	if (address) {
		head.total = merge_new(&(struct merge_setup){
			.instrumentation = fleet_id(head.fleet),
			.is_total = true,
			.most_host_rows = UINT32_MAX,
			.most_rows = 1000,
			.most_hosts = 100000,
			.most_bytes = 16 << 20,
		});
		head.prometheus = prometheus_open(address, put_totals, &head,
						  problem);
		if (!head.prometheus)
			return fail(&head, problem);
	}
	if (!open_sink(&head, &why))
		return fail(&head, why ? why : "the wire is closed");
	say(&head, json_pack("{s:s, s:i, s:s}", "event", "compiled", "probes",
			     0, "id", fleet_id(head.fleet)));
	work(&head);
	if (!has_failed(&head))
		finish(&head);
	sink_close(head.sink);
	prometheus_close(head.prometheus);
	fleet_close(head.fleet);
	if (head.total)
		merge_free(head.total);
	table_free(&head.probes);
	arena_free(head.arena);
	options_free(&head.options);
	json_decref(head.spec);
	lines_close(&head.talk);
	return 0;
}
