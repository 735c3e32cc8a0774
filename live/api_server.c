/* SPDX-License-Identifier: Apache-2.0 */
/* What concerns the server as a whole, and what the inspector answers. */
#include <dtrace.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "live/api.h"
#include "live/events.h"

enum { MOST_ANNOTATIONS = 1000, MOST_TEXT = 1000 };
#define MOST_TIME 9007199254740992.0 /* ms: JavaScript's numbers end here */

/* ------------------------------------------------------------------- status */

/* Resident memory of this process; 0: not known. */
static size_t resident(const struct server *server)
{
	char text[128] = "";
	char *second;

	if (server->statm < 0 ||
	    pread(server->statm, text, sizeof(text) - 1, 0) <= 0)
		return 0;
	second = strchr(text, ' ');
	return second ? strtoul(second, NULL, 10) *
				(size_t)sysconf(_SC_PAGESIZE)
		      : 0;
}

static json_t *lost_json(const struct server *server)
{
	json_t *list = json_array(), *request;
	size_t i;

	json_array_foreach (server->lost, i, request)
		json_array_append_new(
			list, json_pack("{s:O, s:O?}", "spec", request, "title",
					json_object_get(request, "title")));
	return list;
}

json_t *status_json(const struct server *server)
{
	const struct settings *settings = server->settings;

	return json_pack(
		"{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:i, s:{s:I, s:I, s:I}, s:{s:i, s:i}, s:b, s:b, s:o, s:I, s:i, s:i, s:o, s:o}",
		"version", dtrace_package_version_ext, "host", server->host,
		"kernel", server->kernel, "boot", server->boot, "epoch",
		server->epoch, "now", (json_int_t)server_now(server),
		"interval", (json_int_t)settings->interval, "retention",
		(int)settings->retention, "memory", "used",
		(json_int_t)server_memory(server), "limit",
		(json_int_t)settings->max_memory, "rss",
		(json_int_t)resident(server), "instrumentations", "count",
		(int)server->count, "limit", (int)settings->most, "destructive",
		settings->is_destructive, "replay", settings->replay_fd >= 0,
		"max_cost",
		settings->max_cost > 0 ? json_real(settings->max_cost)
				       : json_null(),
		"idle_max", (json_int_t)settings->idle_max, "connections",
		(int)server->npeers, "clients", (int)server->nclients, "lost",
		lost_json(server), "fleet",
		settings->nats ? json_pack("{s:s?}", "hosts", settings->hosts)
			       : json_null());
}

void api_status(struct request *request)
{
	reply_json(request, 200, status_json(request->server));
}

void api_events(struct request *request)
{
	struct MHD_Response *response =
		events_join(request->server, request->connection);

	if (!response) {
		reply_error(request, 503, "too_many_clients",
			    "close a page that is not needed",
			    "%u clients listen to events already",
			    request->server->nclients);
		return;
	}
	request_lasts(request);
	reply_response(request, 200, "text/event-stream", response);
}

/* -------------------------------------------------------------- annotations */

static json_t *annotation_json(const struct annotation *annotation)
{
	return json_pack("{s:i, s:I, s:s}", "n", (int)annotation->n, "t",
			 (json_int_t)annotation->t, "text", annotation->text);
}

json_t *annotations_json(const struct server *server)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < server->nannotations; i++)
		json_array_append_new(list,
				      annotation_json(&server->annotations[i]));
	return list;
}

void api_annotations(struct request *request)
{
	reply_json(request, 200,
		   json_pack("{s:o}", "annotations",
			     annotations_json(request->server)));
}

void api_annotate(struct request *request)
{
	struct server *server = request->server;
	json_t *t = json_object_get(request->body, "t");
	const char *text =
		json_string_value(json_object_get(request->body, "text"));

	double ms = json_number_value(t);

	if (!text || !*text || strlen(text) > MOST_TEXT || !json_is_number(t) ||
	    !(ms >= 0 && ms <= MOST_TIME)) {
		reply_error(request, 400, "bad_annotation",
			    "such as {\"t\":1700000000000,\"text\":\"deployed\"}",
			    "an annotation has a time (ms) and a text of at most %d bytes",
			    MOST_TEXT);
		return;
	}
	if (server->nannotations == MOST_ANNOTATIONS) {
		reply_error(request, 429, "too_many",
			    "delete one that is not needed",
			    "there are %d annotations already",
			    MOST_ANNOTATIONS);
		return;
	}
	server->annotations =
		must_realloc(server->annotations, (server->nannotations + 1) *
							  sizeof(struct annotation));
	struct annotation *annotation =
		&server->annotations[server->nannotations++];

	*annotation = (struct annotation){
		.n = ++server->next_annotation,
		.t = (int64_t)ms,
		.text = must_strdup(text),
	};
	events_send_json(server, "annotation", annotation_json(annotation));
	reply_json(request, 201, annotation_json(annotation));
}

void api_unannotate(struct request *request)
{
	struct server *server = request->server;

	for (uint32_t i = 0; i < server->nannotations; i++) {
		if (server->annotations[i].n != request->number)
			continue;
		free(server->annotations[i].text);
		for (server->nannotations--; i < server->nannotations; i++)
			server->annotations[i] = server->annotations[i + 1];
		events_send_json(server, "unannotated",
				 json_pack("{s:i}", "n", (int)request->number));
		reply_json(request, 200,
			   json_pack("{s:i}", "n", (int)request->number));
		return;
	}
	reply_error(request, 404, "no_such_annotation",
		    "GET /api/1/annotations lists them",
		    "there is no annotation %u", request->number);
}

/* ------------------------------------------------------------------ restore */

void api_restore(struct request *request)
{
	struct server *server = request->server;
	json_t *lost = server->lost, *one, *ids = json_array();
	json_t *errors = json_array();
	size_t i;

	if (!json_is_true(json_object_get(request->body, "all"))) {
		json_decref(ids);
		json_decref(errors);
		reply_error(request, 400, "bad_request",
			    "send {\"all\":true}", "restore starts all that were lost");
		return;
	}
	server->lost = json_array();
	json_array_foreach (lost, i, one) {
		json_t *error = NULL;
		unsigned status;
		struct instrumentation *started = instrumentation_new(
			server, json_deep_copy(one), &error, &status);

		if (started)
			json_array_append_new(ids, json_integer(started->id));
		else
			json_array_append_new(errors, error);
	}
	json_decref(lost);
	lines_send(&server->monitor, json_pack("{s:s}", "do", "restored"), NULL,
		   0);
	reply_json(request, 200,
		   json_pack("{s:o, s:o}", "started", ids, "errors", errors));
}

/* ---------------------------------------------------------------- inspector */

void api_processes(struct request *request)
{
	inspect_ask(request, json_pack("{s:s}", "ask", "processes"));
	inspect_retry(request->server);
}

static void ask_about_program(struct request *request, const char *what,
			      const char *more)
{
	json_t *program = json_object_get(request->body, "program");
	json_t *value = more ? json_object_get(request->body, more) : NULL;

	if (!json_is_string(program) || (more && !json_is_integer(value))) {
		reply_error(request, 400, "bad_request", "",
			    more ? "program must be a text, and %s a number"
				 : "program must be a text",
			    more);
		return;
	}
	json_t *question = json_pack("{s:s, s:O}", "ask", what, "program",
				     program);

	if (more)
		json_object_set(question, more, value);
	inspect_ask(request, question);
}

void api_check(struct request *request)
{
	ask_about_program(request, "check", NULL);
}

void api_complete(struct request *request)
{
	ask_about_program(request, "complete", "cursor");
}
