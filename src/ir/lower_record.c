/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records: every action of a clause stores its values in the clause's record
 * and notes in the layout what it stored where.
 *
 * Values keep the size they need.  A literal and the names of the probe take no
 * room at all: the consumer knows them.  Fields have their natural alignment;
 * strings start on 8 bytes so that they are copied by words.
 *
 * The size of a record is known only after its clause has been lowered; the
 * claim, which comes first, is patched then (lower.c).
 *
 * An action under `if` may not run.  The first action of such a branch takes a
 * byte of the record and sets it to 1; all actions of the branch name that byte
 * as their guard.  Claimed records read 0, so a branch not taken leaves 0
 * there.
 *
 * A clause may be lowered several times (in several groups; as the ERROR clause
 * of every fault).  The layout is the same each time, and the first one is
 * kept.  A clause whose loops record has several records, each with a layout of
 * its own (lower_claim.c).
 */

#include <string.h>

#include "ir/abi.h"
#include "ir/lower_internal.h"
#include "lang/internal.h" /* numbers of clauses */

/*
 * The number of record n: the clause's own for the first, one of its own for
 * others, the same each time that the clause is lowered.
 */
static uint32_t record_number(struct lower_session *session, uint32_t clause,
			      uint32_t n)
{
	struct record_number *numbers = session->record_numbers;
	uint32_t count = session->nrecord_numbers;

	if (!n)
		return clause;
	for (uint32_t i = count; i-- > 0;)
		if (numbers[i].clause == clause && numbers[i].n == n)
			return numbers[i].id;
	numbers = arena_grown(session->arena, numbers, count, sizeof(*numbers));
	numbers[count] = (struct record_number){
		.clause = clause,
		.n = n,
		.id = session->language->nclauses++,
	};
	session->record_numbers = numbers;
	session->nrecord_numbers++;
	return numbers[count].id;
}

static void enter_layout(struct lower_session *session, uint32_t id,
			 struct schema_clause *layout)
{
	struct schema *schema = &session->schema;

	if (id >= session->clauses_capacity) {
		uint32_t capacity = id * 2 + 8;
		struct schema_clause **clauses =
			arena_array_of(session->arena, struct schema_clause *,
				       capacity);

		if (schema->nclauses)
			memcpy(clauses, schema->clauses,
			       schema->nclauses * sizeof(*clauses));
		schema->clauses = clauses;
		session->clauses_capacity = capacity;
	}
	if (id >= schema->nclauses)
		schema->nclauses = id + 1;
	if (!schema->clauses[id])
		schema->clauses[id] = layout;
}

struct record *layout_begin(struct lower *lower, const struct clause *clause,
			    uint32_t n)
{
	struct lower_session *session = lower->session;
	struct schema_clause *layout = arena_new_of(session->arena,
						    struct schema_clause);
	struct record *record = arena_new_of(session->arena, struct record);

	layout->clause = clause->whole ? clause->whole->id : clause->id;
	layout->skipped = clause->skipped;
	layout->is_cut = clause->is_cut;
	layout->records = clause->records;
	layout->is_empty_clause = !clause->statements;
	record->id = record_number(session, clause->id, n);
	record->layout = layout;
	record->at = sizeof(struct abi_record);
	enter_layout(session, record->id, layout);
	return record;
}

static uint32_t take(struct lower *lower, uint32_t size, uint32_t align)
{
	struct record *record = lower->claims.open;
	uint32_t at = round_up(record->at, align);

	record->at = at + size;
	return at;
}

static void make_guard(struct lower *lower)
{
	lower->guard = take(lower, 1, 1);
	ir_store(&lower->b, ir_mem_of(IR_RECORD, lower->guard),
		 ir_const(&lower->b, 1), 1);
}

struct schema_action *layout_action(struct lower *lower,
				    const struct node *call, uint32_t nfields)
{
	struct arena *arena = lower->session->arena;
	struct schema_action *action = arena_new_of(arena,
						    struct schema_action);

	claims_want_record(lower);

	struct schema_clause *layout = lower->claims.open->layout;

	if (lower->guard == GUARD_WANTED)
		make_guard(lower);
	if (call && call->kind == NODE_CALL && call->call.function) {
		const struct function *function = call->call.function;

		action->name = function->name;
		action->rule = function->rule;
		action->control = function->control;
	}
	action->fields = arena_array_of(arena, struct schema_field,
					nfields + 1);
	action->nfields = nfields;
	action->statement = lower->b.statement;
	action->guard = lower->guard;
	if (layout->last_action)
		layout->last_action->next = action;
	else
		layout->actions = action;
	layout->last_action = action;
	return action;
}

struct ir_mem layout_reserve(struct lower *lower, struct schema_action *action,
			     uint32_t n, struct type *type, uint32_t size,
			     uint32_t align)
{
	struct schema_field *field = &action->fields[n];

	field->form = FIELD_BYTES;
	schema_describe(lower, field, type);
	field->size = size;
	field->offset = take(lower, size, align ? align : 1);
	return ir_mem_of(IR_RECORD, field->offset);
}

static uint32_t natural_align(struct lower *lower, struct type *type)
{
	uint64_t align = type_align(lower->types, type);

	return align == 0 || align > 8 ? 8 : (uint32_t)align;
}

static bool store_string(struct lower *lower, struct schema_action *action,
			 uint32_t n, struct value *value,
			 const struct node *node)
{
	struct type *type = types_base(lower->types, BASE_STRING);
	struct schema_field *field = &action->fields[n];
	uint32_t limit = lower_string_capacity(lower);

	if (value->kind == VALUE_PROBE_NAME) {
		*field = (struct schema_field){ .form = FIELD_PROBE_NAME,
						.which = value->which };
		schema_describe(lower, field, type);
		return true;
	}
	if (value->literal) {
		*field = (struct schema_field){ .form = FIELD_CONSTANT,
						.constant = value->literal };
		schema_describe(lower, field, type);
		return true;
	}

	/* A scalar is the address of a string of any length. */
	uint32_t capacity = value->kind == VALUE_MEMORY ? value->capacity
							: limit;

	/* char arrays need not end in NUL: room for one. */
	if (value->kind == VALUE_MEMORY &&
	    !type_is_string(lower->types, value->type))
		capacity++;
	if (capacity > limit)
		capacity = limit;

	/* Tracing NULL is a fault, unless the function says otherwise. */
	if (value->null && !value->null_is_recorded)
		ir_fault_if(&lower->b, value->null, FAULT_BADADDR, 0);
	return string_store(lower, node, value,
			    layout_reserve(lower, action, n, type, capacity, 8),
			    capacity);
}

bool layout_store_value(struct lower *lower, struct schema_action *action,
			uint32_t n, struct value *value,
			const struct node *node)
{
	struct ir_builder *b = &lower->b;

	if (value->kind == VALUE_PROBE_NAME ||
	    type_is_string(lower->types, value->type))
		return store_string(lower, action, n, value, node);

	uint32_t size = value->kind == VALUE_MEMORY && value->capacity
				? value->capacity
				: lower_size(lower, value->type);
	struct ir_mem to = layout_reserve(lower, action, n, value->type, size,
					  natural_align(lower, value->type));

	if (value->kind == VALUE_SCALAR) {
		if (size != 1 && size != 2 && size != 4 && size != 8)
			return lower_fail(
				lower, node,
				"a value of %u bytes cannot be recorded", size);
		ir_store(b, to, value->reg, size);
		return true;
	}
	if (value->kind != VALUE_MEMORY)
		return lower_fail(lower, node, "there is no value to record");
	if (mem_is_addressed(&value->mem))
		mem_read(lower, to, &value->mem, size);
	else
		ir_copy(b, to, value->mem, size);
	return true;
}

static bool store_printable(struct lower *lower, struct schema_action *action,
			    uint32_t n, const struct node *call)
{
	const struct function *function = call->call.function;
	struct ir_mem at = layout_reserve(lower, action, n, call->type,
					  function->size(lower, call), 8);

	action->fields[n].symbol = function->form;
	return function->store(lower, call, at);
}

bool layout_store(struct lower *lower, struct schema_action *action, uint32_t n,
		  const struct node *node)
{
	struct value value = { 0 };

	if (node->kind == NODE_CALL && node->call.function &&
	    node->call.function->store)
		return store_printable(lower, action, n, node);
	return lower_expression(lower, node, &value) &&
	       layout_store_value(lower, action, n, &value, node);
}

bool layout_store_string(struct lower *lower, struct schema_action *action,
			 uint32_t n, const struct node *node)
{
	struct value value = { 0 };

	return lower_expression(lower, node, &value) &&
	       store_string(lower, action, n, &value, node);
}
