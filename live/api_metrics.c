/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics: what can be asked without D, and the D that a question becomes.
 *
 * The files are read before the process is confined.  Whether this machine can
 * answer is not known at the start: the inspector compiles each metric's default
 * program, which takes some seconds, and the page is told when it is done.
 */
#include <stdlib.h>

#include "live/api.h"
#include "live/metric.h"

/* The default program of a metric, as JSON; "" for one that needs a process. */
static json_t *default_program(const struct metric *metric)
{
	struct metric_answer answer;
	char *program = metric->needs_pid
				? NULL
				: metric_program(metric, NULL, &answer);
	json_t *json = program ? json_stringn(program, strlen(program)) : NULL;

	if (!metric->needs_pid)
		metric_answer_free(&answer);
	free(program);
	return json ? json : json_stringn("", 0);
}

bool metrics_open(struct server *server)
{
	const struct settings *settings = server->settings;
	char *problem = NULL;
	char *dir = settings->metrics ? strdup(settings->metrics)
				      : metrics_directory();
	json_t *list = json_array();

	server->metrics = dir ? metrics_read(dir, &problem) : NULL;
	if (problem)
		fprintf(stderr, "dtlive: %s", problem);
	server->programs = json_array();
	for (size_t i = 0; server->metrics && i < server->metrics->nmetrics;
	     i++) {
		const struct metric *metric = server->metrics->metrics[i];
		json_t *json = metric_json(metric);

		json_object_set_new(json, "available", json_true());
		json_object_set_new(json, "reason", json_stringn("", 0));
		json_array_append_new(list, json);
		json_array_append_new(server->programs,
				      default_program(metric));
	}
	server->catalogue = json_pack(
		"{s:o, s:o, s:b}", "modules",
		server->metrics ? metrics_modules_json(server->metrics)
				: json_array(),
		"metrics", list, "checking",
		settings->replay_fd < 0 && !settings->nats &&
			json_array_size(list));
	free(problem);
	free(dir);
	return server->metrics;
}

void api_metrics(struct request *request)
{
	reply_json(request, 200, json_incref(request->server->catalogue));
}

/* ----------------------------------------------------------------- requests */

static json_t *fields_of(const struct server *server, const char *name)
{
	json_t *metrics = json_object_get(server->catalogue, "metrics"), *metric;
	size_t i;

	json_array_foreach (metrics, i, metric)
		if (!strcmp(name, json_string_value(
					  json_object_get(metric, "name"))))
			return json_object_get(metric, "fields");
	return NULL;
}

json_t *metrics_request(const struct server *server, json_t *request,
			json_t **error, unsigned *status)
{
	const char *name = json_string_value(json_object_get(request, "metric"));
	const struct metric *metric =
		name && server->metrics ? metrics_find(server->metrics, name)
					: NULL;
	struct metric_answer answer;

	*status = 404;
	if (!metric) {
		*error = error_json("no_such_metric",
				    "GET /api/1/metrics lists them",
				    "there is no metric %.80s",
				    name ? name : "without a name");
		return NULL;
	}
	*status = 400;
	char *program = metric_program(metric, request, &answer);
	json_t *made = NULL;

	if (program)
		made = json_pack("{s:s, s:s, s:s, s:s?, s:f, s:O?, s:O?, s:b}",
				 "program", program, "title", answer.title,
				 "view", answer.view, "unit", answer.unit,
				 "full", answer.full, "by", answer.by, "fields",
				 fields_of(server, name), "target",
				 answer.needs_target);
	else
		*error = metric_answer_error(&answer);
	metric_answer_free(&answer);
	free(program);
	return made;
}

void api_generate(struct request *request)
{
	json_t *error = NULL;
	unsigned status = 400;
	json_t *made = metrics_request(request->server, request->body, &error,
				       &status);

	if (!made) {
		reply_error_json(request, status, error);
		return;
	}
	json_object_del(made, "fields");
	json_object_del(made, "target");
	reply_json(request, 200, made);
}
