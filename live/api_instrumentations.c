/* SPDX-License-Identifier: Apache-2.0 */
/* Instrumentations: list, create, change, stop, delete. */
#include <stdlib.h>

#include "base/arena.h"
#include "live/api.h"

enum { MOST_TITLE = 200 };

static void reply_one(struct request *request, unsigned status,
		      const struct instrumentation *one)
{
	struct text text = { 0 };

	instrumentation_put(&text, one);
	reply_text(request, status, "application/json", &text);
}

void api_instrumentations(struct request *request)
{
	const struct server *server = request->server;
	struct text text = { 0 };

	text_puts(&text, "{\"instrumentations\":[");
	for (uint32_t i = 0; i < server->count; i++) {
		if (i)
			text_putc(&text, ',');
		instrumentation_put(&text, server->list[i]);
	}
	text_puts(&text, "]}");
	reply_text(request, 200, "application/json", &text);
}

static bool is_title(json_t *title)
{
	return !title || (json_is_string(title) &&
			  json_string_length(title) <= MOST_TITLE &&
			  strlen(json_string_value(title)) ==
				  json_string_length(title));
}

void api_create(struct request *request)
{
	struct server *server = request->server;
	json_t *error = NULL;
	unsigned status = 400;

	if (server->settings->replay_fd >= 0) {
		reply_error(request, 409, "is_replay",
			    "start dtlive without --replay",
			    "this server shows a recording");
		return;
	}
	/* what only the command line may say */
	json_object_del(request->body, "spec");
	json_object_del(request->body, "begin");
	json_object_del(request->body, "replay");
	if (!is_title(json_object_get(request->body, "title"))) {
		reply_error(request, 400, "bad_request", "",
			    "a title is a text of at most %d bytes",
			    MOST_TITLE);
		return;
	}
	struct instrumentation *one = instrumentation_new(
		server, json_incref(request->body), &error, &status);

	if (one)
		reply_one(request, 201, one);
	else
		reply_error_json(request, status, error);
}

void api_instrumentation(struct request *request)
{
	struct instrumentation *one = request_instrumentation(request);

	if (one)
		reply_one(request, 200, one);
}

void api_change(struct request *request)
{
	struct instrumentation *one = request_instrumentation(request);
	json_t *pinned = json_object_get(request->body, "pinned");
	json_t *title = json_object_get(request->body, "title");

	if (!one)
		return;
	if ((pinned && !json_is_boolean(pinned)) || !is_title(title) ||
	    (!pinned && !title)) {
		reply_error(request, 400, "bad_request",
			    "such as {\"pinned\":true} or {\"title\":\"disks\"}",
			    "pinned is true or false, and title a text of at most %d bytes",
			    MOST_TITLE);
		return;
	}
	if (pinned)
		one->is_pinned = json_is_true(pinned);
	if (title) {
		free(one->title);
		one->title = must_strdup(json_string_value(title));
	}
	instrumentation_keep(one);
	instrumentation_changed(one);
	reply_one(request, 200, one);
}

void api_delete(struct request *request)
{
	struct instrumentation *one = request_instrumentation(request);

	if (!one)
		return;
	instrumentation_delete(one);
	reply_json(request, 200,
		   json_pack("{s:i}", "id", (int)request->number));
}

void api_stop(struct request *request)
{
	struct instrumentation *one = request_instrumentation(request);

	if (!one)
		return;
	instrumentation_stop(one, "stopped by a user");
	reply_one(request, 200, one);
}
