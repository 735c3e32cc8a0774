/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts become messages.
 *
 * Parts are collected until somebody flushes, or until there is enough for a
 * message: then the rest goes into the next one, with its own sequence number.
 * Nothing is lost by that, because rows of one key in two messages are merged
 * like those of two hosts.
 *
 * What clauses print becomes text here, with the text sink, where the names of
 * addresses are known.  Tables at the end of a run are left out: heads make
 * them from snapshots.
 */
#include "fleet/publish.h"

#include <stdio.h>
#include <stdlib.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/table.h"
#include "sink/output.h"
#include "sink/sink.h"

enum {
	ROWS_ENOUGH = 32 << 10,	 /* bytes of a part */
	MOST_STACKS = 1 << 16,	 /* that we remember to have sent */
	MOST_LINE = 64 << 10,
};
static const uint64_t SECOND = 1000000000;

struct publisher {
	struct sink sink;
	struct publish_setup setup;
	const struct resolver *resolver;
	uint64_t sequence, through;
	struct text parts;   /* of the message at hand */
	struct text part;    /* the current one */
	struct text message; /* scratch */
	/* aggregations and frames of this message, by content */
	struct table aggregations, frames;
	struct arena *arena; /* for them */
	/* stacks that were sent, by hash */
	struct table stacks;
	struct arena *stacks_arena;
	struct text stack, numbers, frame; /* scratch */
	uint32_t nnumbers;
	/* limits */
	uint64_t second;
	uint32_t keys, lines;
	uint64_t lines_second;
	uint64_t keys_lost, lines_lost;
	/* what clauses print */
	struct options options;
	struct output output;
	struct sink *printer;
	char *printed;
	size_t nprinted;
	uint64_t start_stamp, start_wall;
};

static struct publisher *self(struct sink *sink)
{
	return (struct publisher *)sink;
}

/* -------------------------------------------------------------- messages */

static void send_parts(struct publisher *publisher, uint64_t through,
		       uint32_t sources)
{
	struct text *out = &publisher->message;

	text_clear(out);
	text_putc(out, MESSAGE_VERSION);
	wire_put_bytes(out, publisher->setup.host,
		       strlen(publisher->setup.host));
	wire_put_bytes(out, publisher->setup.instrumentation,
		       strlen(publisher->setup.instrumentation));
	wire_put(out, publisher->setup.run);
	wire_put(out, publisher->sequence++);
	wire_put(out, through);
	wire_put(out, sources);
	text_add(out, text_str(&publisher->parts), publisher->parts.n);
	publisher->setup.send(publisher->setup.context, text_str(out), out->n);
	text_clear(&publisher->parts);
	table_free(&publisher->aggregations);
	table_free(&publisher->frames);
	publisher->aggregations = publisher->frames = (struct table){ 0 };
	arena_free(publisher->arena);
	publisher->arena = arena_new();
}

static void put_part(struct publisher *publisher, enum message_part type,
		     const struct text *part)
{
	text_putc(&publisher->parts, (char)type);
	wire_put_bytes(&publisher->parts, text_str(part), part->n);
}

/* Between parts that do not refer to each other. */
static void limit_message(struct publisher *publisher)
{
	if (publisher->parts.n >= MESSAGE_ENOUGH)
		send_parts(publisher, 0, 0);
}

/* The number of a content in this message; it is told when it is new. */
static uint32_t number_of(struct publisher *publisher, struct table *table,
			  enum message_part type, const struct text *content)
{
	struct str key = { text_str(content), content->n };
	uintptr_t known = (uintptr_t)table_get(table, key);

	if (known)
		return (uint32_t)(known - 1);
	key.p = arena_strndup(publisher->arena, key.p, key.n);
	uint32_t number = table->count;

	table_put(table, key, (void *)((uintptr_t)number + 1));
	put_part(publisher, type, content);
	return number;
}

/* ------------------------------------------------------------------ keys */

static void add_frame(void *data, const struct fact_frame *frame)
{
	struct publisher *publisher = data;

	if (publisher->nnumbers >= MESSAGE_FRAMES)
		return;
	text_clear(&publisher->frame);
	message_put_frame(&publisher->frame, frame, SYMBOL_NONE);
	wire_put_bytes(&publisher->stack, text_str(&publisher->frame),
		       publisher->frame.n);
	publisher->nnumbers++;
}

static bool is_sent(struct publisher *publisher, uint64_t hash)
{
	struct str key = { (const char *)&hash, sizeof(hash) };

	if (table_get(&publisher->stacks, key))
		return true;
	if (publisher->stacks.count >= MOST_STACKS)
		publisher_repeat_stacks(publisher);
	key.p = arena_strndup(publisher->stacks_arena, key.p, key.n);
	table_put(&publisher->stacks, key, publisher);
	return false;
}

/* Frames that this message lacks come before the stack. */
static void tell_stack(struct publisher *publisher, uint64_t hash,
		       const char *cut)
{
	struct wire frames = {
		.at = (const uint8_t *)text_str(&publisher->stack),
	};
	struct text *numbers = &publisher->numbers;

	frames.end = frames.at + publisher->stack.n;
	text_clear(numbers);
	wire_put(numbers, hash);
	wire_put(numbers, publisher->nnumbers);
	for (uint32_t i = 0; i < publisher->nnumbers; i++) {
		size_t n;
		const uint8_t *bytes = wire_get_bytes(&frames, &n);

		text_clear(&publisher->frame);
		text_add(&publisher->frame, (const char *)bytes, n);
		wire_put(numbers, number_of(publisher, &publisher->frames,
					    PART_FRAME, &publisher->frame));
	}
	wire_put_bytes(numbers, cut ? cut : "", cut ? strlen(cut) : 0);
	put_part(publisher, PART_STACK, numbers);
}

static void put_stack(struct publisher *publisher,
		      const struct fact_value *value, struct text *out)
{
	text_clear(&publisher->stack);
	publisher->nnumbers = 0;
	const char *cut =
		publisher->resolver->stack(publisher->resolver->context, value,
					   add_frame, publisher);
	size_t frames = publisher->stack.n;

	text_puts(&publisher->stack, cut ? cut : "");
	uint64_t hash = message_hash(text_str(&publisher->stack),
				     publisher->stack.n);

	publisher->stack.n = frames;
	if (!is_sent(publisher, hash))
		tell_stack(publisher, hash, cut);
	wire_put(out, hash);
}

static void put_key(struct publisher *publisher, const struct fact_value *value,
		    struct text *out)
{
	struct fact_frame frame;

	switch (value->kind) {
	case FACT_STACK:
		put_stack(publisher, value, out);
		break;
	case FACT_SYMBOL:
		fact_symbol(publisher->resolver, value, &frame);
		message_put_frame(out, &frame, value->symbol);
		break;
	case FACT_STRING:
		wire_put_bytes(out, value->bytes, fact_length(value));
		break;
	default:
		wire_put_trimmed(out, value->bytes, value->size);
		break;
	}
}

static void put_values(const struct schema_aggregation *aggregation,
		       const int64_t *values, struct text *out)
{
	uint32_t count = 0;

	if (!message_is_sparse(aggregation->nvalues)) {
		for (uint32_t i = 0; i < aggregation->nvalues; i++)
			wire_put_signed(out, values[i]);
		return;
	}
	for (uint32_t i = 0; i < aggregation->nvalues; i++)
		count += values[i] != agg_identity(aggregation->aggregate, i);
	wire_put(out, count);
	for (uint32_t i = 0; i < aggregation->nvalues; i++) {
		if (values[i] == agg_identity(aggregation->aggregate, i))
			continue;
		wire_put(out, i);
		wire_put_signed(out, values[i]);
	}
}

/* ----------------------------------------------------------------- facts */

struct rows {
	struct text keys; /* scratch */
	struct text rows;
	uint32_t count;
};

static void put_rows(struct publisher *publisher,
		     const struct fact_snapshot *snapshot, struct rows *rows)
{
	const struct fact_table *table = snapshot->table;
	struct text *part = &publisher->part;

	text_clear(part);
	message_put_aggregation(part, table->aggregations[0]);
	uint32_t number = number_of(publisher, &publisher->aggregations,
				    PART_AGGREGATION, part);

	text_clear(part);
	wire_put(part, number);
	wire_put(part, snapshot->second);
	wire_put(part, snapshot->from);
	wire_put(part, snapshot->to);
	wire_put(part, table->normals ? table->normals[0] : 1);
	wire_put(part, rows->count);
	text_add(part, text_str(&rows->rows), rows->rows.n);
	put_part(publisher, PART_ROWS, part);
	text_clear(&rows->rows);
	rows->count = 0;
}

static bool has_room(struct publisher *publisher, uint64_t second)
{
	if (second != publisher->second) {
		publisher->second = second;
		publisher->keys = 0;
	}
	if (publisher->setup.most_keys &&
	    publisher->keys >= publisher->setup.most_keys) {
		publisher->keys_lost++;
		return false;
	}
	publisher->keys++;
	return true;
}

static bool publish_snapshot(struct sink *sink,
			     const struct fact_snapshot *snapshot)
{
	struct publisher *publisher = self(sink);
	const struct fact_table *table = snapshot->table;
	struct rows rows = { 0 };

	for (uint32_t i = 0; i < table->nrows; i++) {
		struct fact_row row;

		if (!has_room(publisher, snapshot->second))
			continue;
		table->row(table, i, &row);
		text_clear(&rows.keys);
		for (uint32_t n = 0; n < row.nkeys; n++)
			put_key(publisher, &row.keys[n], &rows.keys);
		wire_put_bytes(&rows.rows, text_str(&rows.keys), rows.keys.n);
		put_values(table->aggregations[0], row.values[0], &rows.rows);
		rows.count++;
		if (rows.rows.n >= ROWS_ENOUGH) {
			put_rows(publisher, snapshot, &rows);
			limit_message(publisher);
		}
	}
	if (rows.count)
		put_rows(publisher, snapshot, &rows);
	text_free(&rows.keys);
	text_free(&rows.rows);
	if (snapshot->to > publisher->through)
		publisher->through = snapshot->to;
	limit_message(publisher);
	return true;
}

static bool publish_start(struct sink *sink, const struct fact_start *start)
{
	struct publisher *publisher = self(sink);

	publisher->start_stamp = start->stamp;
	publisher->start_wall = start->wall;
	return sink_start(publisher->printer, start);
}

static bool publish_record(struct sink *sink, const struct fact_record *record)
{
	return sink_record(self(sink)->printer, record);
}

static bool publish_action(struct sink *sink, const struct fact_record *record,
			   const struct fact_action *action)
{
	return sink_action(self(sink)->printer, record, action);
}

static bool may_print(struct publisher *publisher, uint64_t wall)
{
	if (wall / SECOND != publisher->lines_second) {
		publisher->lines_second = wall / SECOND;
		publisher->lines = 0;
	}
	return !publisher->setup.most_lines ||
	       publisher->lines++ < publisher->setup.most_lines;
}

static bool publish_done(struct sink *sink, const struct fact_record *record)
{
	struct publisher *publisher = self(sink);
	uint64_t wall = publisher->start_wall +
			(record->stamp - publisher->start_stamp);
	struct text *part = &publisher->part;

	sink_done(publisher->printer, record);
	sink_flush(publisher->printer);
	fflush(publisher->output.file);
	size_t n = publisher->nprinted;

	rewind(publisher->output.file);
	if (!n)
		return true;
	if (!may_print(publisher, wall)) {
		publisher->lines_lost++;
		return true;
	}
	text_clear(part);
	wire_put(part, wall);
	wire_put(part, record->cpu);
	for (enum probe_name i = PROBE_PROVIDER; i <= PROBE_NAME; i++) {
		const char *name = fact_probe_name(record->probe, i);

		wire_put_bytes(part, name, strlen(name));
	}
	wire_put_bytes(part, publisher->printed, n < MOST_LINE ? n : MOST_LINE);
	put_part(publisher, PART_LINE, part);
	limit_message(publisher);
	return true;
}

void publisher_tell(struct publisher *publisher, enum message_part type,
		    uint64_t count, const char *text)
{
	struct text *part = &publisher->part;

	text_clear(part);
	wire_put(part, count);
	wire_put_bytes(part, text, strlen(text));
	put_part(publisher, type, part);
	limit_message(publisher);
}

static bool publish_drop(struct sink *sink, const struct fact_drop *drop)
{
	publisher_tell(self(sink), PART_DROP, drop->count, drop->text);
	return true;
}

static bool publish_fault(struct sink *sink, const struct fact_fault *fault)
{
	publisher_tell(self(sink), PART_FAULT, 1, fault->text);
	return true;
}

static void publish_option(struct sink *sink, const char *name,
			   const char *value)
{
	option_set(&self(sink)->options, name, value, ORIGIN_COMMAND);
}

static void publish_close(struct sink *sink)
{
	(void)sink; /* it belongs to the publisher */
}

static const struct sink_class publish_class = {
	.name = "fleet",
	.close = publish_close,
	.start = publish_start,
	.record = publish_record,
	.action = publish_action,
	.done = publish_done,
	.snapshot = publish_snapshot,
	.drop = publish_drop,
	.fault = publish_fault,
	.option = publish_option,
};

/* ---------------------------------------------------------------- public */

struct publisher *publisher_new(const struct publish_setup *setup)
{
	struct publisher *publisher = must_alloc(sizeof(*publisher));

	publisher->sink.class = &publish_class;
	publisher->setup = *setup;
	publisher->setup.host = must_strdup(setup->host);
	publisher->setup.instrumentation = must_strdup(setup->instrumentation);
	publisher->arena = arena_new();
	publisher->stacks_arena = arena_new();
	options_init(&publisher->options);
	option_set(&publisher->options, "quiet", NULL, ORIGIN_COMMAND);
	return publisher;
}

/* A printer holds much; who prints nothing, as in a simulation, needs none. */
struct sink *publisher_sink(struct publisher *publisher,
			    const struct resolver *resolver)
{
	FILE *file = open_memstream(&publisher->printed, &publisher->nprinted);

	if (!file)
		return NULL;
	publisher->resolver = resolver;
	output_set_file(&publisher->output, file);
	publisher->printer = sink_text.open(&(struct sink_setup){
		.output = &publisher->output,
		.options = &publisher->options,
		.resolver = resolver,
	});
	return &publisher->sink;
}

void publisher_free(struct publisher *publisher)
{
	sink_close(publisher->printer);
	if (publisher->output.file)
		fclose(publisher->output.file);
	free(publisher->printed);
	options_free(&publisher->options);
	text_free(&publisher->parts);
	text_free(&publisher->part);
	text_free(&publisher->message);
	text_free(&publisher->stack);
	text_free(&publisher->numbers);
	text_free(&publisher->frame);
	table_free(&publisher->aggregations);
	table_free(&publisher->frames);
	table_free(&publisher->stacks);
	arena_free(publisher->arena);
	arena_free(publisher->stacks_arena);
	free((char *)publisher->setup.host);
	free((char *)publisher->setup.instrumentation);
	free(publisher);
}

void publisher_flush(struct publisher *publisher, uint64_t through,
		     uint32_t sources)
{
	send_parts(publisher, through, sources);
}

void publisher_status(struct publisher *publisher, const uint64_t *totals)
{
	struct text *part = &publisher->part;

	text_clear(part);
	wire_put(part, STATUS_COUNT);
	for (int i = 0; i < STATUS_COUNT; i++)
		wire_put(part, totals[i]);
	put_part(publisher, PART_STATUS, part);
}

void publisher_end(struct publisher *publisher, bool has_status, int status,
		   const char *reason)
{
	struct text *part = &publisher->part;

	text_clear(part);
	wire_put(part, has_status);
	wire_put_signed(part, status);
	wire_put_bytes(part, reason, strlen(reason));
	put_part(publisher, PART_END, part);
}

void publisher_repeat_stacks(struct publisher *publisher)
{
	table_free(&publisher->stacks);
	publisher->stacks = (struct table){ 0 };
	arena_free(publisher->stacks_arena);
	publisher->stacks_arena = arena_new();
}

uint64_t publisher_through(const struct publisher *publisher)
{
	return publisher->through;
}

bool publisher_has_news(const struct publisher *publisher)
{
	return publisher->parts.n > 0;
}

uint64_t publisher_keys_lost(const struct publisher *publisher)
{
	return publisher->keys_lost;
}

uint64_t publisher_lines_lost(const struct publisher *publisher)
{
	return publisher->lines_lost;
}
