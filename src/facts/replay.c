/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replaying a recording: entries become facts again.
 *
 * A recording is hostile input.  Every number is checked before it is used;
 * memory grows with what was actually read, not with what an entry promises;
 * what an entry refers to must have come before.  A malformed entry ends the
 * replay; what came before it has been reported.
 *
 * Actions that controlled the run are not carried out again: their effects are
 * in the facts, and commands from a file are not run.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/table.h"
#include "facts/recording.h"
#include "facts/schema_file.h"

enum { MOST_FRAMES = 1 << 24, CHUNK = 1 << 16, LEAST_ROOM = 1 << 26 };
static const uint64_t MOST_ENTRY = (uint64_t)1 << 31;

/* The bytes of a stack, preceded by the names of its frames. */
struct recorded_stack {
	uint32_t *frames;
	uint32_t nframes;
	const char *cut;
	uint8_t bytes[];
};

struct replay {
	struct recording *recording;
	struct sink *sink;
	struct resolver resolver;
	struct schema_reader schema;
	struct arena *arena;   /* for what stays */
	struct arena *names;   /* for frames and addresses, until "forget" */
	struct arena *scratch; /* for the current entry */
	size_t nmagic;	       /* bytes of the first line that were there */
	uint64_t left; /* of the current entry: bytes that are missing */
	int shift;     /* of the next bits of its length; 0: none yet */
	bool is_sized; /* its length is known */
	struct text entry;
	struct table probes, addresses;
	struct fact_frame *frames;
	uint32_t nframes, frames_capacity;
	struct fact_start start;
	uint32_t target;
	uint64_t room; /* bytes that the entry may still use */
	bool goes_on, is_ended;
	bool is_users[OPTION_COUNT]; /* set for the replay: they stay */
};

/* ----------------------------------------------------------------- names */

static void find_address(void *context, bool is_user, uint32_t pid,
			 uint64_t address, struct fact_frame *frame)
{
	const struct replay *replay = context;
	uint64_t where[2] = { (uint64_t)is_user << 32 | pid, address };
	struct str key = { (const char *)where, sizeof(where) };
	uintptr_t number = (uintptr_t)table_get(&replay->addresses, key);

	if (number)
		*frame = replay->frames[number - 1];
	else
		*frame = (struct fact_frame){
			.kind = is_user ? FRAME_USER : FRAME_KERNEL,
			.address = address,
		};
}

static const char *find_stack(void *context, const struct fact_value *value,
			      frame_visit *visit, void *data)
{
	const struct replay *replay = context;

	if (value->kind != FACT_STACK)
		return NULL;
	const struct recorded_stack *stack =
		(const void *)(value->bytes -
			       offsetof(struct recorded_stack, bytes));

	for (uint32_t i = 0; i < stack->nframes; i++)
		visit(data, &replay->frames[stack->frames[i]]);
	return stack->cut;
}

static void get_frame(struct replay *replay, struct wire *wire)
{
	struct fact_frame frame = {
		.kind = (enum frame_kind)wire_get_below(wire,
							FRAME_SCRIPT + 1),
		.address = wire_get(wire),
		.object = wire_get_text(wire, replay->names),
		.function = wire_get_text(wire, replay->names),
		.offset = wire_get(wire),
	};

	wire_check(wire, frame.kind != FRAME_SCRIPT ||
				 (frame.object && frame.function));
	wire_check(wire, replay->nframes < MOST_FRAMES);
	if (wire->is_bad)
		return;
	if (replay->nframes == replay->frames_capacity) {
		replay->frames_capacity = replay->frames_capacity * 2 + 64;
		replay->frames = must_realloc(replay->frames,
					      replay->frames_capacity *
						      sizeof(*replay->frames));
	}
	replay->frames[replay->nframes++] = frame;
}

static void get_address(struct replay *replay, struct wire *wire)
{
	uint64_t is_user = wire_get_below(wire, 2);
	uint64_t pid = wire_get_below(wire, UINT32_MAX);
	uint64_t where[2] = { is_user << 32 | pid, wire_get(wire) };
	uintptr_t frame = wire_get_below(wire, replay->nframes);

	if (wire->is_bad)
		return;
	struct str key = {
		arena_strndup(replay->names, (const char *)where,
			      sizeof(where)), sizeof(where),
	};

	table_put(&replay->addresses, key, (void *)(frame + 1));
}

/* Frames are counted from 0 again, and no address has a name. */
static void forget_names(struct replay *replay)
{
	table_free(&replay->addresses);
	replay->addresses = (struct table){ 0 };
	replay->nframes = 0;
	arena_free(replay->names);
	replay->names = arena_new();
}

static void get_probe(struct replay *replay, struct wire *wire)
{
	struct fact_probe *probe = arena_new_of(replay->arena,
						struct fact_probe);

	probe->id = wire_get_below(wire, UINT32_MAX);
	probe->provider = wire_get_text(wire, replay->arena);
	probe->module = wire_get_text(wire, replay->arena);
	probe->function = wire_get_text(wire, replay->arena);
	probe->name = wire_get_text(wire, replay->arena);
	probe->enters_kernel = wire_get_below(wire, 2);
	wire_check(wire, probe->provider && probe->module && probe->function &&
				 probe->name);
	if (!wire->is_bad)
		table_put(&replay->probes,
			  (struct str){ (const char *)&probe->id,
					sizeof(probe->id) },
			  probe);
}

static const struct fact_probe *probe_of(const struct replay *replay,
					 struct wire *wire)
{
	uint32_t id = wire_get_below(wire, UINT32_MAX);
	const struct fact_probe *probe =
		table_get(&replay->probes,
			  (struct str){ (const char *)&id, sizeof(id) });

	wire_check(wire, probe);
	return probe;
}

/* ---------------------------------------------------------------- values */

/* Bytes of a value, which may be fewer than its size. */
static uint8_t *get_bytes(struct replay *replay, struct wire *wire,
			  struct fact_value *value)
{
	uint32_t before = value->kind == FACT_STACK
				  ? offsetof(struct recorded_stack, bytes)
				  : 0;

	/* sizes come from the schema, and cost the file nothing */
	if (value->size > replay->room) {
		wire_check(wire, false);
		value->size = 0;
	}
	replay->room -= value->size;
	uint8_t *memory = arena_alloc(replay->scratch,
				      before + value->size + 8);

	wire_get_trimmed(wire, memory + before, value->size);
	value->bytes = memory + before;
	return memory;
}

static void get_stack(struct replay *replay, struct wire *wire,
		      struct recorded_stack *stack)
{
	uint32_t count = wire_get_count(wire);

	stack->frames = arena_array_of(replay->scratch, uint32_t, count);
	for (stack->nframes = 0; stack->nframes < count && !wire->is_bad;)
		stack->frames[stack->nframes++] =
			wire_get_below(wire, replay->nframes);
	if (wire->is_bad)
		stack->nframes = 0;
	stack->cut = wire_get_text(wire, replay->scratch);
}

static struct fact_value get_value(struct replay *replay, struct wire *wire,
				   const struct schema_field *field,
				   const struct fact_probe *probe)
{
	if (field->form != FIELD_BYTES)
		return fact_value_of(field, NULL, probe, NULL);
	struct fact_value value = {
		.kind = field->kind, .is_signed = field->is_signed,
		.symbol = field->symbol, .size = field->size, .field = field,
	};
	void *memory = get_bytes(replay, wire, &value);

	if (value.kind == FACT_STACK)
		get_stack(replay, wire, memory);
	return value;
}

static struct fact_value get_key(struct replay *replay, struct wire *wire,
				 const struct schema_field *field)
{
	enum { MOST = 1 << 20 };
	struct fact_value value = {
		.kind = field->kind, .is_signed = field->is_signed,
		.symbol = field->symbol, .field = field, .is_name = true,
		.size = wire_get_below(wire, MOST),
	};

	if (value.kind == FACT_INTEGER)
		wire_check(wire, value.size == field->size);
	void *memory = get_bytes(replay, wire, &value);

	if (value.kind == FACT_STACK)
		get_stack(replay, wire, memory);
	return value;
}

/* ---------------------------------------------------------------- tables */

struct recorded_table {
	struct fact_table fact;
	struct fact_row *rows;
};

static void show_row(const struct fact_table *table, uint32_t i,
		     struct fact_row *row)
{
	*row = ((const struct recorded_table *)table)->rows[i];
}

static const int64_t *get_words(struct replay *replay, struct wire *wire,
				uint32_t count)
{
	wire_check(wire, count <= (uint64_t)(wire->end - wire->at));
	if (wire->is_bad)
		return NULL;
	int64_t *words = arena_array_of(replay->scratch, int64_t, count);

	for (uint32_t i = 0; i < count; i++)
		words[i] = wire_get_signed(wire);
	return words;
}

static void get_cpus(struct replay *replay, struct wire *wire,
		     const struct fact_table *table, struct fact_row *row)
{
	uint32_t count = wire_get_count(wire);
	struct fact_cpu_values *cpus =
		arena_array_of(replay->scratch, struct fact_cpu_values, count);

	row->cpus = cpus;
	for (; row->ncpus < count && !wire->is_bad; row->ncpus++) {
		struct fact_cpu_values *cpu = &cpus[row->ncpus];

		cpu->cpu = wire_get_below(wire, UINT32_MAX);
		cpu->aggregation = wire_get_below(wire, table->naggregations);
		if (!wire->is_bad)
			cpu->values = get_words(
				replay, wire,
				table->aggregations[cpu->aggregation]->nvalues);
	}
}

static void get_row(struct replay *replay, struct wire *wire,
		    const struct fact_table *table, struct fact_row *row)
{
	struct fact_value *keys = arena_array_of(replay->scratch,
						 struct fact_value,
						 table->nkeys);
	const int64_t **values = arena_array_of(replay->scratch,
						const int64_t *,
						table->naggregations);

	for (uint32_t i = 0; i < table->nkeys && !wire->is_bad; i++)
		keys[i] = get_key(replay, wire, &table->keys[i]);
	for (uint32_t i = 0; i < table->naggregations && !wire->is_bad; i++)
		values[i] = get_words(replay, wire,
				      table->aggregations[i]->nvalues);
	*row = (struct fact_row){
		.keys = keys,
		.nkeys = table->nkeys,
		.values = values,
	};
	get_cpus(replay, wire, table, row);
}

/* Its aggregations, and the keys that they share. */
static void get_head(struct replay *replay, struct wire *wire,
		     struct fact_table *table)
{
	const struct schema *schema = &replay->schema.schema;
	uint32_t count = wire_get_count(wire);
	const struct schema_aggregation **aggregations =
		arena_array_of(replay->scratch,
			       const struct schema_aggregation *, count);
	uint64_t *normals = arena_array_of(replay->scratch, uint64_t, count);

	table->aggregations = aggregations;
	table->normals = normals;
	for (uint32_t i = 0; i < count && !wire->is_bad; i++) {
		uint32_t id = wire_get_below(wire, schema->naggregations);

		wire_check(wire, !wire->is_bad && schema->aggregations[id]);
		if (wire->is_bad)
			return;
		aggregations[i] = schema->aggregations[id];
		normals[i] = wire_get(wire);
		if (!table->nkeys) {
			table->keys = aggregations[i]->keys;
			table->nkeys = aggregations[i]->nkeys;
		}
	}
	table->naggregations = count;
	wire_check(wire, count && wire_get(wire) == table->nkeys);
}

static const struct fact_table *get_table(struct replay *replay,
					  struct wire *wire)
{
	struct recorded_table *table = arena_new_of(replay->scratch,
						    struct recorded_table);

	table->fact.row = show_row;
	table->fact.stamp = wire_get(wire);
	table->fact.is_per_cpu = wire_get_below(wire, 2);
	get_head(replay, wire, &table->fact);
	uint32_t count = wire_get_count(wire);

	if (wire->is_bad)
		return NULL;
	table->rows = arena_array_of(replay->scratch, struct fact_row, count);
	for (; table->fact.nrows < count && !wire->is_bad; table->fact.nrows++)
		get_row(replay, wire, &table->fact,
			&table->rows[table->fact.nrows]);
	return wire->is_bad ? NULL : &table->fact;
}

/* ------------------------------------------------------------ histograms */

struct bucket {
	uint32_t number;
	int64_t count;
};

/*
 * Rows of few buckets each, which become whole when they are asked for: a row
 * of some bytes may stand for thousands.
 */
struct histograms {
	struct fact_table fact;
	struct histogram {
		const struct fact_value *keys;
		struct bucket *buckets;
		uint32_t nbuckets;
	} * rows;
	int64_t *words; /* of the row at hand */
	const int64_t *values[1];
};

static void show_histogram(const struct fact_table *table, uint32_t i,
			   struct fact_row *row)
{
	const struct histograms *histograms = (const struct histograms *)table;
	const struct histogram *histogram = &histograms->rows[i];

	memset(histograms->words, 0,
	       table->aggregations[0]->nvalues * sizeof(int64_t));
	for (uint32_t n = 0; n < histogram->nbuckets; n++)
		histograms->words[histogram->buckets[n].number] =
			histogram->buckets[n].count;
	*row = (struct fact_row){
		.keys = histogram->keys,
		.nkeys = table->nkeys,
		.values = histograms->values,
	};
}

static void get_histogram(struct replay *replay, struct wire *wire,
			  const struct fact_table *table,
			  struct histogram *histogram)
{
	struct fact_value *keys = arena_array_of(replay->scratch,
						 struct fact_value,
						 table->nkeys);

	histogram->keys = keys;
	for (uint32_t i = 0; i < table->nkeys && !wire->is_bad; i++)
		keys[i] = get_key(replay, wire, &table->keys[i]);
	uint32_t count = wire_get_count(wire);

	histogram->buckets = arena_array_of(replay->scratch, struct bucket,
					    count);
	for (; histogram->nbuckets < count && !wire->is_bad;
	     histogram->nbuckets++)
		histogram->buckets[histogram->nbuckets] = (struct bucket){
			.number = wire_get_below(
				wire, table->aggregations[0]->nvalues),
			.count = wire_get_signed(wire),
		};
}

static const struct fact_table *get_histograms(struct replay *replay,
					       struct wire *wire)
{
	const struct schema *schema = &replay->schema.schema;
	uint32_t id = wire_get_below(wire, schema->naggregations);

	wire_check(wire, !wire->is_bad && schema->aggregations[id]);
	uint32_t count = wire_get_count(wire);

	if (wire->is_bad)
		return NULL;
	const struct schema_aggregation *aggregation = schema->aggregations[id];
	const struct schema_aggregation **aggregations =
		arena_array_of(replay->scratch,
			       const struct schema_aggregation *, 1);
	uint64_t *normals = arena_array_of(replay->scratch, uint64_t, 1);
	struct histograms *table = arena_new_of(replay->scratch,
						struct histograms);

	aggregations[0] = aggregation;
	normals[0] = 1;
	table->fact.row = show_histogram;
	table->fact.aggregations = aggregations;
	table->fact.normals = normals;
	table->fact.naggregations = 1;
	table->fact.keys = aggregation->keys;
	table->fact.nkeys = aggregation->nkeys;
	table->words = arena_array_of(replay->scratch, int64_t,
				      aggregation->nvalues);
	table->values[0] = table->words;
	table->rows = arena_array_of(replay->scratch, struct histogram, count);
	for (; table->fact.nrows < count && !wire->is_bad; table->fact.nrows++)
		get_histogram(replay, wire, &table->fact,
			      &table->rows[table->fact.nrows]);
	return wire->is_bad ? NULL : &table->fact;
}

/* --------------------------------------------------------------- entries */

static void get_start(struct replay *replay, struct wire *wire)
{
	struct recording *recording = replay->recording;

	replay->start = (struct fact_start){
		.schema = &replay->schema.schema,
		.host = wire_get_text(wire, replay->arena),
		.boot = wire_get_text(wire, replay->arena),
		.stamp = wire_get(wire),
		.wall = wire_get(wire),
	};
	replay->target = wire_get_below(wire, UINT32_MAX);
	wire_check(wire, !replay->sink);
	if (wire->is_bad)
		return;
	replay->sink = recording->open(recording->context, &replay->resolver,
				       replay->target);
	replay->goes_on = sink_start(replay->sink, &replay->start);
}

static void get_option(struct replay *replay, struct wire *wire)
{
	const char *name = wire_get_text(wire, replay->scratch);
	const char *value = wire_get_text(wire, replay->scratch);
	struct options *options = replay->recording->options;

	wire_check(wire, name);
	if (wire->is_bad)
		return;
	enum option_id id = option_find(name);

	if (id != OPTION_COUNT && !replay->is_users[id] && option_is_shown(id))
		option_set(options, name, value, ORIGIN_COMMAND);
}

static void get_action(struct replay *replay, struct wire *wire,
		       const struct fact_record *record,
		       const struct schema_action *action)
{
	struct fact_value *values = arena_array_of(replay->scratch,
						   struct fact_value,
						   action->nfields + 1);

	for (uint32_t i = 0; i < action->nfields && !wire->is_bad; i++)
		values[i] = get_value(replay, wire, &action->fields[i],
				      record->probe);
	struct fact_action fact = { .action = action, .values = values };

	if (action->rule == RULE_TABLE)
		fact.table = get_table(replay, wire);
	if (wire->is_bad)
		return;
	replay->recording->has_controls |= action->is_control && action->format;
	replay->goes_on &= sink_action(replay->sink, record, &fact);
}

/* Actions in the order of the program, each at most once. */
static void get_actions(struct replay *replay, struct wire *wire,
			const struct fact_record *record)
{
	const struct schema_action *next = record->clause->actions;
	uint64_t number = RECORD_ACTION;

	while (wire->at < wire->end && !wire->is_bad) {
		uint64_t part = wire_get(wire);

		if (part == RECORD_OPTION && !wire->is_bad) {
			get_option(replay, wire);
			continue;
		}
		wire_check(wire, part >= number);
		for (; next && number < part; number++)
			next = next->next;
		wire_check(wire, next);
		if (wire->is_bad)
			break;
		get_action(replay, wire, record, next);
		next = next->next;
		number++;
	}
}

static void get_record(struct replay *replay, struct wire *wire)
{
	const struct schema *schema = &replay->schema.schema;
	uint32_t clause = wire_get_below(wire, schema->nclauses);
	struct fact_record record = {
		.probe = probe_of(replay, wire),
		.cpu = wire_get_below(wire, UINT32_MAX),
		.stamp = wire_get(wire),
		.flow = (enum fact_flow)wire_get_below(wire, CALL_RETURN + 1),
	};

	wire_check(wire, !wire->is_bad && schema->clauses[clause]);
	if (wire->is_bad)
		return;
	record.clause = schema->clauses[clause];
	replay->goes_on &= sink_record(replay->sink, &record);
	get_actions(replay, wire, &record);
	replay->goes_on &= sink_done(replay->sink, &record);
}

static void get_table_entry(struct replay *replay, struct wire *wire)
{
	const struct fact_table *table = get_table(replay, wire);

	if (table)
		replay->goes_on = sink_table(replay->sink, table);
}

static void get_snapshot(struct replay *replay, struct wire *wire,
			 bool is_private)
{
	struct fact_snapshot snapshot = {
		.second = wire_get(wire), .from = wire_get(wire),
		.to = wire_get(wire), .is_private = is_private,
		.table = is_private ? get_histograms(replay, wire)
				    : get_table(replay, wire),
	};

	if (snapshot.table)
		replay->goes_on = sink_snapshot(replay->sink, &snapshot);
}

static void get_drop(struct replay *replay, struct wire *wire)
{
	struct fact_drop drop = {
		.kind = (enum drop_kind)wire_get_below(wire, DROP_KINDS),
		.cpu = wire_get_signed(wire), .count = wire_get(wire),
		.stamp = wire_get(wire),
		.text = wire_get_text(wire, replay->scratch),
	};

	wire_check(wire, drop.text && drop.cpu >= -1 && drop.cpu <= INT32_MAX);
	if (!wire->is_bad)
		replay->goes_on = sink_drop(replay->sink, &drop);
}

static void get_fault(struct replay *replay, struct wire *wire)
{
	struct fact_fault fault = { 0 };

	if (wire_get_below(wire, 2))
		fault.probe = probe_of(replay, wire);
	else
		wire_get(wire);
	fault.clause = wire_get_below(wire, UINT32_MAX);
	fault.statement = wire_get_below(wire, UINT32_MAX);
	fault.code = wire_get_below(wire, INT32_MAX);
	fault.what = wire_get_text(wire, replay->scratch);
	fault.value = wire_get(wire);
	fault.stamp = wire_get(wire);
	fault.text = wire_get_text(wire, replay->scratch);
	wire_check(wire, fault.what && fault.text);
	if (!wire->is_bad)
		replay->goes_on = sink_fault(replay->sink, &fault);
}

static void get_end(struct replay *replay, struct wire *wire)
{
	struct recording *recording = replay->recording;
	struct fact_end end = {
		.stamp = wire_get(wire), .has_status = wire_get_below(wire, 2),
		.status = (int)wire_get_signed(wire),
	};

	if (wire->is_bad)
		return;
	recording->has_status = end.has_status;
	recording->status = end.status;
	sink_end(replay->sink, &end);
	replay->is_ended = true;
}

static bool get_entry(struct replay *replay)
{
	struct wire wire = {
		.at = (const uint8_t *)text_str(&replay->entry),
	};

	wire.end = wire.at + replay->entry.n;
	replay->room = LEAST_ROOM + 16 * (uint64_t)replay->entry.n;
	enum recording_entry type = (enum recording_entry) * wire.at++;

	/* the first entry has time and place, and nothing follows the last */
	if ((type == ENTRY_START) != !replay->sink || replay->is_ended)
		return false;
	switch (type) {
	case ENTRY_START:
		get_start(replay, &wire);
		break;
	case ENTRY_OPTION:
		get_option(replay, &wire);
		break;
	case ENTRY_PROBE:
		get_probe(replay, &wire);
		break;
	case ENTRY_OBJECT:
		return schema_get_object(&replay->schema, &wire);
	case ENTRY_CLAUSE:
		return schema_get_clause(&replay->schema, &wire);
	case ENTRY_AGGREGATION:
		return schema_get_aggregation(&replay->schema, &wire);
	case ENTRY_FRAME:
		get_frame(replay, &wire);
		break;
	case ENTRY_ADDRESS:
		get_address(replay, &wire);
		break;
	case ENTRY_FORGET:
		forget_names(replay);
		break;
	case ENTRY_RECORD:
		get_record(replay, &wire);
		break;
	case ENTRY_TABLE:
		get_table_entry(replay, &wire);
		break;
	case ENTRY_SNAPSHOT:
	case ENTRY_PRIVATE_SNAPSHOT:
		get_snapshot(replay, &wire, type == ENTRY_PRIVATE_SNAPSHOT);
		break;
	case ENTRY_DROP:
		get_drop(replay, &wire);
		break;
	case ENTRY_FAULT:
		get_fault(replay, &wire);
		break;
	case ENTRY_INTERRUPTED:
		sink_interrupted(replay->sink);
		break;
	case ENTRY_SUMMARY:
		sink_summary(replay->sink);
		break;
	case ENTRY_END:
		get_end(replay, &wire);
		break;
	default:
		break; /* from a later version */
	}
	return !wire.is_bad;
}

/* ---------------------------------------------------------------- stream */

static enum recording_end bad(struct replay *replay, const char *problem)
{
	replay->recording->problem = problem;
	return RECORDING_BAD;
}

/* The line that identifies it: how many bytes of it are here, or none. */
static size_t feed_magic(struct replay *replay, const uint8_t *bytes, size_t n)
{
	/* the first version had no "forget"; all else is the same */
	static const char *const magics[] = { RECORDING_MAGIC,
					      "dtrace recording 1\n" };
	size_t missing = sizeof(RECORDING_MAGIC) - 1 - replay->nmagic;
	size_t here = n < missing ? n : missing;

	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++)
		if (!memcmp(bytes, magics[i] + replay->nmagic, here)) {
			replay->nmagic += here;
			return here;
		}
	return 0;
}

/* A byte of an entry's length; false: it is too long. */
static bool feed_length(struct replay *replay, uint8_t byte)
{
	if (replay->shift > 28)
		return false;
	if (!replay->shift) {
		replay->left = 0;
		text_clear(&replay->entry);
	}
	replay->left |= (uint64_t)(byte & 0x7f) << replay->shift;
	replay->shift += 7;
	replay->is_sized = !(byte & 0x80);
	return !replay->is_sized ||
	       (replay->left && replay->left <= MOST_ENTRY);
}

/* An entry is whole. */
static enum recording_end take_entry(struct replay *replay)
{
	if (!get_entry(replay))
		return bad(replay, "the recording is damaged");
	replay->shift = 0;
	replay->is_sized = false;
	replay->recording->entries++;
	arena_free(replay->scratch);
	replay->scratch = arena_new();
	if (!replay->goes_on)
		return RECORDING_STOPPED;
	return RECORDING_CUT;
}

enum recording_end replay_feed(struct replay *replay, const void *piece,
			       size_t n)
{
	const uint8_t *at = piece, *end = at + n;

	if (n && replay->nmagic < sizeof(RECORDING_MAGIC) - 1) {
		size_t taken = feed_magic(replay, at, n);

		if (!taken)
			return bad(
				replay,
				"this is not a recording of this version of dtrace");
		at += taken;
	}
	while (at < end) {
		if (!replay->is_sized) {
			if (!feed_length(replay, *at++))
				return bad(replay, "the recording is damaged");
			continue;
		}
		size_t here = (size_t)(end - at) < replay->left
				      ? (size_t)(end - at)
				      : (size_t)replay->left;

		text_add(&replay->entry, (const char *)at, here);
		at += here;
		replay->left -= here;
		if (replay->left)
			break;
		enum recording_end how = take_entry(replay);

		if (how != RECORDING_CUT)
			return how;
	}
	return replay->is_ended && !replay->shift ? RECORDING_WHOLE
						  : RECORDING_CUT;
}

struct replay *replay_new(struct recording *recording)
{
	struct replay *replay = must_alloc(sizeof(*replay));

	replay->recording = recording;
	replay->arena = arena_new();
	replay->names = arena_new();
	replay->scratch = arena_new();
	replay->goes_on = true;
	replay->schema.arena = replay->arena;
	replay->schema.aggregate = recording->aggregate;
	replay->resolver = (struct resolver){
		.context = replay,
		.address = find_address,
		.stack = find_stack,
	};
	for (enum option_id id = 0; id < OPTION_COUNT; id++)
		replay->is_users[id] = recording->options->values[id].is_set;
	return replay;
}

void replay_free(struct replay *replay)
{
	sink_flush(replay->sink);
	sink_close(replay->sink);
	text_free(&replay->entry);
	table_free(&replay->probes);
	table_free(&replay->addresses);
	free(replay->frames);
	arena_free(replay->scratch);
	arena_free(replay->names);
	arena_free(replay->arena);
	free(replay);
}

enum recording_end recording_replay(struct recording *recording, int fd)
{
	struct replay *replay = replay_new(recording);
	enum recording_end how = RECORDING_CUT;
	char chunk[CHUNK];
	bool is_empty = true;

	for (;;) {
		ssize_t n = read(fd, chunk, sizeof(chunk));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		is_empty = false;
		how = replay_feed(replay, chunk, (size_t)n);
		if (how == RECORDING_BAD || how == RECORDING_STOPPED)
			break;
	}
	if (is_empty)
		how = bad(replay,
			  "this is not a recording of this version of dtrace");
	replay_free(replay);
	return how;
}
