/* SPDX-License-Identifier: Apache-2.0 */
/* Reading messages; fleet/message.h says what is in them. */
#include "fleet/message.h"

#include <openssl/sha.h>

#include "agg/agg.h"
#include "base/arena.h"

enum { MOST_KEYS = 32, MOST_NAME = 1024, MOST_VALUES = 1 << 17 };

const char *const message_status_names[STATUS_COUNT] = {
	[STATUS_EVENTS] = "events",
	[STATUS_DROPS] = "drops",
	[STATUS_PROGRAMS_NS] = "programs_ns",
	[STATUS_PROGRAMS_RUNS] = "programs_runs",
	[STATUS_KERNEL_BYTES] = "kernel_bytes",
	[STATUS_RSS_BYTES] = "rss_bytes",
	[STATUS_CPU_NS] = "cpu_ns",
	[STATUS_KEYS_LOST] = "keys_lost",
	[STATUS_LINES_LOST] = "lines_lost",
};

static struct str get_str(struct wire *wire)
{
	size_t n;
	const uint8_t *bytes = wire_get_bytes(wire, &n);

	return (struct str){ (const char *)bytes, n };
}

/* ------------------------------------------------------------- the parts */

bool message_open(struct message *message, const void *bytes, size_t n)
{
	struct wire wire = { .at = bytes, .end = (const uint8_t *)bytes + n };

	*message = (struct message){ 0 };
	if (!n || *wire.at++ != MESSAGE_VERSION)
		return false;
	message->host = get_str(&wire);
	message->instrumentation = get_str(&wire);
	message->run = wire_get(&wire);
	message->sequence = wire_get(&wire);
	message->through = wire_get(&wire);
	message->sources = wire_get(&wire);
	message->parts = wire;
	return !wire.is_bad && message->host.n && message->host.n < MOST_NAME &&
	       message->instrumentation.n &&
	       message->instrumentation.n < MOST_NAME &&
	       message->sources < UINT32_MAX;
}

bool message_next(struct message *message, enum message_part *type,
		  struct wire *part)
{
	struct wire *wire = &message->parts;
	size_t n;

	if (wire->at >= wire->end)
		return false;
	*type = (enum message_part) * wire->at++;
	const uint8_t *bytes = wire_get_bytes(wire, &n);

	*part = (struct wire){ .at = bytes, .end = bytes + n };
	return !wire->is_bad;
}

struct message_rows message_get_rows(struct wire *part)
{
	struct message_rows rows = {
		.aggregation = wire_get_below(part, UINT32_MAX),
		.second = wire_get(part), .from = wire_get(part),
		.to = wire_get(part), .normal = wire_get(part),
		.count = wire_get_count(part),
	};

	rows.rows = *part;
	return rows;
}

struct str message_get_key(struct wire *rows)
{
	return get_str(rows);
}

struct message_line message_get_line(struct wire *part)
{
	struct message_line line = {
		.wall = wire_get(part), .cpu = wire_get_below(part, UINT32_MAX),
	};

	for (int i = 0; i < 4; i++)
		line.probe[i] = get_str(part);
	line.text = get_str(part);
	return line;
}

struct message_loss message_get_loss(struct wire *part)
{
	struct message_loss loss = { .count = wire_get(part) };

	loss.text = get_str(part);
	return loss;
}

struct message_end message_get_end(struct wire *part)
{
	struct message_end end = {
		.has_status = wire_get_below(part, 2),
		.status = (int)wire_get_signed(part),
	};

	end.reason = get_str(part);
	return end;
}

/* Those that a later version adds are passed over. */
void message_get_status(struct wire *part, uint64_t *totals)
{
	uint32_t count = wire_get_count(part);

	for (uint32_t i = 0; i < count && !part->is_bad; i++) {
		uint64_t total = wire_get(part);

		if (i < STATUS_COUNT)
			totals[i] = total;
	}
}

/* -------------------------------------------------------------- checking */

struct checked {
	uint32_t nvalues[256]; /* of the aggregations so far */
	uint32_t naggregations, nframes;
};

static void check_aggregation(struct checked *checked, struct wire *part)
{
	struct arena *arena = arena_new();
	const struct schema_aggregation *aggregation =
		message_get_aggregation(part, arena);

	wire_check(part, aggregation && checked->naggregations < 256);
	if (!part->is_bad)
		checked->nvalues[checked->naggregations++] =
			aggregation->nvalues;
	arena_free(arena);
}

static void check_values(struct wire *rows, uint32_t nvalues)
{
	if (!message_is_sparse(nvalues)) {
		for (uint32_t i = 0; i < nvalues; i++)
			wire_get_signed(rows);
		return;
	}
	uint32_t count = wire_get_count(rows);

	for (uint32_t i = 0; i < count && !rows->is_bad; i++) {
		wire_get_below(rows, nvalues);
		wire_get_signed(rows);
	}
}

static void check_rows(struct checked *checked, struct wire *part)
{
	struct message_rows rows = message_get_rows(part);

	wire_check(part, rows.aggregation < checked->naggregations);
	wire_check(part, rows.second < UINT32_MAX && rows.from <= rows.to);
	for (uint32_t i = 0; i < rows.count && !part->is_bad; i++) {
		wire_check(part, message_get_key(part).n <= MESSAGE_KEY_MOST);
		if (!part->is_bad)
			check_values(part, checked->nvalues[rows.aggregation]);
	}
}

static void check_stack(struct checked *checked, struct wire *part)
{
	wire_get(part);
	uint32_t count = wire_get_count(part);

	wire_check(part, count <= MESSAGE_FRAMES);
	for (uint32_t i = 0; i < count && !part->is_bad; i++)
		wire_get_below(part, checked->nframes);
	get_str(part);
}

static void check_frame(struct checked *checked, struct wire *part)
{
	wire_get_below(part, FRAME_SCRIPT + 1);
	for (int i = 0; i < 2; i++) {
		uint64_t n = wire_get(part);

		n -= n > 0;
		wire_check(part, n <= MOST_NAME * 4 &&
					 n <= (uint64_t)(part->end - part->at));
		if (!part->is_bad)
			part->at += n;
	}
	wire_get(part);
	checked->nframes++;
}

bool message_check(const struct message *message)
{
	struct message copy = *message;
	struct checked checked = { 0 };
	uint64_t totals[STATUS_COUNT];
	enum message_part type;
	struct wire part;

	while (message_next(&copy, &type, &part)) {
		switch (type) {
		case PART_AGGREGATION:
			check_aggregation(&checked, &part);
			break;
		case PART_FRAME:
			check_frame(&checked, &part);
			break;
		case PART_STACK:
			check_stack(&checked, &part);
			break;
		case PART_ROWS:
			check_rows(&checked, &part);
			break;
		case PART_LINE:
			message_get_line(&part);
			break;
		case PART_DROP:
		case PART_FAULT:
			message_get_loss(&part);
			break;
		case PART_STATUS:
			message_get_status(&part, totals);
			break;
		case PART_END:
			message_get_end(&part);
			break;
		default:
			break; /* from a later version */
		}
		if (part.is_bad)
			return false;
	}
	return !copy.parts.is_bad;
}

/* ---------------------------------------------------------- aggregations */

/* Sizes of strings and stacks differ by host, and are no part of a value. */
static uint32_t told_size(const struct schema_field *key)
{
	if (key->kind == FACT_SYMBOL || key->kind == FACT_STACK ||
	    key->kind == FACT_STRING)
		return 0;
	return key->size;
}

void message_put_aggregation(struct text *out,
			     const struct schema_aggregation *aggregation)
{
	wire_put_text(out, aggregation->name);
	wire_put_text(out, aggregation->function);
	for (uint32_t i = 0; i < AGGREGATION_PARAMS; i++)
		wire_put_signed(out, aggregation->params[i]);
	wire_put(out, aggregation->nvalues);
	wire_put(out, aggregation->nkeys);
	for (uint32_t i = 0; i < aggregation->nkeys; i++) {
		const struct schema_field *key = &aggregation->keys[i];

		wire_put(out, key->kind);
		wire_put(out, key->is_signed);
		wire_put(out, key->symbol);
		wire_put(out, told_size(key));
		wire_put_text(out, key->type);
		wire_put_text(out, key->name);
	}
}

static bool is_of_process(enum symbol_form symbol)
{
	return symbol == SYMBOL_USTACK || symbol == SYMBOL_USYM ||
	       symbol == SYMBOL_UMOD || symbol == SYMBOL_UADDR;
}

/* Symbols and stacks are numbers of ours; before them would be a process. */
static void get_key(struct wire *wire, struct arena *arena,
		    struct schema_field *key)
{
	enum { MOST_SIZE = 1 << 16 };
	key->form = FIELD_BYTES;
	key->kind = (enum fact_kind)wire_get_below(wire, FACT_KINDS);
	key->is_signed = wire_get_below(wire, 2);
	key->symbol = (enum symbol_form)wire_get_below(wire, SYMBOL_FORMS);
	key->size = wire_get_below(wire, MOST_SIZE);
	key->type = wire_get_text(wire, arena);
	key->name = wire_get_text(wire, arena);
	if (key->kind == FACT_SYMBOL || key->kind == FACT_STACK)
		key->size = is_of_process(key->symbol) ? 16 : 8;
	if (key->kind == FACT_STRING)
		key->size = 256;
	if (key->kind == FACT_INTEGER)
		wire_check(wire, key->size == 1 || key->size == 2 ||
					 key->size == 4 || key->size == 8);
	if (!key->type)
		key->type = "";
}

struct schema_aggregation *message_get_aggregation(struct wire *part,
						   struct arena *arena)
{
	struct schema_aggregation *aggregation =
		arena_new_of(arena, struct schema_aggregation);

	aggregation->name = wire_get_text(part, arena);
	aggregation->function = wire_get_text(part, arena);
	for (uint32_t i = 0; i < AGGREGATION_PARAMS; i++)
		aggregation->params[i] = wire_get_signed(part);
	aggregation->nvalues = wire_get_below(part, MOST_VALUES);
	aggregation->nkeys = wire_get_below(part, MOST_KEYS);
	aggregation->is_updated = true;
	aggregation->keys = arena_array_of(arena, struct schema_field,
					   aggregation->nkeys + 1);
	for (uint32_t i = 0; i < aggregation->nkeys && !part->is_bad; i++) {
		struct schema_field *key = &aggregation->keys[i];

		get_key(part, arena, key);
		key->offset = aggregation->key_size;
		aggregation->key_size += (key->size + 7) & ~7u;
	}
	if (part->is_bad || !aggregation->name || !aggregation->function)
		return NULL;
	aggregation->aggregate = agg_find(aggregation->function,
					  aggregation->params,
					  aggregation->nvalues);
	return aggregation->aggregate ? aggregation : NULL;
}

/* ------------------------------------------------------------------ keys */

uint64_t message_hash(const void *bytes, size_t n)
{
	uint8_t digest[SHA256_DIGEST_LENGTH];
	uint64_t hash;

	SHA256(bytes, n, digest);
	memcpy(&hash, digest, sizeof(hash));
	return hash ? hash : 1;
}

/*
 * Addresses differ from boot to boot, so they tell something only where there
 * is no name.  What sym() and mod() do not show is no part of their value.
 */
void message_put_frame(struct text *out, const struct fact_frame *frame,
		       enum symbol_form form)
{
	bool is_module = form == SYMBOL_MOD || form == SYMBOL_UMOD;
	bool is_name = form == SYMBOL_SYM || form == SYMBOL_USYM;
	const char *function = is_module ? NULL : frame->function;
	uint64_t where = frame->address;

	if (frame->object && is_module)
		where = 0;
	else if (frame->object && function)
		where = is_name ? 0 : frame->offset;
	else if (frame->object && frame->offset)
		where = frame->offset;
	wire_put(out, frame->kind);
	wire_put_text(out, frame->object);
	wire_put_text(out, frame->object ? function : NULL);
	wire_put(out, where);
}

struct fact_frame message_get_frame(struct wire *wire, struct arena *arena)
{
	struct fact_frame frame = {
		.kind = (enum frame_kind)wire_get_below(wire,
							FRAME_SCRIPT + 1),
		.object = wire_get_text(wire, arena),
		.function = wire_get_text(wire, arena),
		.offset = wire_get(wire),
	};

	if (frame.kind == FRAME_SCRIPT && !(frame.object && frame.function)) {
		frame.object = frame.object ? frame.object : "";
		frame.function = frame.function ? frame.function : "";
	}
	if (!frame.object || !frame.function)
		frame.address = frame.offset;
	if (!frame.object)
		frame.offset = 0;
	return frame;
}

bool message_key_is_sound(const struct schema_aggregation *aggregation,
			  struct str key)
{
	struct wire wire = { .at = (const uint8_t *)key.p };
	struct checked checked = { 0 };

	wire.end = wire.at + key.n;
	for (uint32_t i = 0; i < aggregation->nkeys && !wire.is_bad; i++) {
		const struct schema_field *field = &aggregation->keys[i];

		if (field->kind == FACT_STACK)
			wire_get(&wire);
		else if (field->kind == FACT_SYMBOL)
			check_frame(&checked, &wire);
		else if (field->kind == FACT_STRING)
			get_str(&wire);
		else
			wire_check(&wire, get_str(&wire).n <= field->size);
	}
	return !wire.is_bad && wire.at == wire.end;
}

/* The number that stands for a symbol or stack, after a process that is 0. */
static void set_number(struct fact_value *value, struct arena *arena,
		       uint64_t number)
{
	uint64_t *words = arena_array_of(arena, uint64_t, 2);

	words[value->size > 8] = number;
	value->bytes = (const uint8_t *)words;
}

void message_key_values(const struct schema_aggregation *aggregation,
			struct str key, struct arena *arena,
			struct fact_value *values, struct fact_frame *frames)
{
	struct wire wire = { .at = (const uint8_t *)key.p };

	wire.end = wire.at + key.n;
	for (uint32_t i = 0; i < aggregation->nkeys; i++) {
		const struct schema_field *field = &aggregation->keys[i];
		struct fact_value *value = &values[i];

		*value = (struct fact_value){
			.kind = field->kind,
			.is_signed = field->is_signed,
			.symbol = field->symbol,
			.size = field->size,
			.field = field,
			.is_name = true,
		};
		if (field->kind == FACT_STACK) {
			set_number(value, arena, wire_get(&wire));
		} else if (field->kind == FACT_SYMBOL) {
			const uint8_t *start = wire.at;

			frames[i] = message_get_frame(&wire, arena);
			set_number(value, arena,
				   message_hash(start,
						(size_t)(wire.at - start)));
		} else if (field->kind == FACT_STRING) {
			struct str text = get_str(&wire);

			value->size = (uint32_t)text.n + 1;
			value->bytes = (const uint8_t *)arena_strndup(arena,
								      text.p,
								      text.n);
		} else {
			uint8_t *bytes = arena_alloc(arena, field->size + 8);

			wire_get_trimmed(&wire, bytes, field->size);
			value->bytes = bytes;
		}
	}
}
