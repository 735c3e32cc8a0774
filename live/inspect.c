/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inspector's client: questions that need the compiler, or /proc, which this
 * process does not have.  Meanwhile the request is suspended.
 *
 * If the inspector dies (a compiler that reads hostile text may), all that wait
 * are told, and the monitor starts another one.
 */
#include "live/api.h"
#include "live/events.h"

/* Only the inspector has a time to answer: a head that is asked keeps one itself. */
static bool ask(struct server *server, struct lines *lines, json_t *question)
{
	if (lines == &server->inspector && !server->nquestions++)
		server->inspected = server_clock();
	return lines_send(lines, question, NULL, 0);
}

static void give(struct request *request, json_t *answer)
{
	request->is_asking = false;
	request->answer = answer;
	MHD_resume_connection(request->connection);
}

void inspect_forget(struct request *request)
{
	struct request **link = &request->server->asking;

	while (*link && *link != request)
		link = &(*link)->next_asking;
	if (*link)
		*link = request->next_asking;
}

/* Whether those that need a process can be used depends on it. */
static bool is_settled(const struct server *server, size_t metric)
{
	json_t *metrics = json_object_get(server->catalogue, "metrics");

	return !json_string_length(json_array_get(server->programs, metric)) ||
	       (server->is_retrying &&
		json_is_true(json_object_get(json_array_get(metrics, metric),
					     "available")));
}

/*
 * Which metrics can be used here?  One program after the other, so that people
 * who ask something meanwhile need not wait for all of them.
 */
static void ask_availability(struct server *server)
{
	size_t count = json_array_size(server->programs);

	while (server->tried < count && is_settled(server, server->tried))
		server->tried++;
	if (server->tried >= count) {
		json_object_set_new(server->catalogue, "checking",
				    json_false());
		server->availability = 0;
		events_send_json(server, "metrics", json_object());
		return;
	}
	server->availability = ++server->next_question;
	ask(server, &server->inspector,
	    json_pack("{s:i, s:s, s:[O]}", "n", (int)server->availability,
		      "ask", "availability", "programs",
		      json_array_get(server->programs, server->tried)));
}

static void take_availability(struct server *server, const char *reason)
{
	json_t *metric = json_array_get(json_object_get(server->catalogue,
							"metrics"),
					server->tried++);

	json_object_set_new(metric, "available", json_boolean(!*reason));
	json_object_set_new(metric, "reason",
			    json_stringn(reason, strlen(reason)));
	server->availability = 0;
}

void inspect_answer(struct server *server, uint32_t n, json_t *answer)
{
	struct request *request = server->asking;

	while (request && request->question != n)
		request = request->next_asking;
	if (!request) {
		json_decref(answer);
		return;
	}
	json_object_del(answer, "n");
	inspect_forget(request);
	give(request, answer);
}

/* A head that is asked has ended, or nobody knows why it does not answer. */
void inspect_lost(struct server *server, const struct lines *lines)
{
	struct request *next;

	for (struct request *at = server->asking; at; at = next) {
		next = at->next_asking;
		if (at->asked != lines)
			continue;
		inspect_forget(at);
		give(at, error_json("no_head", "", "what merges its hosts has ended"));
	}
}

static void take(struct server *server, json_t *answer)
{
	uint32_t n = (uint32_t)json_integer_value(json_object_get(answer, "n"));

	server->nquestions -= server->nquestions > 0;
	server->inspected = server_clock();
	if (n && n == server->availability) {
		const char *reason = json_string_value(json_array_get(
			json_object_get(answer, "reasons"), 0));

		take_availability(server, reason ? reason : "");
		json_decref(answer);
		ask_availability(server);
		return;
	}
	inspect_answer(server, n, answer);
}

/* A server may have been started since the metrics were tried. */
void inspect_retry(struct server *server)
{
	if (server->availability ||
	    server->tried < json_array_size(server->programs))
		return;
	server->is_retrying = true;
	server->tried = 0;
	ask_availability(server);
}

void inspect_closed(struct server *server)
{
	if (server->availability)
		take_availability(server, "its program cannot be tried");
	server_unwatch(server, &server->inspector_source);
	lines_close(&server->inspector);
	struct request *next;

	server->nquestions = 0;
	for (struct request *at = server->asking; at; at = next) {
		next = at->next_asking;
		if (at->asked != &server->inspector)
			continue;
		inspect_forget(at);
		give(at,
		     error_json("inspector_gone", "try again",
				"the process that compiles has ended, or took longer than %lld s",
				(long long)server->settings->client_timeout /
					1000));
	}
	lines_send(&server->monitor, json_pack("{s:s}", "do", "inspector"),
		   NULL, 0);
}

/* A program can be made so that it takes minutes to compile: nobody else waits. */
void inspect_tick(struct server *server)
{
	if (server->nquestions && server->inspector.fd >= 0 &&
	    server_clock() >
		    server->inspected + server->settings->client_timeout)
		inspect_closed(server);
}

static void ready(struct server *server, struct watch *source)
{
	bool is_open = lines_read(&server->inspector);
	json_t *answer;

	(void)source;
	lines_flush(&server->inspector);
	while ((answer = lines_next(&server->inspector)))
		take(server, answer);
	if (!is_open)
		inspect_closed(server);
}

bool inspect_open(struct server *server, int fd)
{
	lines_open(&server->inspector, fd);
	server->inspector_source = (struct watch){ .fd = fd, .ready = ready };
	if (!server_watch(server, &server->inspector_source))
		return false;
	if (json_is_true(json_object_get(server->catalogue, "checking")))
		ask_availability(server);
	return true;
}

void inspect_ask(struct request *request, json_t *question)
{
	inspect_ask_at(request, &request->server->inspector, question);
}

void inspect_ask_at(struct request *request, struct lines *lines,
		    json_t *question)
{
	struct server *server = request->server;

	request->question = ++server->next_question;
	request->asked = lines;
	json_object_set_new(question, "n", json_integer(request->question));
	if (!ask(server, lines, question)) {
		reply_error(request, 503, "inspector_gone", "try again",
			    "the process that compiles is not there");
		return;
	}
	request->is_asking = true;
	request->next_asking = server->asking;
	server->asking = request;
	MHD_suspend_connection(request->connection);
}
