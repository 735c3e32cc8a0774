/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics on the command line, for people and tests.
 *
 *	dtlive metrics [--check | --json] [DIR]
 *	dtlive program [--metrics DIR] METRIC [--by a,b] [--where JSON] [--stacks]
 *	               [--pid N]
 *
 * The first lists what can be asked and whether this machine can answer, or with
 * --check everything that does not compile here; the second prints a program.  Errors of a request are printed with their code.
 */
#include "live/metric.h"

#include "base/text.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_USAGE = 2 };

static int usage(FILE *out)
{
	fputs("Usage: dtlive metrics [--check | --json] [directory]\n"
	      "       dtlive program [--metrics directory] metric [--by field,...] [--where predicate]\n"
	      "                      [--stacks] [--pid process]\n"
	      "\n"
	      "\t--check - compile every preset, and a predicate with every field\n"
	      "\t--json - all about metrics, as GET /api/1/metrics has it\n"
	      "\t--by field,... - break down by these fields; one may be a number\n"
	      "\t--where predicate - only these, such as {\"eq\":[\"execname\",\"sh\"]}\n"
	      "\t--stacks - and by stack\n"
	      "\t--pid process - only this process\n",
	      out);
	return EXIT_USAGE;
}

static struct metrics *open_metrics(const char *directory)
{
	char *found = directory ? NULL : metrics_directory(), *problem = NULL;
	struct metrics *metrics = metrics_read(directory ? directory : found,
					       &problem);

	if (problem)
		fputs(problem, stderr);
	free(problem);
	free(found);
	return metrics;
}

static bool print_metric(const struct metric *metric)
{
	char *reason;
	bool is_available = metric_available(metric, &reason);

	printf("%-24s %-3s %s\n", metric->name, is_available ? "yes" : "no",
	       metric->title);
	if (!is_available)
		printf("%-28s %s\n", "", reason);
	free(reason);
	return true;
}

static json_t *preset_request(const struct metric *metric,
			      const struct metric_preset *preset)
{
	json_t *by = json_array();

	for (size_t i = 0; i < preset->nby; i++)
		json_array_append_new(
			by, json_string(metric->fields[preset->by[i]].name));
	return json_pack("{s:o,s:b,s:i}", "by", by, "stacks",
			 preset->has_stacks, "pid", (int)getpid());
}

/* The default, of what has a certain value in each of its fields. */
static json_t *every_field(const struct metric *metric)
{
	json_t *terms = json_array();

	for (size_t i = 0; i < metric->nfields; i++) {
		const struct metric_field *field = &metric->fields[i];
		json_t *value = field->type == METRIC_STRING ? json_string("x")
							     : json_integer(1);

		if (field->type == METRIC_STACK)
			json_decref(value);
		else
			json_array_append_new(terms,
					      json_pack("{s:[so]}", "eq",
							field->name, value));
	}
	return json_pack("{s:{s:o},s:i}", "where", "and", terms, "pid",
			 (int)getpid());
}

/* Compiles every preset and a predicate with every field; prints what is wrong. */
static bool check_metric(const struct metric *metric)
{
	bool is_fine = true;

	for (size_t i = 0; i <= metric->npresets; i++) {
		bool is_preset = i < metric->npresets;
		json_t *request = is_preset
					  ? preset_request(metric,
							   &metric->presets[i])
					  : every_field(metric);
		char *reason = NULL;

		if (metric_find_field(metric, "pid") < 0 && !metric->needs_pid)
			json_object_del(request, "pid");
		if (!metric_compiles(metric, request, getpid(), &reason)) {
			printf("%s: %s: %s\n", metric->name,
			       is_preset ? metric->presets[i].title
					 : "all fields",
			       reason);
			is_fine = false;
		}
		free(reason);
		json_decref(request);
	}
	return is_fine;
}

static void print_json(const struct metrics *metrics)
{
	json_t *all = json_array();

	for (size_t i = 0; i < metrics->nmetrics; i++)
		json_array_append_new(all, metric_json(metrics->metrics[i]));
	json_t *json = json_pack("{s:o,s:o}", "modules",
				 metrics_modules_json(metrics), "metrics", all);

	json_dumpf(json, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(json);
}

static int list(int argc, char **argv)
{
	bool has_flag = argc > 1 && argv[1][0] == '-';
	bool is_json = has_flag && !strcmp(argv[1], "--json");
	bool is_check = has_flag && !strcmp(argv[1], "--check");

	if (argc - has_flag > 2 || (has_flag && !is_json && !is_check))
		return usage(stderr);
	struct metrics *metrics =
		open_metrics(argc > 1 + has_flag ? argv[1 + has_flag] : NULL);
	int status = 0;

	if (!metrics)
		return 1;
	for (size_t i = 0; !is_json && i < metrics->nmetrics; i++)
		if (!(is_check ? check_metric
			       : print_metric)(metrics->metrics[i]))
			status = 1;
	if (is_json)
		print_json(metrics);
	metrics_free(metrics);
	return status;
}

static json_t *split(const char *names)
{
	json_t *list = json_array();
	char *copy = strdup(names), *rest = copy;

	for (char *name; copy && (name = strsep(&rest, ",")) != NULL;)
		if (*name)
			json_array_append_new(list, json_string(name));
	free(copy);
	return list;
}

enum { BY = 256, WHERE, STACKS, PID, METRICS };

static const struct option options[] = {
	{ "by", required_argument, NULL, BY },
	{ "where", required_argument, NULL, WHERE },
	{ "stacks", no_argument, NULL, STACKS },
	{ "pid", required_argument, NULL, PID },
	{ "metrics", required_argument, NULL, METRICS },
	{ 0 },
};

/* Adds what an option says to the request; false with a message. */
static bool take_option(json_t *request, int flag, const char *value,
			const char **directory)
{
	json_error_t error;
	char *end;
	json_t *where;

	switch (flag) {
	case BY:
		json_object_set_new(request, "by", split(value));
		return true;
	case WHERE:
		where = json_loads(value, JSON_REJECT_DUPLICATES, &error);
		if (!where)
			fprintf(stderr, "dtlive: --where: %s\n", error.text);
		else
			json_object_set_new(request, "where", where);
		return where;
	case STACKS:
		json_object_set_new(request, "stacks", json_true());
		return true;
	case PID:
		json_object_set_new(request, "pid",
				    json_integer(strtoll(value, &end, 10)));
		if (*end)
			fprintf(stderr, "dtlive: --pid: %s is no number\n",
				value);
		return !*end;
	case METRICS:
		*directory = value;
		return true;
	default:
		usage(stderr);
		return false;
	}
}

static int print_program(const struct metric *metric, json_t *request)
{
	struct metric_answer answer;
	char *program = metric_program(metric, request, &answer);

	if (program)
		fputs(program, stdout);
	else
		fprintf(stderr, "dtlive: %s: %s%s%s%s\n", answer.code,
			answer.message, answer.hint ? " (" : "",
			answer.hint ? answer.hint : "", answer.hint ? ")" : "");
	free(program);
	metric_answer_free(&answer);
	return program ? 0 : 1;
}

static int program(int argc, char **argv)
{
	json_t *request = json_object();
	const char *directory = NULL;
	int status = 0, flag;

	while (!status &&
	       (flag = getopt_long(argc, argv, "", options, NULL)) != -1)
		if (!take_option(request, flag, optarg, &directory))
			status = EXIT_USAGE;
	if (!status && optind + 1 != argc)
		status = usage(stderr);
	struct metrics *metrics = status ? NULL : open_metrics(directory);

	if (metrics) {
		const struct metric *metric = metrics_find(metrics,
							   argv[optind]);

		if (metric) {
			status = print_program(metric, request);
		} else {
			fprintf(stderr,
				"dtlive: no_such_metric: there is no metric %s (see dtlive metrics)\n",
				argv[optind]);
			status = 1;
		}
	}
	if (!status && !metrics)
		status = 1;
	metrics_free(metrics);
	json_decref(request);
	return status;
}

int metric_command(int argc, char **argv)
{
	if (argc > 0 && !strcmp(argv[0], "metrics"))
		return list(argc, argv);
	if (argc > 0 && !strcmp(argv[0], "program"))
		return program(argc, argv);
	return usage(stderr);
}
