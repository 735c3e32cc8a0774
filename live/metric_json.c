/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics and answers as JSON, in the form of the HTTP interface.
 */
#include "live/predicate.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static json_t *field_json(const struct metric_field *field)
{
	json_t *json = json_pack("{s:s,s:s,s:s}", "name", field->name, "title",
				 field->title, "type",
				 metric_type_name(field->type));

	if (field->unit)
		json_object_set_new(json, "unit", json_string(field->unit));
	return json;
}

static json_t *names_json(const struct metric *metric,
			  const struct metric_preset *preset)
{
	json_t *names = json_array();

	for (size_t i = 0; i < preset->nby; i++)
		json_array_append_new(
			names, json_string(metric->fields[preset->by[i]].name));
	return names;
}

/* How the default is shown; metric_program() says it for every request. */
static const char *view_of(const struct metric *metric)
{
	const struct metric_preset *preset = &metric->presets[0];

	if (metric->view)
		return metric->view;
	if (metric->statistic == METRIC_LOG)
		return "log";
	for (size_t i = 0; i < preset->nby; i++)
		if (metric->fields[preset->by[i]].type == METRIC_NUMBER)
			return "heatmap";
	return preset->has_stacks ? "flame" : "line";
}

json_t *metric_json(const struct metric *metric)
{
	json_t *fields = json_array(), *presets = json_array();

	for (size_t i = 0; i < metric->nfields; i++)
		json_array_append_new(fields, field_json(&metric->fields[i]));
	for (size_t i = 0; i < metric->npresets; i++) {
		const struct metric_preset *preset = &metric->presets[i];

		json_array_append_new(presets,
				      json_pack("{s:s,s:o,s:b}", "title",
						preset->title, "by",
						names_json(metric, preset),
						"stacks", preset->has_stacks));
	}
	return json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:b,s:o,s:o,s:s,s:o,s:o}",
			 "name", metric->name, "module", metric->module,
			 "title", metric->title, "about", metric->about, "unit",
			 metric->unit, "entry",
			 metric->entry ? metric->entry : "machine", "needs_pid",
			 metric->needs_pid, "fields", fields, "default",
			 names_json(metric, &metric->presets[0]), "view",
			 view_of(metric), "full",
			 metric->full > 0 ? json_real(metric->full)
					  : json_null(),
			 "presets", presets);
}

json_t *metrics_modules_json(const struct metrics *metrics)
{
	json_t *modules = json_array();

	for (size_t i = 0; i < metrics->nmodules; i++)
		json_array_append_new(
			modules, json_pack("{s:s,s:s,s:s}", "name",
					   metrics->modules[i].name, "title",
					   metrics->modules[i].title, "entry",
					   metrics->modules[i].entry));
	return modules;
}

bool metric_refuse(struct metric_answer *answer, const char *code,
		   const char *hint, const char *format, ...)
{
	struct text message = { 0 };
	va_list args;

	if (answer->code)
		return false;
	va_start(args, format);
	text_vprintf(&message, format, args);
	va_end(args);
	answer->code = code;
	answer->message = message.p;
	answer->hint = hint ? strdup(hint) : NULL;
	return false;
}

json_t *metric_answer_error(const struct metric_answer *answer)
{
	return json_pack("{s:{s:s,s:s,s:s}}", "error", "code", answer->code,
			 "message", answer->message, "hint",
			 answer->hint ? answer->hint : "");
}

void metric_answer_free(struct metric_answer *answer)
{
	json_decref(answer->keys);
	json_decref(answer->by);
	free(answer->title);
	free(answer->message);
	free(answer->hint);
	*answer = (struct metric_answer){ 0 };
}
