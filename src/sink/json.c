/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -x oformat=json: one document that holds all items.  A run that fails midway
 * leaves an incomplete document, which a reader will notice.
 */
#include "sink/items.h"

static void json_begin(struct items *items, struct text *out)
{
	text_putc(out, '{');
	text_add(out, text_str(items->head), items->head->n);
	json_name(out, "items");
	text_puts(out, "[\n");
}

static void json_write(struct items *items, struct text *item)
{
	if (items->has_items)
		output_write(items->output, ",\n", 2);
	output_write(items->output, text_str(item), item->n);
}

static struct sink *json_open(const struct sink_setup *setup)
{
	return items_open(&sink_json, setup, json_begin, json_write);
}

static void json_end(struct sink *sink, const struct fact_end *end)
{
	struct items *items = (struct items *)sink;

	items_end(sink, end);
	output_write(items->output, "\n]}\n", 4);
}

const struct sink_class sink_json = {
	.name = "json",
	.is_document = true,
	.open = json_open,
	.close = items_close,
	.start = items_start,
	.record = items_record,
	.action = items_action,
	.done = items_done,
	.table = items_table,
	.snapshot = items_snapshot,
	.drop = items_drop,
	.fault = items_fault,
	.end = json_end,
	.flush = items_flush,
};
