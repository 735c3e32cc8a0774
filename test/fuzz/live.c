/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: what dtlive reads that others have written.  The first byte
 * says what the rest is: the body of a request, a file of a metric and a request
 * for it, a method and a path, or the wire of a worker.  Whatever comes, nothing
 * is read that is not there, and no memory is left behind.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "facts/recording.h"
#include "live/http.h"
#include "live/metric.h"
#include "live/spec.h"
#include "live/store.h"
#include "live/tape.h"

static struct metrics *metrics;

/* A text of its own size, so that a byte behind it is noticed. */
static char *text_of(const uint8_t *bytes, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		abort();
	memcpy(text, bytes, size);
	text[size] = '\0';
	return text;
}

static void ask(const struct metric *metric, json_t *request)
{
	struct metric_answer answer;
	char *program = metric_program(metric, request, &answer);

	json_decref(program ? NULL : metric_answer_error(&answer));
	metric_answer_free(&answer);
	free(program);
}

static void try_body(const uint8_t *bytes, size_t size)
{
	json_t *body = json_loadb((const char *)bytes, size,
				  JSON_REJECT_DUPLICATES, NULL);
	struct settings settings = { .interval = 1000 };
	const char *why = NULL;

	if (json_is_object(body)) {
		const char *name =
			json_string_value(json_object_get(body, "metric"));
		const struct metric *metric =
			name ? metrics_find(metrics, name) : NULL;

		if (metric)
			ask(metric, body);
		json_decref(spec_make(&settings, body, body, &why));
	}
	json_decref(body);
}

/* A file, a line of "--", and a request for what it says. */
static void try_metric(const uint8_t *bytes, size_t size)
{
	char *text = text_of(bytes, size), *problem = NULL;
	char *request = strstr(text, "\n--\n");
	struct metrics own = { .arena = arena_new() };
	size_t length = request ? (size_t)(request - text) : size;
	struct metric *metric = metric_parse(&own, "a.metric", "a.metric", text,
					     length, &problem);

	if (metric) {
		json_t *json = request ? json_loads(request + 4, 0, NULL) : NULL;

		json_decref(metric_json(metric));
		ask(metric, NULL);
		if (json_is_object(json))
			ask(metric, json);
		json_decref(json);
	}
	free(problem);
	free(own.metrics);
	free(own.modules);
	arena_free(own.arena);
	free(text);
}

static void try_route(const uint8_t *bytes, size_t size)
{
	char *text = text_of(bytes, size), *path = strchr(text, ' ');
	char allowed[64];
	uint32_t number;

	if (path) {
		*path++ = '\0';
		route_find(text, path, &number, allowed);
	}
	free(text);
}

/* --------------------------------------------------------------- the wire */

struct kept {
	struct options options;
	struct store *store;
};

static struct sink *open_store(void *context, const struct resolver *resolver,
			       uint32_t target)
{
	return store_open(((struct kept *)context)->store, resolver, target);
}

/* Clients must be able to read it. */
static void take_event(void *context, const char *event,
		       const struct text *data)
{
	char *text = text_of((const uint8_t *)data->p, data->n);

	/*
	 * Bytes that are not UTF-8 are half a surrogate; jansson refuses
	 * these, and large integers.
	 */
	for (char *p = text; (p = strstr(p, "\\ud")); p += 3)
		p[2] = '0';
	json_t *json = json_loadb(text, data->n, JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL,
				  NULL);

	(void)context;
	if (!json) {
		fprintf(stderr, "%s: %s\n", event, text);
		abort();
	}
	json_decref(json);
	free(text);
}

static void try_wire(const uint8_t *bytes, size_t size)
{
	static const struct store_limits limits = {
		.columns = 10, .keys = 8, .nodes = 50, .rows = 20, .lines = 5,
		.line_bytes = 1000,
	};
	struct kept kept = { 0 };
	struct tape tape = { .limit = 1 << 20 };
	struct text text = { 0 };

	options_init(&kept.options);
	kept.store = store_new(&kept.options, 1000, &limits);
	struct recording recording = {
		.aggregate = agg_find, .options = &kept.options,
		.open = open_store, .context = &kept,
	};
	struct replay *replay = replay_new(&recording);
	enum recording_end how =
		replay_feed(replay, RECORDING_MAGIC, sizeof(RECORDING_MAGIC) - 1);

	tape_add(&tape, RECORDING_MAGIC, sizeof(RECORDING_MAGIC) - 1, 0);
	/* in pieces: a pipe ends one anywhere */
	for (size_t at = 0, n; at < size && how == RECORDING_CUT; at += n) {
		n = size - at < 999 ? size - at : 999;
		how = replay_feed(replay, bytes + at, n);
		tape_add(&tape, bytes + at, n, (int64_t)at);
		store_flush(kept.store, 1, take_event, NULL);
		store_flush_lines(kept.store, 1, take_event, NULL);
		tape_expire(&tape, (int64_t)at - 3000);
	}
	replay_free(replay);
	text_puts(&text, "{\"sets\":");
	store_put_sets(&text, kept.store, NULL);
	text_putc(&text, ',');
	store_put_values(&text, kept.store, 0, INT64_MAX);
	text_putc(&text, '}');
	take_event(NULL, "values", &text);
	text_clear(&text);
	tape_write(&text, &tape);
	store_expire(kept.store, INT64_MAX);
	text_free(&text);
	tape_free(&tape);
	store_free(kept.store);
	options_free(&kept.options);
}

static void (*const parts[])(const uint8_t *, size_t) = {
	try_body, try_metric, try_route, try_wire,
};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char *problem = NULL;

	(void)argc;
	(void)argv;
	/* from the top of the tree */
	metrics = metrics_read("metrics", &problem);
	free(problem);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	if (!metrics)
		abort();
	if (size)
		parts[*bytes % 4](bytes + 1, size - 1);
	return 0;
}
