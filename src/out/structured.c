/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items of structured output, and the document around them.
 *
 * Actions know nothing of all this: each is carried out with its output going
 * into memory, and the item holds that text beside the typed values that the
 * record has.  So an action that somebody adds tomorrow appears here, too.
 * The exceptions are those that change the output itself (FUNCTION_FILE).
 *
 * The document begins with the first item and is ended by structured_end();
 * a run that fails in between leaves a document without end, which a reader
 * of json will notice and a reader of ndjson need not.
 */
#include "out/structured.h"

#include <stdlib.h>
#include <time.h>

#include "base/arena.h"

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

struct structured *structured_new(const struct options *options)
{
	enum structured_form form = (enum structured_form)option_number(
		options, OPTION_OFORMAT);

	if (form == FORM_TEXT)
		return NULL;
	struct structured *structured = must_alloc(sizeof(*structured));

	structured->form = form;
	structured->wall_offset = clock_ns(CLOCK_REALTIME) -
				  clock_ns(CLOCK_MONOTONIC);
	return structured;
}

void structured_free(struct structured *structured)
{
	if (!structured)
		return;
	text_free(&structured->item);
	text_free(&structured->tables);
	free(structured);
}

/* ----------------------------------------------------------------- items */

static void put_clocks(const struct structured *structured, uint64_t stamp,
		       struct text *out)
{
	json_name(out, "timestamp");
	text_printf(out, "%llu", (unsigned long long)stamp);
	json_name(out, "walltimestamp");
	text_printf(out, "%llu",
		    (unsigned long long)(stamp + structured->wall_offset));
}

static void begin(struct printer *printer)
{
	struct structured *structured = printer->structured;
	struct text start = { 0 };

	if (structured->is_begun)
		return;
	structured->is_begun = true;
	if (structured->form == FORM_CSV)
		return;
	text_putc(&start, '{');
	if (structured->form == FORM_NDJSON) {
		json_name(&start, "type");
		json_word(&start, "start");
	}
	json_name(&start, "version");
	text_printf(&start, "%d", STRUCTURED_VERSION);
	put_clocks(structured, clock_ns(CLOCK_MONOTONIC), &start);
	if (structured->form == FORM_NDJSON) {
		text_puts(&start, "}\n");
	} else {
		json_name(&start, "items");
		text_puts(&start, "[\n");
	}
	fwrite(text_str(&start), 1, start.n, printer->file);
	text_free(&start);
}

/* Begin an item of that type; item_end() writes it. */
static struct text *item_begin(struct printer *printer, const char *type)
{
	struct text *item = &printer->structured->item;

	text_clear(item);
	text_putc(item, '{');
	json_name(item, "type");
	json_word(item, type);
	return item;
}

static void item_end(struct printer *printer)
{
	struct structured *structured = printer->structured;

	begin(printer);
	text_putc(&structured->item, '}');
	if (structured->form == FORM_CSV)
		return;
	if (structured->form == FORM_JSON && structured->has_items)
		fputs(",\n", printer->file);
	structured->has_items = true;
	fwrite(text_str(&structured->item), 1, structured->item.n,
	       printer->file);
	if (structured->form == FORM_NDJSON)
		putc('\n', printer->file);
}

static void put_probe(const struct lower_probe *probe, struct text *out)
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

/* --------------------------------------------------------------- records */

/* Carry the action out; what it prints goes to *text, which is freed. */
static bool run_action(struct printer *printer,
		       const struct record_action *action,
		       const uint8_t *record, char **text, size_t *size)
{
	FILE *file = printer->file;

	*text = NULL;
	*size = 0;
	if (action->function->flags & FUNCTION_FILE)
		return action->function->print(printer, action, record);
	printer->structured->file = file;
	printer->file = open_memstream(text, size);
	if (!printer->file) {
		printer->file = file;
		return false;
	}
	bool is_fine = action->function->print(printer, action, record);

	fclose(printer->file);
	printer->file = file;
	printer->structured->file = NULL;
	return is_fine;
}

static void put_values(struct printer *printer,
		       const struct record_action *action,
		       const uint8_t *record, struct text *out)
{
	json_name(out, "values");
	text_putc(out, '[');
	for (uint32_t i = 0; i < action->nfields; i++) {
		struct print_value value = printer_field(printer, action, i,
							 record);

		if (i)
			text_puts(out, ", ");
		json_value(printer, &value, out);
	}
	text_putc(out, ']');
}

static bool put_action(struct printer *printer,
		       const struct record_action *action,
		       const uint8_t *record, struct text *out)
{
	struct structured *structured = printer->structured;
	char *text;
	size_t size;

	text_clear(&structured->tables);
	if (!run_action(printer, action, record, &text, &size))
		return false;
	text_putc(out, '{');
	json_name(out, "action");
	json_word(out, action->function->name);
	if (action->nfields)
		put_values(printer, action, record, out);
	if (action->naggregations) {
		json_name(out, "names");
		text_putc(out, '[');
		for (uint32_t i = 0; i < action->naggregations; i++) {
			if (i)
				text_puts(out, ", ");
			json_word(out, action->aggregations[i]->name);
		}
		text_putc(out, ']');
	}
	if (structured->tables.n) {
		json_name(out, "table");
		text_add(out, text_str(&structured->tables),
			 structured->tables.n);
	}
	if (size) {
		json_name(out, "text");
		json_string(out, text, size);
	}
	text_putc(out, '}');
	free(text);
	return true;
}

bool structured_record(struct printer *printer)
{
	struct structured *structured = printer->structured;
	const struct record_layout *layout = printer->layout;
	const uint8_t *record = (const uint8_t *)printer->record;
	struct text *item = item_begin(printer, "record");
	bool is_first = true, is_fine = true;

	printer->quiet = true;
	put_clocks(structured, printer->record->stamp, item);
	json_name(item, "cpu");
	text_printf(item, "%u", printer->cpu);
	put_probe(printer->probe, item);
	json_name(item, "actions");
	text_putc(item, '[');
	structured->is_in_record = true;
	for (const struct record_action *action = layout->actions;
	     action && is_fine; action = action->next) {
		if (!action->function || !action->function->print ||
		    (action->guard && !record[action->guard]))
			continue;
		if (!is_first)
			text_puts(item, ", ");
		is_first = false;
		is_fine = put_action(printer, action, record, item);
	}
	structured->is_in_record = false;
	text_putc(item, ']');
	item_end(printer);
	return is_fine;
}

/* ---------------------------------------------------------- other things */

void structured_table(struct printer *printer, const struct text *table)
{
	struct structured *structured = printer->structured;

	if (structured->is_in_record) {
		text_add(&structured->tables, text_str(table), table->n);
		return;
	}
	struct text *item = item_begin(printer, "aggregation");

	put_clocks(structured, clock_ns(CLOCK_MONOTONIC), item);
	json_name(item, "table");
	text_add(item, text_str(table), table->n);
	item_end(printer);
}

void structured_csv(struct printer *printer, const struct text *rows)
{
	FILE *file = printer->structured->file;
	struct text shown = { 0 };

	if (printer->is_terminal) {
		text_add_visible(&shown, text_str(rows), rows->n,
				 VISIBLE_LINES);
		rows = &shown;
	}
	fwrite(text_str(rows), 1, rows->n, file ? file : printer->file);
	text_free(&shown);
}

void structured_drop(struct printer *printer, const char *tag, uint64_t count,
		     int64_t cpu, const char *message)
{
	struct text *item = item_begin(printer, "drop");

	put_clocks(printer->structured, clock_ns(CLOCK_MONOTONIC), item);
	json_name(item, "kind");
	json_word(item, tag);
	json_name(item, "count");
	text_printf(item, "%llu", (unsigned long long)count);
	json_name(item, "cpu");
	if (cpu < 0)
		text_puts(item, "null");
	else
		text_printf(item, "%lld", (long long)cpu);
	json_name(item, "text");
	json_word(item, message);
	item_end(printer);
}

void structured_error(struct printer *printer, const struct abi_fault *fault,
		      const char *what, const char *message)
{
	struct text *item = item_begin(printer, "error");

	put_clocks(printer->structured, fault->header.stamp, item);
	put_probe(printer->find_probe(printer->context, fault->header.probe),
		  item);
	json_name(item, "clause");
	text_printf(item, "%u", fault->header.clause);
	json_name(item, "fault");
	json_word(item, what);
	json_name(item, "code");
	text_printf(item, "%u", fault->code);
	json_name(item, "value");
	text_printf(item, "%llu", (unsigned long long)fault->value);
	json_name(item, "text");
	json_word(item, message);
	item_end(printer);
}

void structured_end(struct printer *printer, bool has_status, int status)
{
	struct structured *structured = printer->structured;

	if (structured->is_ended)
		return;
	struct text *item = item_begin(printer, "end");

	put_clocks(structured, clock_ns(CLOCK_MONOTONIC), item);
	json_name(item, "status");
	if (has_status)
		text_printf(item, "%d", status);
	else
		text_puts(item, "null");
	item_end(printer);
	if (structured->form == FORM_JSON)
		fputs("\n]}\n", printer->file);
	structured->is_ended = true;
}
