/* SPDX-License-Identifier: Apache-2.0 */
/* -x oformat=ndjson: one item per line; the first has the start time. */
#include "sink/items.h"

static void ndjson_begin(struct items *items, struct text *out)
{
	text_putc(out, '{');
	json_name(out, "type");
	json_word(out, "start");
	text_puts(out, ", ");
	text_add(out, text_str(items->head), items->head->n);
	text_puts(out, "}\n");
}

static void ndjson_write(struct items *items, struct text *item)
{
	text_putc(item, '\n');
	output_write(items->output, text_str(item), item->n);
}

static struct sink *ndjson_open(const struct sink_setup *setup)
{
	return items_open(&sink_ndjson, setup, ndjson_begin, ndjson_write);
}

const struct sink_class sink_ndjson = {
	.name = "ndjson",
	.is_document = true,
	.open = ndjson_open,
	.close = items_close,
	.start = items_start,
	.record = items_record,
	.action = items_action,
	.done = items_done,
	.table = items_table,
	.snapshot = items_snapshot,
	.drop = items_drop,
	.fault = items_fault,
	.end = items_end,
	.flush = items_flush,
};
