/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/table.h"
#include "fleet/labels.h"
#include "fleet/who.h"

static const uint64_t SECOND = 1000000000;
enum {
	RENEW = 3,	 /* seconds; a lease is 10 */
	CLOCKS = 4,	 /* renewals between measurements of clocks */
	SILENT = 3,	 /* seconds: then a host is late */
	UNSEEN = 15,	 /* seconds: then it is gone */
	AGAIN = 6,	 /* seconds before a host is asked again */
	STACKS = 10,	 /* seconds that rows wait for their stacks */
	MOST_BY = 8,
	MOST_HOSTS = 100000,
};
enum tags { TAG_HOST = BUS_OWN, TAG_DATA, TAG_LIVE, TAG_WORD, TAG_WHO };

const char *const fleet_states[HOST_STATES] = {
	"new", "asked", "running", "failed", "ended", "gone",
};

struct fleet {
	struct fleet_setup setup;
	struct bus *bus;
	struct merge *merge;
	json_t *spec;
	char *id, *hosts_expression;
	const char *by[MOST_BY];
	uint32_t nby;
	struct table hosts; /* by name */
	struct bus_flow *data, *announced, *past;
	struct who *who; /* what is asked of the past, or NULL */
	uint64_t created; /* wall clock: when the first head began */
	uint64_t asked, renewed, defined; /* monotonic */
	uint64_t asked_wall;		  /* of the last request with answers */
	uint32_t renewals;
	bool is_stopping;
	uint64_t repeated, bad, foreign, refused;
};

/* ----------------------------------------------------------------- hosts */

static struct fleet_host *host_of(struct fleet *fleet, const char *name)
{
	struct fleet_host *host = table_get(&fleet->hosts, str_of(name));

	if (host || fleet->hosts.count >= MOST_HOSTS || !bus_is_word(name))
		return host;
	host = must_alloc(sizeof(*host));
	host->name = must_strdup(name);
	table_put(&fleet->hosts, str_of(host->name), host);
	return host;
}

uint32_t fleet_hosts(const struct fleet *fleet)
{
	return fleet->hosts.count;
}

struct fleet_host *fleet_host(const struct fleet *fleet, uint32_t i)
{
	return fleet->hosts.entries[i].value;
}

/* A worker's message is often of a loss that its facts tell as well. */
static void say(struct fleet *fleet, struct fleet_host *host, const char *kind,
		const char *text)
{
	uint64_t hash = message_hash(text, strlen(text));

	if (host && host->said == hash)
		return;
	if (host)
		host->said = hash;
	if (fleet->setup.say)
		fleet->setup.say(fleet->setup.context, host, kind, text);
}

static void fail_host(struct fleet *fleet, struct fleet_host *host,
		      const char *error)
{
	if (host->state == HOST_FAILED)
		return;
	free(host->error);
	host->error = must_strdup(error);
	host->state = HOST_FAILED;
	say(fleet, host, "error", error);
}

static const char *word(json_t *json, const char *name)
{
	return json_string_value(json_object_get(json, name));
}

/* -------------------------------------------------------------- requests */

static void ask(struct fleet *fleet, const char *host, json_t *request,
		bool wants_answer)
{
	char subject[400];

	snprintf(subject, sizeof(subject), "dt.1.ctl.%s.%s",
		 bus_user(fleet->bus), host);
	json_object_set_new(request, "id", json_string(fleet->id));
	json_object_set_new(request, "hosts",
			    json_string(fleet->hosts_expression));
	/* at dt.1.hb.ID.HOST: the server vouches for who it is */
	json_object_set_new(request, "answer", json_boolean(wants_answer));
	bus_say_json(fleet->bus, subject, NULL, request);
}

static json_t *enabling(struct fleet *fleet)
{
	static const char *const words[] = { "program",	    "args",
					     "options",	    "destructive",
					     "interval_ms", "metric",
					     "request" };
	json_t *request = json_pack("{s:s}", "do", "enable");

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (json_object_get(fleet->spec, words[i]))
			json_object_set(request, words[i],
					json_object_get(fleet->spec, words[i]));
	return request;
}

static void ask_all(struct fleet *fleet)
{
	fleet->asked = clock_monotonic();
	fleet->asked_wall = clock_wall();
	ask(fleet, "all", enabling(fleet), true);
}

static void ask_host(struct fleet *fleet, struct fleet_host *host)
{
	uint64_t now = clock_monotonic();

	if (fleet->is_stopping || !host->is_wanted ||
	    (host->asked && now - host->asked < AGAIN * SECOND))
		return;
	host->asked = now;
	host->state = HOST_ASKED;
	ask(fleet, host->name, enabling(fleet), true);
}

static void renew(struct fleet *fleet)
{
	bool wants_clock = fleet->renewals++ % CLOCKS == 0;

	fleet->renewed = clock_monotonic();
	if (wants_clock)
		fleet->asked_wall = clock_wall();
	ask(fleet, "all", json_pack("{s:s}", "do", "renew"), wants_clock);
}

/* --------------------------------------------------------------- answers */

/*
 * Its clock, if it answered halfway between our request and now.  The quickest
 * answer is the most exact one.
 */
static void measure(struct fleet *fleet, struct fleet_host *host,
		    json_t *answer, uint64_t arrived)
{
	int64_t now = json_integer_value(json_object_get(answer, "now"));
	uint64_t round_trip = arrived - fleet->asked_wall;

	if (!now || arrived < fleet->asked_wall ||
	    (host->has_clock && round_trip > host->round_trip * 2))
		return;
	host->has_clock = true;
	host->round_trip = round_trip;
	host->clock = now - (int64_t)(fleet->asked_wall + round_trip / 2);
}

static void take_answer(struct fleet *fleet, struct fleet_host *host,
			json_t *answer, uint64_t arrived)
{
	json_t *error = json_object_get(answer, "error");
	const char *text = word(error, "message");

	measure(fleet, host, answer, arrived);
	host->is_wanted = true;
	host->seen = clock_monotonic();
	if (error)
		fail_host(fleet, host, text ? text : "it refuses");
	else if (host->state == HOST_NEW)
		host->state = HOST_ASKED;
	if (!host->asked)
		host->asked = fleet->asked;
	host->born = (uint64_t)json_integer_value(
		json_object_get(answer, "born"));
}

static bool is_listed(json_t *announcement, const char *id)
{
	json_t *list = json_object_get(announcement, "instrumentations"), *one;
	size_t i;

	json_array_foreach(list, i, one) if (json_is_string(one) &&
					     !strcmp(json_string_value(one),
						     id)) return true;
	return false;
}

/* A host says that it is there: $KV.DT_HOSTS.NAME; without data: it leaves. */
static void take_announcement(struct fleet *fleet, struct bus_message *message)
{
	json_t *hello = json_loadb(message->data, message->n, 0, NULL);
	char *name = bus_word_of(message->subject, 2);
	struct fleet_host *host = host_of(fleet, name);
	uint64_t born = (uint64_t)json_integer_value(json_object_get(hello,
								     "born"));

	free(name);
	if (!host || !json_is_object(hello)) {
		if (host)
			host->seen = 0;
		json_decref(hello);
		return;
	}
	json_decref(host->labels);
	host->labels = json_incref(json_object_get(hello, "labels"));
	free(host->kernel);
	host->kernel = must_strdup(word(hello, "kernel") ? word(hello, "kernel")
							 : "");
	host->is_wanted = labels_match(fleet->hosts_expression, host->labels);
	host->seen = clock_monotonic();
	if (host->born && host->born != born) {
		/* another life: what it refused it may accept now */
		host->state = HOST_NEW;
		host->asked = 0;
	}
	host->born = born;
	if (host->state == HOST_GONE)
		host->state = HOST_NEW;
	bool is_missing = (host->state == HOST_RUNNING ||
			   host->state == HOST_ASKED) &&
			  !is_listed(hello, fleet->id);

	/* it has most likely heard the request to all */
	bool is_new = host->state == HOST_NEW &&
		      clock_monotonic() - fleet->asked > SECOND / 2;

	if (is_new || is_missing)
		ask_host(fleet, host);
	json_decref(hello);
}

/* What an agent answers, or its worker says: dt.1.hb.ID.HOST. */
static void take_word(struct fleet *fleet, struct bus_message *message)
{
	json_t *line = json_loadb(message->data, message->n, 0, NULL);
	char *name = bus_word_of(message->subject, 4);
	const char *event = word(line, "event"), *text = word(line, "message");
	bool is_answer = event && !strcmp(event, "answer");
	struct fleet_host *host = is_answer
					  ? host_of(fleet, name)
					  : table_get(&fleet->hosts,
						      str_of(name));

	free(name);
	if (host && is_answer)
		take_answer(fleet, host, line, message->arrived);
	else if (host && event && !strcmp(event, "error"))
		fail_host(fleet, host, text ? text : "it failed");
	else if (host && event && !strcmp(event, "message"))
		say(fleet, host, "message",
		    word(line, "text") ? word(line, "text") : "");
	else if (host && event && !strcmp(event, "running") &&
		 host->state == HOST_ASKED)
		host->state = HOST_RUNNING;
	json_decref(line);
}

/* ------------------------------------------------------------------ data */

static struct fleet_host *owner_of(struct fleet *fleet,
				   struct merge_source *source)
{
	if (!source->owner)
		source->owner = host_of(fleet, source->host);
	return source->owner;
}

static void take_line(void *context, struct merge_source *source,
		      const struct message_line *line)
{
	struct fleet *fleet = context;

	if (fleet->setup.line)
		fleet->setup.line(fleet->setup.context, owner_of(fleet, source),
				  line);
}

static void take_loss(void *context, struct merge_source *source,
		      enum message_part type, const struct message_loss *loss)
{
	struct fleet *fleet = context;
	struct fleet_host *host = owner_of(fleet, source);
	char text[512];

	if (!host)
		return;
	*(type == PART_DROP ? &host->drops : &host->faults) += loss->count;
	snprintf(text, sizeof(text), "%.*s", (int)loss->text.n, loss->text.p);
	say(fleet, host, type == PART_DROP ? "drop" : "fault", text);
}

static void take_end(void *context, struct merge_source *source,
		     const struct message_end *end)
{
	struct fleet *fleet = context;
	struct fleet_host *host = owner_of(fleet, source);
	char reason[256];

	if (!host)
		return;
	snprintf(reason, sizeof(reason), "%.*s", (int)end->reason.n,
		 end->reason.p);
	host->has_status = end->has_status;
	host->status = end->status;
	if (!strcmp(reason, "its head is gone") ||
	    !strcmp(reason, "the agent ends")) {
		/* it would go on */
		host->state = HOST_NEW;
		host->asked = 0;
	} else if (end->has_status) {
		host->state = HOST_ENDED;
	} else {
		fail_host(fleet, host, reason);
	}
}

/*
 * Each message comes twice, at once and from the stream, in any order: that is no
 * repetition.  What is told again later is one.
 */
static void count_repeated(struct fleet *fleet, struct fleet_host *host,
			   struct bus_message *repeated)
{
	struct message message;

	if (repeated->tag == TAG_LIVE && host->source &&
	    message_open(&message, repeated->data, repeated->n) &&
	    message.through && message.through + SECOND < host->source->through)
		fleet->repeated++;
}

/* dt.1.agg.ID.HOST: the server vouches for the subject. */
static void take_data(struct fleet *fleet, struct bus_message *message)
{
	char *name = bus_word_of(message->subject, 4);
	struct fleet_host *host = host_of(fleet, name);
	uint64_t lost_before = 0;
	char text[128];

	free(name);
	if (!host)
		return;
	/* nobody has asked it; of hosts that we do not know yet we believe it */
	if (host->labels && !host->is_wanted) {
		if (!fleet->foreign++)
			say(fleet, host, "refused", "nobody has asked it");
		return;
	}
	if (host->source)
		lost_before = host->source->rows_lost;
	switch (merge_add(fleet->merge, host->name, message->data, message->n,
			  message->arrived)) {
	case MERGE_ADDED:
		host->source = merge_source(fleet->merge, host->name);
		host->source->owner = host;
		host->heard = clock_monotonic();
		if (host->state <= HOST_ASKED || host->state == HOST_GONE)
			host->state = host->source->is_ended ? host->state
							     : HOST_RUNNING;
		if (fleet->setup.merged)
			fleet->setup.merged(fleet->setup.context, host->name,
					    message->data, message->n);
		if (host->source->rows_lost && !lost_before) {
			snprintf(
				text, sizeof(text),
				"it sends more keys than one host may; the rest is refused");
			say(fleet, host, "refused", text);
		}
		break;
	case MERGE_REPEATED:
		count_repeated(fleet, host, message);
		break;
	case MERGE_BAD:
		if (!fleet->bad++)
			say(fleet, host, "refused", "a malformed message");
		break;
	case MERGE_FOREIGN:
		if (!fleet->foreign++)
			say(fleet, host, "refused",
			    "a message under another name");
		break;
	case MERGE_REFUSED:
		if (!fleet->refused++)
			say(fleet, host, "refused",
			    "a message of a time that is far from ours (is its clock right?)");
		break;
	}
}

static void take_message(struct fleet *fleet, struct bus_message *message)
{
	switch (message->tag) {
	case TAG_HOST:
		take_announcement(fleet, message);
		break;
	case TAG_DATA:
	case TAG_LIVE:
		take_data(fleet, message);
		break;
	case TAG_WORD:
		take_word(fleet, message);
		break;
	case TAG_WHO:
		if (fleet->who)
			who_take(fleet->who, message);
		break;
	case BUS_LOST:
		say(fleet, NULL, "message", "the NATS server is gone");
		break;
	case BUS_BACK:
		say(fleet, NULL, "message", "connected to NATS again");
		break;
	default:
		say(fleet, NULL, "message", message->data);
		break;
	}
}

/* Those that are not heard of any more do not keep others waiting. */
static void watch_hosts(struct fleet *fleet)
{
	uint64_t now = clock_monotonic();

	for (uint32_t i = 0; i < fleet->hosts.count; i++) {
		struct fleet_host *host = fleet_host(fleet, i);

		if (host->state == HOST_ENDED || host->state == HOST_FAILED ||
		    host->state == HOST_GONE)
			continue;
		if (now - host->seen > UNSEEN * SECOND &&
		    now - host->heard > UNSEEN * SECOND)
			host->state = HOST_GONE;
		else if (host->state == HOST_NEW && host->seen &&
			 now - fleet->asked > SECOND / 2)
			ask_host(fleet, host);
	}
}

/* Some that could report, or could before they were missed. */
static bool has_hosts(const struct fleet *fleet)
{
	for (uint32_t i = 0; i < fleet->hosts.count; i++) {
		const struct fleet_host *host = fleet_host(fleet, i);

		if (host->is_wanted && host->state != HOST_FAILED &&
		    host->state != HOST_ENDED)
			return true;
	}
	return false;
}

void fleet_work(struct fleet *fleet)
{
	struct bus_message *message;
	struct fleet_counts counts;
	uint64_t now = clock_monotonic();

	while ((message = bus_take(fleet->bus))) {
		take_message(fleet, message);
		bus_message_free(message);
	}
	if (!fleet->is_stopping && now - fleet->renewed > RENEW * SECOND)
		renew(fleet);
	watch_hosts(fleet);
	fleet_count(fleet, &counts);
	/* also when all hosts seem to be gone: it may be the flow that is */
	bus_flow_tick(fleet->data,
		      counts.reporting + counts.late ? SILENT - 1
		      : has_hosts(fleet)	     ? UNSEEN
						     : 0);
	bus_flow_tick(fleet->announced, has_hosts(fleet) ? AGAIN : UNSEEN);
	bus_tick(fleet->bus);
}

/* ---------------------------------------------------------------- showing */

/* How many have reported that second; are they all that can? */
static bool is_complete(const struct fleet *fleet, uint64_t second,
			uint32_t *sources)
{
	uint64_t end = (second + 1) * SECOND, now = clock_monotonic();
	bool is_whole = true;

	*sources = 0;
	for (uint32_t i = 0; i < fleet->hosts.count; i++) {
		const struct fleet_host *host = fleet_host(fleet, i);

		if (host->source && host->source->through >= end)
			*sources += host->source->sources;
		else if (host->state == HOST_RUNNING &&
			 now - host->heard < SILENT * SECOND)
			is_whole = false;
	}
	return is_whole;
}

/* Rows that wait for stacks: all hosts are asked to tell them again. */
static void ask_for_stacks(struct fleet *fleet)
{
	uint64_t now = clock_monotonic();

	if (now - fleet->defined < 5 * SECOND)
		return;
	fleet->defined = now;
	ask(fleet, "all", json_pack("{s:s}", "do", "define"), false);
}

bool fleet_show(struct fleet *fleet, struct sink *sink, bool is_final)
{
	enum { MOST = 1024 };
	struct merge_column columns[MOST];
	uint32_t n = merge_columns(fleet->merge, columns, MOST);
	uint64_t now = clock_wall();
	bool goes_on = true;

	for (uint32_t i = 0; i < n && goes_on; i++) {
		uint64_t second = columns[i].second;
		uint32_t sources;
		bool is_whole = is_complete(fleet, second, &sources);
		bool is_due = now > (second + 1) * SECOND +
					    FLEET_CLOSES * 1000000ull;
		bool is_old = now > (second + 1 + STACKS) * SECOND;

		if (!is_whole && !is_due && !is_final)
			continue;
		goes_on = merge_show(fleet->merge, second, sink,
				     is_final || is_old);
		if (fleet->setup.column)
			fleet->setup.column(fleet->setup.context, second,
					    sources, columns[i].is_late);
	}
	/* what is left now waits for stacks */
	if (!is_final && n && merge_columns(fleet->merge, columns, MOST) &&
	    columns[0].is_late)
		ask_for_stacks(fleet);
	return goes_on;
}

/* -------------------------------------------------------------- the past */

void fleet_ask_who(struct fleet *fleet, const struct who_question *question)
{
	char subject[300];
	uint64_t since = question->from * 1000000;

	struct who_question whole = *question;

	whole.begun = fleet->created / 1000000;
	who_free(fleet->who);
	fleet->who = who_ask(fleet, &whole);
	snprintf(subject, sizeof(subject), "dt.1.agg.%s.*", fleet->id);
	if (fleet->past)
		bus_flow_restart(fleet->past, since);
	else
		fleet->past = bus_follow(fleet->bus, BUS_STREAM, subject,
					 since, TAG_WHO);
}

json_t *fleet_who(struct fleet *fleet)
{
	if (!fleet->who || !who_is_done(fleet->who))
		return NULL;
	json_t *answer = who_answer(fleet->who);

	bus_flow_end(fleet->past);
	who_free(fleet->who);
	fleet->who = NULL;
	return answer;
}

/* ---------------------------------------------------------------- public */

static const char *word_of_host(void *context, const char *name,
				const char *label)
{
	struct fleet *fleet = context;
	struct fleet_host *host = host_of(fleet, name);
	const char *value = host ? word(host->labels, label) : NULL;

	if (!strcmp(label, "host"))
		return name;
	return value ? value : "";
}

/* aggby: a word, words with commas, or a list. */
static void read_by(struct fleet *fleet)
{
	json_t *by = json_object_get(fleet->spec, "aggby"), *one;
	size_t i;

	json_array_foreach(by, i,
			   one) if (json_is_string(one) && fleet->nby < MOST_BY)
		fleet->by[fleet->nby++] = json_string_value(one);
}

/* What another head began; its spec becomes ours. */
static uint64_t take_over(struct fleet *fleet)
{
	char *text = bus_get(fleet->bus, BUS_RUNS, fleet->id);
	json_t *run = text ? json_loads(text, 0, NULL) : NULL;
	json_t *spec = json_object_get(run, "spec");
	uint64_t since = 0;

	if (json_is_object(spec)) {
		since = (uint64_t)
			json_integer_value(json_object_get(run, "created"));
		json_object_update_missing(fleet->spec, spec);
	}
	json_decref(run);
	free(text);
	return since;
}

/* For heads that take over; passwords stay with those who know them. */
static void write_down(struct fleet *fleet, uint64_t created)
{
	json_t *spec = json_deep_copy(fleet->spec);

	json_object_del(spec, "nats");
	json_t *run = json_pack("{s:o, s:s, s:I}", "spec", spec, "user",
				bus_user(fleet->bus), "created",
				(json_int_t)created);
	char *text = json_dumps(run, JSON_COMPACT);

	bus_put(fleet->bus, BUS_RUNS, fleet->id, text, strlen(text));
	free(text);
	json_decref(run);
}

static char *new_id(void)
{
	uint64_t number = 0;
	char id[20];

	if (getrandom(&number, sizeof(number), 0) < 0)
		number = clock_wall();
	snprintf(id, sizeof(id), "%016llx", (unsigned long long)number);
	return must_strdup(id);
}

/* Subscriptions first: nothing that is answered may be missed. */
static bool begin(struct fleet *fleet, char *problem)
{
	char subject[300];
	uint64_t created = take_over(fleet);
	const char *hosts = word(fleet->spec, "hosts");

	if (!word(fleet->spec, "program") && !word(fleet->spec, "metric")) {
		snprintf(problem, BUS_PROBLEM,
			 "there is no instrumentation %s to take over",
			 fleet->id);
		return false;
	}
	fleet->hosts_expression = must_strdup(hosts ? hosts : "*");
	const char *wrong = labels_check(fleet->hosts_expression);

	if (wrong) {
		snprintf(problem, BUS_PROBLEM, "%s", wrong);
		return false;
	}
	read_by(fleet);
	fleet->merge = merge_new(&(struct merge_setup){
		.instrumentation = fleet->id,
		.most_host_rows = fleet->setup.is_total ? 100000 : 20000,
		.most_rows = 1000000,
		.most_hosts = MOST_HOSTS,
		.most_bytes = 512 << 20,
		.is_total = fleet->setup.is_total,
		.by = fleet->by,
		.nby = fleet->nby,
		.word = word_of_host,
		.line = take_line,
		.loss = take_loss,
		.end = take_end,
		.context = fleet,
	});
	snprintf(subject, sizeof(subject), "dt.1.hb.%s.*", fleet->id);
	bus_listen(fleet->bus, subject, TAG_WORD);
	snprintf(subject, sizeof(subject), "dt.1.agg.%s.*", fleet->id);
	/* the stream has the past, and what is missed; but while a cluster chooses
	 * who is in charge of it, for seconds, it has nothing new */
	bus_listen(fleet->bus, subject, TAG_LIVE);
	fleet->data = bus_follow(fleet->bus, BUS_STREAM, subject,
				 (created ? created : clock_wall()) - SECOND,
				 TAG_DATA);
	fleet->announced = bus_follow(fleet->bus, "KV_" BUS_HOSTS,
				      "$KV." BUS_HOSTS ".*", 0, TAG_HOST);
	fleet->created = created ? created : clock_wall();
	write_down(fleet, fleet->created);
	ask_all(fleet);
	fleet->renewed = clock_monotonic();
	return true;
}

struct fleet *fleet_open(const struct fleet_setup *setup, char *problem)
{
	struct bus_options options = { 0 };
	const char *id = word(setup->spec, "id");
	struct fleet *fleet = must_alloc(sizeof(*fleet));

	fleet->setup = *setup;
	fleet->spec = json_incref(setup->spec);
	fleet->id = id ? must_strdup(id) : new_id();
	bus_options_from(&options, json_object_get(setup->spec, "nats"));
	if (!options.url || !bus_is_word(fleet->id)) {
		snprintf(
			problem, BUS_PROBLEM, "%s",
			options.url
				? "an id has letters, digits, - and _"
				: "which NATS server? (--nats nats://HOST:4222)");
	} else {
		options.name = "dtlive head";
		fleet->bus = bus_connect(&options, problem);
	}
	if (fleet->bus && bus_prepare(fleet->bus, problem) &&
	    begin(fleet, problem))
		return fleet;
	fleet_close(fleet);
	return NULL;
}

void fleet_stop(struct fleet *fleet)
{
	if (fleet->is_stopping)
		return;
	fleet->is_stopping = true;
	ask(fleet, "all", json_pack("{s:s}", "do", "stop"), false);
	bus_remove(fleet->bus, BUS_RUNS, fleet->id);
}

/* It has reported, and not that it has ended: what it counted last is to come. */
static bool is_reporting(const struct fleet_host *host)
{
	return host->state == HOST_RUNNING ||
	       (host->state <= HOST_ASKED && host->source &&
		!host->source->is_ended);
}

bool fleet_is_over(const struct fleet *fleet)
{
	bool has_one = false;

	for (uint32_t i = 0; i < fleet->hosts.count; i++) {
		const struct fleet_host *host = fleet_host(fleet, i);

		if (!host->is_wanted)
			continue;
		has_one = true;
		if (is_reporting(host) ||
		    (!fleet->is_stopping &&
		     (host->state == HOST_NEW || host->state == HOST_ASKED)))
			return false;
	}
	return has_one || fleet->is_stopping;
}

void fleet_count(const struct fleet *fleet, struct fleet_counts *counts)
{
	uint64_t now = clock_monotonic();

	*counts = (struct fleet_counts){
		.repeated = fleet->repeated,
		.bad = fleet->bad,
		.foreign = fleet->foreign,
		.refused = fleet->refused,
	};
	for (uint32_t i = 0; i < fleet->hosts.count; i++) {
		const struct fleet_host *host = fleet_host(fleet, i);

		for (int s = 0; host->source && s < STATUS_COUNT; s++)
			counts->status[s] += host->source->status[s];
		if (!host->is_wanted || host->state == HOST_GONE)
			continue;
		counts->wanted++;
		counts->failed += host->state == HOST_FAILED;
		counts->ended += host->state == HOST_ENDED;
		if (host->state != HOST_RUNNING)
			continue;
		if (now - host->heard < SILENT * SECOND)
			counts->reporting++;
		else
			counts->late++;
	}
}

const char *fleet_id(const struct fleet *fleet)
{
	return fleet->id;
}

struct merge *fleet_merge(struct fleet *fleet)
{
	return fleet->merge;
}

struct bus *fleet_bus(struct fleet *fleet)
{
	return fleet->bus;
}

int fleet_fd(const struct fleet *fleet)
{
	return bus_fd(fleet->bus);
}

void fleet_close(struct fleet *fleet)
{
	bus_close(fleet->bus);
	who_free(fleet->who);
	if (fleet->merge)
		merge_free(fleet->merge);
	for (uint32_t i = 0; i < fleet->hosts.count; i++) {
		struct fleet_host *host = fleet_host(fleet, i);

		json_decref(host->labels);
		free(host->kernel);
		free(host->error);
		free(host->name);
		free(host);
	}
	table_free(&fleet->hosts);
	free(fleet->id);
	free(fleet->hosts_expression);
	json_decref(fleet->spec);
	free(fleet);
}
