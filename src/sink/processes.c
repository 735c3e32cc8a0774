/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of processes: -x proctree, lives, checkerboard.
 *
 * They are made of records.  A printf() whose first value is one of these words,
 * as a literal, tells of an event; the time and the CPU are the record's:
 *
 *	"fork", parent, child, name	pid_t, pid_t, string
 *	"exec", process, name
 *	"exit", process, name, status	status as wait(2) has it
 *	"run", process, thread, name	it has got the CPU; thread 0: idle
 *
 * dtproc(1) has a program that prints them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sink/picture.h"
#include "view/process.h"

enum { MOST_VALUES = 3 };

/* An event, its values by name. */
struct event {
	int64_t numbers[MOST_VALUES]; /* in order, strings left out */
	const char *name;
	uint64_t time;
	uint32_t cpu;
};

struct processes {
	struct sink sink;
	const struct options *options;
	struct lives *lives; /* one of the two */
	struct board *board;
	uint64_t from, to;
	struct text name;
};

static struct processes *self(struct sink *sink)
{
	return (struct processes *)sink;
}

/* ---------------------------------------------------------------- events */

static void take_fork(struct processes *to, const struct event *event)
{
	lives_fork(to->lives, event->time, event->numbers[0], event->numbers[1],
		   event->name);
}

static void take_exec(struct processes *to, const struct event *event)
{
	lives_exec(to->lives, event->time, event->numbers[0], event->name);
}

static void take_exit(struct processes *to, const struct event *event)
{
	lives_exit(to->lives, event->time, event->numbers[0], event->name,
		   (int)event->numbers[1]);
}

static void take_run(struct processes *to, const struct event *event)
{
	board_run(to->board, event->time, event->cpu, event->numbers[1],
		  event->numbers[0], event->name);
}

static const struct event_kind {
	const char *word;
	const char *values; /* after the word: n a number, s a string */
	bool is_of_board;
	void (*take)(struct processes *to, const struct event *event);
} kinds[] = {
	{ "fork", "nns", false, take_fork },
	{ "exec", "ns", false, take_exec },
	{ "exit", "nsn", false, take_exit },
	{ "run", "nns", true, take_run },
};

static bool has_kind(const struct schema_field *field, char kind)
{
	return field->kind == (kind == 's' ? FACT_STRING : FACT_INTEGER);
}

static const struct event_kind *kind_of(const struct schema_action *action,
					bool is_of_board)
{
	const struct schema_field *first = action->fields;

	if (action->rule != RULE_FORMAT || !action->nfields ||
	    first->form != FIELD_CONSTANT || !first->constant)
		return NULL;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const char *values = kinds[i].values;
		uint32_t n = 1;

		if (kinds[i].is_of_board != is_of_board ||
		    strcmp(first->constant, kinds[i].word) ||
		    action->nfields != strlen(values) + 1)
			continue;
		while (n < action->nfields &&
		       has_kind(&action->fields[n], values[n - 1]))
			n++;
		return n == action->nfields ? &kinds[i] : NULL;
	}
	return NULL;
}

static bool take_action(struct sink *sink, const struct fact_record *record,
			const struct fact_action *action)
{
	struct processes *to = self(sink);
	const struct event_kind *kind = kind_of(action->action, to->board);
	struct event event = { .time = record->stamp, .cpu = record->cpu };
	uint32_t n = 0;

	for (uint32_t i = 1; kind && i < action->action->nfields; i++) {
		const struct fact_value *value = &action->values[i];

		if (value->kind == FACT_INTEGER) {
			event.numbers[n++] = fact_integer(value);
			continue;
		}
		text_clear(&to->name);
		text_add(&to->name, (const char *)value->bytes,
			 fact_length(value));
		event.name = text_str(&to->name);
	}
	if (!kind)
		return true;
	kind->take(to, &event);
	if (event.time > to->to)
		to->to = event.time;
	return true;
}

/* ------------------------------------------------------------------ sink */

static bool take_start(struct sink *sink, const struct fact_start *start)
{
	self(sink)->from = start->stamp;
	return true;
}

/* The picture begins where probes began to fire, not where they were armed. */
static bool take_record(struct sink *sink, const struct fact_record *record)
{
	struct processes *to = self(sink);

	if (!to->to) {
		to->from = record->stamp;
		to->to = record->stamp;
	}
	return true;
}

static void take_end(struct sink *sink, const struct fact_end *end)
{
	if (end->stamp > self(sink)->to)
		self(sink)->to = end->stamp;
}

static struct processes *new_processes(const struct sink_setup *setup)
{
	struct processes *to = must_alloc(sizeof(*to));

	to->options = setup->options;
	return to;
}

static void close_processes(struct sink *sink)
{
	struct processes *to = self(sink);

	if (to->lives)
		lives_free(to->lives);
	if (to->board)
		board_free(to->board);
	text_free(&to->name);
	free(to);
}

static struct sink *open_lives(const struct sink_setup *setup);
static struct sink *open_board(const struct sink_setup *setup);

static const struct sink_class lives_class = {
	.name = "lives",
	.open = open_lives,
	.close = close_processes,
	.start = take_start,
	.record = take_record,
	.action = take_action,
	.end = take_end,
};

static const struct sink_class board_class = {
	.name = "board",
	.open = open_board,
	.close = close_processes,
	.start = take_start,
	.record = take_record,
	.action = take_action,
	.end = take_end,
};

static struct sink *open_lives(const struct sink_setup *setup)
{
	struct processes *to = new_processes(setup);

	to->sink.class = &lives_class;
	to->lives = lives_new();
	return &to->sink;
}

static struct sink *open_board(const struct sink_setup *setup)
{
	struct processes *to = new_processes(setup);

	to->sink.class = &board_class;
	to->board = board_new();
	return &to->sink;
}

/* -------------------------------------------------------------- pictures */

static bool has_events(const struct schema *schema, bool is_of_board)
{
	for (uint32_t i = 0; i < schema->nclauses; i++) {
		const struct schema_clause *clause = schema->clauses[i];
		const struct schema_action *action = clause ? clause->actions
							    : NULL;

		for (; action; action = action->next)
			if (kind_of(action, is_of_board))
				return true;
	}
	return false;
}

static const char *refuse_lives(const struct schema *schema)
{
	return has_events(schema, false)
		       ? NULL
		       : "no printf() tells of a fork, exec or exit (see dtproc)";
}

static const char *refuse_board(const struct schema *schema)
{
	return has_events(schema, true)
		       ? NULL
		       : "no printf() tells which thread runs (see dtproc)";
}

static const char *title_of(const struct processes *to, const char *otherwise)
{
	const char *title = option_text(to->options, OPTION_TITLE);

	return title ? title : otherwise;
}

static struct lives *whole_lives(struct processes *to)
{
	to->lives->from = to->from;
	to->lives->to = to->to;
	return to->lives;
}

static bool draw_tree(struct sink *sink, struct draft *draft)
{
	struct processes *to = self(sink);

	if (!strcmp(draft->suffix, "dot"))
		return write_tree_dot(draft->stream, whole_lives(to));
	return write_tree_svg(draft->stream, whole_lives(to),
			      title_of(to, "Processes"));
}

static bool draw_lives(struct sink *sink, struct draft *draft)
{
	struct processes *to = self(sink);

	return write_lives_svg(draft->stream, whole_lives(to),
			       title_of(to, "Lives of processes"));
}

static bool draw_board(struct sink *sink, struct draft *draft)
{
	struct processes *to = self(sink);

	return write_board(draft->stream, to->board, to->from, to->to,
			   title_of(to, "Threads on CPUs"),
			   strcmp(draft->suffix, "svg") != 0);
}

const struct picture picture_proctree = {
	.class = &lives_class,
	.suffixes = "svg dot",
	.refuses = refuse_lives,
	.draw = draw_tree,
};

const struct picture picture_lives = {
	.class = &lives_class,
	.suffixes = "svg",
	.refuses = refuse_lives,
	.draw = draw_lives,
};

const struct picture picture_checkerboard = {
	.class = &board_class,
	.suffixes = "svg html",
	.refuses = refuse_board,
	.draw = draw_board,
};
