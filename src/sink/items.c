/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items: facts as JSON objects, for json and ndjson.  doc/output.md is the
 * contract with their readers.
 *
 * Every fact becomes an item: a record, an aggregation, a drop, an error.  A
 * record holds its actions; an action holds the typed values, together with the
 * text that dtrace(8) would print.  An item is written whole, on one line.
 */
#include "sink/items.h"

#include <stdlib.h>

#include "base/arena.h"

struct sink *items_open(const struct sink_class *class,
			const struct sink_setup *setup,
			void (*begin)(struct items *items, struct text *out),
			void (*write)(struct items *items, struct text *item))
{
	struct items *items = must_alloc(sizeof(*items));

	items->sink.class = class;
	items->output = setup->output;
	items->renderer = (struct renderer){
		.options = setup->options,
		.resolver = setup->resolver,
		.target = setup->target,
		.is_quiet = true,
	};
	items->begin = begin;
	items->write = write;
	return &items->sink;
}

void items_close(struct sink *sink)
{
	struct items *items = (struct items *)sink;

	text_free(&items->item);
	text_free(&items->record);
	text_free(&items->scratch);
	free(items);
}

int items_flush(struct sink *sink)
{
	return output_flush(((struct items *)sink)->output);
}

/* ----------------------------------------------------------------- items */

static void put_clocks(const struct items *items, uint64_t stamp,
		       struct text *out)
{
	json_name(out, "timestamp");
	text_printf(out, "%llu", (unsigned long long)stamp);
	json_name(out, "walltimestamp");
	text_printf(out, "%llu",
		    (unsigned long long)(stamp + items->wall_offset));
}

/* The document begins with the first item. */
static void begin_document(struct items *items)
{
	struct text head = { 0 }, out = { 0 };

	if (items->is_begun)
		return;
	items->is_begun = true;
	json_name(&head, "version");
	text_printf(&head, "%d", ITEMS_VERSION);
	put_clocks(items, items->started, &head);
	items->head = &head;
	items->begin(items, &out);
	output_write(items->output, text_str(&out), out.n);
	text_free(&head);
	text_free(&out);
}

/* Begins an item of that type; end_item() writes it. */
static struct text *begin_item(struct text *item, const char *type)
{
	text_clear(item);
	text_putc(item, '{');
	json_name(item, "type");
	json_word(item, type);
	return item;
}

static bool end_item(struct items *items, struct text *item)
{
	begin_document(items);
	text_putc(item, '}');
	items->write(items, item);
	items->has_items = true;
	return true;
}

static void put_probe(const struct fact_probe *probe, struct text *out)
{
	json_name(out, "probe");
	if (!probe) {
		text_puts(out, "null");
		return;
	}
	text_putc(out, '{');
	json_name(out, "id");
	text_printf(out, "%u", probe->id);
	json_name(out, "provider");
	json_word(out, probe->provider);
	json_name(out, "module");
	json_word(out, probe->module);
	json_name(out, "function");
	json_word(out, probe->function);
	json_name(out, "name");
	json_word(out, probe->name);
	text_putc(out, '}');
}

bool items_start(struct sink *sink, const struct fact_start *start)
{
	struct items *items = (struct items *)sink;

	items->schema = start->schema;
	items->started = start->stamp;
	items->wall_offset = start->wall - start->stamp;
	return true;
}

/* --------------------------------------------------------------- records */

bool items_record(struct sink *sink, const struct fact_record *record)
{
	struct items *items = (struct items *)sink;
	struct text *item = begin_item(&items->record, "record");

	put_clocks(items, record->stamp, item);
	json_name(item, "cpu");
	text_printf(item, "%u", record->cpu);
	put_probe(record->probe, item);
	json_name(item, "actions");
	text_putc(item, '[');
	items->has_actions = false;
	return true;
}

static void put_values(struct items *items, const struct fact_action *action,
		       struct text *out)
{
	json_name(out, "values");
	text_putc(out, '[');
	for (uint32_t i = 0; i < action->action->nfields; i++) {
		if (i)
			text_puts(out, ", ");
		json_value(&items->renderer, &action->values[i], out);
	}
	text_putc(out, ']');
}

static void put_names(const struct items *items,
		      const struct schema_action *action, struct text *out)
{
	json_name(out, "names");
	text_putc(out, '[');
	for (uint32_t i = 0; i < action->naggregations; i++) {
		if (i)
			text_puts(out, ", ");
		json_word(out,
			  items->schema->aggregations[action->aggregations[i]]
				  ->name);
	}
	text_putc(out, ']');
}

bool items_action(struct sink *sink, const struct fact_record *record,
		  const struct fact_action *action)
{
	struct items *items = (struct items *)sink;
	const struct schema_action *schema = action->action;
	struct text *out = &items->record, *text = &items->scratch;

	(void)record;
	text_puts(out, items->has_actions ? ", {" : "{");
	items->has_actions = true;
	json_name(out, "action");
	json_word(out, schema->name);
	if (schema->nfields)
		put_values(items, action, out);
	if (schema->naggregations)
		put_names(items, schema, out);
	if (action->table) {
		json_name(out, "table");
		items_put_table(items, action->table, out);
	}
	text_clear(text);
	/* a table without a format is complete already */
	if (!action->table || schema->format)
		render_action(&items->renderer, action, text);
	if (text->n) {
		json_name(out, "text");
		json_put_string(out, text_str(text), text->n);
	}
	text_putc(out, '}');
	return true;
}

bool items_done(struct sink *sink, const struct fact_record *record)
{
	struct items *items = (struct items *)sink;

	(void)record;
	text_putc(&items->record, ']');
	return end_item(items, &items->record);
}

/* ------------------------------------------------------------ other facts */

bool items_table(struct sink *sink, const struct fact_table *table)
{
	struct items *items = (struct items *)sink;
	struct text *item = begin_item(&items->item, "aggregation");

	put_clocks(items, table->stamp, item);
	json_name(item, "table");
	items_put_table(items, table, item);
	return end_item(items, item);
}

bool items_snapshot(struct sink *sink, const struct fact_snapshot *snapshot)
{
	struct items *items = (struct items *)sink;

	if (snapshot->is_private)
		return true;
	struct text *item = begin_item(&items->item, "snapshot");

	json_name(item, "second");
	text_printf(item, "%llu", (unsigned long long)snapshot->second);
	json_name(item, "from");
	text_printf(item, "%llu", (unsigned long long)snapshot->from);
	json_name(item, "to");
	text_printf(item, "%llu", (unsigned long long)snapshot->to);
	json_name(item, "table");
	items_put_table(items, snapshot->table, item);
	return end_item(items, item);
}

bool items_drop(struct sink *sink, const struct fact_drop *drop)
{
	struct items *items = (struct items *)sink;
	struct text *item = begin_item(&items->item, "drop");

	put_clocks(items, drop->stamp, item);
	json_name(item, "kind");
	json_word(item, drop_name(drop->kind));
	json_name(item, "count");
	text_printf(item, "%llu", (unsigned long long)drop->count);
	json_name(item, "cpu");
	if (drop->cpu < 0)
		text_puts(item, "null");
	else
		text_printf(item, "%lld", (long long)drop->cpu);
	json_name(item, "text");
	json_word(item, drop->text);
	return end_item(items, item);
}

bool items_fault(struct sink *sink, const struct fact_fault *fault)
{
	struct items *items = (struct items *)sink;
	struct text *item = begin_item(&items->item, "error");

	put_clocks(items, fault->stamp, item);
	put_probe(fault->probe, item);
	json_name(item, "clause");
	text_printf(item, "%u", fault->clause);
	json_name(item, "fault");
	json_word(item, fault->what);
	json_name(item, "code");
	text_printf(item, "%u", fault->code);
	json_name(item, "value");
	text_printf(item, "%llu", (unsigned long long)fault->value);
	json_name(item, "text");
	json_word(item, fault->text);
	return end_item(items, item);
}

void items_end(struct sink *sink, const struct fact_end *end)
{
	struct items *items = (struct items *)sink;
	struct text *item = begin_item(&items->item, "end");

	put_clocks(items, end->stamp, item);
	json_name(item, "status");
	if (end->has_status)
		text_printf(item, "%d", end->status);
	else
		text_puts(item, "null");
	end_item(items, item);
}
