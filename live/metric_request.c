/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a request asks for: fields, stacks, a predicate, a process.
 *
 * Everything is checked here, against the metric, before a program is written.
 * Whoever shows the result needs more than the program: a title, the view that
 * fits, and the unit of what is shown (metric_answer).
 *
 * A field of type number becomes the rows of a histogram, so there can be one;
 * strings and integers are keys; stacks come last.  In a log all are printed.
 */
#include "live/metric_builder.h"

#include "base/text.h"

#include <string.h>

static bool add_by(struct builder *builder, const char *name)
{
	const struct metric *metric = builder->metric;
	struct metric_answer *answer = builder->answer;
	int field = metric_find_field(metric, name);

	if (field < 0)
		return metric_refuse(answer, "no_such_field",
				     "GET /api/1/metrics lists its fields",
				     "%s has no field %.64s", metric->name,
				     name);
	for (size_t i = 0; i < json_array_size(answer->by); i++)
		if (!strcmp(json_string_value(json_array_get(answer->by, i)),
			    name))
			return metric_refuse(answer, "field_twice", NULL,
					     "%s is named twice", name);
	enum metric_type type = metric->fields[field].type;

	if (type == METRIC_STACK) {
		if (builder->nstacks < MOST_KEYS)
			builder->stacks[builder->nstacks++] = (size_t)field;
	} else if (type == METRIC_NUMBER && metric->statistic != METRIC_LOG) {
		if (builder->number >= 0)
			return metric_refuse(
				answer, "two_numbers",
				"a number becomes the rows of a heat map; choose one",
				"%s and %s are both numbers",
				metric->fields[builder->number].name, name);
		builder->number = field;
	} else {
		if (builder->nkeys == MOST_KEYS)
			return metric_refuse(answer, "too_many_fields", NULL,
					     "at most %d fields are keys",
					     MOST_KEYS);
		builder->keys[builder->nkeys++] = (size_t)field;
		json_array_append_new(answer->keys, json_string(name));
	}
	json_array_append_new(answer->by, json_string(name));
	return true;
}

static bool read_by(struct builder *builder, json_t *by)
{
	const struct metric_preset *preset = &builder->metric->presets[0];
	size_t i;
	json_t *name;

	if (!by || json_is_null(by)) {
		for (i = 0; i < preset->nby; i++)
			if (!add_by(builder,
				    builder->metric->fields[preset->by[i]].name))
				return false;
		return true;
	}
	if (!json_is_array(by))
		return metric_refuse(builder->answer, "bad_request", NULL,
				     "\"by\" is an array of names of fields");
	json_array_foreach(by, i, name)
	{
		if (!json_is_string(name))
			return metric_refuse(
				builder->answer, "bad_request", NULL,
				"\"by\" is an array of names of fields");
		if (!add_by(builder, json_string_value(name)))
			return false;
	}
	return true;
}

static bool read_stacks(struct builder *builder, json_t *stacks,
			bool is_default)
{
	const struct metric *metric = builder->metric;
	bool wanted = is_default && metric->presets[0].has_stacks;

	if (stacks && !json_is_null(stacks)) {
		if (!json_is_boolean(stacks))
			return metric_refuse(builder->answer, "bad_request",
					     NULL,
					     "\"stacks\" is true or false");
		wanted = json_is_true(stacks);
	}
	if (wanted && !builder->nstacks)
		for (size_t i = 0; i < metric->nfields; i++)
			if (metric->fields[i].type == METRIC_STACK &&
			    builder->nstacks < MOST_KEYS)
				builder->stacks[builder->nstacks++] = i;
	if (wanted && !builder->nstacks)
		return metric_refuse(builder->answer, "no_stacks",
				     "others do the work when it is measured",
				     "%s has no stacks", metric->name);
	if (builder->nstacks && metric->statistic == METRIC_LOG)
		return metric_refuse(builder->answer, "no_stacks", NULL,
				     "a log has no stacks");
	builder->answer->has_stacks = builder->nstacks > 0;
	return true;
}

static bool uses_target(const struct metric *metric)
{
	for (size_t i = 0; i < metric->nclauses; i++)
		if (strstr(metric->clauses[i].probes, "$target") ||
		    (metric->clauses[i].when &&
		     strstr(metric->clauses[i].when, "$target")))
			return true;
	return false;
}

static bool read_pid(struct builder *builder, json_t *pid)
{
	const struct metric *metric = builder->metric;
	struct metric_answer *answer = builder->answer;

	if (!pid || json_is_null(pid))
		return !metric->needs_pid ||
		       metric_refuse(answer, "needs_pid",
				     "choose a process and give its \"pid\"",
				     "%s is about one process", metric->name);
	if (!json_is_integer(pid) || json_integer_value(pid) <= 0 ||
	    json_integer_value(pid) > 0x7fffffff)
		return metric_refuse(answer, "bad_request", NULL,
				     "\"pid\" is the number of a process");
	if (uses_target(metric)) {
		builder->target = (long)json_integer_value(pid);
		answer->needs_target = true;
		return true;
	}
	if (metric_find_field(metric, "pid") < 0)
		return metric_refuse(
			answer, "no_process",
			"leave \"pid\" out: it is about the whole machine",
			"%s does not know for which process it works",
			metric->name);
	predicate_require(&builder->predicate, "pid", json_integer_value(pid));
	return true;
}

bool metric_request_read(struct builder *builder, json_t *request)
{
	json_t *by = json_object_get(request, "by");

	if (request && !json_is_object(request))
		return metric_refuse(builder->answer, "bad_request", NULL,
				     "a request is an object");
	if (!read_by(builder, by) ||
	    !read_stacks(builder, json_object_get(request, "stacks"),
			 !by || json_is_null(by)) ||
	    !predicate_read(builder->metric, json_object_get(request, "where"),
			    &builder->predicate, builder->answer) ||
	    !read_pid(builder, json_object_get(request, "pid")))
		return false;
	return builder->metric->statistic != METRIC_LOG || builder->nkeys ||
	       metric_refuse(builder->answer, "bad_request",
			     "name the fields to print in \"by\"",
			     "a log prints at least one field");
}

/* ----------------------------------------------------------------- answer */

static const struct metric_preset *matching_preset(struct builder *builder)
{
	const struct metric *metric = builder->metric;
	json_t *by = builder->answer->by;

	for (size_t i = 0; i < metric->npresets; i++) {
		const struct metric_preset *preset = &metric->presets[i];
		bool is_same = preset->nby == json_array_size(by) &&
			       preset->has_stacks ==
				       builder->answer->has_stacks;

		for (size_t k = 0; is_same && k < preset->nby; k++)
			is_same = !strcmp(metric->fields[preset->by[k]].name,
					  json_string_value(json_array_get(by,
									   k)));
		if (is_same)
			return preset;
	}
	return NULL;
}

static void put_title(struct builder *builder, struct text *title)
{
	const struct metric *metric = builder->metric;
	const struct metric_preset *preset = matching_preset(builder);

	text_puts(title, preset ? preset->title : metric->title);
	if (!preset && builder->number >= 0)
		text_printf(title, ": %s",
			    metric->fields[builder->number].title);
	for (size_t i = 0; !preset && i < builder->nkeys; i++)
		text_printf(title, "%s%s", i ? ", " : " by ",
			    metric->fields[builder->keys[i]].title);
	if (!preset && builder->nstacks)
		text_puts(title, builder->nkeys ? ", stack" : " by stack");
	if (builder->target)
		text_printf(title, ", process %ld", builder->target);
	for (size_t i = 0; i < builder->predicate.nterms; i++) {
		text_puts(title, i ? " && " : ", where ");
		predicate_describe(metric, builder->predicate.terms[i], title);
	}
}

static const char *view_of(const struct builder *builder)
{
	const struct metric *metric = builder->metric;

	if (builder->number >= 0)
		return "heatmap";
	if (builder->nstacks)
		return "flame";
	if (metric->view && strcmp(metric->view, "heatmap") != 0 &&
	    strcmp(metric->view, "flame") != 0)
		return metric->view;
	return metric->statistic == METRIC_LOG ? "log" : "line";
}

void metric_request_answer(struct builder *builder)
{
	const struct metric *metric = builder->metric;
	struct metric_answer *answer = builder->answer;
	struct text title = { 0 };

	put_title(builder, &title);
	answer->title = title.p;
	answer->view = view_of(builder);
	answer->full = !strcmp(answer->view, "utilization") ? metric->full : 0;
	answer->unit = metric->unit;
	if (metric->statistic != METRIC_LOG)
		answer->name = strchr(metric->name, '.') + 1;
	if (builder->number >= 0) {
		answer->unit = metric->fields[builder->number].unit;
		answer->name = metric->fields[builder->number].name;
	}
}
