/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a schema as bytes; doc/recording.md has the format. */
#include "facts/schema_file.h"

#include <string.h>

#include "base/arena.h"
#include "facts/format.h"

/* Limits on what a part may ask for: above those of any compiled program. */
enum {
	MOST_PARTS = 1 << 20,
	MOST_SIZE = 1 << 26,	/* of a record or key, in bytes */
};

/* --------------------------------------------------------------- writing */

static void put_field(struct text *out, const struct schema_field *field)
{
	wire_put(out, field->form);
	wire_put(out, field->which);
	wire_put(out, field->kind);
	wire_put(out, field->is_signed);
	wire_put(out, field->symbol);
	wire_put(out, field->offset);
	wire_put(out, field->size);
	wire_put(out, field->limit);
	wire_put_text(out, field->constant);
	wire_put_text(out, field->type);
	wire_put_text(out, field->name);
	wire_put(out, field->object ? field->object->number + 1 : 0);
}

void schema_put_object(struct text *out, const struct schema_object *object)
{
	wire_put(out, object->number);
	wire_put(out, object->kind);
	wire_put_text(out, object->name);
	wire_put(out, object->size);
	wire_put(out, object->is_signed);
	wire_put(out, object->is_char);
	wire_put(out, object->element ? object->element->number + 1 : 0);
	wire_put(out, object->count);
	wire_put(out, object->nmembers);
	for (uint32_t i = 0; i < object->nmembers; i++) {
		const struct object_member *member = &object->members[i];

		wire_put_text(out, member->name);
		wire_put(out, member->bit_offset);
		wire_put(out, member->bit_width);
		wire_put(out, member->type->number);
	}
	wire_put(out, object->nenumerators);
	for (uint32_t i = 0; i < object->nenumerators; i++) {
		wire_put_text(out, object->enumerators[i].name);
		wire_put_signed(out, object->enumerators[i].value);
	}
}

static void put_action(struct text *out, const struct schema_action *action)
{
	wire_put_text(out, action->name);
	wire_put(out, action->rule);
	wire_put(out, action->control != NULL);
	wire_put(out, action->nfields);
	for (uint32_t i = 0; i < action->nfields; i++)
		put_field(out, &action->fields[i]);
	wire_put(out, action->format != NULL);
	if (action->format)
		wire_put_bytes(out, action->format->text,
			       action->format->length);
	wire_put(out, action->naggregations);
	for (uint32_t i = 0; i < action->naggregations; i++)
		wire_put(out, action->aggregations[i]);
}

void schema_put_clause(struct text *out, uint32_t id,
		       const struct schema_clause *clause)
{
	uint32_t count = 0;

	for (const struct schema_action *action = clause->actions; action;
	     action = action->next)
		count++;
	wire_put(out, id);
	wire_put(out, clause->clause);
	wire_put(out, clause->skipped);
	wire_put(out, clause->is_cut);
	wire_put(out, clause->records);
	wire_put(out, clause->is_empty_clause);
	wire_put(out, count);
	for (const struct schema_action *action = clause->actions; action;
	     action = action->next)
		put_action(out, action);
}

void schema_put_aggregation(struct text *out,
			    const struct schema_aggregation *aggregation)
{
	wire_put(out, aggregation->id);
	wire_put_text(out, aggregation->name);
	wire_put_text(out, aggregation->function);
	for (unsigned i = 0; i < AGGREGATION_PARAMS; i++)
		wire_put_signed(out, aggregation->params[i]);
	wire_put(out, aggregation->nvalues);
	wire_put(out, aggregation->nkeys);
	for (uint32_t i = 0; i < aggregation->nkeys; i++)
		put_field(out, &aggregation->keys[i]);
}

/* --------------------------------------------------------------- reading */

/* Room for part number `id` of an array of pointers. */
static void *grow(struct arena *arena, void *array, uint32_t count,
		  uint32_t *capacity, uint32_t id)
{
	if (id < *capacity)
		return array;
	uint32_t more = id * 2 + 8;
	void **larger = arena_array_of(arena, void *, more);

	if (count)
		memcpy(larger, array, count * sizeof(void *));
	*capacity = more;
	return larger;
}

static bool is_integer_size(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static void get_field(struct schema_reader *reader, struct wire *wire,
		      struct schema_field *field)
{
	field->form = (enum field_form)wire_get_below(wire, FIELD_FORMS);
	field->which = (enum probe_name)wire_get_below(wire, PROBE_NAME + 1);
	field->kind = (enum fact_kind)wire_get_below(wire, FACT_KINDS);
	field->is_signed = wire_get_below(wire, 2);
	field->symbol = (enum symbol_form)wire_get_below(wire, SYMBOL_FORMS);
	field->offset = wire_get_below(wire, MOST_SIZE);
	field->size = wire_get_below(wire, MOST_SIZE);
	field->limit = wire_get_below(wire, MOST_SIZE);
	field->constant = wire_get_text(wire, reader->arena);
	field->type = wire_get_text(wire, reader->arena);
	field->name = wire_get_text(wire, reader->arena);
	uint32_t object = wire_get_below(wire, reader->schema.nobjects + 1);

	if (object)
		field->object = reader->schema.objects[object - 1];
	if (!field->type)
		field->type = "";
	if (field->form == FIELD_BYTES && field->kind == FACT_INTEGER)
		wire_check(wire, is_integer_size(field->size));
	if (field->form != FIELD_BYTES)
		wire_check(wire, field->kind == FACT_STRING);
}

/* Parts come before what refers to them, so objects cannot be circular. */
static const struct schema_object *get_part(struct schema_reader *reader,
					    struct wire *wire)
{
	uint32_t number = wire_get_below(wire, reader->schema.nobjects);

	return wire->is_bad ? NULL : reader->schema.objects[number];
}

static void get_members(struct schema_reader *reader, struct wire *wire,
			struct schema_object *object)
{
	uint32_t count = wire_get_count(wire);

	object->members = arena_array_of(reader->arena, struct object_member,
					 count);
	for (; object->nmembers < count && !wire->is_bad; object->nmembers++) {
		struct object_member *member =
			&object->members[object->nmembers];

		member->name = wire_get_text(wire, reader->arena);
		member->bit_offset = wire_get(wire);
		member->bit_width = wire_get_below(wire, 65);
		member->type = get_part(reader, wire);
		wire_check(wire, member->bit_offset < UINT32_MAX);
	}
}

static void get_enumerators(struct schema_reader *reader, struct wire *wire,
			    struct schema_object *object)
{
	uint32_t count = wire_get_count(wire);

	object->enumerators = arena_array_of(reader->arena,
					     struct object_enumerator, count);
	for (; object->nenumerators < count && !wire->is_bad;
	     object->nenumerators++) {
		struct object_enumerator *each =
			&object->enumerators[object->nenumerators];

		each->name = wire_get_text(wire, reader->arena);
		each->value = wire_get_signed(wire);
		if (!each->name)
			each->name = "";
	}
}

bool schema_get_object(struct schema_reader *reader, struct wire *wire)
{
	struct schema *schema = &reader->schema;
	struct schema_object *object = arena_new_of(reader->arena,
						    struct schema_object);

	object->number = wire_get_below(wire, MOST_PARTS);
	wire_check(wire, object->number == schema->nobjects);
	object->kind = (enum object_shape)wire_get_below(wire, OBJECT_SHAPES);
	object->name = wire_get_text(wire, reader->arena);
	object->size = wire_get(wire);
	object->is_signed = wire_get_below(wire, 2);
	object->is_char = wire_get_below(wire, 2);
	uint32_t element = wire_get_below(wire, schema->nobjects + 1);

	if (element)
		object->element = schema->objects[element - 1];
	object->count = wire_get(wire);
	get_members(reader, wire, object);
	get_enumerators(reader, wire, object);
	wire_check(wire, object->name && object->size < UINT32_MAX &&
				 object->count < UINT32_MAX);
	wire_check(wire, object->kind != OBJECT_ARRAY ||
				 (object->element && object->element->size));
	if (object->kind == OBJECT_FLOAT)
		wire_check(wire, object->size == 4 || object->size == 8 ||
					 object->size == 16);
	if (object->kind == OBJECT_INTEGER || object->kind == OBJECT_ENUM ||
	    object->kind == OBJECT_POINTER)
		wire_check(wire, object->size >= 1 && object->size <= 8);
	if (wire->is_bad)
		return false;
	schema->objects = grow(reader->arena, schema->objects, schema->nobjects,
			       &reader->objects_capacity, object->number);
	schema->objects[schema->nobjects++] = object;
	return true;
}

/* Does the rule find the values that it needs? */
static bool is_ruled(const struct schema_action *action)
{
	const struct schema_field *fields = action->fields;

	switch (action->rule) {
	case RULE_VALUE:
	case RULE_KEY:
	case RULE_MEMORY:
		return action->nfields > 0;
	case RULE_FORMAT:
		return action->format;
	case RULE_TABLE:
		return action->naggregations > 0;
	case RULE_OBJECT:
		return action->nfields > 0 && action->nfields < 3 &&
		       fields[action->nfields - 1].object;
	default:
		return true;
	}
}

static void get_format(struct schema_reader *reader, struct wire *wire,
		       struct schema_action *action)
{
	size_t length;
	const char *problem;
	const uint8_t *text = wire_get_bytes(wire, &length);

	action->format = format_read(reader->arena,
				     arena_strndup(reader->arena,
						   (const char *)text, length),
				     length, &problem);
	wire_check(wire, action->format);
}

static struct schema_action *get_action(struct schema_reader *reader,
					struct wire *wire)
{
	struct schema_action *action = arena_new_of(reader->arena,
						    struct schema_action);

	action->name = wire_get_text(wire, reader->arena);
	action->rule = (enum action_rule)wire_get_below(wire, RULE_COUNT);
	action->is_control = wire_get_below(wire, 2);
	action->nfields = wire_get_count(wire);
	action->fields = arena_array_of(reader->arena, struct schema_field,
					action->nfields + 1);
	for (uint32_t i = 0; i < action->nfields && !wire->is_bad; i++)
		get_field(reader, wire, &action->fields[i]);
	if (wire_get_below(wire, 2))
		get_format(reader, wire, action);
	action->naggregations = wire_get_count(wire);
	action->aggregations = arena_array_of(reader->arena, uint32_t,
					      action->naggregations);
	for (uint32_t i = 0; i < action->naggregations && !wire->is_bad; i++) {
		uint32_t id = wire_get_below(wire,
					     reader->schema.naggregations);

		wire_check(wire,
			   !wire->is_bad && reader->schema.aggregations[id]);
		action->aggregations[i] = id;
	}
	wire_check(wire, action->name && is_ruled(action));
	return action;
}

bool schema_get_clause(struct schema_reader *reader, struct wire *wire)
{
	struct schema *schema = &reader->schema;
	struct schema_clause *clause = arena_new_of(reader->arena,
						    struct schema_clause);
	uint32_t id = wire_get_below(wire, MOST_PARTS);

	clause->clause = wire_get_below(wire, MOST_PARTS);
	clause->skipped = wire_get_below(wire, UINT32_MAX);
	clause->is_cut = wire_get_below(wire, 2);
	clause->records = wire_get_below(wire, 2);
	clause->is_empty_clause = wire_get_below(wire, 2);
	uint32_t count = wire_get_count(wire);

	for (uint32_t i = 0; i < count && !wire->is_bad; i++) {
		struct schema_action *action = get_action(reader, wire);

		if (clause->last_action)
			clause->last_action->next = action;
		else
			clause->actions = action;
		clause->last_action = action;
	}
	if (wire->is_bad)
		return false;
	schema->clauses = grow(reader->arena, schema->clauses, schema->nclauses,
			       &reader->clauses_capacity, id);
	if (id >= schema->nclauses)
		schema->nclauses = id + 1;
	schema->clauses[id] = clause;
	return true;
}

bool schema_get_aggregation(struct schema_reader *reader, struct wire *wire)
{
	struct schema *schema = &reader->schema;
	struct schema_aggregation *aggregation =
		arena_new_of(reader->arena, struct schema_aggregation);

	aggregation->id = wire_get_below(wire, MOST_PARTS);
	aggregation->name = wire_get_text(wire, reader->arena);
	aggregation->function = wire_get_text(wire, reader->arena);
	for (unsigned i = 0; i < AGGREGATION_PARAMS; i++)
		aggregation->params[i] = wire_get_signed(wire);
	aggregation->nvalues = wire_get_below(wire, MOST_PARTS);
	aggregation->nkeys = wire_get_count(wire);
	aggregation->keys = arena_array_of(reader->arena, struct schema_field,
					   aggregation->nkeys);
	for (uint32_t i = 0; i < aggregation->nkeys && !wire->is_bad; i++)
		get_field(reader, wire, &aggregation->keys[i]);
	wire_check(wire, aggregation->name && aggregation->function);
	if (wire->is_bad)
		return false;
	aggregation->aggregate = reader->aggregate(aggregation->function,
						   aggregation->params,
						   aggregation->nvalues);
	if (!aggregation->aggregate)
		return false;
	schema->aggregations = grow(reader->arena, schema->aggregations,
				    schema->naggregations,
				    &reader->aggregations_capacity,
				    aggregation->id);
	if (aggregation->id >= schema->naggregations)
		schema->naggregations = aggregation->id + 1;
	schema->aggregations[aggregation->id] = aggregation;
	return true;
}
