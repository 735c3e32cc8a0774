/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Printing aggregations: join, sort, one row per key.
 *
 * printa() may show several aggregations side by side; they are joined on
 * their keys, and a key that one of them lacks counts as 0 there.  Their
 * keys have the same types but not always the same bytes (a string takes the
 * room its expression needs), so the join works on what keys mean: the text
 * of strings, the bytes of everything else.
 *
 * Rows sort by value, ties by key; options turn that around (d-language.md
 * §12).  Integer keys compare unsigned, as users of every DTrace are used to.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/arena.h"
#include "base/table.h"
#include "builtin/format.h"
#include "out/structured.h"
#include "run/aggregate.h"
#include "run/aggtable.h"

/* ------------------------------------------------------------ comparing */

static bool is_string_key(struct printer *printer,
			  const struct print_value *value)
{
	return value->is_text ||
	       (value->type && printer->types &&
		type_is_string(printer->types, value->type));
}

static int compare_bytes(const uint8_t *a, size_t n, const uint8_t *b,
			 size_t m)
{
	size_t common = n < m ? n : m;
	int result = common ? memcmp(a, b, common) : 0;

	if (result)
		return result;
	return (n > m) - (n < m);
}

static size_t text_size(const struct print_value *value)
{
	return strnlen((const char *)value->bytes, value->size);
}

static uint64_t unsigned_value(const struct print_value *value)
{
	uint64_t word = 0;

	memcpy(&word, value->bytes, value->size);
	return word;
}

static int compare_key(struct printer *printer, const struct print_value *a,
		       const struct print_value *b)
{
	if (is_string_key(printer, a) && is_string_key(printer, b))
		return compare_bytes(a->bytes, text_size(a), b->bytes,
				     text_size(b));
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	if (a->size == 1 || a->size == 2 || a->size == 4 || a->size == 8) {
		uint64_t x = unsigned_value(a), y = unsigned_value(b);

		return (x > y) - (x < y);
	}
	return compare_bytes(a->bytes, a->size, b->bytes, b->size);
}

int agg_compare_keys(struct printer *printer, const struct agg_layout *la,
		     const uint8_t *a, const struct agg_layout *lb,
		     const uint8_t *b)
{
	if (la->nkeys != lb->nkeys)
		return la->nkeys < lb->nkeys ? -1 : 1;
	int64_t first = option_number(printer->options, OPTION_AGGSORTKEYPOS);

	if (first < 0 || first >= la->nkeys)
		first = 0;
	for (uint32_t i = 0; i < la->nkeys; i++) {
		uint32_t k = (uint32_t)((i + (uint64_t)first) % la->nkeys);
		struct print_value x = printer_key(printer, &la->keys[k], a);
		struct print_value y = printer_key(printer, &lb->keys[k], b);
		int result = compare_key(printer, &x, &y);

		if (result)
			return result;
	}
	return 0;
}

const int64_t *joined_values(const struct agg_table *table,
			      const struct joined_row *row, uint32_t i)
{
	struct agg_element *element = row->elements[i];

	return element ? agg_values(table->variables[i], element) :
			 table->zeros;
}

static int compare_rows(const void *a, const void *b, void *data)
{
	const struct agg_table *table = data;
	const struct joined_row *x = a, *y = b;
	int result = 0;

	if (!table->is_by_key) {
		const struct agg_layout *layout =
			table->variables[table->by]->layout;

		result = layout->function->aggregate->compare(
			joined_values(table, x, table->by),
			joined_values(table, y, table->by), layout->nvalues,
			layout->params);
	}
	if (!result)
		result = agg_compare_keys(table->printer, x->layout, x->key,
					  y->layout, y->key);
	return table->is_reversed ? -result : result;
}

/* -------------------------------------------------------------- joining */

/* What the keys mean, as bytes that are equal when the keys are. */
static struct str key_meaning(struct printer *printer, struct arena *arena,
			      const struct agg_layout *layout,
			      const uint8_t *key)
{
	struct text text = { 0 };

	for (uint32_t i = 0; i < layout->nkeys; i++) {
		struct print_value value =
			printer_key(printer, &layout->keys[i], key);

		if (is_string_key(printer, &value)) {
			text_add(&text, (const char *)value.bytes,
				 text_size(&value));
			text_putc(&text, '\0');
		} else {
			text_add(&text, (const char *)value.bytes, value.size);
		}
	}
	struct str meaning = { arena_strndup(arena, text_str(&text), text.n),
			       text.n };

	text_free(&text);
	return meaning;
}

static void join(struct agg_table *table, struct arena *arena)
{
	struct table known = { 0 };

	for (uint32_t v = 0; v < table->nvariables; v++) {
		struct agg_variable *variable = table->variables[v];

		for (uint32_t i = 0; i < variable->count; i++) {
			struct agg_element *element = variable->elements[i];
			struct str meaning = { 0 };
			struct joined_row *row = NULL;

			if (table->nvariables > 1) {
				meaning = key_meaning(table->printer, arena,
						      variable->layout,
						      agg_key(element));
				row = table_get(&known, meaning);
			}
			if (!row) {
				row = &table->rows[table->count++];
				row->layout = variable->layout;
				row->key = agg_key(element);
				row->elements = arena_array_of(
					arena, struct agg_element *,
					table->nvariables);
				if (table->nvariables > 1)
					table_put(&known, meaning, row);
			}
			row->elements[v] = element;
		}
	}
	table_free(&known);
}

static void make_rows(struct agg_table *table, struct arena *arena)
{
	const struct options *options = table->printer->options;
	int64_t by = option_number(options, OPTION_AGGSORTPOS);
	size_t most = 0;
	uint32_t nvalues = 1;

	for (uint32_t i = 0; i < table->nvariables; i++) {
		most = checked_add(most, table->variables[i]->count);
		if (table->variables[i]->layout->nvalues > nvalues)
			nvalues = table->variables[i]->layout->nvalues;
	}
	table->rows = arena_array_of(arena, struct joined_row, most);
	table->zeros = arena_array_of(arena, int64_t, nvalues);
	table->by = by > 0 && by < table->nvariables ? (uint32_t)by : 0;
	table->is_by_key = option_on(options, OPTION_AGGSORTKEY);
	table->is_reversed = option_on(options, OPTION_AGGSORTREV);
	join(table, arena);
	qsort_r(table->rows, table->count, sizeof(struct joined_row),
		compare_rows, table);
}

/* ------------------------------------------------------------- printing */

static void print_value(const struct agg_table *table, uint32_t i,
			const int64_t *values, struct text *out)
{
	const struct agg_variable *variable = table->variables[i];
	const struct agg_layout *layout = variable->layout;
	const struct aggregate *aggregate = layout->function->aggregate;

	if (!aggregate->number) {
		histogram_block(layout, values, variable->normal,
				table->printer->options, out);
		return;
	}
	long long number = aggregate->number(values, variable->normal);

	if (aggregate->is_unsigned)
		text_printf(out, " %16llu", (unsigned long long)number);
	else
		text_printf(out, " %16lld", number);
}

/* A line for every CPU that contributed. */
static void print_cpus(const struct agg_table *table,
		       const struct joined_row *row, struct text *out)
{
	const struct agg_store *store = table->printer->aggs;

	for (uint32_t cpu = 0; cpu < store->maps->ncpus; cpu++)
		for (uint32_t i = 0; i < table->nvariables; i++) {
			struct agg_variable *variable = table->variables[i];

			if (!row->elements[i] ||
			    !*agg_cpu_mark(store, variable, row->elements[i],
					   cpu))
				continue;
			text_printf(out, "    [CPU %u]", cpu);
			print_value(table, i,
				    agg_cpu_values(variable, row->elements[i],
						   cpu), out);
			text_putc(out, '\n');
		}
}

static void print_row(const struct agg_table *table,
		      const struct joined_row *row, struct text *out)
{
	for (uint32_t i = 0; i < row->layout->nkeys; i++) {
		struct print_value key = printer_key(
			table->printer, &row->layout->keys[i], row->key);

		print_key(table->printer, &key, out);
	}
	for (uint32_t i = 0; i < table->nvariables; i++)
		print_value(table, i, joined_values(table, row, i), out);
	text_putc(out, '\n');
	if (table->printer->aggs->is_per_cpu)
		print_cpus(table, row, out);
}

static void format_row(const struct agg_table *table,
		       const struct joined_row *row,
		       const struct format *format, struct arena *arena,
		       struct text *out)
{
	uint32_t nkeys = row->layout->nkeys;
	struct print_value *keys = arena_array_of(arena, struct print_value,
						  nkeys);
	struct format_agg *aggs = arena_array_of(arena, struct format_agg,
						 table->nvariables);

	for (uint32_t i = 0; i < nkeys; i++)
		keys[i] = printer_key(table->printer, &row->layout->keys[i],
				      row->key);
	for (uint32_t i = 0; i < table->nvariables; i++)
		aggs[i] = (struct format_agg){
			.layout = table->variables[i]->layout,
			.values = joined_values(table, row, i),
			.normal = table->variables[i]->normal,
		};
	format_print(table->printer, format, keys, nkeys, aggs,
		     table->nvariables, out);
}

/* Rows of these variables, one by one; `most` > 0: the largest only. */
static void print_table(struct printer *printer,
			struct agg_variable **variables, uint32_t n,
			const struct format *format, uint32_t most)
{
	struct arena *arena = arena_new();
	struct agg_table table = {
		.printer = printer, .variables = variables, .nvariables = n,
	};
	struct text out = { 0 };

	make_rows(&table, arena);
	if (most && table.count > most) {
		bool is_reversed = option_on(printer->options,
					     OPTION_AGGSORTREV);

		if (!is_reversed)
			table.rows += table.count - most;
		table.count = most;
	}
	if (printer->structured) {
		agg_table_structured(&table, &out);
	} else if (!format && agg_table_drawn(&table, &out)) {
		fwrite(text_str(&out), 1, out.n, printer->file);
		table.count = 0;
	}
	for (uint32_t i = 0; i < table.count; i++) {
		if (printer->structured && !format)
			break;
		text_clear(&out);
		if (format)
			format_row(&table, &table.rows[i], format, arena,
				   &out);
		else
			print_row(&table, &table.rows[i], &out);
		fwrite(text_str(&out), 1, out.n, printer->file);
	}
	text_free(&out);
	arena_free(arena);
}

/* One that no enabled clause updates: without elements, but it has a place. */
static struct agg_variable *absent_variable(struct arena *arena,
					    struct ident *ident)
{
	struct agg_variable *variable = arena_new_of(arena,
						     struct agg_variable);
	struct agg_layout *layout = arena_new_of(arena, struct agg_layout);
	const struct agg_uses *uses = ident->agg_params;

	layout->ident = ident;
	layout->function = ident->function;
	if (uses)
		memcpy(layout->params, uses->params, sizeof(layout->params));
	layout->nvalues = ident->function->aggregate->nvalues(layout->params);
	variable->layout = layout;
	variable->normal = 1;
	return variable;
}

bool agg_store_print(struct printer *printer, struct ident *const *idents,
		     uint32_t n, const struct format *format)
{
	struct arena *arena = arena_new();
	struct agg_variable **variables =
		arena_array_of(arena, struct agg_variable *, n);

	for (uint32_t i = 0; i < n; i++) {
		variables[i] = agg_store_variable(printer->aggs, idents[i]);
		if (!variables[i]) {
			variables[i] = absent_variable(arena, idents[i]);
			continue;
		}
		agg_variable_fetch(printer->aggs, variables[i]);
		variables[i]->is_printed = true;
	}
	if (!format && !printer->structured)
		putc('\n', printer->file);
	print_table(printer, variables, n, format, 0);
	arena_free(arena);
	return true;
}

static void print_unprinted(struct printer *printer, uint32_t most)
{
	struct agg_store *store = printer->aggs;
	bool is_reversed = option_on(printer->options, OPTION_AGGSORTREV);

	for (uint32_t i = 0; i < store->nvariables; i++) {
		uint32_t at = is_reversed ? store->nvariables - 1 - i : i;
		struct agg_variable *variable = &store->variables[at];

		if (variable->layout->ident && !variable->is_printed)
			print_table(printer, &variable, 1, NULL, most);
	}
}

void agg_store_print_rest(struct printer *printer)
{
	print_unprinted(printer, 0);
}

void agg_store_print_top(struct printer *printer)
{
	enum { USUAL_LINES = 24, FEW = 3 };
	const struct agg_store *store = printer->aggs;
	struct winsize size = { 0 };
	uint32_t shown = 0, lines = USUAL_LINES;

	for (uint32_t i = 0; i < store->nvariables; i++)
		shown += store->variables[i].layout->ident &&
			 !store->variables[i].is_printed;
	if (!shown)
		return;
	if (!ioctl(fileno(printer->file), TIOCGWINSZ, &size) && size.ws_row)
		lines = size.ws_row;
	lines = lines / shown > FEW ? lines / shown - 1 : FEW - 1;
	fputs("\033[H\033[J", printer->file);
	print_unprinted(printer, lines);
	fflush(printer->file);
}
