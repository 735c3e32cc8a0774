/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lowering of `@name[keys] = function(value)`: one IR_AGGREGATE.
 *
 * The key is built in a zeroed piece of the frame, because tables compare and
 * hash all of its bytes.  Its layout belongs to the aggregation, not to the
 * clause: it is made at the first lowering from all uses that the checker
 * noted, so that no use finds the room for its string too small.
 *
 * 1. Integers have the size of the signature's type (the first use's).
 * 2. Strings have the largest capacity of any use, rounded up to words.
 * 3. A name of the probe is a 4-byte probe id if every use gives the same
 *    kind of name; the consumer merges what reads the same.
 */
#include <string.h>

#include "agg/agg.h"
#include "ir/lower.h"

enum { PROBE_ID_SIZE = 4 };

static struct type *key_type(const struct ident *ident, uint32_t n,
			     const struct node *key)
{
	if (ident->signature && n < ident->signature->count &&
	    ident->signature->types[n])
		return ident->signature->types[n];
	return key->type;
}

static const struct builtin_variable *builtin_of(const struct node *key)
{
	if (key->kind != NODE_VARIABLE ||
	    key->variable.ident->kind != IDENT_BUILTIN)
		return NULL;
	return key->variable.ident->builtin;
}

/* Is its value bytes in memory that are no string? */
static bool is_block(struct types *types, struct type *type)
{
	switch (type_strip(types, type)->kind) {
	case TYPE_ARRAY:
	case TYPE_STRUCT:
	case TYPE_UNION:
		return true;
	default:
		return false;
	}
}

static bool is_action(const struct node *key)
{
	return key->kind == NODE_CALL && key->call.function &&
	       key->call.function->kind == FUNCTION_ACTION;
}

static bool is_provider_name(const struct builtin_variable *builtin)
{
	return builtin && builtin->probe_name == 1 + PROBE_PROVIDER;
}

/* What one use needs for key n. */
static struct record_field shape_of(struct lower *lower,
				    const struct ident *ident, uint32_t n,
				    const struct node *key)
{
	struct types *types = lower->types;
	struct record_field field = {
		.form = FIELD_BYTES, .type = key_type(ident, n, key),
	};
	const struct builtin_variable *builtin = builtin_of(key);

	if (is_action(key) && key->call.function->store) {
		field.function = key->call.function;
		field.size = field.function->size(lower, key);
		return field;
	}
	if (!type_is_string(types, field.type)) {
		field.size = (uint32_t)type_size(types, field.type);
		return field;
	}
	enum { PROVIDER_NAME_SIZE = 80 };

	field.size = lower_string_capacity(lower);
	if (key->kind == NODE_STRING)
		field.size = (uint32_t)key->string.length + 1;
	else if (is_provider_name(builtin) &&
		 lower->session->has_process_names) {
		if (field.size > PROVIDER_NAME_SIZE)
			field.size = PROVIDER_NAME_SIZE;
	} else if (builtin && builtin->probe_name) {
		field.form = FIELD_PROBE_ID;
		field.which = (enum probe_name)(builtin->probe_name - 1);
	} else if (builtin && builtin->capacity) {
		field.size = builtin->capacity;
	}
	return field;
}

static void widen(struct types *types, struct record_field *field,
		  struct record_field use)
{
	if (field->form != use.form || field->which != use.which)
		field->form = FIELD_BYTES;
	if ((type_is_string(types, field->type) || field->function) &&
	    use.size > field->size)
		field->size = use.size;
}

static const struct node *key_at(const struct node *aggregation, uint32_t n)
{
	const struct node *key = aggregation->variable.keys;

	while (key && n--)
		key = key->next;
	return key;
}

static uint32_t align_of(const struct record_field *field)
{
	return field->size % 8 == 0 ? 8 : field->size % 4 == 0 ? 4 :
	       field->size % 2 == 0 ? 2 : 1;
}

static struct record_field key_layout(struct lower *lower,
				      const struct node *aggregation,
				      uint32_t n)
{
	struct types *types = lower->types;
	const struct ident *ident = aggregation->variable.ident;
	struct record_field field = shape_of(lower, ident, n,
					     key_at(aggregation, n));
	const struct agg_uses *uses = ident->agg_params;

	for (const struct agg_use *use = uses ? uses->uses : NULL; use;
	     use = use->next) {
		const struct node *key = key_at(use->aggregation, n);

		if (key)
			widen(types, &field, shape_of(lower, ident, n, key));
	}
	if (field.form == FIELD_PROBE_ID)
		field.size = PROBE_ID_SIZE;
	else if (type_is_string(types, field.type))
		field.size = round_up(field.size, 8);
	return field;
}

static void reserve(struct lower_session *session, uint32_t id)
{
	if (id >= session->aggregations_capacity) {
		uint32_t capacity = session->aggregations_capacity * 2;

		if (capacity <= id)
			capacity = id < 8 ? 8 : id + 1;
		struct agg_layout *layouts = arena_array_of(
			session->arena, struct agg_layout, capacity);
		struct ir_aggregation *aggregations = arena_array_of(
			session->arena, struct ir_aggregation, capacity);

		if (session->naggregations) {
			memcpy(layouts, session->agg_layouts,
			       session->naggregations * sizeof(*layouts));
			memcpy(aggregations, session->aggregations,
			       session->naggregations * sizeof(*aggregations));
		}
		session->agg_layouts = layouts;
		session->aggregations = aggregations;
		session->aggregations_capacity = capacity;
	}
	if (id >= session->naggregations)
		session->naggregations = id + 1;
}

/* Bytes of the last key and behind it, if that is a string. */
static uint32_t string_at_end(struct lower *lower,
			      const struct agg_layout *layout)
{
	const struct record_field *last =
		layout->nkeys ? &layout->keys[layout->nkeys - 1] : NULL;

	if (!last || last->function || last->form == FIELD_PROBE_ID ||
	    !type_is_string(lower->types, last->type))
		return 0;
	return layout->key_size - last->offset;
}

static const struct agg_layout *layout_of(struct lower *lower,
					  const struct node *aggregation)
{
	struct lower_session *session = lower->session;
	struct ident *ident = aggregation->variable.ident;

	reserve(session, ident->id);
	struct agg_layout *layout = &session->agg_layouts[ident->id];

	if (layout->function)
		return layout;
	const struct function *function =
		aggregation->variable.call->call.function;
	const int64_t *params = aggregation->variable.call->call.data;

	layout->ident = ident;
	layout->function = function;
	if (params)
		memcpy(layout->params, params, sizeof(layout->params));
	layout->nvalues = function->aggregate->nvalues(layout->params);
	while (key_at(aggregation, layout->nkeys))
		layout->nkeys++;
	layout->keys = arena_array_of(session->arena, struct record_field,
				      layout->nkeys);
	for (uint32_t i = 0; i < layout->nkeys; i++) {
		struct record_field field = key_layout(lower, aggregation, i);

		field.offset = round_up(layout->key_size, align_of(&field));
		layout->key_size = field.offset + field.size;
		layout->keys[i] = field;
	}
	layout->key_size = round_up(layout->key_size, 8);

	struct ir_aggregation *table = &session->aggregations[ident->id];

	table->update = function->aggregate->update;
	table->key_size = layout->key_size;
	table->string_size = string_at_end(lower, layout);
	table->nvalues = layout->nvalues;
	memcpy(table->params, layout->params, sizeof(table->params));
	table->name = ident->name;
	return layout;
}

static bool store_string(struct lower *lower, const struct node *key,
			 struct ir_mem at, uint32_t size)
{
	struct value value = { 0 };

	if (!lower_string(lower, key, &value))
		return false;
	struct ir_insn *copy = ir_emit(&lower->b, IR_STRING_COPY);

	copy->mem = at;
	copy->imm = size;
	copy->source = value.mem;
	copy->imm2 = value.capacity;
	return true;
}

/* stack(), sym() ...: a use may have fewer frames than another. */
static bool store_action(struct lower *lower, const struct node *key,
			 const struct record_field *field, struct ir_mem at)
{
	const struct function *function = is_action(key) ? key->call.function :
							   NULL;

	if (!function || !function->store)
		return lower_fail(lower, key,
				  "this key is %s() elsewhere and no such thing here",
				  field->function->name);
	if (function->size(lower, key) < field->size)
		ir_clear(&lower->b, at, field->size);
	return function->store(lower, key, at);
}

static bool store_key(struct lower *lower, const struct node *key,
		      const struct record_field *field, struct ir_mem at)
{
	struct value value = { 0 };

	if (!field->size)
		return lower_expression(lower, key, &value) &&
		       lower_fail(lower, key, "a key of unknown size");
	if (field->form == FIELD_PROBE_ID) {
		ir_store(&lower->b, at, lower->probe_id, PROBE_ID_SIZE);
		return true;
	}
	if (field->function)
		return store_action(lower, key, field, at);
	if (type_is_string(lower->types, field->type))
		return store_string(lower, key, at, field->size);
	if (is_block(lower->types, field->type)) {
		if (!lower_expression(lower, key, &value) ||
		    !value_materialize(lower, &value))
			return false;
		ir_copy(&lower->b, at, value.mem, field->size);
		return true;
	}
	ir_reg reg;

	if (!lower_scalar(lower, key, &reg))
		return false;
	ir_store(&lower->b, at, reg, field->size);
	return true;
}

/* Do the keys leave no byte between or behind them? */
static bool is_packed(const struct agg_layout *layout)
{
	uint32_t used = 0;

	for (uint32_t i = 0; i < layout->nkeys; i++)
		used += layout->keys[i].size;
	return used == layout->key_size;
}

static bool lower_key(struct lower *lower, const struct node *aggregation,
		      const struct agg_layout *layout, struct ir_mem *mem)
{
	const struct node *key = aggregation->variable.keys;

	if (layout->key_size) {
		*mem = ir_object(&lower->b, layout->key_size,
				 layout->ident->name);
		if (!is_packed(layout))
			ir_clear(&lower->b, *mem, layout->key_size);
	}
	for (uint32_t i = 0; i < layout->nkeys; i++, key = key->next) {
		const struct record_field *field = &layout->keys[i];

		if (!key)
			return lower_fail(lower, aggregation,
					  "@%s has keys of different number",
					  layout->ident->name);
		if (!store_key(lower, key, field,
			       ir_mem_at(*mem, field->offset)))
			return false;
	}
	return true;
}

/* Where the increment stands among the arguments, by kind of update. */
static uint32_t increment_position(enum agg_update update)
{
	switch (update) {
	case AGG_QUANTIZE:
		return 1;
	case AGG_LQUANTIZE:
		return 4;
	case AGG_LLQUANTIZE:
		return 5;
	default:
		return 0;
	}
}

static bool lower_values(struct lower *lower, const struct node *call,
			 ir_reg *values)
{
	uint32_t position =
		increment_position(call->call.function->aggregate->update);
	const struct node *arg = call->call.args;

	if (arg && !lower_scalar(lower, arg, &values[0]))
		return false;
	if (!position)
		return true;
	for (uint32_t i = 0; arg && i < position; i++)
		arg = arg->next;
	if (arg)
		return lower_scalar(lower, arg, &values[1]);
	values[1] = ir_const(&lower->b, 1);
	return true;
}

bool agg_lower(struct lower *lower, const struct node *aggregation,
	       struct value *result)
{
	const struct agg_layout *layout = layout_of(lower, aggregation);
	struct ir_mem key = { .space = IR_NOWHERE };
	ir_reg values[4] = { 0 };

	if (result)
		result->kind = VALUE_NONE;
	if (!lower_key(lower, aggregation, layout, &key) ||
	    !lower_values(lower, aggregation->variable.call, values))
		return false;
	struct ir_insn *update = ir_emit(&lower->b, IR_AGGREGATE);

	update->imm = layout->ident->id;
	update->mem = key;
	memcpy(update->values, values, sizeof(values));
	return true;
}
