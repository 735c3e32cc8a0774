/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Other hosts: which there are (the watcher says it), and what a head says of
 * those that it merges, more than a worker says of its own.
 *
 * Lists of hosts are long: they are asked for by pages that show them.  How many
 * report is in every status.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "live/api.h"
#include "live/events.h"

enum { MOST_SAID = 50 };

/* ------------------------------------------------------------- the watcher */

json_t *hosts_json(const struct server *server)
{
	return json_pack("{s:o, s:s}", "hosts",
			 server->hosts ? json_incref(server->hosts)
				       : json_array(),
			 "problem",
			 server->host_problem ? server->host_problem
			 : server->hosts      ? ""
					 : "the hosts are not known yet");
}

static void take_line(struct server *server, json_t *line)
{
	const char *event = json_string_value(json_object_get(line, "event"));
	json_t *hosts = json_object_get(line, "hosts");
	const char *text = json_string_value(json_object_get(line, "text"));

	if (event && !strcmp(event, "hosts") && json_is_array(hosts)) {
		json_decref(server->hosts);
		server->hosts = json_incref(hosts);
	} else if (event && !strcmp(event, "problem") && text) {
		free(server->host_problem);
		server->host_problem = *text ? must_strdup(text) : NULL;
	}
	if (server->clients)
		events_send_json(server, "hosts", hosts_json(server));
}

static void ready(struct server *server, struct watch *source)
{
	bool is_open = lines_read(&server->watcher);
	json_t *line;

	(void)source;
	while ((line = lines_next(&server->watcher))) {
		take_line(server, line);
		json_decref(line);
	}
	if (is_open)
		return;
	/* the monitor starts another one */
	server_unwatch(server, &server->watcher_source);
	lines_close(&server->watcher);
}

bool hosts_open(struct server *server, int fd)
{
	server_unwatch(server, &server->watcher_source);
	lines_close(&server->watcher);
	lines_open(&server->watcher, fd);
	server->watcher_source = (struct watch){ .fd = fd, .ready = ready };
	return server_watch(server, &server->watcher_source);
}

void api_hosts(struct request *request)
{
	if (request->server->settings->nats)
		reply_json(request, 200, hosts_json(request->server));
	else
		reply_error(request, 409, "no_fleet", "start dtlive with --nats",
			    "this server shows its own host only");
}

/* ---------------------------------------------------------- what heads say */

static void replace(json_t **member, json_t *line, const char *name)
{
	json_t *value = json_object_get(line, name);

	if (!value)
		return;
	json_decref(*member);
	*member = json_incref(value);
}

static void keep_message(struct instrumentation *from, json_t *line)
{
	if (!from->said)
		from->said = json_array();
	if (json_array_size(from->said) == MOST_SAID)
		json_array_remove(from->said, 0);
	json_object_del(line, "event");
	json_object_set_new(line, "t", json_integer(server_now(from->server)));
	json_array_append(from->said, line);
}

/* Somebody waits for it, as for the inspector's answers. */
static void answer_who(struct server *server, json_t *line)
{
	uint32_t n = (uint32_t)json_integer_value(json_object_get(line, "n"));

	json_object_del(line, "event");
	inspect_answer(server, n, json_incref(line));
}

bool fleet_take(struct instrumentation *from, const char *event, json_t *line)
{
	if (!strcmp(event, "status")) {
		replace(&from->sources, line, "sources");
		replace(&from->refused, line, "refused");
	} else if (!strcmp(event, "hosts")) {
		replace(&from->hosts, line, "hosts");
	} else if (!strcmp(event, "column")) {
		from->late += json_is_true(json_object_get(line, "late"));
	} else if (!strcmp(event, "message")) {
		keep_message(from, line);
	} else if (!strcmp(event, "who")) {
		answer_who(from->server, line);
	} else {
		return false;
	}
	return true;
}

void fleet_forget(struct instrumentation *from)
{
	json_decref(from->sources);
	json_decref(from->refused);
	json_decref(from->hosts);
	json_decref(from->said);
}

void fleet_put_status(const struct instrumentation *from, json_t *status)
{
	if (!from->server->settings->nats)
		return;
	json_object_set(status, "sources", from->sources);
	json_object_set(status, "refused", from->refused);
	json_object_set_new(status, "late", json_integer(from->late));
}

json_t *fleet_json(const struct instrumentation *from)
{
	json_t *hosts = json_object_get(from->request, "hosts");
	json_t *by = json_object_get(from->request, "aggby");

	if (!from->server->settings->nats)
		return json_null();
	return json_pack("{s:o, s:o}", "hosts",
			 hosts ? json_incref(hosts) : json_string("*"),
			 "aggby", by ? json_incref(by) : json_array());
}

/* ------------------------------------------------------------------ routes */

/* Its hosts: who reports, who does not, and why. */
void api_fleet(struct request *request)
{
	struct instrumentation *one = request_instrumentation(request);

	if (!one)
		return;
	reply_json(request, 200,
		   json_pack("{s:o, s:o}", "hosts",
			     one->hosts ? json_incref(one->hosts)
					: json_array(),
			     "said",
			     one->said ? json_incref(one->said)
				       : json_array()));
}

/* Which hosts a cell, or a rectangle, is made of. */
void api_who(struct request *request)
{
	struct instrumentation *one = request_instrumentation(request);
	int64_t number, from, to, low, high;

	if (!one)
		return;
	if (!request->server->settings->nats || one->lines.fd < 0) {
		reply_error(request, 409, "no_head", "",
			    "instrumentation %u has no head that could say it",
			    request->number);
		return;
	}
	if (!request_number(request, "set", 0, UINT32_MAX, 0, &number) ||
	    !request_number(request, "from", 0, INT64_MAX, 0, &from) ||
	    !request_number(request, "to", 0, INT64_MAX, 0, &to) ||
	    !request_number(request, "low", 0, INT32_MAX, 0, &low) ||
	    !request_number(request, "high", 0, INT32_MAX, INT32_MAX, &high))
		return;
	if (!one->store || number >= one->store->nsets) {
		reply_error(request, 404, "no_such_set",
			    "sets are known when something was counted",
			    "instrumentation %u has no set %lld",
			    request->number, (long long)number);
		return;
	}
	const struct store_set *set = one->store->sets[number];

	inspect_ask_at(request, &one->lines,
		       json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I}", "do",
				 "who", "name", set->name, "function",
				 set->function, "from", (json_int_t)from, "to",
				 (json_int_t)to, "low", (json_int_t)low, "high",
				 (json_int_t)high));
}
