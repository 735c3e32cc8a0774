/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -x record: facts go to a file, to be replayed.
 *
 * Names are looked up here and now, because the reader is on another machine,
 * or runs when the processes are gone.  A frame is written once; a stack is a
 * list of frame numbers.  Entries are collected and written whole; the file is
 * complete up to the last flush, whatever happens to the writer.
 */
#include "sink/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/table.h"
#include "facts/format.h"
#include "facts/recording.h"
#include "facts/schema_file.h"

enum { ENOUGH = 1 << 16, MOST_NAMES = 1 << 16 };

struct recorder {
	struct sink sink;
	const struct options *options;
	const struct resolver *resolver;
	const struct schema *schema;
	uint32_t target;
	int fd, error;
	struct text out;    /* whole entries, to be written */
	struct text entry;  /* a part of the schema */
	struct text record; /* the current record or table */
	bool is_in_record;
	struct arena *arena;
	/* what has been written: bits by number, tables by content */
	struct text clauses, aggregations;
	uint32_t nobjects;
	struct table probes, frames, addresses;
	struct arena *names; /* of frames and addresses */
	uint32_t nframes, naddresses;
	/* frames of the current stack */
	struct text stack;
	uint32_t nstack;
	const char *cut;
};

static struct recorder *self(struct sink *sink)
{
	return (struct recorder *)sink;
}

/* --------------------------------------------------------------- entries */

static void write_out(struct recorder *recorder)
{
	const char *at = text_str(&recorder->out);
	size_t left = recorder->out.n;

	while (left && !recorder->error) {
		ssize_t n = write(recorder->fd, at, left);

		if (n < 0 && errno != EINTR)
			recorder->error = -errno;
		if (n > 0) {
			at += n;
			left -= (size_t)n;
		}
	}
	text_clear(&recorder->out);
}

static struct text *begin(struct text *entry, enum recording_entry type)
{
	text_clear(entry);
	text_putc(entry, (char)type);
	return entry;
}

static bool finish(struct recorder *recorder, const struct text *entry)
{
	wire_put_bytes(&recorder->out, text_str(entry), entry->n);
	if (recorder->out.n >= ENOUGH)
		write_out(recorder);
	return true;
}

/* The first time for this number? */
static bool is_new(struct text *bits, uint32_t number)
{
	while (bits->n <= number)
		text_putc(bits, 0);
	bool is_first = !bits->p[number];

	bits->p[number] = 1;
	return is_first;
}

/* ----------------------------------------------- what entries refer to */

static void tell_probe(struct recorder *recorder,
		       const struct fact_probe *probe)
{
	struct str id = { (const char *)&probe->id, sizeof(probe->id) };

	if (table_get(&recorder->probes, id))
		return;
	id.p = arena_strndup(recorder->arena, id.p, id.n);
	table_put(&recorder->probes, id, recorder);
	struct text *entry = begin(&recorder->entry, ENTRY_PROBE);

	wire_put(entry, probe->id);
	wire_put_text(entry, probe->provider);
	wire_put_text(entry, probe->module);
	wire_put_text(entry, probe->function);
	wire_put_text(entry, probe->name);
	wire_put(entry, probe->enters_kernel);
	finish(recorder, entry);
}

static void tell_aggregation(struct recorder *recorder, uint32_t id)
{
	if (!is_new(&recorder->aggregations, id))
		return;
	struct text *entry = begin(&recorder->entry, ENTRY_AGGREGATION);

	schema_put_aggregation(entry, recorder->schema->aggregations[id]);
	finish(recorder, entry);
}

static uint32_t clause_id(const struct recorder *recorder,
			  const struct schema_clause *clause)
{
	const struct schema *schema = recorder->schema;

	/* almost always: only pieces of a clause have another number */
	if (clause->clause < schema->nclauses &&
	    schema->clauses[clause->clause] == clause)
		return clause->clause;
	for (uint32_t i = 0; i < schema->nclauses; i++)
		if (schema->clauses[i] == clause)
			return i;
	return 0;
}

static uint32_t tell_clause(struct recorder *recorder,
			    const struct schema_clause *clause)
{
	const struct schema *schema = recorder->schema;
	uint32_t id = clause_id(recorder, clause);

	if (!is_new(&recorder->clauses, id))
		return id;
	for (const struct schema_action *action = clause->actions; action;
	     action = action->next)
		for (uint32_t i = 0; i < action->naggregations; i++)
			tell_aggregation(recorder, action->aggregations[i]);
	for (; recorder->nobjects < schema->nobjects; recorder->nobjects++) {
		struct text *entry = begin(&recorder->entry, ENTRY_OBJECT);

		schema_put_object(entry, schema->objects[recorder->nobjects]);
		finish(recorder, entry);
	}
	struct text *entry = begin(&recorder->entry, ENTRY_CLAUSE);

	schema_put_clause(entry, id, clause);
	finish(recorder, entry);
	return id;
}

static uint32_t tell_frame(struct recorder *recorder,
			   const struct fact_frame *frame)
{
	struct text *entry = begin(&recorder->entry, ENTRY_FRAME);

	wire_put(entry, frame->kind);
	wire_put(entry, frame->address);
	wire_put_text(entry, frame->object);
	wire_put_text(entry, frame->function);
	wire_put(entry, frame->offset);
	struct str content = { text_str(entry), entry->n };
	uintptr_t known = (uintptr_t)table_get(&recorder->frames, content);

	if (known)
		return (uint32_t)(known - 1);
	content.p = arena_strndup(recorder->names, content.p, content.n);
	table_put(&recorder->frames, content,
		  (void *)((uintptr_t)recorder->nframes + 1));
	finish(recorder, entry);
	return recorder->nframes++;
}

/* The name of an address, if it is new. */
static void tell_address(struct recorder *recorder, bool is_user, uint32_t pid,
			 uint64_t address)
{
	struct fact_frame frame;
	uint64_t where[2] = { (uint64_t)is_user << 32 | pid, address };
	struct str key = { (const char *)where, sizeof(where) };

	recorder->resolver->address(recorder->resolver->context, is_user, pid,
				    address, &frame);
	uintptr_t number = tell_frame(recorder, &frame) + 1;

	if ((uintptr_t)table_get(&recorder->addresses, key) == number)
		return;
	key.p = arena_strndup(recorder->names, key.p, key.n);
	table_put(&recorder->addresses, key, (void *)number);
	recorder->naddresses++;
	struct text *entry = begin(&recorder->entry, ENTRY_ADDRESS);

	wire_put(entry, is_user);
	wire_put(entry, pid);
	wire_put(entry, address);
	wire_put(entry, number - 1);
	finish(recorder, entry);
}

/*
 * Before an entry that may have names.  Processes come and go, each with
 * addresses of its own, so that neither side could keep them all.
 */
static void limit_names(struct recorder *recorder)
{
	if (recorder->nframes < MOST_NAMES && recorder->naddresses < MOST_NAMES)
		return;
	table_free(&recorder->frames);
	table_free(&recorder->addresses);
	recorder->frames = recorder->addresses = (struct table){ 0 };
	recorder->nframes = recorder->naddresses = 0;
	arena_free(recorder->names);
	recorder->names = arena_new();
	finish(recorder, begin(&recorder->entry, ENTRY_FORGET));
}

/* ---------------------------------------------------------------- values */

static void add_frame(void *data, const struct fact_frame *frame)
{
	struct recorder *recorder = data;

	wire_put(&recorder->stack, tell_frame(recorder, frame));
	recorder->nstack++;
}

static void put_stack(struct recorder *recorder, const struct fact_value *value,
		      struct text *out)
{
	text_clear(&recorder->stack);
	recorder->nstack = 0;
	const char *cut = recorder->resolver->stack(recorder->resolver->context,
						    value, add_frame, recorder);

	wire_put(out, recorder->nstack);
	text_add(out, text_str(&recorder->stack), recorder->stack.n);
	wire_put_text(out, cut);
}

static void put_value(struct recorder *recorder, const struct fact_value *value,
		      struct text *out)
{
	const struct schema_field *field = value->field;

	if (field->form == FIELD_CONSTANT || field->form == FIELD_PROBE_NAME)
		return;
	if (field->form == FIELD_PROBE_ID) {
		wire_put_bytes(out, value->bytes, fact_length(value));
		return;
	}
	wire_put_trimmed(out, value->bytes, value->size);
	if (value->kind == FACT_STACK)
		put_stack(recorder, value, out);
	else if (value->kind == FACT_SYMBOL && value->size > 8)
		tell_address(recorder, true, (uint32_t)fact_word(value, 0),
			     fact_word(value, 1));
	else if (value->kind == FACT_SYMBOL)
		tell_address(recorder, false, 0, fact_word(value, 0));
}

/* %a and %A give names to plain numbers. */
static void tell_formatted(struct recorder *recorder,
			   const struct format *format,
			   const struct fact_value *values, uint32_t nvalues)
{
	uint32_t n = 0;

	for (const struct conversion *item = format->conversions; item;
	     item = item->next) {
		if (!item->kind || item->kind->prints == PRINTS_PERCENT)
			continue;
		n += item->takes_width + item->takes_precision;
		if (item->flags & FLAG_AGGREGATION)
			continue;
		if (n < nvalues && item->kind->prints == PRINTS_ADDRESS &&
		    values[n].kind != FACT_SYMBOL) {
			bool is_user = item->kind->letter == 'A';

			tell_address(recorder, is_user,
				     is_user ? recorder->target : 0,
				     (uint64_t)fact_integer(&values[n]));
		}
		n++;
	}
}

/* Of a histogram that has few values: its buckets that are not empty. */
static void put_buckets(const int64_t *values, uint32_t nvalues,
			struct text *out)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < nvalues; i++)
		count += values[i] != 0;
	wire_put(out, count);
	for (uint32_t i = 0; i < nvalues; i++) {
		if (!values[i])
			continue;
		wire_put(out, i);
		wire_put_signed(out, values[i]);
	}
}

static void put_histograms(struct recorder *recorder,
			   const struct fact_table *table, struct text *out)
{
	const struct schema_aggregation *aggregation = table->aggregations[0];

	wire_put(out, aggregation->id);
	wire_put(out, table->nrows);
	for (uint32_t n = 0; n < table->nrows; n++) {
		struct fact_row row;

		table->row(table, n, &row);
		for (uint32_t i = 0; i < row.nkeys; i++) {
			wire_put(out, row.keys[i].size);
			put_value(recorder, &row.keys[i], out);
		}
		put_buckets(row.values[0], aggregation->nvalues, out);
	}
}

static void put_table(struct recorder *recorder, const struct fact_table *table,
		      const struct format *format, struct text *out)
{
	wire_put(out, table->stamp);
	wire_put(out, table->is_per_cpu);
	wire_put(out, table->naggregations);
	for (uint32_t i = 0; i < table->naggregations; i++) {
		wire_put(out, table->aggregations[i]->id);
		wire_put(out, table->normals[i]);
	}
	wire_put(out, table->nkeys);
	wire_put(out, table->nrows);
	for (uint32_t n = 0; n < table->nrows; n++) {
		struct fact_row row;

		table->row(table, n, &row);
		if (format)
			tell_formatted(recorder, format, row.keys, row.nkeys);
		/* a row has the keys of one of the aggregations */
		for (uint32_t i = 0; i < row.nkeys; i++) {
			wire_put(out, row.keys[i].size);
			put_value(recorder, &row.keys[i], out);
		}
		for (uint32_t i = 0; i < table->naggregations; i++)
			for (uint32_t v = 0;
			     v < table->aggregations[i]->nvalues; v++)
				wire_put_signed(out, row.values[i][v]);
		wire_put(out, row.ncpus);
		for (uint32_t i = 0; i < row.ncpus; i++) {
			const struct fact_cpu_values *cpu = &row.cpus[i];

			wire_put(out, cpu->cpu);
			wire_put(out, cpu->aggregation);
			for (uint32_t v = 0;
			     v < table->aggregations[cpu->aggregation]->nvalues;
			     v++)
				wire_put_signed(out, cpu->values[v]);
		}
	}
}

static void tell_table_schema(struct recorder *recorder,
			      const struct fact_table *table)
{
	for (uint32_t i = 0; i < table->naggregations; i++)
		tell_aggregation(recorder, table->aggregations[i]->id);
}

/* ----------------------------------------------------------------- facts */

static void put_option(struct text *out, const char *name, const char *value)
{
	wire_put_text(out, name);
	wire_put_text(out, value);
}

static void tell_option(struct recorder *recorder, const char *name,
			const char *value)
{
	struct text *entry = begin(&recorder->entry, ENTRY_OPTION);

	put_option(entry, name, value);
	finish(recorder, entry);
}

static void record_option(struct sink *sink, const char *name,
			  const char *value)
{
	struct recorder *recorder = self(sink);

	if (!recorder->is_in_record) {
		tell_option(recorder, name, value);
		return;
	}
	/* setopt(): from here on, not from the start of the record */
	wire_put(&recorder->record, RECORD_OPTION);
	put_option(&recorder->record, name, value);
}

static void tell_options(struct recorder *recorder)
{
	struct text value = { 0 };

	for (enum option_id id = 0; id < OPTION_COUNT; id++) {
		if (!recorder->options->values[id].is_set ||
		    !option_is_shown(id))
			continue;
		text_clear(&value);
		option_put_value(recorder->options, id, &value);
		tell_option(recorder, option_name(id), text_str(&value));
	}
	text_free(&value);
}

static bool record_start(struct sink *sink, const struct fact_start *start)
{
	struct recorder *recorder = self(sink);
	struct text *entry = begin(&recorder->entry, ENTRY_START);

	recorder->schema = start->schema;
	text_puts(&recorder->out, RECORDING_MAGIC);
	wire_put_text(entry, start->host);
	wire_put_text(entry, start->boot);
	wire_put(entry, start->stamp);
	wire_put(entry, start->wall);
	wire_put(entry, recorder->target);
	finish(recorder, entry);
	tell_options(recorder);
	return true;
}

static bool record_record(struct sink *sink, const struct fact_record *record)
{
	struct recorder *recorder = self(sink);
	uint32_t clause = tell_clause(recorder, record->clause);

	limit_names(recorder);
	tell_probe(recorder, record->probe);
	struct text *entry = begin(&recorder->record, ENTRY_RECORD);

	wire_put(entry, clause);
	wire_put(entry, record->probe->id);
	wire_put(entry, record->cpu);
	wire_put(entry, record->stamp);
	wire_put(entry, record->flow);
	recorder->is_in_record = true;
	return true;
}

static uint32_t action_number(const struct schema_clause *clause,
			      const struct schema_action *action)
{
	uint32_t number = 0;

	for (const struct schema_action *at = clause->actions;
	     at && at != action; at = at->next)
		number++;
	return number;
}

static bool record_action(struct sink *sink, const struct fact_record *record,
			  const struct fact_action *action)
{
	struct recorder *recorder = self(sink);
	const struct schema_action *schema = action->action;
	struct text *entry = &recorder->record;

	wire_put(entry, RECORD_ACTION + action_number(record->clause, schema));
	for (uint32_t i = 0; i < schema->nfields; i++)
		put_value(recorder, &action->values[i], entry);
	if (schema->format && !action->table)
		tell_formatted(recorder, schema->format, action->values,
			       schema->nfields);
	if (action->table)
		put_table(recorder, action->table, schema->format, entry);
	return true;
}

static bool record_done(struct sink *sink, const struct fact_record *record)
{
	struct recorder *recorder = self(sink);

	(void)record;
	recorder->is_in_record = false;
	return finish(recorder, &recorder->record);
}

static bool record_table(struct sink *sink, const struct fact_table *table)
{
	struct recorder *recorder = self(sink);

	limit_names(recorder);
	tell_table_schema(recorder, table);
	struct text *entry = begin(&recorder->record, ENTRY_TABLE);

	put_table(recorder, table, NULL, entry);
	return finish(recorder, entry);
}

static bool record_snapshot(struct sink *sink,
			    const struct fact_snapshot *snapshot)
{
	struct recorder *recorder = self(sink);
	const struct fact_table *table = snapshot->table;

	/* of those that nobody asked for only histograms make pictures */
	if (snapshot->is_private && !table->aggregations[0]->aggregate->range)
		return true;
	limit_names(recorder);
	tell_table_schema(recorder, table);
	struct text *entry = begin(&recorder->record,
				   snapshot->is_private ? ENTRY_PRIVATE_SNAPSHOT
							: ENTRY_SNAPSHOT);

	wire_put(entry, snapshot->second);
	wire_put(entry, snapshot->from);
	wire_put(entry, snapshot->to);
	if (snapshot->is_private)
		put_histograms(recorder, table, entry);
	else
		put_table(recorder, table, NULL, entry);
	return finish(recorder, entry);
}

static bool record_drop(struct sink *sink, const struct fact_drop *drop)
{
	struct recorder *recorder = self(sink);
	struct text *entry = begin(&recorder->entry, ENTRY_DROP);

	wire_put(entry, drop->kind);
	wire_put_signed(entry, drop->cpu);
	wire_put(entry, drop->count);
	wire_put(entry, drop->stamp);
	wire_put_text(entry, drop->text);
	return finish(recorder, entry);
}

static bool record_fault(struct sink *sink, const struct fact_fault *fault)
{
	struct recorder *recorder = self(sink);

	if (fault->probe)
		tell_probe(recorder, fault->probe);
	struct text *entry = begin(&recorder->entry, ENTRY_FAULT);

	wire_put(entry, fault->probe ? 1 : 0);
	wire_put(entry, fault->probe ? fault->probe->id : 0);
	wire_put(entry, fault->clause);
	wire_put(entry, fault->statement);
	wire_put(entry, fault->code);
	wire_put_text(entry, fault->what);
	wire_put(entry, fault->value);
	wire_put(entry, fault->stamp);
	wire_put_text(entry, fault->text);
	return finish(recorder, entry);
}

static void record_interrupted(struct sink *sink)
{
	finish(self(sink), begin(&self(sink)->entry, ENTRY_INTERRUPTED));
}

static void record_summary(struct sink *sink)
{
	finish(self(sink), begin(&self(sink)->entry, ENTRY_SUMMARY));
}

static void record_end(struct sink *sink, const struct fact_end *end)
{
	struct recorder *recorder = self(sink);
	struct text *entry = begin(&recorder->entry, ENTRY_END);

	wire_put(entry, end->stamp);
	wire_put(entry, end->has_status);
	wire_put_signed(entry, end->status);
	finish(recorder, entry);
}

static int record_flush(struct sink *sink)
{
	write_out(self(sink));
	return self(sink)->error;
}

static void record_close(struct sink *sink)
{
	struct recorder *recorder = self(sink);

	write_out(recorder);
	close(recorder->fd);
	text_free(&recorder->out);
	text_free(&recorder->entry);
	text_free(&recorder->record);
	text_free(&recorder->clauses);
	text_free(&recorder->aggregations);
	text_free(&recorder->stack);
	table_free(&recorder->probes);
	table_free(&recorder->frames);
	table_free(&recorder->addresses);
	arena_free(recorder->names);
	arena_free(recorder->arena);
	free(recorder);
}

static const struct sink_class recording_class = {
	.name = "recording",
	.close = record_close,
	.start = record_start,
	.record = record_record,
	.action = record_action,
	.done = record_done,
	.table = record_table,
	.snapshot = record_snapshot,
	.drop = record_drop,
	.fault = record_fault,
	.option = record_option,
	.interrupted = record_interrupted,
	.summary = record_summary,
	.end = record_end,
	.flush = record_flush,
};

/* Devices and pipes are written to; a file is truncated, never replaced. */
struct sink *recording_open(const struct sink_setup *setup,
			    const char **problem)
{
	int fd = open(setup->file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) ||
	    (S_ISREG(status.st_mode) && ftruncate(fd, 0))) {
		*problem = strerror(errno);
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	struct recorder *recorder = must_alloc(sizeof(*recorder));

	recorder->sink.class = &recording_class;
	recorder->options = setup->options;
	recorder->resolver = setup->resolver;
	recorder->target = setup->target;
	recorder->fd = fd;
	recorder->arena = arena_new();
	recorder->names = arena_new();
	return &recorder->sink;
}
