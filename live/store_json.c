/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a store holds, as JSON.  doc/live-api.md has the shapes.
 *
 * Columns are written by hand and not by jansson: they are what dtlive writes
 * each second, for as many instrumentations and browsers as there are.
 */
#include "agg/agg.h"
#include "live/store.h"
#include "sink/json_text.h"

#define EXACT ((int64_t)1 << 53)

static void put_signed(struct text *out, int64_t number)
{
	if (number < 0)
		text_putc(out, '-');
	text_put_number(out, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

void store_put_bound(struct text *out, int64_t number, bool is_open)
{
	if (is_open)
		text_puts(out, "null");
	else if (number > -EXACT && number < EXACT)
		put_signed(out, number);
	else
		text_printf(out, "\"%lld\"", (long long)number);
}

/* ---------------------------------------------------------------- columns */

static void put_row(struct text *out, const struct store_set *set,
		    const struct store_row *row)
{
	text_putc(out, '[');
	text_put_number(out, row->key);
	text_putc(out, ',');
	text_put_number(out, row->node);
	if (set->kind == STORE_HISTOGRAM || set->is_additive ||
	    (set->nvalues == 2 && set->aggregate->merge == agg_merge_add)) {
		for (uint32_t i = 0; i < row->count; i++) {
			text_putc(out, ',');
			put_signed(out, row->words[i]);
		}
	} else {
		text_putc(out, ',');
		put_signed(out, store_number(set, row));
	}
	text_putc(out, ']');
}

void store_put_column(struct text *out, const struct store_set *set,
		      uint32_t number, const struct store_column *column)
{
	struct store_row row;
	uint32_t at = 0;

	text_printf(out, "{\"t\":%lld,\"set\":%u,\"rows\":[",
		    (long long)column->t, number);
	for (bool is_first = true; store_row(column, &at, &row);
	     is_first = false) {
		if (!is_first)
			text_putc(out, ',');
		put_row(out, set, &row);
	}
	text_printf(out, "],\"sources\":%u}", column->sources ? 1 : 0);
}

/* ------------------------------------------------------------------- sets */

static void put_rows(struct text *out, const struct store_set *set)
{
	text_putc(out, '[');
	for (uint32_t i = 0; set->kind == STORE_HISTOGRAM && i < set->nvalues;
	     i++) {
		struct agg_range range = set->aggregate->range(
			set->params, set->nvalues, i);

		text_puts(out, i ? ",[" : "[");
		store_put_bound(out, range.low, range.is_open_below);
		text_putc(out, ',');
		store_put_bound(out, range.high, range.is_open_above);
		text_putc(out, ']');
	}
	text_putc(out, ']');
}

void store_put_sets(struct text *out, const struct store *store,
		    const char *unit)
{
	text_putc(out, '[');
	for (uint32_t i = 0; i < store->nsets; i++) {
		const struct store_set *set = store->sets[i];

		text_printf(out, "%s{\"set\":%u,\"name\":", i ? "," : "", i);
		json_put_string(out, set->name, strlen(set->name));
		text_puts(out, ",\"function\":");
		json_put_string(out, set->function, strlen(set->function));
		text_printf(out, ",\"kind\":\"%s\",\"keyNames\":[",
			    set->kind == STORE_HISTOGRAM ? "histogram"
							 : "scalar");
		for (uint32_t k = 0; k < set->nkey_names; k++) {
			if (k)
				text_putc(out, ',');
			json_put_string(out, set->key_names[k],
					strlen(set->key_names[k]));
		}
		text_printf(out, "],\"hasStacks\":%s,\"rows\":",
			    set->has_stacks ? "true" : "false");
		put_rows(out, set);
		text_puts(out, ",\"unit\":");
		json_word(out, unit);
		text_printf(out, ",\"additive\":%s}",
			    set->is_additive ? "true" : "false");
	}
	text_putc(out, ']');
}

/* ------------------------------------------------------------------- tree */

static void put_frames(struct text *out, const struct profile *tree,
		       uint32_t from)
{
	text_putc(out, '[');
	for (uint32_t i = from; i < tree->nframes; i++) {
		const struct profile_frame *frame = &tree->frames[i];

		text_puts(out, i > from ? ",[" : "[");
		json_put_string(out, frame->name, frame->length);
		text_putc(out, ',');
		json_put_string(out, frame->object, frame->object_length);
		text_printf(out, ",%d]", frame->kind);
	}
	text_putc(out, ']');
}

/* Node 0 is the root: nobody's child. */
static void put_nodes(struct text *out, const struct profile *tree,
		      uint32_t from)
{
	text_putc(out, '[');
	for (uint32_t i = from; i < tree->nnodes; i++) {
		text_puts(out, i > from ? ",[" : "[");
		text_put_number(out, tree->nodes[i].parent);
		text_putc(out, ',');
		text_put_number(out, tree->nodes[i].frame);
		text_putc(out, ']');
	}
	text_putc(out, ']');
}

/* ----------------------------------------------------------------- values */

static void put_keys(struct text *out, const struct store_set *set)
{
	text_putc(out, '[');
	for (uint32_t i = 0; i < set->nkeys; i++) {
		if (i)
			text_putc(out, ',');
		text_puts(out, set->keys[i].words ? set->keys[i].words : "[]");
	}
	text_putc(out, ']');
}

void store_put_values(struct text *out, const struct store *store, int64_t from,
		      int64_t to)
{
	bool is_first = true;

	text_puts(out, "\"keys\":[");
	for (uint32_t i = 0; i < store->nsets; i++) {
		if (i)
			text_putc(out, ',');
		put_keys(out, store->sets[i]);
	}
	text_puts(out, "],\"frames\":");
	put_frames(out, store->tree, 0);
	text_puts(out, ",\"nodes\":");
	put_nodes(out, store->tree, 0);
	text_puts(out, ",\"columns\":[");
	for (uint32_t i = 0; i < store->nsets; i++) {
		const struct store_column *column;
		struct store_walk walk;

		store_walk(&walk, store, store->sets[i], from, to);
		while ((column = store_next(&walk))) {
			if (!is_first)
				text_putc(out, ',');
			is_first = false;
			store_put_column(out, store->sets[i], i, column);
		}
	}
	text_puts(out, "],\"log\":[");
	is_first = true;
	for (uint32_t i = 0; i < store->nlines; i++) {
		const struct store_line *line =
			&store->lines[(store->first_line + i) %
				      store->limits.lines];

		if (line->t / 1000 < from || line->t / 1000 > to)
			continue;
		if (!is_first)
			text_putc(out, ',');
		is_first = false;
		text_add(out, line->json, line->n);
	}
	text_putc(out, ']');
}

/* ----------------------------------------------------------------- events */

/* What is new goes along with the first column that may use it. */
static void put_new(struct text *out, struct store *store)
{
	bool is_first = true;

	text_puts(out, "\"keys\":[");
	for (uint32_t s = 0; s < store->nsets; s++) {
		struct store_set *set = store->sets[s];

		for (uint32_t i = 0; i < set->nfresh; i++) {
			uint32_t number = set->fresh[i];

			if (!set->keys[number].words)
				continue; /* forgotten at once */
			text_printf(out, "%s[%u,%u,%s]", is_first ? "" : ",", s,
				    number, set->keys[number].words);
			is_first = false;
		}
		set->nfresh = 0;
	}
	text_printf(out, "],\"frames_from\":%u,\"frames\":",
		    store->sent_frames);
	put_frames(out, store->tree, store->sent_frames);
	text_printf(out, ",\"nodes_from\":%u,\"nodes\":", store->sent_nodes);
	put_nodes(out, store->tree, store->sent_nodes);
	store->sent_frames = store->tree->nframes;
	store->sent_nodes = store->tree->nnodes;
}

void store_flush_lines(struct store *store, uint32_t id, store_emit *emit,
		       void *context)
{
	struct text data = { 0 };

	if (!store->new_lines)
		return;
	text_printf(&data, "{\"id\":%u,\"lines\":[", id);
	for (uint32_t i = store->nlines - store->new_lines; i < store->nlines;
	     i++) {
		const struct store_line *line =
			&store->lines[(store->first_line + i) %
				      store->limits.lines];

		text_add(&data, line->json, line->n);
		if (i + 1 < store->nlines)
			text_putc(&data, ',');
	}
	text_puts(&data, "]}");
	emit(context, "log", &data);
	text_free(&data);
	store->new_lines = 0;
}

void store_flush(struct store *store, uint32_t id, store_emit *emit,
		 void *context)
{
	if (!store->is_dirty)
		return;
	store->is_dirty = false;
	for (uint32_t s = 0; s < store->nsets; s++) {
		struct store_set *set = store->sets[s];

		for (uint32_t i = 0; i < store->limits.columns; i++) {
			struct store_column *column = &set->columns[i];
			struct text data = { 0 };

			if (!column->is_dirty)
				continue;
			column->is_dirty = false;
			text_printf(&data, "{\"id\":%u,", id);
			put_new(&data, store);
			text_puts(&data, ",\"column\":");
			store_put_column(&data, set, s, column);
			text_putc(&data, '}');
			emit(context, "column", &data);
			text_free(&data);
		}
	}
}
