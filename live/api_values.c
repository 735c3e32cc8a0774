/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an instrumentation has reported: all of it, or as a picture needs it.
 *
 * A *part* is a rectangle of a set: from a time to a time, from a row to a row,
 * and some of its keys.  heatmap, details and stacks are sums over a part.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "agg/agg.h"
#include "live/api.h"
#include "view/page.h"
#include "view/write.h"

#define FOREVER ((int64_t)1 << 53)

struct part {
	const struct store *store;
	const struct store_set *set;
	uint32_t number; /* of the set */
	int64_t from, to;
	int64_t low, high; /* rows of a histogram */
	bool *keys;	   /* NULL: all */
};

/* The keys that a text such as "1,5,2" names. */
static bool read_keys(struct request *request, struct part *part)
{
	const char *text = request_argument(request, "keys");

	if (!text)
		return true;
	part->keys = must_alloc(part->set->nkeys + 1);
	while (*text) {
		char *end;
		unsigned long key = strtoul(text, &end, 10);

		if (end == text || key >= part->set->nkeys ||
		    (*end && *end != ',')) {
			reply_error(request, 400, "bad_argument",
				    "such as keys=0,3",
				    "keys must be numbers of keys, with commas");
			return false;
		}
		part->keys[key] = true;
		text = *end ? end + 1 : end;
	}
	return true;
}

static bool part_read(struct request *request, struct part *part)
{
	const struct instrumentation *one = request_instrumentation(request);
	int64_t number;

	*part = (struct part){ 0 };
	if (!one)
		return false;
	part->store = one->store;
	if (!request_number(request, "set", 0, UINT32_MAX, 0, &number))
		return false;
	if (!one->store || number >= one->store->nsets) {
		reply_error(request, 404, "no_such_set",
			    "sets are known when something was counted",
			    "instrumentation %u has no set %lld",
			    request->number, (long long)number);
		return false;
	}
	part->number = (uint32_t)number;
	part->set = one->store->sets[number];
	int64_t last = part->set->kind == STORE_HISTOGRAM
			       ? (int64_t)part->set->nvalues - 1
			       : 0;

	return request_number(request, "from", 0, FOREVER, 0, &part->from) &&
	       request_number(request, "to", 0, FOREVER, FOREVER, &part->to) &&
	       request_number(request, "low", 0, last, 0, &part->low) &&
	       request_number(request, "high", 0, last, last, &part->high) &&
	       read_keys(request, part);
}

static bool part_has(const struct part *part, const struct store_row *row)
{
	return !part->keys || part->keys[row->key];
}

/* What of a row is in the part, as one number. */
static int64_t part_sum(const struct part *part, const struct store_row *row)
{
	uint64_t sum = 0;

	if (part->set->kind == STORE_SCALAR)
		return store_number(part->set, row);
	for (uint32_t i = 0; i < row->count; i += 2)
		if (row->words[i] >= part->low && row->words[i] <= part->high)
			sum += (uint64_t)row->words[i + 1];
	return (int64_t)sum;
}

/* ------------------------------------------------------------------- values */

void values_put(struct text *out, const struct instrumentation *from,
		int64_t first, int64_t last)
{
	text_puts(out, "{\"sets\":");
	if (!from->store) {
		text_puts(out, "[],\"keys\":[],\"frames\":[],\"nodes\":[[0,0]],\"columns\":[],\"log\":[]}");
		return;
	}
	store_put_sets(out, from->store, from->unit);
	text_putc(out, ',');
	store_put_values(out, from->store, first, last);
	text_putc(out, '}');
}

void api_values(struct request *request)
{
	struct instrumentation *one = request_instrumentation(request);
	struct text text = { 0 };
	int64_t from, to;

	if (!one || !request_number(request, "from", 0, FOREVER, 0, &from) ||
	    !request_number(request, "to", 0, FOREVER, FOREVER, &to))
		return;
	values_put(&text, one, from, to);
	reply_text(request, 200, "application/json", &text);
}

/* ------------------------------------------------------------------ heatmap */

/* The sum of each row of one column. */
static void sum_column(const struct part *part,
		       const struct store_column *column, int64_t *sums)
{
	struct store_row row;
	uint32_t at = 0;

	memset(sums, 0, part->set->nvalues * sizeof(*sums));
	while (store_row(column, &at, &row))
		for (uint32_t i = 0; part_has(part, &row) && i < row.count;
		     i += 2)
			sums[row.words[i]] += row.words[i + 1];
}

static void put_cells(struct text *out, const struct part *part, int64_t *start,
		      int64_t *end, int64_t *maximum)
{
	int64_t *sums = must_alloc(part->set->nvalues * sizeof(*sums));
	const struct store_column *column;
	struct store_walk walk;
	bool is_first = true;

	store_walk(&walk, part->store, part->set, part->from, part->to);
	while ((column = store_next(&walk))) {
		if (*start < 0)
			*start = column->t;
		*end = column->t;
		sum_column(part, column, sums);
		for (uint32_t i = 0; i < part->set->nvalues; i++) {
			if (!sums[i] || i < part->low || i > part->high)
				continue;
			text_printf(out, "%s[%lld,%u,%lld]",
				    is_first ? "" : ",",
				    (long long)((column->t - *start) /
						part->store->interval),
				    i, (long long)sums[i]);
			is_first = false;
			if (sums[i] > *maximum)
				*maximum = sums[i];
		}
	}
	free(sums);
}

void api_heatmap(struct request *request)
{
	struct part part;
	struct text text = { 0 }, cells = { 0 };
	int64_t start = -1, end = -1, maximum = 0;

	if (!part_read(request, &part))
		goto out;
	if (part.set->kind != STORE_HISTOGRAM) {
		reply_error(request, 400, "no_histogram",
			    "quantize(), lquantize() and llquantize() make histograms",
			    "set %u is not a histogram", part.number);
		goto out;
	}
	put_cells(&cells, &part, &start, &end, &maximum);
	text_printf(&text,
		    "{\"start\":%lld,\"step\":%lld,\"columns\":%lld,\"rows\":[",
		    (long long)(start < 0 ? 0 : start),
		    (long long)part.store->interval,
		    start < 0 ? 0LL
			      : (long long)((end - start) /
						    part.store->interval +
					    1));
	for (uint32_t i = 0; i < part.set->nvalues; i++) {
		struct agg_range range = part.set->aggregate->range(
			part.set->params, part.set->nvalues, i);

		text_puts(&text, i ? ",[" : "[");
		store_put_bound(&text, range.low, range.is_open_below);
		text_putc(&text, ',');
		store_put_bound(&text, range.high, range.is_open_above);
		text_putc(&text, ']');
	}
	text_puts(&text, "],\"cells\":[");
	text_add(&text, text_str(&cells), cells.n);
	text_printf(&text, "],\"maximum\":%lld}", (long long)maximum);
	reply_text(request, 200, "application/json", &text);
out:
	text_free(&cells);
	free(part.keys);
}

/* ------------------------------------------------------------------ details */

struct detail {
	uint32_t key;
	int64_t count;
};

static int by_count(const void *a, const void *b)
{
	const struct detail *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (x->key > y->key) - (x->key < y->key);
}

static void put_details(struct text *out, const struct part *part,
			struct detail *details, int64_t total)
{
	bool is_first = true;

	qsort(details, part->set->nkeys, sizeof(*details), by_count);
	for (uint32_t i = 0; i < part->set->nkeys; i++) {
		const char *words = part->set->keys[details[i].key].words;

		if (!details[i].count || !words)
			continue;
		text_printf(out, "%s{\"number\":%u,\"key\":%s,\"count\":%lld,\"share\":%.6g}",
			    is_first ? "" : ",", details[i].key, words,
			    (long long)details[i].count,
			    total ? (double)details[i].count / (double)total
				  : 0.0);
		is_first = false;
	}
}

void api_details(struct request *request)
{
	struct part part;
	struct store_walk walk;
	const struct store_column *column;
	struct text text = { 0 };
	int64_t total = 0;

	if (!part_read(request, &part)) {
		free(part.keys);
		return;
	}
	struct detail *details = must_alloc((part.set->nkeys + 1) *
					    sizeof(*details));

	for (uint32_t i = 0; i < part.set->nkeys; i++)
		details[i].key = i;
	store_walk(&walk, part.store, part.set, part.from, part.to);
	while ((column = store_next(&walk))) {
		struct store_row row;
		uint32_t at = 0;

		while (store_row(column, &at, &row)) {
			int64_t sum = part_has(&part, &row)
					      ? part_sum(&part, &row)
					      : 0;

			details[row.key].count += sum;
			total += sum;
		}
	}
	text_printf(&text, "{\"total\":%lld,\"keyNames\":[", (long long)total);
	for (uint32_t i = 0; i < part.set->nkey_names; i++)
		text_printf(&text, "%s\"%s\"", i ? "," : "",
			    part.set->key_names[i]);
	text_puts(&text, "],\"keys\":[");
	put_details(&text, &part, details, total);
	text_printf(&text, "],\"from\":%lld,\"to\":%lld,\"low\":",
		    (long long)part.from, (long long)part.to);
	if (part.set->kind == STORE_HISTOGRAM) {
		struct agg_range low = part.set->aggregate->range(
			part.set->params, part.set->nvalues,
			(uint32_t)part.low);
		struct agg_range high = part.set->aggregate->range(
			part.set->params, part.set->nvalues,
			(uint32_t)part.high);

		store_put_bound(&text, low.low, low.is_open_below);
		text_puts(&text, ",\"high\":");
		store_put_bound(&text, high.high, high.is_open_above);
	} else {
		text_puts(&text, "null,\"high\":null");
	}
	text_putc(&text, '}');
	reply_text(request, 200, "application/json", &text);
	free(details);
	free(part.keys);
}

/* ------------------------------------------------------------------- stacks */

/* Weights of nodes: inside of the part, and of all else of that time. */
static void weigh(const struct part *part, int64_t *inside, int64_t *rest)
{
	const struct store_column *column;
	struct store_walk walk;

	store_walk(&walk, part->store, part->set, 0, FOREVER);
	while ((column = store_next(&walk))) {
		bool is_inside = column->t + part->store->interval > part->from &&
				 column->t <= part->to;
		struct store_row row;
		uint32_t at = 0;

		while (store_row(column, &at, &row)) {
			int64_t all = store_number(part->set, &row);
			int64_t sum = is_inside && part_has(part, &row)
					      ? part_sum(part, &row)
					      : 0;

			inside[row.node] += sum;
			rest[row.node] += all - sum;
		}
	}
}

static void add_stacks(struct profile *into, const struct profile *tree,
		       const int64_t *weights, bool is_before)
{
	uint32_t *path = must_alloc((PROFILE_DEPTH + 2) * sizeof(*path));

	for (uint32_t i = 0; i < tree->nnodes; i++) {
		uint32_t n = 0, at = PROFILE_DEPTH;

		if (weights[i] <= 0)
			continue;
		for (uint32_t node = i; node && at; n++) {
			const struct profile_frame *frame =
				profile_frame_of(tree, node);

			path[--at] = profile_frame(into, frame->name,
						   frame->length, frame->object,
						   frame->object_length,
						   frame->kind);
			node = tree->nodes[node].parent;
		}
		if (is_before)
			profile_add_before(into, path + at, n, weights[i]);
		else
			profile_add(into, path + at, n, weights[i]);
	}
	free(path);
}

static void put_string(FILE *out, const char *name, const char *text)
{
	fprintf(out, ",\"%s\":", name);
	page_string(out, text, strlen(text));
}

/* As page/flame/data.ts reads it. */
static void write_stacks(FILE *out, struct profile *profile, const char *title,
			  const char *unit)
{
	profile_settle(profile);
	fputs("{\"format\":1,\"picture\":\"flame\"", out);
	put_string(out, "title", title);
	put_string(out, "subtitle", "");
	put_string(out, "unit", unit);
	fprintf(out, ",\"countBefore\":%d", profile->before ? 1 : 0);
	write_flame_tree(out, profile);
	fputs(",\"notes\":[]}", out);
}

void api_stacks(struct request *request)
{
	const char *against = request_argument(request, "against");
	struct part part;
	struct text text = { 0 };

	if (!part_read(request, &part)) {
		free(part.keys);
		return;
	}
	if (!part.set->has_stacks) {
		reply_error(request, 400, "no_stacks",
			    "create it with \"stacks\":true, or add stack() or ustack() to its keys",
			    "set %u has no stacks", part.number);
		free(part.keys);
		return;
	}
	const struct profile *tree = part.store->tree;
	struct profile *profile = profile_new();
	int64_t *inside = must_alloc(tree->nnodes * sizeof(*inside));
	int64_t *rest = must_alloc(tree->nnodes * sizeof(*rest));
	char *bytes = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&bytes, &n);

	weigh(&part, inside, rest);
	add_stacks(profile, tree, inside, false);
	if (against && !strcmp(against, "rest"))
		add_stacks(profile, tree, rest, true);
	write_stacks(out, profile,
		      instrumentation_find(request->server, request->number)
			      ->title,
		      part.set->kind == STORE_HISTOGRAM ? "events" : "");
	fclose(out);
	text_add(&text, bytes, n);
	reply_text(request, 200, "application/json", &text);
	profile_free(profile);
	free(bytes);
	free(inside);
	free(rest);
	free(part.keys);
}

/* ---------------------------------------------------------------- recording */

void api_recording(struct request *request)
{
	struct instrumentation *one = request_instrumentation(request);
	struct text text = { 0 };
	char name[64];

	if (!one)
		return;
	if (one->tape.is_torn || !one->tape.has_magic) {
		reply_error(request, 409, "no_recording",
			    "start dtlive with --record FILE",
			    one->tape.is_torn
				    ? "it has reported too much to be kept as it came"
				    : "it has reported nothing yet");
		return;
	}
	tape_write(&text, &one->tape);
	struct MHD_Response *response = reply_bytes(request, text.p, text.n);

	snprintf(name, sizeof(name),
		 "attachment; filename=\"dtlive-%u.recording\"", one->id);
	MHD_add_response_header(response, "Content-Disposition", name);
	reply_response(request, 200, "application/octet-stream", response);
}
