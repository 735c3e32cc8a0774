/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Aggregations as data: the JSON object of doc/output.md, or rows of CSV.
 *
 * Numbers are what printing would show (averages, normalized values); buckets
 * of histograms are [low, high, count], both ends included, null where a
 * bucket has no end; empty ones are left out.
 *
 * A key is called by what the program wrote for it: a variable or a function.
 * An expression has no name.
 */
#include <string.h>

#include "out/structured.h"
#include "run/aggtable.h"

static const char *node_name(const struct node *key)
{
	switch (key->kind) {
	case NODE_VARIABLE:
		return key->variable.ident->name;
	case NODE_CALL:
		return key->call.name;
	case NODE_MEMBER:
		return key->member.name;
	case NODE_STRINGOF:
		return node_name(key->unary.operand);
	case NODE_CAST:
		return node_name(key->cast.operand);
	default:
		return NULL;
	}
}

static const char *key_name(const struct agg_layout *layout, uint32_t n)
{
	const struct agg_uses *uses = layout->ident->agg_params;

	for (const struct agg_use *use = uses ? uses->uses : NULL; use;
	     use = use->next) {
		const struct node *key = use->aggregation->variable.keys;

		for (uint32_t i = 0; key && i < n; i++)
			key = key->next;
		const char *name = key ? node_name(key) : NULL;

		if (name)
			return name;
	}
	return NULL;
}

/* The variable whose layout knows the keys. */
static const struct agg_layout *keyed_layout(const struct agg_table *table)
{
	for (uint32_t i = 0; i < table->nvariables; i++)
		if (table->variables[i]->layout->nkeys)
			return table->variables[i]->layout;
	return table->variables[0]->layout;
}

/* ------------------------------------------------------------------ JSON */

static void put_bound(int64_t bound, bool is_open, struct text *out)
{
	if (is_open)
		text_puts(out, "null");
	else
		text_printf(out, "%lld", (long long)bound);
}

static void put_buckets(const struct agg_variable *variable,
			const int64_t *values, struct text *out)
{
	const struct agg_layout *layout = variable->layout;
	bool is_first = true;

	text_putc(out, '[');
	for (uint32_t i = 0; i < layout->nvalues; i++) {
		if (!values[i])
			continue;
		struct agg_range range = layout->function->aggregate->range(
			layout->params, layout->nvalues, i);

		text_puts(out, is_first ? "[" : ", [");
		is_first = false;
		put_bound(range.low, range.is_open_below, out);
		text_puts(out, ", ");
		put_bound(range.high, range.is_open_above, out);
		text_printf(out, ", %lld]",
			    (long long)agg_divide(values[i],
						  variable->normal));
	}
	text_putc(out, ']');
}

static void put_result(const struct agg_variable *variable,
		       const int64_t *values, struct text *out)
{
	const struct aggregate *aggregate =
		variable->layout->function->aggregate;

	if (!aggregate->number) {
		put_buckets(variable, values, out);
		return;
	}
	long long number = aggregate->number(values, variable->normal);

	if (aggregate->is_unsigned)
		text_printf(out, "%llu", (unsigned long long)number);
	else
		text_printf(out, "%lld", number);
}

static void put_head(const struct agg_table *table, struct text *out)
{
	struct types *types = table->printer->types;
	const struct agg_layout *keys = keyed_layout(table);

	json_name(out, "aggregations");
	text_putc(out, '[');
	for (uint32_t i = 0; i < table->nvariables; i++) {
		const struct agg_variable *variable = table->variables[i];

		text_puts(out, i ? ", {" : "{");
		json_name(out, "name");
		json_word(out, variable->layout->ident->name);
		json_name(out, "function");
		json_word(out, variable->layout->function->name);
		json_name(out, "normal");
		text_printf(out, "%llu", (unsigned long long)variable->normal);
		text_putc(out, '}');
	}
	text_putc(out, ']');
	json_name(out, "keys");
	text_putc(out, '[');
	for (uint32_t i = 0; i < keys->nkeys; i++) {
		struct type *type = keys->keys[i].type;

		text_puts(out, i ? ", {" : "{");
		json_name(out, "name");
		json_word(out, key_name(keys, i));
		json_name(out, "type");
		json_word(out, type && types ? type_name(types, type) :
					       "string");
		text_putc(out, '}');
	}
	text_putc(out, ']');
}

static void put_percentiles(const struct agg_variable *variable,
			    const int64_t *values, struct text *out)
{
	const struct agg_layout *layout = variable->layout;
	uint32_t bucket;

	text_putc(out, '{');
	for (const struct percentile *p = percentiles; p->name; p++) {
		if (!histogram_percentile(values, layout->nvalues, p->permille,
					  &bucket))
			break;
		struct agg_range range = layout->function->aggregate->range(
			layout->params, layout->nvalues, bucket);

		json_name(out, p->name);
		put_bound(range.high, range.is_open_above, out);
	}
	text_putc(out, '}');
}

/* [one of each variable] */
static void put_each(const struct agg_table *table,
		     const struct joined_row *row,
		     void (*put)(const struct agg_variable *variable,
				 const int64_t *values, struct text *out),
		     struct text *out)
{
	text_putc(out, '[');
	for (uint32_t i = 0; i < table->nvariables; i++) {
		if (i)
			text_puts(out, ", ");
		put(table->variables[i], joined_values(table, row, i), out);
	}
	text_putc(out, ']');
}

static void put_cpus(const struct agg_table *table,
		     const struct joined_row *row, struct text *out)
{
	const struct agg_store *store = table->printer->aggs;
	bool is_first = true;

	json_name(out, "cpus");
	text_putc(out, '[');
	for (uint32_t cpu = 0; cpu < store->maps->ncpus; cpu++)
		for (uint32_t i = 0; i < table->nvariables; i++) {
			struct agg_variable *variable = table->variables[i];
			struct agg_element *element = row->elements[i];

			if (!element ||
			    !*agg_cpu_mark(store, variable, element, cpu))
				continue;
			text_puts(out, is_first ? "{" : ", {");
			is_first = false;
			json_name(out, "cpu");
			text_printf(out, "%u", cpu);
			json_name(out, "name");
			json_word(out, variable->layout->ident->name);
			json_name(out, "value");
			put_result(variable,
				   agg_cpu_values(variable, element, cpu),
				   out);
			text_putc(out, '}');
		}
	text_putc(out, ']');
}

static bool has_histogram(const struct agg_table *table)
{
	for (uint32_t i = 0; i < table->nvariables; i++)
		if (table->variables[i]->layout->function->aggregate->range)
			return true;
	return false;
}

static void put_percentiles_or_null(const struct agg_variable *variable,
				    const int64_t *values, struct text *out)
{
	if (variable->layout->function->aggregate->range)
		put_percentiles(variable, values, out);
	else
		text_puts(out, "null");
}

static void put_row(const struct agg_table *table, const struct joined_row *row,
		    struct text *out)
{
	struct printer *printer = table->printer;

	text_putc(out, '{');
	json_name(out, "key");
	text_putc(out, '[');
	for (uint32_t i = 0; i < row->layout->nkeys; i++) {
		struct print_value key = printer_key(
			printer, &row->layout->keys[i], row->key);

		if (i)
			text_puts(out, ", ");
		json_value(printer, &key, out);
	}
	text_putc(out, ']');
	json_name(out, "value");
	put_each(table, row, put_result, out);
	if (option_on(printer->options, OPTION_AGGPCT) &&
	    has_histogram(table)) {
		json_name(out, "percentiles");
		put_each(table, row, put_percentiles_or_null, out);
	}
	if (printer->aggs->is_per_cpu)
		put_cpus(table, row, out);
	text_putc(out, '}');
}

static void put_table(const struct agg_table *table, struct text *out)
{
	text_putc(out, '{');
	put_head(table, out);
	json_name(out, "rows");
	text_putc(out, '[');
	for (uint32_t i = 0; i < table->count; i++) {
		if (i)
			text_puts(out, ", ");
		put_row(table, &table->rows[i], out);
	}
	text_puts(out, "]}");
}

/* ------------------------------------------------------------------- CSV */

static void csv_field(const char *bytes, size_t n, struct text *out)
{
	bool is_quoted = false;

	for (size_t i = 0; i < n; i++)
		is_quoted |= bytes[i] == ',' || bytes[i] == '"' ||
			     bytes[i] == '\n' || bytes[i] == '\r';
	if (!is_quoted) {
		text_add(out, bytes, n);
		return;
	}
	text_putc(out, '"');
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] == '"')
			text_putc(out, '"');
		text_putc(out, bytes[i]);
	}
	text_putc(out, '"');
}

static void csv_key(struct printer *printer, const struct print_value *key,
		    struct text *out)
{
	struct text text = { 0 };

	switch (print_value_shape(printer, key)) {
	case SHAPE_STRING:
		text_add(&text, (const char *)key->bytes,
			 strnlen((const char *)key->bytes, key->size));
		break;
	case SHAPE_ADDRESS:
		print_symbol(printer, key, &text);
		break;
	case SHAPE_STACK:
		print_stack(printer, key, 0, &text);
		break;
	default:
		json_value(printer, key, &text);
	}
	/* frames: one to a line, without the line before the first */
	const char *start = text_str(&text);
	size_t n = text.n;

	if (n && print_value_shape(printer, key) == SHAPE_STACK) {
		start++;
		n -= n > 1 ? 2 : 1;
	}
	csv_field(start, n, out);
	text_free(&text);
}

static void csv_head(const struct agg_table *table, uint32_t v,
		     struct text *out)
{
	const struct agg_layout *layout = table->variables[v]->layout;
	const struct agg_layout *keys = keyed_layout(table);

	text_puts(out, "aggregation");
	for (uint32_t i = 0; i < keys->nkeys; i++) {
		const char *name = key_name(keys, i);

		if (name)
			text_printf(out, ",%s", name);
		else
			text_printf(out, ",key%u", i + 1);
	}
	if (layout->function->aggregate->range)
		text_puts(out, ",low,high,count\n");
	else
		text_printf(out, ",%s\n", layout->function->name);
}

static void csv_start_row(const struct agg_table *table,
			  const struct joined_row *row, uint32_t v,
			  struct text *out)
{
	const char *name = table->variables[v]->layout->ident->name;

	csv_field(name, strlen(name), out);
	for (uint32_t i = 0; i < row->layout->nkeys; i++) {
		struct print_value key = printer_key(
			table->printer, &row->layout->keys[i], row->key);

		text_putc(out, ',');
		csv_key(table->printer, &key, out);
	}
	text_putc(out, ',');
}

static void csv_row(const struct agg_table *table, const struct joined_row *row,
		    uint32_t v, struct text *out)
{
	const struct agg_variable *variable = table->variables[v];
	const struct agg_layout *layout = variable->layout;
	const int64_t *values = joined_values(table, row, v);

	if (!layout->function->aggregate->range) {
		csv_start_row(table, row, v, out);
		put_result(variable, values, out);
		text_putc(out, '\n');
		return;
	}
	for (uint32_t i = 0; i < layout->nvalues; i++) {
		struct agg_range range = layout->function->aggregate->range(
			layout->params, layout->nvalues, i);

		if (!values[i])
			continue;
		csv_start_row(table, row, v, out);
		if (!range.is_open_below)
			text_printf(out, "%lld", (long long)range.low);
		text_putc(out, ',');
		if (!range.is_open_above)
			text_printf(out, "%lld", (long long)range.high);
		text_printf(out, ",%lld\n",
			    (long long)agg_divide(values[i],
						  variable->normal));
	}
}

/* ---------------------------------------------------------------- choice */

void agg_table_structured(const struct agg_table *table, struct text *scratch)
{
	struct printer *printer = table->printer;

	text_clear(scratch);
	if (printer->structured->form != FORM_CSV) {
		put_table(table, scratch);
		structured_table(printer, scratch);
		return;
	}
	for (uint32_t v = 0; v < table->nvariables; v++) {
		csv_head(table, v, scratch);
		for (uint32_t i = 0; i < table->count; i++)
			csv_row(table, &table->rows[i], v, scratch);
	}
	structured_csv(printer, scratch);
}
