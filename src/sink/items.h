/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Facts as JSON objects, one per line: what json and ndjson share. */

#include "sink/json_text.h"
#include "sink/output.h"
#include "sink/sink.h"

enum { ITEMS_VERSION = 1 };

struct items {
	struct sink sink;
	struct output *output;
	struct renderer renderer;
	const struct schema *schema;
	uint64_t started;     /* ns, monotonic clock */
	uint64_t wall_offset; /* wall clock minus monotonic clock */
	bool is_begun, has_items, has_actions;
	struct text item, record, scratch; /* being built */
	/* How a document begins, with the members of `head`, and its items. */
	void (*begin)(struct items *items, struct text *out);
	void (*write)(struct items *items, struct text *item);
	struct text *head;
};

struct sink *items_open(const struct sink_class *class,
			const struct sink_setup *setup,
			void (*begin)(struct items *items, struct text *out),
			void (*write)(struct items *items, struct text *item));
void items_close(struct sink *sink);
bool items_start(struct sink *sink, const struct fact_start *start);
bool items_record(struct sink *sink, const struct fact_record *record);
bool items_action(struct sink *sink, const struct fact_record *record,
		  const struct fact_action *action);
bool items_done(struct sink *sink, const struct fact_record *record);
bool items_table(struct sink *sink, const struct fact_table *table);
bool items_snapshot(struct sink *sink, const struct fact_snapshot *snapshot);
bool items_drop(struct sink *sink, const struct fact_drop *drop);
bool items_fault(struct sink *sink, const struct fact_fault *fault);
void items_end(struct sink *sink, const struct fact_end *end);
int items_flush(struct sink *sink);
/* items_table.c: the object of doc/output.md. */
void items_put_table(const struct items *items, const struct fact_table *table,
		     struct text *out);
