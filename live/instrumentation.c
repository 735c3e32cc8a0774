/* SPDX-License-Identifier: Apache-2.0 */
#include "live/instrumentation.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "agg/agg.h"
#include "live/api.h"
#include "live/events.h"
#include "live/spec.h"

enum {
	PIECE = 1 << 16,
	PIECES = 64,	   /* read in one turn, so that others get theirs */
	STOP_TIME = 5000,  /* ms for a worker that was asked to end */
	OVERS = 2,	   /* seconds beyond --max-cost */
	TAPE_LIMIT = 32 << 20,
	MOST_TITLE = 80,
	FLUSH_TIME = 200, /* ms between lines of a log */
};

const char *const state_names[] = { "starting", "running", "ended", "failed" };

struct instrumentation *instrumentation_find(const struct server *server,
					     uint32_t id)
{
	for (uint32_t i = 0; i < server->count; i++)
		if (server->list[i]->id == id)
			return server->list[i];
	return NULL;
}

/* ------------------------------------------------------------------- events */

static void emit(void *context, const char *event, const struct text *data)
{
	struct instrumentation *from = context;

	events_send(from->server, event, text_str(data), data->n);
}

void instrumentation_changed(struct instrumentation *from)
{
	struct text text = { 0 };

	if (!from->server->clients)
		return;
	instrumentation_put(&text, from);
	emit(from, "state", &text);
	text_free(&text);
}

static void set_state(struct instrumentation *from, enum state state,
		      const char *reason)
{
	char *copy = must_strdup(reason ? reason : "");

	from->state = state;
	free(from->reason);
	from->reason = copy;
	if (state >= STATE_ENDED && !from->ended)
		from->ended = server_now(from->server);
	instrumentation_changed(from);
}

/* ------------------------------------------------------------------- monitor */

static void tell_monitor(struct instrumentation *from, const char *what,
			 json_t *message)
{
	json_object_set_new(message, "do", json_pack("s", what));
	json_object_set_new(message, "n", json_integer(from->id));
	lines_send(&from->server->monitor, message, NULL, 0);
}

void instrumentation_keep(struct instrumentation *from)
{
	json_object_set_new(from->request, "title",
			    json_pack("s", from->title));
	json_object_set_new(from->request, "pinned",
			    json_boolean(from->is_pinned));
	tell_monitor(from, "keep",
		     json_pack("{s:O}", "request", from->request));
}

/* --------------------------------------------------------------------- wire */

static struct sink *open_store(void *context, const struct resolver *resolver,
			       uint32_t target)
{
	struct instrumentation *from = context;

	return store_open(from->store, resolver, target);
}

void instrumentation_begin(struct instrumentation *from)
{
	struct store_limits limits = store_limits;

	limits.columns = from->server->settings->retention;
	options_init(&from->options);
	from->store = store_new(&from->options,
				from->server->settings->interval, &limits);
	from->recording = (struct recording){
		.aggregate = agg_find,
		.options = &from->options,
		.open = open_store,
		.context = from,
	};
	from->replay = replay_new(&from->recording);
	from->tape.limit = TAPE_LIMIT;
}

static void close_wire(struct instrumentation *from)
{
	int fd = from->wire.fd;

	server_unwatch(from->server, &from->wire);
	if (fd >= 0)
		close(fd);
	if (from->replay)
		replay_free(from->replay);
	from->replay = NULL;
}

static void close_status(struct instrumentation *from)
{
	server_unwatch(from->server, &from->status);
	lines_close(&from->lines);
	inspect_lost(from->server, &from->lines);
}

void instrumentation_flush(struct instrumentation *from)
{
	int64_t now = server_clock();

	if (!from->store || now < from->flushed + FLUSH_TIME)
		return;
	from->flushed = now;
	store_flush_lines(from->store, from->id, emit, from);
}

/* For how long columns are kept, in ms. */
static int64_t retention(const struct settings *settings)
{
	return (int64_t)settings->retention * settings->interval;
}

bool instrumentation_feed(struct instrumentation *from, const void *bytes,
			  size_t n)
{
	const struct settings *settings = from->server->settings;

	if (!from->replay)
		return false;
	if (from->is_recorded &&
	    write(settings->record_fd, bytes, n) != (ssize_t)n)
		from->is_recorded = false;
	enum recording_end end = replay_feed(from->replay, bytes, n);

	/* the time of a recording is known when some of it was read */
	tape_add(&from->tape, bytes, n,
		 settings->replay_fd >= 0 ? from->store->newest
					  : server_now(from->server));
	/* hours of it may be read between two ticks */
	if (settings->replay_fd >= 0 && from->tape.bytes > TAPE_LIMIT / 2)
		tape_expire(&from->tape, from->store->newest -
						 retention(settings));

	if (from->store->has_new_set) {
		from->store->has_new_set = false;
		instrumentation_changed(from);
	}
	store_flush(from->store, from->id, emit, from);
	instrumentation_flush(from);
	if (end != RECORDING_BAD)
		return true;
	close_wire(from);
	close_status(from);
	set_state(from, STATE_FAILED,
		  from->recording.problem ? from->recording.problem
					  : "what it reports is damaged");
	return false;
}

static void wire_ready(struct server *server, struct watch *source)
{
	struct instrumentation *from = source->owner;
	static char bytes[PIECE];

	(void)server;
	for (unsigned i = 0; i < PIECES; i++) {
		ssize_t n = read(source->fd, bytes, sizeof(bytes));

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (n <= 0) {
			close_wire(from);
			return;
		}
		if (!instrumentation_feed(from, bytes, (size_t)n))
			return;
	}
}

/* ------------------------------------------------------------------- status */

static uint64_t total(json_t *line, const char *name)
{
	json_int_t number = json_integer_value(json_object_get(line, name));

	return number > 0 ? (uint64_t)number : 0;
}

static void check_cost(struct instrumentation *from)
{
	double most = from->server->settings->max_cost;
	char reason[128];

	from->overs = most > 0 && from->cost > most ? from->overs + 1 : 0;
	if (from->overs < OVERS || from->asked_to_stop)
		return;
	snprintf(reason, sizeof(reason),
		 "stopped: it took %.3f of a CPU, more than --max-cost %g",
		 from->cost, most);
	instrumentation_stop(from, reason);
}

static void take_status(struct instrumentation *from, json_t *line)
{
	int64_t now = server_clock();

	from->before = from->totals;
	from->before_at = from->totals_at;
	from->totals = (struct totals){
		.events = total(line, "events"),
		.drops = total(line, "drops"),
		.programs_ns = total(line, "programs_ns"),
		.programs_runs = total(line, "programs_runs"),
		.kernel_bytes = total(line, "kernel_bytes"),
		.rss_bytes = total(line, "rss_bytes"),
		.cpu_ns = total(line, "cpu_ns"),
	};
	from->totals_at = now;
	if (!from->before_at || now <= from->before_at)
		return;
	fleet_take(from, "status", line);
	double ns = (double)(from->totals.programs_ns -
			     from->before.programs_ns);

	from->cost = ns / 1e6 / (double)(now - from->before_at);
	check_cost(from);
}

static void take_compiled(struct instrumentation *from, json_t *line)
{
	from->probes = (uint32_t)total(line, "probes");
	instrumentation_changed(from);
}

static void take_running(struct instrumentation *from, json_t *line)
{
	(void)line;
	from->started = server_now(from->server);
	set_state(from, STATE_RUNNING, "");
}

static void take_error(struct instrumentation *from, json_t *line)
{
	const char *message =
		json_string_value(json_object_get(line, "message"));

	json_object_del(line, "event");
	json_decref(from->error);
	from->error = json_incref(line);
	set_state(from, STATE_FAILED,
		  message ? message : "its program is wrong");
	tell_monitor(from, "forget", json_object());
}

static void take_message(struct instrumentation *from, json_t *line)
{
	const char *text = json_string_value(json_object_get(line, "text"));

	events_send_json(from->server, "message",
			 json_pack("{s:i, s:s}", "id", (int)from->id, "text",
				   text ? text : ""));
}

static void take_ended(struct instrumentation *from, json_t *line)
{
	const char *reason = json_string_value(json_object_get(line, "reason"));

	/* why it was told to stop is known better here */
	set_state(from, STATE_ENDED,
		  from->asked_to_stop ? from->reason : reason);
	tell_monitor(from, "forget", json_object());
}

static const struct {
	const char *event;
	void (*take)(struct instrumentation *from, json_t *line);
} events[] = {
	{ "compiled", take_compiled }, { "running", take_running },
	{ "status", take_status }, { "error", take_error },
	{ "message", take_message }, { "ended", take_ended },
};

static void status_ready(struct server *server, struct watch *source)
{
	struct instrumentation *from = source->owner;
	bool is_open = lines_read(&from->lines);
	json_t *line;

	(void)server;
	while ((line = lines_next(&from->lines))) {
		const char *event =
			json_string_value(json_object_get(line, "event"));

		bool is_head = from->server->settings->nats && event &&
			       strcmp(event, "status") != 0 &&
			       fleet_take(from, event, line);

		for (unsigned i = 0;
		     !is_head && i < sizeof(events) / sizeof(*events); i++)
			if (event && !strcmp(event, events[i].event)) {
				events[i].take(from, line);
				break; /* the name may be gone with it */
			}
		json_decref(line);
	}
	if (!is_open)
		close_status(from); /* the monitor knows why */
}

/* --------------------------------------------------------------------- life */

void instrumentation_started(struct instrumentation *from, int wire, int status)
{
	/* it was stopped before it began */
	if (from->state != STATE_STARTING || from->asked_to_stop) {
		close(wire);
		close(status);
		if (from->state == STATE_STARTING)
			set_state(from, STATE_ENDED, from->reason);
		return;
	}
	instrumentation_begin(from);
	fcntl(wire, F_SETFL, O_NONBLOCK);
	lines_open(&from->lines, status);
	from->wire = (struct watch){
		.fd = wire,
		.ready = wire_ready,
		.owner = from,
	};
	from->status = (struct watch){
		.fd = status,
		.ready = status_ready,
		.owner = from,
	};
	server_watch(from->server, &from->wire);
	server_watch(from->server, &from->status);
}

static const char *signal_name(int number)
{
	const char *name = sigabbrev_np(number);

	return name ? name : "?";
}

void instrumentation_gone(struct instrumentation *from, int number,
			  const char *message)
{
	char reason[256];

	/* what it has said before its end */
	if (from->status.fd >= 0)
		status_ready(from->server, &from->status);
	if (from->wire.fd >= 0)
		wire_ready(from->server, &from->wire);
	close_status(from);
	if (from->state >= STATE_ENDED)
		return;
	if (message)
		snprintf(reason, sizeof(reason), "%s", message);
	else if (from->asked_to_stop)
		snprintf(reason, sizeof(reason), "%s", from->reason);
	else if (number)
		snprintf(reason, sizeof(reason),
			 "its worker was killed by SIG%s",
			 signal_name(number));
	else
		snprintf(reason, sizeof(reason),
			 "its worker ended without saying why");
	set_state(from,
		  from->asked_to_stop && !message ? STATE_ENDED : STATE_FAILED,
		  reason);
	tell_monitor(from, "forget", json_object());
}

void instrumentation_stop(struct instrumentation *from, const char *reason)
{
	if (from->state >= STATE_ENDED || from->asked_to_stop)
		return;
	from->asked_to_stop = server_clock();
	free(from->reason);
	from->reason = must_strdup(reason);
	if (from->status.fd >= 0) {
		lines_send(&from->lines, json_pack("{s:s}", "do", "stop"), NULL,
			   0);
		instrumentation_changed(from);
	} else if (from->state == STATE_RUNNING) {
		/* of a recording */
		set_state(from, STATE_ENDED, reason);
	}
}

void instrumentation_tick(struct instrumentation *from)
{
	const struct settings *settings = from->server->settings;
	int64_t now = server_clock(), kept;

	if (from->asked_to_stop && from->status.fd >= 0 &&
	    now > from->asked_to_stop + STOP_TIME) {
		close_status(from); /* it ends at once */
		close_wire(from);
	}
	if (from->server->clients)
		from->looked = now;
	if (settings->idle_max && !from->is_pinned &&
	    from->state == STATE_RUNNING && settings->replay_fd < 0 &&
	    now > from->looked + settings->idle_max) {
		char reason[96];

		snprintf(reason, sizeof(reason),
			 "ended: nobody has looked at it for %lld s",
			 (long long)settings->idle_max / 1000);
		instrumentation_stop(from, reason);
	}
	if (from->state != STATE_RUNNING || !from->store)
		return;
	if (now > from->totals_at + 3000)
		from->cost = 0;
	kept = server_now(from->server) - retention(settings);
	store_expire(from->store, kept);
	tape_expire(&from->tape, kept);
}

/* ----------------------------------------------------------------- new, gone */

static void free_all(struct instrumentation *from)
{
	close_status(from);
	close_wire(from);
	store_free(from->store);
	if (from->store)
		options_free(&from->options);
	tape_free(&from->tape);
	json_decref(from->request);
	json_decref(from->spec);
	json_decref(from->error);
	json_decref(from->metric);
	json_decref(from->by);
	json_decref(from->where);
	json_decref(from->fields);
	fleet_forget(from);
	free(from->title);
	free(from->program);
	free(from->reason);
	free(from->view);
	free(from->unit);
	free(from);
}

void instrumentation_delete(struct instrumentation *from)
{
	struct server *server = from->server;
	uint32_t i = 0;

	tell_monitor(from, "kill", json_object());
	while (server->list[i] != from)
		i++;
	for (server->count--; i < server->count; i++)
		server->list[i] = server->list[i + 1];
	events_send_json(server, "gone",
			 json_pack("{s:i}", "id", (int)from->id));
	free_all(from);
}

static char *copy_of(json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? must_strdup(text) : NULL;
}

/* Of a metric: what it was made of, and how it is shown. */
static void take_answer(struct instrumentation *from, json_t *answer,
			json_t *request)
{
	from->view = copy_of(answer, "view");
	from->unit = copy_of(answer, "unit");
	from->full = json_number_value(json_object_get(answer, "full"));
	from->fields = json_incref(json_object_get(answer, "fields"));
	from->by = json_incref(json_object_get(answer, "by"));
	from->metric = json_incref(json_object_get(request, "metric"));
	from->where = json_incref(json_object_get(request, "where"));
	from->has_stacks = json_is_true(json_object_get(request, "stacks"));
	from->program = copy_of(answer, "program");
	if (!from->title)
		from->title = copy_of(answer, "title");
}

/* The first line of the program that says something. */
static char *title_of(const char *program)
{
	while (*program && strchr(" \t\n", *program))
		program++;
	size_t n = strcspn(program, "\n");

	if (n > MOST_TITLE)
		for (n = MOST_TITLE; n && (program[n] & 0xc0) == 0x80;)
			n--; /* not within a character */
	return strndup(program, n);
}

static json_t *make_spec(struct instrumentation *from, json_t *request,
			 bool has_target)
{
	json_t *spec = json_pack("{s:s, s:{}, s:[]}", "program", from->program,
				 "options", "args");
	json_t *options = json_object_get(request, "options");
	json_t *pid = json_object_get(request, "pid");

	if (options)
		json_object_set(spec, "options", options);
	if (pid && !json_is_null(pid) && has_target)
		json_object_set(spec, "pid", pid);
	return spec;
}

/* What a request may say, whoever makes it. */
static bool check_request(json_t *request, json_t **error)
{
	json_t *pid = json_object_get(request, "pid");
	json_t *options = json_object_get(request, "options"), *value;
	json_t *program = json_object_get(request, "program");
	const char *name;

	if (pid && !json_is_null(pid) &&
	    (!json_is_integer(pid) || json_integer_value(pid) <= 0 ||
	     json_integer_value(pid) > INT32_MAX)) {
		*error = error_json("bad_request", "GET /api/1/processes lists them",
				    "pid is not the number of a process");
		return false;
	}
	if (program && !json_is_string(program)) {
		*error = error_json("bad_request", "",
				    "program is not a text");
		return false;
	}
	if (options && !json_is_object(options)) {
		*error = error_json("bad_request", "",
				    "options is not an object");
		return false;
	}
	json_object_foreach (options, name, value) {
		if (!spec_allows(name)) {
			*error = error_json("bad_option", "give it to dtlive with -x, for programs of the command line",
					    "a page may not set the option %.40s",
					    name);
			return false;
		}
		if (json_is_string(value))
			continue;
		*error = error_json("bad_request", "such as {\"strsize\":\"512\"}",
				    "the value of option %.40s is not a text",
				    name);
		return false;
	}
	return true;
}

static bool check_fleet(const struct server *server, json_t *request,
			json_t **error)
{
	json_t *hosts = json_object_get(request, "hosts");
	json_t *by = json_object_get(request, "aggby");
	json_t *pid = json_object_get(request, "pid");
	const char *why;

	if (!server->settings->nats && (hosts || by)) {
		*error = error_json("no_fleet", "start dtlive with --nats",
				    "this server shows its own host only");
		return false;
	}
	if (!spec_check_hosts(hosts, by, &why)) {
		*error = error_json("bad_request", "", "%s", why);
		return false;
	}
	if (server->settings->nats && pid && !json_is_null(pid)) {
		*error = error_json("no_process", "leave pid out, or name the program in \"where\"",
				    "each host has processes of its own");
		return false;
	}
	return true;
}

static bool describe(struct instrumentation *from, json_t *request,
		     json_t **error, unsigned *status)
{
	json_t *begin = json_object_get(request, "spec");

	*status = 400;
	if (!check_request(request, error) ||
	    !check_fleet(from->server, request, error))
		return false;
	from->title = copy_of(request, "title");
	from->is_pinned = json_is_true(json_object_get(request, "pinned"));
	if (json_object_get(request, "metric")) {
		json_t *answer = metrics_request(from->server, request, error,
						 status);

		if (!answer)
			return false;
		take_answer(from, answer, request);
		from->spec = make_spec(
			from, request,
			json_is_true(json_object_get(answer, "target")));
		json_decref(answer);
	} else {
		from->program = copy_of(request, "program");
		if (json_object_get(request, "replay"))
			from->program = must_strdup("");
		if (!from->program) {
			*error = error_json("bad_request", "", "a metric or a program is needed");
			return false;
		}
		from->spec = begin ? json_incref(begin)
				   : make_spec(from, request, true);
	}
	if (!from->title || !*from->title) {
		free(from->title);
		from->title = title_of(from->program);
	}
	return true;
}

struct instrumentation *instrumentation_new(struct server *server,
					    json_t *request, json_t **error,
					    unsigned *status)
{
	struct instrumentation *from = must_alloc(sizeof(*from));

	*from = (struct instrumentation){
		.server = server,
		.request = request,
		.wire.fd = -1,
		.status.fd = -1,
		.lines.fd = -1,
		.reason = must_strdup(""),
		.looked = server_clock(),
		.started = server_now(server),
	};
	*error = NULL;
	if (server->count >= server->settings->most) {
		*status = 429;
		*error = error_json("too_many", "delete one that is not needed",
				    "there are %u instrumentations already",
				    server->count);
	}
	if (*error || !describe(from, request, error, status)) {
		free_all(from);
		return NULL;
	}
	from->id = server->next_id++;
	server->list = must_realloc(server->list, (server->count + 1) *
							  sizeof(from));
	server->list[server->count++] = from;
	if (json_object_get(request, "replay"))
		return from;
	json_object_set_new(from->request, "title",
			    json_pack("s", from->title));
	from->is_recorded = server->settings->record_fd >= 0 && from->id == 1;
	tell_monitor(from, "start",
		     json_pack("{s:O, s:O}", "spec", from->spec, "request",
			       from->request));
	instrumentation_changed(from);
	return from;
}

/* --------------------------------------------------------------------- JSON */

json_t *instrumentation_status(const struct instrumentation *from)
{
	static const struct store none;
	const struct store *store = from->store ? from->store : &none;
	const struct totals *totals = &from->totals;
	uint64_t drops = totals->drops > store->drops ? totals->drops
						      : store->drops;

	json_t *status = json_pack(
		"{s:I, s:I, s:I, s:f, s:f, s:I, s:I, s:i, s:I, s:I, s:I, s:I}",
		"events", (json_int_t)totals->events, "drops",
		(json_int_t)drops, "faults", (json_int_t)store->faults, "cost",
		from->cost, "cost_ns_per_event",
		totals->programs_runs ? (double)totals->programs_ns /
						(double)totals->programs_runs
				      : 0.0,
		"kernel_bytes", (json_int_t)totals->kernel_bytes, "rss_bytes",
		(json_int_t)totals->rss_bytes, "probes", (int)from->probes,
		"log_lost", (json_int_t)store->log_lost, "keys_lost",
		(json_int_t)store->keys_lost, "stacks_lost",
		(json_int_t)store->stacks_lost, "columns_lost",
		(json_int_t)store->columns_lost);

	fleet_put_status(from, status);
	return status;
}

/* Sets decide, unless a metric has. */
static const char *view_of(const struct instrumentation *from)
{
	const struct store *store = from->store;

	if (from->view)
		return from->view;
	for (uint32_t i = 0; store && i < store->nsets; i++)
		if (store->sets[i]->kind == STORE_HISTOGRAM)
			return "heatmap";
	for (uint32_t i = 0; store && i < store->nsets; i++)
		if (store->sets[i]->has_stacks)
			return "flame";
	return store && store->nsets ? "line" : "log";
}

void instrumentation_put(struct text *out, const struct instrumentation *from)
{
	json_t *json = json_pack(
		"{s:i, s:s, s:s, s:s, s:O?, s:s, s:O?, s:O?, s:O?, s:O?, s:b, s:b, s:I, s:o, s:s, s:s?, s:o, s:O?, s:o, s:o}",
		"id", (int)from->id, "title", from->title, "state",
		state_names[from->state], "reason", from->reason, "error",
		from->error, "program", from->program, "metric", from->metric,
		"by", from->by, "where", from->where, "pid",
		json_object_get(from->request, "pid"), "stacks",
		from->has_stacks, "pinned", from->is_pinned, "started",
		(json_int_t)from->started, "ended",
		from->ended ? json_integer(from->ended) : json_null(), "view",
		view_of(from), "unit", from->unit, "full",
		from->full > 0 ? json_real(from->full) : json_null(), "fields",
		from->fields, "status", instrumentation_status(from), "fleet",
		fleet_json(from));
	char *text = json ? json_dumps(json, JSON_FORM) : NULL;

	json_decref(json);
	if (!text) {
		text_puts(out, "{}");
		return;
	}
	/* sets are written by the store, before the brace at the end */
	text_add(out, text, strlen(text) - 1);
	text_puts(out, ",\"sets\":");
	if (from->store)
		store_put_sets(out, from->store, from->unit);
	else
		text_puts(out, "[]");
	text_putc(out, '}');
	free(text);
}
