/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Predicates: what a request wants to see, as D.
 *
 * The form is that of Cloud Analytics: {"eq": ["execname", "mysqld"]}, and so on
 * for ne, lt, le, gt and ge; {"and": [...]}, {"or": [...]}; {} is everything.
 * The outermost "and" is taken apart into terms, because some can be decided
 * when something begins and others only when it ends: a term goes to the first
 * clause in which all its fields are known, and what it rejects there costs
 * nothing later.
 *
 * 1. A predicate is checked completely before any of it is written.
 * 2. Nothing of it gets into a program except names of fields that the metric
 *    has, decimal integers, and string literals in which quotes, backslashes and
 *    control characters are escaped (predicate_string).
 * 3. Depth and size are bounded.
 *
 * A number may come as a string with just an integer in it: keys of a picture
 * are strings, and a page that makes a predicate of them need not know better.
 */
#include "live/predicate.h"

#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct comparison {
	const char *name, *operator;
	bool is_order; /* makes no sense for strings */
} comparisons[] = {
	{ "eq", "==", false }, { "ne", "!=", false }, { "lt", "<", true },
	{ "le", "<=", true },  { "gt", ">", true },   { "ge", ">=", true },
};

enum { COMPARISONS = sizeof(comparisons) / sizeof(*comparisons) };

static const struct comparison *find_comparison(const char *name)
{
	for (int i = 0; i < COMPARISONS; i++)
		if (!strcmp(comparisons[i].name, name))
			return &comparisons[i];
	return NULL;
}

/* The name and the value of an object's only member. */
static const char *only_member(json_t *object, json_t **value)
{
	void *member = json_object_iter(object);

	if (json_object_size(object) != 1)
		return NULL;
	*value = json_object_iter_value(member);
	return json_object_iter_key(member);
}

static bool integer_of(json_t *value, json_int_t *number)
{
	if (json_is_integer(value)) {
		*number = json_integer_value(value);
		return *number > LLONG_MIN;
	}
	if (!json_is_string(value))
		return false;
	const char *text = json_string_value(value);
	char *end;

	if (strspn(text, "-0123456789") != strlen(text))
		return false;
	errno = 0;
	*number = strtoll(text, &end, 10);
	return end != text && !*end && !errno && *number > LLONG_MIN;
}

static bool check_value(const struct metric_field *field, json_t *value,
			struct metric_answer *answer)
{
	json_int_t number;

	if (field->type == METRIC_STACK)
		return metric_refuse(answer, "not_comparable",
				     "use \"stacks\": true to see them",
				     "stacks cannot be compared: %s",
				     field->name);
	if (field->type != METRIC_STRING)
		return integer_of(value, &number) ||
		       metric_refuse(answer, "not_a_number",
				     "write an integer without quotes",
				     "%s is compared with an integer of 64 bits",
				     field->name);
	if (!json_is_string(value))
		return metric_refuse(answer, "not_a_string",
				     "write the text in quotes",
				     "%s is compared with a string",
				     field->name);
	if (json_string_length(value) > PREDICATE_STRING)
		return metric_refuse(
			answer, "string_too_long", NULL,
			"the string that %s is compared with is longer than %d bytes",
			field->name, PREDICATE_STRING);
	return !memchr(json_string_value(value), 0,
		       json_string_length(value)) ||
	       metric_refuse(answer, "bad_predicate", NULL,
			     "a string has a null character in it");
}

static bool check_comparison(const struct metric *metric,
			     const struct comparison *comparison,
			     json_t *operands, struct metric_answer *answer)
{
	if (json_array_size(operands) != 2 ||
	    !json_is_string(json_array_get(operands, 0)))
		return metric_refuse(answer, "bad_predicate",
				     "such as {\"eq\": [\"execname\", \"sh\"]}",
				     "\"%s\" needs a field and a value",
				     comparison->name);
	const char *name = json_string_value(json_array_get(operands, 0));
	int index = metric_find_field(metric, name);

	if (index < 0)
		return metric_refuse(answer, "no_such_field",
				     "GET /api/1/metrics lists its fields",
				     "%s has no field %.64s", metric->name,
				     name);
	const struct metric_field *field = &metric->fields[index];

	if (comparison->is_order && field->type == METRIC_STRING)
		return metric_refuse(
			answer, "not_comparable", "use eq or ne for strings",
			"%s is a string, which \"%s\" cannot compare",
			field->name, comparison->name);
	return check_value(field, json_array_get(operands, 1), answer);
}

static bool check(const struct metric *metric, json_t *term, int depth,
		  int *leaves, struct metric_answer *answer)
{
	json_t *value = NULL;
	const char *name = only_member(term, &value);

	if (json_is_object(term) && !json_object_size(term))
		return true;
	if (!name || !json_is_array(value))
		return metric_refuse(
			answer, "bad_predicate",
			"such as {\"and\": [{\"eq\": [\"execname\", \"sh\"]}, {\"gt\": [\"latency\", 1000]}]}",
			"a predicate is an object with one member, whose value is an array");
	const struct comparison *comparison = find_comparison(name);

	if (comparison) {
		if (++*leaves > PREDICATE_LEAVES)
			return metric_refuse(
				answer, "predicate_too_long", NULL,
				"a predicate has at most %d comparisons",
				PREDICATE_LEAVES);
		return check_comparison(metric, comparison, value, answer);
	}
	if (strcmp(name, "and") != 0 && strcmp(name, "or") != 0)
		return metric_refuse(answer, "bad_predicate",
				     "known are eq ne lt le gt ge and or",
				     "a predicate cannot be \"%.64s\"", name);
	if (depth == PREDICATE_DEPTH)
		return metric_refuse(answer, "predicate_too_long", NULL,
				     "a predicate is at most %d deep",
				     PREDICATE_DEPTH);
	if (!json_array_size(value))
		return metric_refuse(answer, "bad_predicate",
				     "use {} for everything",
				     "\"%s\" has nothing in it", name);
	size_t i;
	json_t *part;

	json_array_foreach(value, i, part)
	{
		if (!check(metric, part, depth + 1, leaves, answer))
			return false;
	}
	return true;
}

/* {} is true, and so is an "or" with {} in it, an "and" of nothing else ... */
static bool is_all(json_t *term)
{
	json_t *parts = NULL, *part;
	const char *name = only_member(term, &parts);
	size_t i;

	if (!name)
		return true;
	if (strcmp(name, "and") != 0 && strcmp(name, "or") != 0)
		return false;
	bool is_and = *name == 'a';

	json_array_foreach(parts, i, part)
	{
		if (is_all(part) != is_and)
			return !is_and;
	}
	return is_and;
}

static void collect(json_t *term, struct predicate *predicate)
{
	json_t *parts = NULL, *part;
	const char *name = only_member(term, &parts);
	size_t i;

	if (is_all(term))
		return;
	if (strcmp(name, "and") != 0) {
		predicate->terms[predicate->nterms++] = term;
		return;
	}
	json_array_foreach(parts, i, part)
	{
		collect(part, predicate);
	}
}

bool predicate_read(const struct metric *metric, json_t *where,
		    struct predicate *predicate, struct metric_answer *answer)
{
	int leaves = 0;

	*predicate = (struct predicate){ 0 };
	if (!where || json_is_null(where))
		return true;
	if (!check(metric, where, 0, &leaves, answer))
		return false;
	collect(where, predicate);
	return true;
}

void predicate_require(struct predicate *predicate, const char *field,
		       json_int_t value)
{
	assert(predicate->nterms < PREDICATE_TERMS && !predicate->own);
	predicate->own = json_pack("{s:[sI]}", "eq", field, value);
	predicate->terms[predicate->nterms++] = predicate->own;
}

void predicate_free(struct predicate *predicate)
{
	json_decref(predicate->own);
	predicate->own = NULL;
}

void predicate_fields(const struct metric *metric, json_t *term,
		      void (*use)(void *arg, size_t index), void *arg)
{
	json_t *parts = NULL, *part;
	const char *name = only_member(term, &parts);
	size_t i;

	if (!name)
		return;
	if (find_comparison(name)) {
		const char *field = json_string_value(json_array_get(parts, 0));

		use(arg, (size_t)metric_find_field(metric, field));
		return;
	}
	json_array_foreach(parts, i, part)
	{
		predicate_fields(metric, part, use, arg);
	}
}

struct early {
	const struct metric *metric;
	bool is_early;
};

static void note_late(void *arg, size_t index)
{
	struct early *early = arg;
	const struct metric_field *field = &early->metric->fields[index];

	if (field->at == METRIC_AT_MEASURE)
		early->is_early = false;
}

bool predicate_is_early(const struct metric *metric, json_t *term)
{
	struct early early = { metric, true };

	predicate_fields(metric, term, note_late, &early);
	return early.is_early;
}

void predicate_string(struct text *out, const char *bytes, size_t length)
{
	text_putc(out, '"');
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c == '"' || c == '\\')
			text_printf(out, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			text_printf(out, "\\%03o", c);
		else
			text_putc(out, (char)c);
	}
	text_putc(out, '"');
}

static void write_value(const struct metric_field *field, json_t *value,
			struct text *out)
{
	json_int_t number = 0;

	if (field->type == METRIC_STRING) {
		predicate_string(out, json_string_value(value),
				 json_string_length(value));
		return;
	}
	integer_of(value, &number);
	text_printf(out, "%" JSON_INTEGER_FORMAT, number);
}

static void write_term(const struct metric *metric, json_t *term,
		       bool is_inside, predicate_field_f *write_field,
		       void *arg, struct text *out)
{
	json_t *parts = NULL, *part;
	const char *name = only_member(term, &parts);
	const struct comparison *comparison = name ? find_comparison(name)
						   : NULL;
	bool is_first = true;
	size_t i;

	if (!name) {
		text_puts(out, "1");
		return;
	}
	if (comparison) {
		int index = metric_find_field(
			metric, json_string_value(json_array_get(parts, 0)));

		write_field(arg, (size_t)index, out);
		text_printf(out, " %s ", comparison->operator);
		write_value(&metric->fields[index], json_array_get(parts, 1),
			    out);
		return;
	}
	bool has_parentheses = is_inside && json_array_size(parts) > 1;

	if (has_parentheses)
		text_putc(out, '(');
	json_array_foreach(parts, i, part)
	{
		if (!is_first)
			text_puts(out, *name == 'a' ? " && " : " || ");
		write_term(metric, part,
			   json_array_size(parts) > 1 || is_inside, write_field,
			   arg, out);
		is_first = false;
	}
	if (has_parentheses)
		text_putc(out, ')');
}

void predicate_write(const struct metric *metric, json_t *term,
		     predicate_field_f *field, void *arg, struct text *out)
{
	write_term(metric, term, true, field, arg, out);
}

static void write_name(void *arg, size_t index, struct text *out)
{
	const struct metric *metric = arg;

	text_puts(out, metric->fields[index].name);
}

void predicate_describe(const struct metric *metric, json_t *term,
			struct text *out)
{
	write_term(metric, term, true, write_name, (void *)metric, out);
}
