/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Metrics: questions that can be asked without writing D.
 *
 * A metric is a small text file, metrics/NAME.metric (doc/metrics.md): which
 * probes, what is measured, and the fields by which it can be broken down and
 * filtered.  metric_program() makes a D program of it and of a request:
 *
 *	{"by": ["latency", "execname"], "where": {"eq": ["execname", "sh"]},
 *	 "stacks": false, "pid": null}
 *
 * Files come from users and requests from the network: both are hostile.  What
 * a file says becomes part of the program as it is (who can write a metric can
 * write D), but nothing of a request does, except names of fields, integers
 * and string literals that were made here.
 */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum metric_type {
	METRIC_NUMBER,	/* a measurement: becomes a histogram */
	METRIC_INTEGER, /* a number that names something: a key */
	METRIC_STRING,	/* a key */
	METRIC_STACK,	/* of the kernel, or of the program */
};

/* Where the value of a field is known. */
enum metric_at {
	METRIC_AT_MEASURE, /* where it is measured */
	METRIC_AT_START,   /* only before that: it is kept */
	METRIC_AT_ANY,	   /* at both */
};

enum metric_statistic { METRIC_COUNT, METRIC_SUM, METRIC_LOG };

enum metric_clause_kind {
	METRIC_CLAUSE_START,   /* notes when something begins */
	METRIC_CLAUSE_MEASURE, /* counts it */
	METRIC_CLAUSE_TEXT,    /* D as it is */
};

struct metric_field {
	const char *name, *title, *unit;
	enum metric_type type;
	enum metric_at at;
	const char *value; /* D; $saved and $began stand for what was kept */
	const char *saved; /* D at the start, or NULL: nothing is kept */
	const char *scale; /* D with %s: the function that makes a histogram */
};

/* The value that a field has in one clause, instead of its usual one. */
struct metric_let {
	size_t field;
	const char *value;
};

struct metric_clause {
	enum metric_clause_kind kind;
	const char *probes; /* or the D of a METRIC_CLAUSE_TEXT */
	const char *when;   /* or NULL */
	const char *ends;   /* measure: whether this is the end; or NULL */
	const char *key;    /* of what is kept; NULL: kept by thread */
	bool restarts;	    /* what was measured goes on from here */
	struct metric_let *lets;
	size_t nlets;
};

struct metric_preset {
	const char *title;
	size_t *by;
	size_t nby;
	bool has_stacks;
};

struct metric {
	const char *name, *module, *title, *about, *unit, *entry, *view;
	const char *absent; /* what to do where it is not available, or NULL */
	const char *option; /* lines of #pragma D option, or NULL */
	double full; /* what a resource that is always busy reaches, or 0 */
	bool needs_pid;
	enum metric_statistic statistic;
	const char *sum;
	struct metric_field *fields;
	size_t nfields;
	struct metric_clause *clauses;
	size_t nclauses;
	struct metric_preset *presets; /* the first is the default */
	size_t npresets;
};

struct metric_module {
	const char *name, *title, *entry;
};

struct metrics {
	struct metric **metrics; /* by name */
	size_t nmetrics;
	struct metric_module *modules; /* in the order of the file */
	size_t nmodules;
	struct arena *arena;
};

/*
 * All metrics of a directory.  NULL if it cannot be read.  Files that are wrong
 * are left out; then, too, *problem is a text to free(), a line for each, and
 * otherwise NULL.
 */
struct metrics *metrics_read(const char *dir, char **problem);
void metrics_free(struct metrics *metrics);
const struct metric *metrics_find(const struct metrics *metrics,
				  const char *name);
/* Where metrics are: beside the build directory, or installed; to free(). */
char *metrics_directory(void);

/* One file's text, for metrics_read() and tests; NULL and *problem if wrong. */
struct metric *metric_parse(struct metrics *metrics, const char *name,
			    const char *path, const char *text, size_t length,
			    char **problem);
int metric_find_field(const struct metric *metric, const char *name);
const char *metric_type_name(enum metric_type type);

/* As GET /api/1/metrics has it; "available" and "reason" are added by others. */
json_t *metric_json(const struct metric *metric);
json_t *metrics_modules_json(const struct metrics *metrics);

/*
 * What a request becomes.  Free with metric_answer_free(), also if it failed.
 * Errors have a code as those of HTTP do (doc/metrics.md lists them).
 */
struct metric_answer {
	char *title;	  /* "System calls: latency by program" */
	const char *view; /* heatmap line table log flame utilization timeline */
	const char *unit; /* of rows for a histogram, else of values */
	const char *name; /* of the aggregation; NULL for a log */
	json_t *keys;	  /* names of the fields that are keys, in order */
	json_t *by;	  /* what was asked for, or the default */
	double full;	  /* if the view is utilization, else 0 */
	bool has_stacks;
	bool needs_target; /* the worker must grab "pid" for $target */
	const char *code;  /* NULL if all is well */
	char *message, *hint;
};

/* The D text, to free(); or NULL.  `request` may be NULL: the default. */
char *metric_program(const struct metric *metric, json_t *request,
		     struct metric_answer *answer);
void metric_answer_free(struct metric_answer *answer);
/* The body of an HTTP error: {"error": {...}}. */
json_t *metric_answer_error(const struct metric_answer *answer);

/*
 * Whether the metric can be used here: its program is compiled, nothing is
 * enabled.  If not, *reason is a text to free().  For metrics that need a process
 * one is made.  Uses only <dtrace.h>.
 */
bool metric_available(const struct metric *metric, char **reason);
/* The same for a request; `child` is the process of "pid", if it has one. */
bool metric_compiles(const struct metric *metric, json_t *request, pid_t child,
		     char **reason);

/* `dtlive metrics` and `dtlive program`. */
int metric_command(int argc, char **argv);
