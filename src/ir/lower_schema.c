/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types become parts of the schema, which has no types.
 *
 * A value gets its kind, its sign and the name of its type.  print() needs
 * more: the members of the type, recursively.  Objects are created once for
 * each type; pointers are not followed, so the recursion ends.
 */
#include <string.h>

#include "ir/lower_internal.h"

static enum fact_kind kind_of(struct types *types, struct type *type)
{
	switch (type_strip(types, type)->kind) {
	case TYPE_STRING:
		return FACT_STRING;
	case TYPE_INTEGER:
	case TYPE_ENUM:
	case TYPE_POINTER:
		return FACT_INTEGER;
	case TYPE_SYMADDR:
	case TYPE_USYMADDR:
		return FACT_SYMBOL;
	case TYPE_STACK:
		return FACT_STACK;
	default:
		return FACT_BYTES;
	}
}

void schema_describe(struct lower *lower, struct schema_field *field,
		     struct type *type)
{
	struct types *types = lower->types;

	field->kind = kind_of(types, type);
	field->is_signed = field->kind == FACT_INTEGER &&
			   type_is_signed(types, type);
	field->type = type_name(types, type);
	if (field->kind == FACT_STRING) {
		uint64_t limit = type_size(types, type);

		field->limit = limit < UINT32_MAX ? (uint32_t)limit : 0;
	}
}

/* --------------------------------------------------------------- objects */

/* The tree's types, by the number of the object that represents each. */
static const struct schema_object *known(const struct lower_session *session,
					 const struct type *type)
{
	for (uint32_t i = 0; i < session->schema.nobjects; i++)
		if (session->object_types[i] == type)
			return session->schema.objects[i];
	return NULL;
}

/* Parts have smaller numbers than what refers to them. */
static void add(struct lower_session *session, struct schema_object *object,
		struct type *type)
{
	struct schema *schema = &session->schema;

	if (schema->nobjects == session->objects_capacity) {
		uint32_t capacity = schema->nobjects * 2 + 8;
		const struct schema_object **objects =
			arena_array_of(session->arena,
				       const struct schema_object *, capacity);
		struct type **types = arena_array_of(session->arena,
						     struct type *, capacity);

		if (schema->nobjects) {
			memcpy(objects, schema->objects,
			       schema->nobjects * sizeof(*objects));
			memcpy(types, session->object_types,
			       schema->nobjects * sizeof(*types));
		}
		schema->objects = objects;
		session->object_types = types;
		session->objects_capacity = capacity;
	}
	object->number = schema->nobjects;
	schema->objects[schema->nobjects] = object;
	session->object_types[schema->nobjects++] = type;
}

static void add_members(struct lower *lower, struct schema_object *object,
			struct type *stripped)
{
	type_complete(lower->types, stripped);
	object->members = arena_array_of(lower->session->arena,
					 struct object_member,
					 stripped->nmembers);
	object->nmembers = stripped->nmembers;
	for (uint32_t i = 0; i < stripped->nmembers; i++) {
		const struct member *member = &stripped->members[i];

		object->members[i] = (struct object_member){
			.name = member->name,
			.bit_offset = member->bit_offset,
			.bit_width = member->bit_width,
			.type = schema_object_of(lower, member->type),
		};
	}
}

static void add_enumerators(struct lower *lower, struct schema_object *object,
			    struct type *stripped)
{
	type_complete(lower->types, stripped);
	object->enumerators = arena_array_of(lower->session->arena,
					     struct object_enumerator,
					     stripped->nenumerators);
	object->nenumerators = stripped->nenumerators;
	for (uint32_t i = 0; i < stripped->nenumerators; i++)
		object->enumerators[i] = (struct object_enumerator){
			.name = stripped->enumerators[i].name,
			.value = stripped->enumerators[i].value,
		};
}

const struct schema_object *schema_object_of(struct lower *lower,
					     struct type *type)
{
	static const enum object_shape kinds[] = {
		[TYPE_INTEGER] = OBJECT_INTEGER, [TYPE_ENUM] = OBJECT_ENUM,
		[TYPE_POINTER] = OBJECT_POINTER, [TYPE_FLOAT] = OBJECT_FLOAT,
		[TYPE_ARRAY] = OBJECT_ARRAY, [TYPE_STRUCT] = OBJECT_STRUCT,
		[TYPE_UNION] = OBJECT_STRUCT, [TYPE_STRING] = OBJECT_STRING,
	};
	struct types *types = lower->types;
	const struct schema_object *before = known(lower->session, type);

	if (before)
		return before;
	struct type *stripped = type_strip(types, type);
	struct schema_object *object = arena_new_of(lower->session->arena,
						    struct schema_object);
	bool is_listed = stripped->kind < sizeof(kinds) / sizeof(kinds[0]) &&
			 (kinds[stripped->kind] ||
			  stripped->kind == TYPE_INTEGER);

	object->kind = is_listed ? kinds[stripped->kind] : OBJECT_OTHER;
	object->name = type_name(types, type);
	object->size = type_size(types, stripped);
	object->is_signed = type_is_signed(types, type);
	object->is_char = stripped->is_char;
	if (object->kind == OBJECT_ARRAY) {
		object->element = schema_object_of(lower, stripped->target);
		object->count = stripped->count;
	}
	if (object->kind == OBJECT_STRUCT)
		add_members(lower, object, stripped);
	if (object->kind == OBJECT_ENUM)
		add_enumerators(lower, object, stripped);
	add(lower->session, object, type);
	return object;
}

/* ---------------------------------------------------------- aggregations */

struct schema_aggregation *schema_aggregation_of(struct lower_session *session,
						 uint32_t id)
{
	struct schema *schema = &session->schema;

	if (id >= session->schema_aggregations_capacity) {
		uint32_t capacity = id * 2 + 8;
		struct schema_aggregation **all =
			arena_array_of(session->arena,
				       struct schema_aggregation *, capacity);

		if (schema->naggregations)
			memcpy(all, schema->aggregations,
			       schema->naggregations * sizeof(*all));
		schema->aggregations = all;
		session->schema_aggregations_capacity = capacity;
	}
	if (id >= schema->naggregations)
		schema->naggregations = id + 1;
	if (!schema->aggregations[id]) {
		schema->aggregations[id] =
			arena_new_of(session->arena, struct schema_aggregation);
		schema->aggregations[id]->id = id;
	}
	return schema->aggregations[id];
}
