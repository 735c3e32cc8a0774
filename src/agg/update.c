/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lowering of `@name[keys] = function(value)`: one IR_AGGREGATE.
 *
 * The key is built in a zeroed piece of the frame, because tables compare and
 * hash all of its bytes.  Its layout belongs to the aggregation, not to the
 * clause: it is computed at the first lowering from all uses that the checker
 * recorded, so that no use finds the room for its string too small.
 *
 * 1. Integers have the size of the signature's type (the first use's).
 * 2. Strings have the largest capacity of any use, rounded up to words.
 * 3. A name of the probe is a 4-byte probe id if every use gives the same kind
 *    of name; the consumer merges names that read the same.
 */
#include <string.h>

#include "agg/agg.h"
#include "ir/lower.h"
#include "lang/internal.h"

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

/* Is its value bytes in memory that are not a string? */
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
static struct schema_field shape_of(struct lower *lower,
				    const struct ident *ident, uint32_t n,
				    const struct node *key)
{
	struct type *type = key_type(ident, n, key);
	struct schema_field field = { .form = FIELD_BYTES };
	const struct builtin_variable *builtin = builtin_of(key);

	schema_describe(lower, &field, type);
	if (is_action(key) && key->call.function->store) {
		field.symbol = key->call.function->form;
		field.size = key->call.function->size(lower, key);
		return field;
	}
	if (field.kind != FACT_STRING) {
		field.size = (uint32_t)type_size(lower->types, type);
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

static void widen(struct schema_field *field, struct schema_field use)
{
	if (field->form != use.form || field->which != use.which)
		field->form = FIELD_BYTES;
	if ((field->kind == FACT_STRING || field->symbol) &&
	    use.size > field->size)
		field->size = use.size;
}

/*
 * A key is named after what the program wrote for it: a variable or a function.
 * An expression has no name.
 */
static const char *node_name(const struct node *key)
{
	switch (key->kind) {
	case NODE_VARIABLE:
		return key->variable.ident->name;
	case NODE_CALL:
		return key->call.name;
	case NODE_MEMBER:
		return key->member.name;
	case NODE_STRINGOF:
		return node_name(key->unary.operand);
	case NODE_CAST:
		return node_name(key->cast.operand);
	default:
		return NULL;
	}
}

static const struct node *key_at(const struct node *aggregation, uint32_t n)
{
	const struct node *key = aggregation->variable.keys;

	while (key && n--)
		key = key->next;
	return key;
}

static uint32_t align_of(const struct schema_field *field)
{
	return field->size % 8 == 0   ? 8
	       : field->size % 4 == 0 ? 4
	       : field->size % 2 == 0 ? 2
				      : 1;
}

static struct schema_field key_layout(struct lower *lower,
				      const struct node *aggregation,
				      uint32_t n)
{
	const struct ident *ident = aggregation->variable.ident;
	struct schema_field field = shape_of(lower, ident, n,
					     key_at(aggregation, n));
	const struct agg_uses *uses = ident->agg_params;

	for (const struct agg_use *use = uses ? uses->uses : NULL; use;
	     use = use->next) {
		const struct node *key = key_at(use->aggregation, n);

		if (!key)
			continue;
		widen(&field, shape_of(lower, ident, n, key));
		if (!field.name)
			field.name = node_name(key);
	}
	if (field.form == FIELD_PROBE_ID)
		field.size = PROBE_ID_SIZE;
	else if (field.kind == FACT_STRING)
		field.size = round_up(field.size, 8);
	return field;
}

static void reserve(struct lower_session *session, uint32_t id)
{
	if (id >= session->aggregations_capacity) {
		uint32_t capacity = session->aggregations_capacity * 2;

		if (capacity <= id)
			capacity = id < 8 ? 8 : id + 1;
		struct ir_aggregation *aggregations =
			arena_array_of(session->arena, struct ir_aggregation,
				       capacity);

		if (session->naggregations)
			memcpy(aggregations, session->aggregations,
			       session->naggregations * sizeof(*aggregations));
		session->aggregations = aggregations;
		session->aggregations_capacity = capacity;
	}
	if (id >= session->naggregations)
		session->naggregations = id + 1;
}

/* Bytes from the last key on, if that is a string. */
static uint32_t string_at_end(const struct schema_aggregation *layout)
{
	const struct schema_field *last =
		layout->nkeys ? &layout->keys[layout->nkeys - 1] : NULL;

	if (!last || last->form == FIELD_PROBE_ID || last->kind != FACT_STRING)
		return 0;
	return layout->key_size - last->offset;
}

/* What slots start with; NULL: 0 for all of them. */
static const int64_t *identities_of(struct arena *arena,
				    const struct schema_aggregation *layout)
{
	if (!layout->aggregate->identity)
		return NULL;
	int64_t *identities = arena_array_of(arena, int64_t, layout->nvalues);

	for (uint32_t i = 0; i < layout->nvalues; i++)
		identities[i] = layout->aggregate->identity(i);
	return identities;
}

static bool is_few(const struct node *key)
{
	const struct builtin_variable *builtin = builtin_of(key);

	return key->kind == NODE_STRING || node_is_integer_constant(key) ||
	       (builtin && (builtin->probe_name || builtin->has_few_values));
}

/* Do all uses have keys with few values? */
static bool is_small(const struct node *aggregation)
{
	const struct agg_uses *uses = aggregation->variable.ident->agg_params;
	const struct node *key = aggregation->variable.keys;

	for (; key; key = key->next)
		if (!is_few(key))
			return false;
	for (const struct agg_use *use = uses ? uses->uses : NULL; use;
	     use = use->next)
		for (key = use->aggregation->variable.keys; key;
		     key = key->next)
			if (!is_few(key))
				return false;
	return true;
}

struct schema_aggregation *agg_schema(struct lower *lower,
				      const struct ident *ident)
{
	struct schema_aggregation *schema =
		schema_aggregation_of(lower->session, ident->id);
	const struct agg_uses *uses = ident->agg_params;

	if (schema->name)
		return schema;
	schema->name = ident->name;
	schema->function = ident->function->name;
	schema->aggregate = ident->function->aggregate;
	if (uses)
		memcpy(schema->params, uses->params, sizeof(schema->params));
	schema->nvalues = schema->aggregate->nvalues(schema->params);
	return schema;
}

static const struct schema_aggregation *layout_of(
	struct lower *lower, const struct node *aggregation)
{
	struct lower_session *session = lower->session;
	struct ident *ident = aggregation->variable.ident;

	reserve(session, ident->id);
	struct schema_aggregation *layout = agg_schema(lower, ident);
	const int64_t *params = aggregation->variable.call->call.data;

	if (layout->is_updated)
		return layout;
	layout->is_updated = true;
	if (params)
		memcpy(layout->params, params, sizeof(layout->params));
	layout->nvalues = layout->aggregate->nvalues(layout->params);
	while (key_at(aggregation, layout->nkeys))
		layout->nkeys++;
	layout->keys = arena_array_of(session->arena, struct schema_field,
				      layout->nkeys);
	for (uint32_t i = 0; i < layout->nkeys; i++) {
		struct schema_field field = key_layout(lower, aggregation, i);

		field.offset = round_up(layout->key_size, align_of(&field));
		layout->key_size = field.offset + field.size;
		layout->keys[i] = field;
	}
	layout->key_size = round_up(layout->key_size, 8);

	struct ir_aggregation *table = &session->aggregations[ident->id];

	table->key_size = layout->key_size;
	table->string_size = string_at_end(layout);
	table->nvalues = layout->nvalues;
	table->identities = identities_of(session->arena, layout);
	table->is_small = is_small(aggregation);
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

/* stack(), sym() ...: one use may have fewer frames than another. */
static bool store_action(struct lower *lower, const struct node *key,
			 const struct schema_field *field, struct ir_mem at)
{
	const struct function *function = is_action(key) ? key->call.function
							 : NULL;

	if (!function || !function->store)
		return lower_fail(
			lower, key,
			"this key is %s() elsewhere and no such thing here",
			field->name);
	if (function->size(lower, key) < field->size)
		ir_clear(&lower->b, at, field->size);
	return function->store(lower, key, at);
}

static bool store_key(struct lower *lower, const struct node *key,
		      struct type *type, const struct schema_field *field,
		      struct ir_mem at)
{
	struct value value = { 0 };

	if (!field->size)
		return lower_expression(lower, key, &value) &&
		       lower_fail(lower, key, "a key of unknown size");
	if (field->form == FIELD_PROBE_ID) {
		ir_store(&lower->b, at, lower->probe_id, PROBE_ID_SIZE);
		return true;
	}
	if (field->symbol)
		return store_action(lower, key, field, at);
	if (field->kind == FACT_STRING)
		return store_string(lower, key, at, field->size);
	if (is_block(lower->types, type)) {
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

/* Do the keys leave no gaps, between them or after the last? */
static bool is_packed(const struct schema_aggregation *layout)
{
	uint32_t used = 0;

	for (uint32_t i = 0; i < layout->nkeys; i++)
		used += layout->keys[i].size;
	return used == layout->key_size;
}

static bool lower_key(struct lower *lower, const struct node *aggregation,
		      const struct schema_aggregation *layout,
		      struct ir_mem *mem)
{
	const struct node *key = aggregation->variable.keys;

	if (layout->key_size) {
		*mem = ir_object(&lower->b, layout->key_size, layout->name);
		if (!is_packed(layout))
			ir_clear(&lower->b, *mem, layout->key_size);
	}
	for (uint32_t i = 0; i < layout->nkeys; i++, key = key->next) {
		const struct schema_field *field = &layout->keys[i];

		if (!key)
			return lower_fail(lower, aggregation,
					  "@%s has keys of different number",
					  layout->name);
		if (!store_key(lower, key,
			       key_type(aggregation->variable.ident, i, key),
			       field, ir_mem_at(*mem, field->offset)))
			return false;
	}
	return true;
}

/* The function's own arguments, and what they do to the entry. */
static bool lower_changes(struct lower *lower, const struct node *call,
			  const struct schema_aggregation *layout,
			  struct agg_update *u)
{
	const struct aggregate *aggregate = layout->aggregate;
	const struct node *arg = call->call.args;

	if (arg && !lower_scalar(lower, arg, &u->value))
		return false;
	for (uint32_t i = 0; arg && i < aggregate->increment; i++)
		arg = arg->next;
	if (!aggregate->increment || !arg)
		u->increment = ir_const(&lower->b, 1);
	else if (!lower_scalar(lower, arg, &u->increment))
		return false;
	aggregate->update(u);
	return true;
}

bool agg_lower(struct lower *lower, const struct node *aggregation,
	       struct value *result)
{
	const struct schema_aggregation *layout = layout_of(lower, aggregation);
	struct ir_mem key = { .space = IR_NOWHERE };
	struct agg_update update = {
		.b = &lower->b, .params = layout->params,
	};

	if (result)
		result->kind = VALUE_NONE;
	if (!lower_key(lower, aggregation, layout, &key) ||
	    !lower_changes(lower, aggregation->variable.call, layout, &update))
		return false;
	ir_aggregate(&lower->b, layout->id, key, &update.slots);
	return true;
}
