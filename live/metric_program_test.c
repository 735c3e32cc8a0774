/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that metrics become, what is told about them, and random files and
 * requests, which must do no harm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "live/metric.h"

static const char disk[] =
	"title Disk\n"
	"about Requests.\n"
	"unit requests\n"
	"start io:::start\n"
	"key arg0\n"
	"measure io:::done\n"
	"key arg0\n"
	"process start\n"
	"field latency number ns \"latency\" = timestamp - $began\n"
	"field cost number ns \"cost\" = vtimestamp - $saved\n"
	"saved vtimestamp\n"
	"field half number ns \"half\" = $latency / 2\n"
	"scale linear 0 100 10\n"
	"field way string \"way\" at any = arg1 ? \"read\" : \"write\"\n"
	"field stack stack \"stack\" = stack()\n"
	"preset \"Latency\" latency way\n"
	"preset \"Stacks\" +stacks\n";

static const struct {
	const char *request, *program, *title, *view, *unit;
} cases[] = {
	{ NULL,
	  "/* Latency */\n\n"
	  "io:::start\n{\n\tbegan[arg0] = timestamp;\n}\n\n"
	  "io:::done\n/began[arg0]/\n{\n"
	  "\t@latency[arg1 ? \"read\" : \"write\"] =\n"
	  "\t    llquantize(timestamp - began[arg0], 10, 2, 10, 10);\n"
	  "\tbegan[arg0] = 0;\n}\n",
	  "Latency", "heatmap", "ns" },
	{ "{\"by\":[],\"where\":{\"eq\":[\"execname\",\"sh\"]}}",
	  "/* Disk, where execname == \"sh\" */\n\n"
	  "io:::start\n/execname == \"sh\"/\n{\n\tbegan[arg0] = timestamp;\n}\n\n"
	  "io:::done\n/began[arg0]/\n{\n\t@disk = count();\n"
	  "\tbegan[arg0] = 0;\n}\n",
	  "Disk, where execname == \"sh\"", "line", "requests" },
	{ "{\"by\":[\"cost\",\"pid\"],\"where\":{\"gt\":[\"cost\",9]},\"pid\":7}",
	  "/* Disk: cost by process, where cost > 9 && pid == 7 */\n\n"
	  "io:::start\n/pid == 7/\n{\n\tbegan[arg0] = timestamp;\n"
	  "\tpid_of[arg0] = pid;\n\tcost_of[arg0] = vtimestamp;\n}\n\n"
	  "io:::done\n/began[arg0] && (vtimestamp - cost_of[arg0]) > 9/\n{\n"
	  "\t@cost[pid_of[arg0]] =\n"
	  "\t    llquantize(vtimestamp - cost_of[arg0], 10, 2, 10, 10);\n}\n\n"
	  "io:::done\n/began[arg0]/\n{\n\tbegan[arg0] = 0;\n"
	  "\tpid_of[arg0] = 0;\n\tcost_of[arg0] = 0;\n}\n",
	  "Disk: cost by process, where cost > 9 && pid == 7", "heatmap",
	  "ns" },
	{ "{\"by\":[\"half\"],\"stacks\":true}",
	  "/* Disk: half by stack */\n\n"
	  "io:::start\n{\n\tbegan[arg0] = timestamp;\n}\n\n"
	  "io:::done\n/began[arg0]/\n{\n\t@half[stack()] =\n"
	  "\t    lquantize((timestamp - began[arg0]) / 2, 0, 100, 10);\n"
	  "\tbegan[arg0] = 0;\n}\n",
	  "Disk: half by stack", "heatmap", "ns" },
	{ "{\"by\":[\"stack\"]}",
	  "/* Disk by stack */\n\n"
	  "io:::start\n{\n\tbegan[arg0] = timestamp;\n}\n\n"
	  "io:::done\n/began[arg0]/\n{\n\t@disk[stack()] = count();\n"
	  "\tbegan[arg0] = 0;\n}\n",
	  "Disk by stack", "flame", "requests" },
};

static struct metrics *empty(void)
{
	struct metrics *metrics = must_alloc(sizeof(*metrics));

	*metrics = (struct metrics){ .arena = arena_new() };
	return metrics;
}

static void test_programs(void **state)
{
	struct metrics *metrics = empty();
	char *problem = NULL;
	struct metric *metric = metric_parse(metrics, "test.disk", "disk", disk,
					     strlen(disk), &problem);

	(void)state;
	assert_null(problem);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		json_t *request = cases[i].request
					  ? json_loads(cases[i].request, 0,
						       NULL)
					  : NULL;
		struct metric_answer answer;
		char *program = metric_program(metric, request, &answer);

		assert_null(answer.code);
		assert_string_equal(program, cases[i].program);
		assert_string_equal(answer.title, cases[i].title);
		assert_string_equal(answer.view, cases[i].view);
		assert_string_equal(answer.unit, cases[i].unit);
		free(program);
		metric_answer_free(&answer);
		json_decref(request);
	}
	metrics_free(metrics);
}

/* $target is the worker's business, and a whole comment stays one. */
static void test_target(void **state)
{
	static const char text[] =
		"title Calls\nabout x\nunit calls\nneeds pid\n"
		"measure pid$target:libc:malloc:entry\nprocess measure\n"
		"preset \"Calls\" execname\n";
	struct metrics *metrics = empty();
	char *problem = NULL;
	struct metric *metric = metric_parse(metrics, "test.calls", "calls",
					     text, strlen(text), &problem);
	json_t *request = json_pack("{s:i,s:{s:[ss]}}", "pid", 12, "where",
				    "eq", "execname", "*/ x /*");
	struct metric_answer answer;

	(void)state;
	assert_non_null(metric);
	assert_null(metric_program(metric, NULL, &answer));
	assert_string_equal(answer.code, "needs_pid");
	json_t *error = metric_answer_error(&answer);

	assert_string_equal(json_string_value(json_object_get(
				    json_object_get(error, "error"), "code")),
			    "needs_pid");
	json_decref(error);
	metric_answer_free(&answer);
	char *program = metric_program(metric, request, &answer);

	assert_true(answer.needs_target);
	assert_string_equal(
		program,
		"/* Calls, process 12, where execname == \"* / x / *\" */\n\n"
		"pid$target:libc:malloc:entry\n/execname == \"*/ x /*\"/\n{\n"
		"\t@calls[execname] = count();\n}\n");
	free(program);
	metric_answer_free(&answer);
	json_decref(request);
	metrics_free(metrics);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* A file with some bytes changed is read, or refused with a line. */
static void test_damaged_files(void **state)
{
	uint32_t seed = 1;
	char text[sizeof(disk)];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct metrics *metrics = empty();
		size_t length = strlen(disk);
		char *problem = NULL;

		memcpy(text, disk, sizeof(text));
		for (uint32_t n = 1 + next_random(&seed) % 4; n; n--) {
			size_t at = next_random(&seed) % length;

			text[at] =
				next_random(&seed) % 2
					? "\n\t \"$=#x0+"[next_random(&seed) %
							  10]
					: (char)next_random(&seed);
		}
		if (next_random(&seed) % 4 == 0)
			length = next_random(&seed) % length;
		struct metric *metric = metric_parse(metrics, "test.disk", "p",
						     text, length, &problem);

		assert_true(metric ? !problem : !strncmp(problem, "p:", 2));
		if (metric) {
			struct metric_answer answer;

			free(metric_program(metric, NULL, &answer));
			metric_answer_free(&answer);
			json_decref(metric_json(metric));
		}
		free(problem);
		metrics_free(metrics);
	}
}

static json_t *random_json(uint32_t *seed, int depth)
{
	static const char *const words[] = { "by",	 "where", "stacks",
					     "pid",	 "eq",	  "and",
					     "or",	 "lt",	  "latency",
					     "execname", "stack", "" };
	json_t *value;

	switch (next_random(seed) % (depth < 5 ? 8 : 5)) {
	case 0:
		return json_integer((json_int_t)next_random(seed) - 99);
	case 1:
		return json_boolean(next_random(seed) % 2);
	case 2:
		return json_null();
	case 3:
		return json_real(0.5);
	case 4:
		return json_string(words[next_random(seed) % 12]);
	case 5:
		value = json_array();
		for (uint32_t n = next_random(seed) % 4; n; n--)
			json_array_append_new(value,
					      random_json(seed, depth + 1));
		return value;
	default:
		value = json_object();
		for (uint32_t n = next_random(seed) % 4; n; n--)
			json_object_set_new(value,
					    words[next_random(seed) % 12],
					    random_json(seed, depth + 1));
		return value;
	}
}

/* Any request has a program, or an error with code and message. */
static void test_random_requests(void **state)
{
	struct metrics *metrics = empty();
	char *problem = NULL;
	struct metric *metric = metric_parse(metrics, "test.disk", "disk", disk,
					     strlen(disk), &problem);
	uint32_t seed = 7;

	(void)state;
	for (int i = 0; i < 50000; i++) {
		json_t *request = random_json(&seed, 0);
		struct metric_answer answer;
		char *program = metric_program(metric, request, &answer);

		assert_true(program ? !answer.code && answer.title
				    : answer.code && answer.message);
		free(program);
		metric_answer_free(&answer);
		json_decref(request);
	}
	metrics_free(metrics);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_target),
		cmocka_unit_test(test_damaged_files),
		cmocka_unit_test(test_random_requests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
