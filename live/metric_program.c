/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a metric and a request to a D program.
 *
 * People see this program and change it, so it looks as if one of them had
 * written it.  For something that takes time it is
 *
 *	syscall::read:entry		the start clause
 *	/execname == "sh"/		as much of the predicate as is known there
 *	{
 *		self->began = timestamp;
 *		self->file = fds[arg0].fi_pathname;	only what is used below
 *	}
 *
 *	syscall::read:return		the measure clause
 *	/self->began/			and the rest of the predicate
 *	{
 *		@latency[self->file] = quantize(timestamp - self->began);
 *		self->began = 0;
 *		self->file = 0;
 *	}
 *
 * If the predicate of the measure clause can reject what has begun, what was
 * kept is given back in a clause of its own, which always runs.
 *
 * 1. In expressions of a metric, $began is when it began, $saved what the field
 *    kept, and $NAME the value of another field.  Other macros are D's own.
 * 2. A field is kept at the start only if the measure clause needs it.
 * 3. Requests are checked before anything is written (metric_request.c).
 */
#include "live/metric_builder.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NESTED = 4, MOST_EXPANDED = 1000, WIDTH = 78 };

/* ------------------------------------------------------------ expressions */

/* Whether operators around it cannot take it apart. */
static bool is_primary(const char *expression)
{
	int depth = 0;

	for (const char *at = expression; *at; at++) {
		if (*at == '(' || *at == '[')
			depth++;
		else if (*at == ')' || *at == ']')
			depth--;
		else if (depth || isalnum((unsigned char)*at) ||
			 strchr("_.`$\"", *at))
			continue;
		else if (*at == '-' && at[1] == '>')
			at++;
		else
			return false;
	}
	return *expression != '(' || expression[1] == '(';
}

static void put_primary(struct text *out, const char *expression)
{
	text_printf(out, is_primary(expression) ? "%s" : "(%s)", expression);
}

/* The variable with what was kept: of a field, or the time if it is NULL. */
static void put_variable(struct builder *builder,
			 const struct metric_field *field, struct text *out)
{
	const char *key = builder->clause->key;

	if (!key)
		text_printf(out, "self->%s", field ? field->name : "began");
	else if (field)
		text_printf(out, "%s_of[%s]", field->name, key);
	else
		text_printf(out, "began[%s]", key);
}

static const char *value_here(const struct builder *builder, size_t index)
{
	const struct metric_clause *clause = builder->clause;
	const struct metric_field *field = &builder->metric->fields[index];

	for (size_t i = 0; i < clause->nlets; i++)
		if (clause->lets[i].field == index)
			return clause->lets[i].value;
	return clause->kind == METRIC_CLAUSE_START &&
			       field->at == METRIC_AT_START
		       ? field->saved
		       : field->value;
}

static size_t macro_length(const char *at)
{
	size_t length = 0;

	while (at[0] == '$' && (isalnum((unsigned char)at[1 + length]) ||
				at[1 + length] == '_'))
		length++;
	return length;
}

static int macro_field(const struct builder *builder, const char *name,
		       size_t length)
{
	const struct metric *metric = builder->metric;

	for (size_t i = 0; i < metric->nfields; i++)
		if (strlen(metric->fields[i].name) == length &&
		    !strncmp(metric->fields[i].name, name, length))
			return (int)i;
	return -1;
}

static bool is_macro(const char *name, size_t length, const char *word)
{
	return strlen(word) == length && !strncmp(name, word, length);
}

/* Writes an expression of the field `own` (or -1) with its macros replaced. */
static void put_expression(struct builder *builder, const char *expression,
			   int own, int depth, struct text *out)
{
	const struct metric_field *fields = builder->metric->fields;

	for (const char *at = expression; *at; at++) {
		size_t length = macro_length(at);
		int field = length ? macro_field(builder, at + 1, length) : -1;

		if (length && is_macro(at + 1, length, "began")) {
			put_variable(builder, NULL, out);
		} else if (length && own >= 0 &&
			   is_macro(at + 1, length, "saved")) {
			put_variable(builder, &fields[own], out);
		} else if (field >= 0 && depth < MOST_NESTED &&
			   builder->expanded++ < MOST_EXPANDED) {
			struct text inner = { 0 };

			put_expression(builder,
				       value_here(builder, (size_t)field),
				       field, depth + 1, &inner);
			put_primary(out, text_str(&inner));
			text_free(&inner);
		} else {
			text_putc(out, *at);
			continue;
		}
		at += length;
	}
}

static void put_value(struct builder *builder, size_t index, struct text *out)
{
	put_expression(builder, value_here(builder, index), (int)index, 0, out);
}

/* What the measure clause needs of the start clause. */
static void keep(struct builder *builder, const char *expression, int own,
		 int depth)
{
	for (const char *at = expression; *at; at++) {
		size_t length = macro_length(at);
		int field = length ? macro_field(builder, at + 1, length) : -1;

		if (length && own >= 0 && is_macro(at + 1, length, "saved"))
			builder->is_kept[own] = true;
		else if (field >= 0 && depth < MOST_NESTED &&
			 builder->expanded++ < MOST_EXPANDED)
			keep(builder, builder->metric->fields[field].value,
			     field, depth + 1);
	}
}

static void keep_field(void *arg, size_t index)
{
	struct builder *builder = arg;

	keep(builder, builder->metric->fields[index].value, (int)index, 0);
}

static void put_compared(void *arg, size_t index, struct text *out)
{
	struct text value = { 0 };

	put_value(arg, index, &value);
	put_primary(out, text_str(&value));
	text_free(&value);
}

/* ---------------------------------------------------------------- clauses */

/* Adds a word, on a new line if this one would become too long. */
static void put_wrapped(struct text *out, size_t *column, const char *word,
			const char *indent, size_t width)
{
	size_t length = strlen(word);

	if (*column && *column + 1 + length > WIDTH) {
		text_printf(out, "\n%s", indent);
		*column = width;
	} else if (*column > width || (*column && !*indent)) {
		text_putc(out, ' ');
		++*column;
	}
	text_puts(out, word);
	*column += length;
}

static void put_probes(struct builder *builder)
{
	char *copy = strdup(builder->clause->probes), *rest = copy;
	size_t column = 0;

	for (char *probe; copy && (probe = strsep(&rest, ",")) != NULL;) {
		struct text word = { 0 };

		probe += strspn(probe, " \t\r\n");
		probe[strcspn(probe, " \t\r\n")] = '\0';
		text_printf(&word, "%s%s", probe, rest ? "," : "");
		put_wrapped(builder->out, &column, word.p, "", 0);
		text_free(&word);
	}
	text_putc(builder->out, '\n');
	free(copy);
}

struct conditions {
	struct text text;
	size_t column;
	int count;
};

static void add_condition(struct conditions *conditions, const char *text)
{
	struct text word = { 0 };

	text_printf(&word, conditions->count++ ? "&& %s" : "/%s", text);
	put_wrapped(&conditions->text, &conditions->column, word.p, "    ", 4);
	text_free(&word);
}

static void put_conditions(struct builder *builder,
			   struct conditions *conditions)
{
	if (conditions->count)
		text_printf(builder->out, "%s/\n", conditions->text.p);
	text_free(&conditions->text);
}

static void add_when(struct builder *builder, const char *when,
		     struct conditions *conditions)
{
	struct text text = { 0 };

	if (!when)
		return;
	put_expression(builder, when, -1, 0, &text);
	if (strstr(text.p, "||") || strchr(text.p, '?')) {
		struct text inner = text;

		text = (struct text){ 0 };
		text_printf(&text, "(%s)", inner.p);
		text_free(&inner);
	}
	add_condition(conditions, text.p);
	text_free(&text);
}

static bool is_early(const struct builder *builder, json_t *term)
{
	return builder->has_start && predicate_is_early(builder->metric, term);
}

static void add_terms(struct builder *builder, bool early,
		      struct conditions *conditions)
{
	for (size_t i = 0; i < builder->predicate.nterms; i++) {
		json_t *term = builder->predicate.terms[i];
		struct text text = { 0 };

		if (is_early(builder, term) != early)
			continue;
		predicate_write(builder->metric, term, put_compared, builder,
				&text);
		add_condition(conditions, text.p);
		text_free(&text);
	}
}

static void put_start(struct builder *builder)
{
	const struct metric *metric = builder->metric;
	struct conditions conditions = { 0 };

	put_probes(builder);
	add_when(builder, builder->clause->when, &conditions);
	add_terms(builder, true, &conditions);
	put_conditions(builder, &conditions);
	text_puts(builder->out, "{\n\t");
	put_variable(builder, NULL, builder->out);
	text_puts(builder->out, " = timestamp;\n");
	for (size_t i = 0; i < metric->nfields; i++) {
		const struct metric_field *field = &metric->fields[i];
		bool is_let = value_here(builder, i) != field->value;

		if (!builder->is_kept[i])
			continue;
		text_putc(builder->out, '\t');
		put_variable(builder, field, builder->out);
		text_puts(builder->out, " = ");
		put_expression(builder,
			       is_let ? value_here(builder, i) : field->saved,
			       -1, 0, builder->out);
		text_puts(builder->out, ";\n");
	}
	text_puts(builder->out, "}\n");
}

static void put_end(struct builder *builder)
{
	const struct metric *metric = builder->metric;

	if (!builder->has_start)
		return;
	text_putc(builder->out, '\t');
	put_variable(builder, NULL, builder->out);
	text_puts(builder->out,
		  builder->clause->restarts ? " = timestamp;\n" : " = 0;\n");
	for (size_t i = 0; i < metric->nfields; i++) {
		if (!builder->is_kept[i] || builder->clause->restarts)
			continue;
		text_putc(builder->out, '\t');
		put_variable(builder, &metric->fields[i], builder->out);
		text_puts(builder->out, " = 0;\n");
	}
}

/* The keys, or what is printed: with commas between. */
static void put_fields(struct builder *builder, const size_t *fields,
		       size_t count, struct text *out, size_t *column,
		       const char *after)
{
	for (size_t i = 0; i < count; i++) {
		struct text word = { 0 };

		put_value(builder, fields[i], &word);
		text_puts(&word, i + 1 < count ? "," : after);
		put_wrapped(out, column, word.p, "\t    ", 12);
		text_free(&word);
	}
}

static void put_aggregation(struct builder *builder)
{
	const struct metric *metric = builder->metric;
	struct text left = { 0 }, value = { 0 }, right = { 0 };
	size_t keys[2 * MOST_KEYS + 1], nkeys = 0;

	for (size_t i = 0; i < builder->nkeys; i++)
		keys[nkeys++] = builder->keys[i];
	for (size_t i = 0; i < builder->nstacks; i++)
		keys[nkeys++] = builder->stacks[i];
	text_printf(&left, "\t@%s", builder->answer->name);
	size_t column = 8 + left.n - 1;

	if (nkeys) {
		struct text list = { 0 };

		column++;
		put_fields(builder, keys, nkeys, &list, &column, "]");
		text_printf(&left, "[%s", list.p + (*list.p == ' '));
		text_free(&list);
	}
	if (builder->number >= 0) {
		const struct metric_field *field =
			&metric->fields[builder->number];
		size_t before = strcspn(field->scale, "%");

		put_value(builder, (size_t)builder->number, &value);
		text_add(&right, field->scale, before);
		text_puts(&right, value.p);
		text_puts(&right, field->scale + before + 2);
	} else if (metric->statistic == METRIC_SUM) {
		put_expression(builder, metric->sum, -1, 0, &value);
		text_printf(&right, "sum(%s)", value.p);
	} else {
		text_puts(&right, "count()");
	}
	text_puts(&left, " =");
	column += 2;
	text_putc(&right, ';');
	put_wrapped(&left, &column, right.p, "\t    ", 12);
	text_printf(builder->out, "%s\n", left.p);
	text_free(&left);
	text_free(&value);
	text_free(&right);
}

static void put_log(struct builder *builder)
{
	struct text line = { 0 };
	size_t column;

	text_puts(&line, "\tprintf(\"");
	for (size_t i = 0; i < builder->nkeys; i++) {
		const struct metric_field *field =
			&builder->metric->fields[builder->keys[i]];

		text_printf(&line, "%s%s", i ? " " : "",
			    field->type == METRIC_STRING ? "%s" : "%d");
	}
	text_puts(&line, "\\n\",");
	column = 7 + line.n;
	put_fields(builder, builder->keys, builder->nkeys, &line, &column,
		   ");");
	text_printf(builder->out, "%s\n", line.p);
	text_free(&line);
}

/* What the measure clause and the one after it have in common. */
static void add_guard(struct builder *builder, struct conditions *conditions)
{
	struct text began = { 0 };

	if (!builder->has_start)
		return;
	put_variable(builder, NULL, &began);
	add_condition(conditions, began.p);
	add_when(builder, builder->clause->ends, conditions);
	text_free(&began);
}

static void put_measure(struct builder *builder)
{
	struct conditions conditions = { 0 }, guard = { 0 };

	put_probes(builder);
	add_guard(builder, &conditions);
	int always = conditions.count;

	add_when(builder, builder->clause->when, &conditions);
	add_terms(builder, false, &conditions);
	bool may_reject = builder->has_start && conditions.count > always;

	put_conditions(builder, &conditions);
	text_puts(builder->out, "{\n");
	if (builder->metric->statistic == METRIC_LOG)
		put_log(builder);
	else
		put_aggregation(builder);
	if (may_reject) {
		text_puts(builder->out, "}\n\n");
		put_probes(builder);
		add_guard(builder, &guard);
		put_conditions(builder, &guard);
		text_puts(builder->out, "{\n");
	}
	put_end(builder);
	text_puts(builder->out, "}\n");
}

static void put_text(struct builder *builder)
{
	const char *text = builder->clause->probes;

	while (*text == '\n')
		text++;
	text_printf(builder->out, "%s\n", text);
}

static void (*const writers[])(struct builder *builder) = {
	[METRIC_CLAUSE_START] = put_start,
	[METRIC_CLAUSE_MEASURE] = put_measure,
	[METRIC_CLAUSE_TEXT] = put_text,
};

/* Strings of the predicate are in the title: they must not end the comment. */
static void put_comment(struct builder *builder)
{
	const char *title = builder->answer->title;

	text_puts(builder->out, "/* ");
	for (const char *at = title; *at; at++) {
		text_putc(builder->out, *at);
		if ((*at == '*' && at[1] == '/') ||
		    (*at == '/' && at[1] == '*'))
			text_putc(builder->out, ' ');
	}
	text_puts(builder->out, " */\n");
	if (builder->metric->option)
		text_puts(builder->out, builder->metric->option);
}

static void find_kept(struct builder *builder)
{
	const struct metric *metric = builder->metric;

	if (!builder->has_start)
		return;
	for (size_t i = 0; i < builder->nkeys; i++)
		keep_field(builder, builder->keys[i]);
	for (size_t i = 0; i < builder->nstacks; i++)
		keep_field(builder, builder->stacks[i]);
	if (builder->number >= 0)
		keep_field(builder, (size_t)builder->number);
	else if (metric->statistic == METRIC_SUM)
		keep(builder, metric->sum, -1, 0);
	for (size_t i = 0; i < metric->nclauses; i++)
		if (metric->clauses[i].kind == METRIC_CLAUSE_MEASURE &&
		    metric->clauses[i].when)
			keep(builder, metric->clauses[i].when, -1, 0);
	for (size_t i = 0; i < builder->predicate.nterms; i++)
		if (!is_early(builder, builder->predicate.terms[i]))
			predicate_fields(metric, builder->predicate.terms[i],
					 keep_field, builder);
}

char *metric_program(const struct metric *metric, json_t *request,
		     struct metric_answer *answer)
{
	struct text out = { 0 };
	struct builder builder = {
		.metric = metric, .answer = answer, .out = &out, .number = -1
	};

	*answer = (struct metric_answer){ .by = json_array(),
					  .keys = json_array() };
	for (size_t i = 0; i < metric->nclauses; i++)
		if (metric->clauses[i].kind == METRIC_CLAUSE_START)
			builder.has_start = true;
	builder.is_kept = calloc(metric->nfields + 1, sizeof(bool));
	if (builder.is_kept && metric_request_read(&builder, request)) {
		find_kept(&builder);
		metric_request_answer(&builder);
		put_comment(&builder);
		for (size_t i = 0; i < metric->nclauses; i++) {
			builder.clause = &metric->clauses[i];
			text_putc(&out, '\n');
			writers[builder.clause->kind](&builder);
		}
	}
	predicate_free(&builder.predicate);
	free(builder.is_kept);
	return out.p;
}
