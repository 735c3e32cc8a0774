/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading metric files (doc/metrics.md).
 *
 * A file is a list of lines `keyword value`.  A line that begins with a blank
 * continues the one before, # begins a comment line.  Each keyword is a row of
 * `keywords`, with a function that takes its value.  `when`, `ends`, `key`, `let`
 * and `restart` belong to the clause above them, `saved` and `scale` to the field.
 *
 * 1. Files are hostile: every size has a limit, every error has a line.
 * 2. What is returned is complete: every name in it was found, there is
 *    something to measure, and a default.
 *
 * Whether the D in it compiles is not known here: that depends on the machine.
 */
#include "live/metric.h"

#include "base/arena.h"
#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_FIELDS = 40,
	MOST_CLAUSES = 24,
	MOST_PRESETS = 16,
	MOST_LETS = 16,
	LONGEST_VALUE = 8192,
};

static const char *const types[] = {
	[METRIC_NUMBER] = "number",
	[METRIC_INTEGER] = "integer",
	[METRIC_STRING] = "string",
	[METRIC_STACK] = "stack",
};

static const char *const places[] = {
	[METRIC_AT_MEASURE] = "measure",
	[METRIC_AT_START] = "start",
	[METRIC_AT_ANY] = "any",
};

static const char *const entries[] = { "machine", "service", "program", NULL };
static const char *const views[] = { "heatmap",	 "line",  "table",
				     "log",	 "flame", "utilization",
				     "timeline", NULL };

#define LATENCY "llquantize(%s, 10, 2, 10, 10)"

/* What is known of the thread that does something: `process any`. */
static const struct {
	const char *name, *title;
	enum metric_type type;
	const char *value;
	bool changes; /* between start and measure */
} process_fields[] = {
	{ "execname", "program", METRIC_STRING, "execname", false },
	{ "pid", "process", METRIC_INTEGER, "pid", false },
	{ "tid", "thread", METRIC_INTEGER, "tid", false },
	{ "uid", "user", METRIC_INTEGER, "uid", false },
	{ "psargs", "command line", METRIC_STRING, "curpsinfo->pr_psargs",
	  false },
	{ "ppid", "parent", METRIC_INTEGER, "ppid", false },
	{ "cpu", "CPU", METRIC_INTEGER, "cpu", true },
};

enum { PROCESS_FIELDS = sizeof(process_fields) / sizeof(*process_fields) };

struct reader {
	struct arena *arena;
	struct metric *metric;
	const char *path;
	int line;
	char *problem; /* the first one */
};

static bool complain(struct reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool complain(struct reader *reader, const char *format, ...)
{
	if (reader->problem)
		return false;
	struct text text = { 0 };
	va_list args;

	text_printf(&text, "%s:%d: ", reader->path, reader->line);
	va_start(args, format);
	text_vprintf(&text, format, args);
	va_end(args);
	reader->problem = text.p;
	return false;
}

const char *metric_type_name(enum metric_type type)
{
	return types[type];
}

int metric_find_field(const struct metric *metric, const char *name)
{
	for (size_t i = 0; i < metric->nfields; i++)
		if (!strcmp(metric->fields[i].name, name))
			return (int)i;
	return -1;
}

/* ------------------------------------------------------------------ words */

static void skip_blanks(char **at)
{
	while (isspace((unsigned char)**at))
		(*at)++;
}

/* The next word, cut off in place; NULL at the end. */
static char *next_word(char **at)
{
	skip_blanks(at);
	char *word = *at;

	while (**at && !isspace((unsigned char)**at))
		(*at)++;
	if (*at == word)
		return NULL;
	if (**at)
		*(*at)++ = '\0';
	return word;
}

/* A "text in quotes". */
static const char *next_quoted(struct reader *reader, char **at)
{
	skip_blanks(at);
	char *end = **at == '"' ? strchr(*at + 1, '"') : NULL;

	if (!end || end == *at + 1) {
		complain(reader, "a title in quotes is missing");
		return NULL;
	}
	char *text = *at + 1;

	*end = '\0';
	*at = end + 1;
	return text;
}

static bool is_name(const char *word)
{
	size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return length && length < 32 && !word[length] &&
	       !isdigit((unsigned char)*word);
}

static int index_of(const char *const *list, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i], word))
			return (int)i;
	return -1;
}

static bool one_of(struct reader *reader, const char *const *list,
		   const char *word, const char *what, const char **to)
{
	for (size_t i = 0; list[i]; i++)
		if (!strcmp(list[i], word)) {
			*to = list[i];
			return true;
		}
	return complain(reader, "%.40s is no %s", word, what);
}

/* ----------------------------------------------------------------- fields */

static struct metric_field *add_field(struct reader *reader, const char *name)
{
	struct metric *metric = reader->metric;

	if (!is_name(name)) {
		complain(reader, "%.40s is no name of a field", name);
		return NULL;
	}
	if (metric_find_field(metric, name) >= 0) {
		complain(reader, "there is a field %s already", name);
		return NULL;
	}
	if (metric->nfields == MOST_FIELDS) {
		complain(reader, "more than %d fields", MOST_FIELDS);
		return NULL;
	}
	metric->fields = arena_grown(reader->arena, metric->fields,
				     metric->nfields, sizeof(*metric->fields));
	struct metric_field *field = &metric->fields[metric->nfields++];

	*field = (struct metric_field){ .name = name };
	return field;
}

/* A value that is known only at the start is kept there. */
static void finish_field(struct metric_field *field)
{
	if (field->at == METRIC_AT_START) {
		field->saved = field->value;
		field->value = "$saved";
	}
	if (field->type == METRIC_NUMBER)
		field->scale = !strcmp(field->unit, "ns") ? LATENCY
							  : "quantize(%s)";
}

static bool take_at(struct reader *reader, const char *word, enum metric_at *at)
{
	int place = word ? index_of(places, 3, word) : -1;

	if (place < 0)
		return complain(reader, "a place is start, measure or any");
	*at = (enum metric_at)place;
	return true;
}

/* NAME TYPE [UNIT] "TITLE" [at PLACE] = D */
static bool take_field(struct reader *reader, char *value)
{
	char *name = next_word(&value), *type = next_word(&value);
	struct metric_field *field = name ? add_field(reader, name) : NULL;

	if (!field)
		return complain(reader, "a field has a name");
	int found = type ? index_of(types, 4, type) : -1;

	if (found < 0)
		return complain(
			reader,
			"the type of a field is number, integer, string or stack");
	field->type = (enum metric_type)found;
	if (field->type == METRIC_NUMBER) {
		field->unit = next_word(&value);
		if (!field->unit || *field->unit == '"')
			return complain(reader, "a number has a unit");
	}
	field->title = next_quoted(reader, &value);
	if (!field->title)
		return false;
	skip_blanks(&value);
	if (!strncmp(value, "at ", 3)) {
		next_word(&value);
		if (!take_at(reader, next_word(&value), &field->at))
			return false;
	}
	skip_blanks(&value);
	if (*value++ != '=')
		return complain(reader, "the value of a field stands after =");
	skip_blanks(&value);
	if (!*value)
		return complain(reader, "field %s has no value", name);
	field->value = value;
	finish_field(field);
	return true;
}

static bool take_process(struct reader *reader, char *value)
{
	enum metric_at at;

	if (!take_at(reader, next_word(&value), &at))
		return false;
	for (int i = 0; i < PROCESS_FIELDS; i++) {
		struct metric_field *field = add_field(reader,
						       process_fields[i].name);

		if (!field)
			return false;
		field->title = process_fields[i].title;
		field->type = process_fields[i].type;
		field->value = process_fields[i].value;
		field->at = at == METRIC_AT_ANY && process_fields[i].changes
				    ? METRIC_AT_MEASURE
				    : at;
		finish_field(field);
	}
	return true;
}

static struct metric_field *last_field(struct reader *reader)
{
	struct metric *metric = reader->metric;

	if (metric->nfields)
		return &metric->fields[metric->nfields - 1];
	complain(reader, "there is no field above this line");
	return NULL;
}

static bool take_saved(struct reader *reader, char *value)
{
	struct metric_field *field = last_field(reader);

	if (!field)
		return false;
	if (field->at != METRIC_AT_MEASURE)
		return complain(reader,
				"what a field at measure needs is saved");
	field->saved = value;
	return true;
}

/* log10 LOW HIGH, power, linear LOW HIGH STEP */
static bool take_scale(struct reader *reader, char *value)
{
	struct metric_field *field = last_field(reader);
	char *kind = next_word(&value);
	long number[3] = { 0 };
	int count = 0;

	if (!field)
		return false;
	if (field->type != METRIC_NUMBER)
		return complain(reader, "only a number has a scale");
	for (char *word; (word = next_word(&value)) != NULL; count++) {
		char *end;

		if (count == 3)
			return complain(reader, "too many numbers");
		number[count] = strtol(word, &end, 10);
		if (*end)
			return complain(reader, "%.40s is no number", word);
	}
	if (!strcmp(kind, "power") && !count)
		field->scale = "quantize(%s)";
	else if (!strcmp(kind, "log10") && count == 2 && number[0] >= 0 &&
		 number[0] < number[1] && number[1] <= 18)
		field->scale = arena_printf(reader->arena,
					    "llquantize(%%s, 10, %ld, %ld, 10)",
					    number[0], number[1]);
	else if (!strcmp(kind, "linear") && count == 3 &&
		 number[0] < number[1] && number[2] > 0)
		field->scale = arena_printf(reader->arena,
					    "lquantize(%%s, %ld, %ld, %ld)",
					    number[0], number[1], number[2]);
	else
		return complain(
			reader,
			"a scale is power, log10 LOW HIGH or linear LOW HIGH STEP");
	return true;
}

/* ---------------------------------------------------------------- clauses */

static bool add_clause(struct reader *reader, enum metric_clause_kind kind,
		       char *value)
{
	struct metric *metric = reader->metric;

	if (metric->nclauses == MOST_CLAUSES)
		return complain(reader, "more than %d clauses", MOST_CLAUSES);
	metric->clauses = arena_grown(reader->arena, metric->clauses,
				      metric->nclauses,
				      sizeof(*metric->clauses));
	metric->clauses[metric->nclauses++] =
		(struct metric_clause){ .kind = kind, .probes = value };
	return true;
}

static bool take_start(struct reader *reader, char *value)
{
	return add_clause(reader, METRIC_CLAUSE_START, value);
}

static bool take_measure(struct reader *reader, char *value)
{
	return add_clause(reader, METRIC_CLAUSE_MEASURE, value);
}

static bool take_clause(struct reader *reader, char *value)
{
	return add_clause(reader, METRIC_CLAUSE_TEXT, value);
}

static struct metric_clause *last_clause(struct reader *reader)
{
	struct metric *metric = reader->metric;
	struct metric_clause *clause =
		metric->nclauses ? &metric->clauses[metric->nclauses - 1]
				 : NULL;

	if (clause && clause->kind != METRIC_CLAUSE_TEXT)
		return clause;
	complain(reader, "there is no start or measure above this line");
	return NULL;
}

static bool take_when(struct reader *reader, char *value)
{
	struct metric_clause *clause = last_clause(reader);

	if (clause)
		clause->when = value;
	return clause != NULL;
}

static bool take_ends(struct reader *reader, char *value)
{
	struct metric_clause *clause = last_clause(reader);

	if (clause && clause->kind != METRIC_CLAUSE_MEASURE)
		return complain(reader, "ends belongs to measure");
	if (clause)
		clause->ends = value;
	return clause != NULL;
}

static bool take_key(struct reader *reader, char *value)
{
	struct metric_clause *clause = last_clause(reader);

	if (clause)
		clause->key = value;
	return clause != NULL;
}

static bool take_restart(struct reader *reader, char *value)
{
	struct metric_clause *clause = last_clause(reader);

	if (clause && *value)
		return complain(reader, "restart has no value");
	if (clause)
		clause->restarts = true;
	return clause != NULL;
}

/* FIELD = D */
static bool take_let(struct reader *reader, char *value)
{
	struct metric_clause *clause = last_clause(reader);
	char *name = next_word(&value);
	int field = metric_find_field(reader->metric, name);

	if (!clause)
		return false;
	if (field < 0)
		return complain(reader,
				"there is no field %.40s above this line",
				name);
	if (clause->nlets == MOST_LETS)
		return complain(reader, "more than %d lets", MOST_LETS);
	skip_blanks(&value);
	if (*value++ != '=')
		return complain(reader, "let FIELD = VALUE");
	skip_blanks(&value);
	clause->lets = arena_grown(reader->arena, clause->lets, clause->nlets,
				   sizeof(*clause->lets));
	clause->lets[clause->nlets++] = (struct metric_let){ (size_t)field,
							     value };
	return true;
}

/* ------------------------------------------------------------------- rest */

static bool take_entry(struct reader *reader, char *value)
{
	return one_of(reader, entries, value,
		      "entry: machine, service or program",
		      &reader->metric->entry);
}

static bool take_view(struct reader *reader, char *value)
{
	return one_of(
		reader, views, value,
		"view: heatmap, line, table, log, flame, utilization or timeline",
		&reader->metric->view);
}

static bool take_full(struct reader *reader, char *value)
{
	char *end;

	reader->metric->full = strtod(value, &end);
	return (!*end && reader->metric->full > 0 &&
		reader->metric->full < 1e18) ||
	       complain(reader, "full is a number, such as 1000000000");
}

static bool take_needs(struct reader *reader, char *value)
{
	reader->metric->needs_pid = true;
	return !strcmp(value, "pid") ||
	       complain(reader, "only a pid is needed");
}

static bool take_count(struct reader *reader, char *value)
{
	reader->metric->statistic = METRIC_COUNT;
	return !*value || complain(reader, "count has no value");
}

static bool take_sum(struct reader *reader, char *value)
{
	reader->metric->statistic = METRIC_SUM;
	reader->metric->sum = value;
	return true;
}

static bool take_log(struct reader *reader, char *value)
{
	reader->metric->statistic = METRIC_LOG;
	return !*value || complain(reader, "log has no value");
}

static bool take_option(struct reader *reader, char *value)
{
	struct metric *metric = reader->metric;

	if (strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789=") !=
	    strlen(value))
		return complain(reader, "an option is NAME=VALUE");
	metric->option = arena_printf(reader->arena, "%s#pragma D option %s\n",
				      metric->option ? metric->option : "",
				      value);
	return true;
}

/* "TITLE" FIELD ... [+stacks] */
static bool take_preset(struct reader *reader, char *value)
{
	struct metric *metric = reader->metric;
	struct metric_preset preset = { .title = next_quoted(reader, &value) };
	int numbers = 0;

	if (!preset.title)
		return false;
	if (metric->npresets == MOST_PRESETS)
		return complain(reader, "more than %d presets", MOST_PRESETS);
	for (char *word; (word = next_word(&value)) != NULL;) {
		int field = metric_find_field(metric, word);

		if (!strcmp(word, "+stacks")) {
			preset.has_stacks = true;
			continue;
		}
		if (field < 0)
			return complain(
				reader,
				"there is no field %.40s above this line",
				word);
		if (metric->fields[field].type == METRIC_NUMBER && numbers++)
			return complain(reader, "a preset has one number");
		preset.by = arena_grown(reader->arena, preset.by, preset.nby,
					sizeof(*preset.by));
		preset.by[preset.nby++] = (size_t)field;
	}
	metric->presets = arena_grown(reader->arena, metric->presets,
				      metric->npresets, sizeof(preset));
	metric->presets[metric->npresets++] = preset;
	return true;
}

static const struct keyword {
	const char *name;
	bool (*take)(struct reader *reader, char *value);
	size_t text; /* without `take`: the member that gets the value */
	bool may_be_empty;
} keywords[] = {
	{ "title", .text = offsetof(struct metric, title) },
	{ "about", .text = offsetof(struct metric, about) },
	{ "unit", .text = offsetof(struct metric, unit) },
	{ "absent", .text = offsetof(struct metric, absent) },
	{ "entry", .take = take_entry },
	{ "view", .take = take_view },
	{ "full", .take = take_full },
	{ "needs", .take = take_needs },
	{ "option", .take = take_option },
	{ "start", .take = take_start },
	{ "measure", .take = take_measure },
	{ "clause", .take = take_clause },
	{ "when", .take = take_when },
	{ "ends", .take = take_ends },
	{ "key", .take = take_key },
	{ "let", .take = take_let },
	{ "restart", .take = take_restart, .may_be_empty = true },
	{ "count", .take = take_count, .may_be_empty = true },
	{ "sum", .take = take_sum },
	{ "log", .take = take_log, .may_be_empty = true },
	{ "process", .take = take_process },
	{ "field", .take = take_field },
	{ "saved", .take = take_saved },
	{ "scale", .take = take_scale },
	{ "preset", .take = take_preset },
};

enum { KEYWORDS = sizeof(keywords) / sizeof(*keywords) };

static bool take(struct reader *reader, char *line)
{
	char *value = line;
	char *word = next_word(&value);

	skip_blanks(&value);
	for (int i = 0; i < KEYWORDS; i++) {
		const struct keyword *keyword = &keywords[i];

		if (strcmp(keyword->name, word) != 0)
			continue;
		if (!*value && !keyword->may_be_empty)
			return complain(reader, "%s needs a value", word);
		if (keyword->take)
			return keyword->take(reader, value);
		const char **member = (const char **)((char *)reader->metric +
						      keyword->text);

		if (*member)
			return complain(reader, "%s is given twice", word);
		*member = value;
		return true;
	}
	return complain(reader, "%.40s is no keyword", word);
}

/* ------------------------------------------------------------------ whole */

static bool has_clause(const struct metric *metric,
		       enum metric_clause_kind kind)
{
	for (size_t i = 0; i < metric->nclauses; i++)
		if (metric->clauses[i].kind == kind)
			return true;
	return false;
}

static bool check_whole(struct reader *reader)
{
	struct metric *metric = reader->metric;
	bool has_start = has_clause(metric, METRIC_CLAUSE_START);

	if (!metric->title || !metric->about || !metric->unit)
		return complain(reader, "title, about and unit are needed");
	if (!has_clause(metric, METRIC_CLAUSE_MEASURE))
		return complain(reader, "nothing is measured");
	if (!metric->npresets)
		return complain(reader,
				"there is no preset; the first is the default");
	for (size_t i = 0; i < metric->nfields; i++)
		if (metric->fields[i].saved && !has_start)
			return complain(
				reader,
				"field %s is known at start only, and there is no start",
				metric->fields[i].name);
	if (metric->full > 0 && metric->statistic == METRIC_LOG)
		return complain(reader, "a log is never full");
	return true;
}

/*
 * Lines with their continuations.  One that ends a clause as it is keeps its
 * line breaks and loses its first tab; other continuations are joined by blanks.
 */
static bool take_lines(struct reader *reader, const char *text, size_t length)
{
	const char *end = text + length;
	struct text line = { 0 };
	int number = 0, first = 0;
	bool is_fine = true, is_verbatim = false;

	while (is_fine && text <= end) {
		const char *stop = text < end ? memchr(text, '\n',
						       (size_t)(end - text))
					      : NULL;
		size_t n = (size_t)((stop ? stop : end) - text);
		bool continues = n && isspace((unsigned char)*text);

		number++;
		if (text == end || (n && !continues && *text != '#')) {
			reader->line = first;
			if (line.n)
				is_fine = take(reader,
					       arena_strndup(reader->arena,
							     line.p, line.n));
			text_clear(&line);
			first = number;
			is_verbatim = n >= 6 && !strncmp(text, "clause", 6);
			text_add(&line, text, n);
		} else if (continues && line.n) {
			const char *from = text + 1;

			if (!is_verbatim)
				while (from < text + n &&
				       isspace((unsigned char)*from))
					from++;
			text_putc(&line, is_verbatim ? '\n' : ' ');
			text_add(&line, from, (size_t)(text + n - from));
		} else if (continues && strspn(text, " \t\r") < n) {
			reader->line = number;
			is_fine = complain(reader, "nothing is continued here");
		}
		if (line.n > LONGEST_VALUE) {
			reader->line = number;
			is_fine = complain(reader, "longer than %d bytes",
					   LONGEST_VALUE);
		}
		text += n + 1;
	}
	text_free(&line);
	reader->line = number > 1 ? number - 1 : 1;
	return is_fine;
}

struct metric *metric_parse(struct metrics *metrics, const char *name,
			    const char *path, const char *text, size_t length,
			    char **problem)
{
	struct arena *arena = metrics->arena;
	struct metric *metric = arena_new_of(arena, struct metric);
	struct reader reader = { arena, metric, path, 1, NULL };
	size_t module = strcspn(name, ".");
	const char *statistic = name + module + !!name[module];

	metric->name = arena_strdup(arena, name);
	metric->module = arena_strndup(arena, name, module);
	if (!is_name(metric->module) || !is_name(statistic))
		complain(&reader, "the file is called MODULE.STATISTIC.metric");
	else if (memchr(text, 0, length))
		complain(&reader, "a null character");
	else if (take_lines(&reader, text, length))
		check_whole(&reader);
	*problem = reader.problem;
	return reader.problem ? NULL : metric;
}
