/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A schema that is written and read back is the same; unsound ones are refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "facts/format.h"
#include "facts/schema_file.h"

/* --------------------------------------------------------------- a schema */

static const struct schema_object number = {
	.kind = OBJECT_INTEGER, .number = 0, .name = "int", .size = 4,
	.is_signed = true,
}, letter = {
	.kind = OBJECT_INTEGER, .number = 1, .name = "char", .size = 1,
	.is_signed = true, .is_char = true,
}, color = {
	.kind = OBJECT_ENUM, .number = 2, .name = "enum color", .size = 4,
	.enumerators = (struct object_enumerator[]){ { "RED", 0 },
						     { "NONE", -1 } },
	.nenumerators = 2,
}, name = {
	.kind = OBJECT_ARRAY, .number = 3, .name = "char [8]", .size = 8,
	.element = &letter, .count = 8,
}, inner = {
	.kind = OBJECT_STRUCT, .number = 4, .name = "struct inner", .size = 8,
	.members = (struct object_member[]){ { "low", 0, 3, &number },
					     { "high", 3, 29, &number },
					     { "color", 32, 0, &color } },
	.nmembers = 3,
}, outer = {
	.kind = OBJECT_STRUCT, .number = 5, .name = "struct outer", .size = 40,
	.members = (struct object_member[]){ { "name", 0, 0, &name },
					     { NULL, 64, 0, &inner } },
	.nmembers = 2,
}, weight = {
	.kind = OBJECT_FLOAT, .number = 6, .name = "double", .size = 8,
}, pointer = {
	.kind = OBJECT_POINTER, .number = 7, .name = "void *", .size = 8,
};
static const struct schema_object *const objects[] = {
	&number, &letter, &color, &name, &inner, &outer, &weight, &pointer,
};

static struct schema_field fields[] = {
	{ .kind = FACT_INTEGER, .is_signed = true, .offset = 24, .size = 4,
	  .type = "int", .name = "x" },
	{ .kind = FACT_INTEGER, .offset = 28, .size = 1, .type = "uint8_t" },
	{ .kind = FACT_STRING, .offset = 32, .size = 256, .type = "string",
	  .name = "execname", .limit = 16 },
	{ .kind = FACT_BYTES, .offset = 288, .size = 40, .type = "struct outer",
	  .object = &outer },
	{ .kind = FACT_SYMBOL, .symbol = SYMBOL_USYM, .offset = 328,
	  .size = 16, .type = "_usymaddr" },
	{ .kind = FACT_STACK, .symbol = SYMBOL_STACK, .offset = 344,
	  .size = 80, .type = "stack" },
	{ .form = FIELD_PROBE_NAME, .which = PROBE_FUNCTION,
	  .kind = FACT_STRING, .type = "string" },
	{ .form = FIELD_CONSTANT, .kind = FACT_STRING, .constant = "text",
	  .type = "string" },
	{ .form = FIELD_PROBE_ID, .which = PROBE_MODULE, .kind = FACT_STRING,
	  .size = 4, .type = "string" },
};
enum { FIELDS = sizeof(fields) / sizeof(*fields) };
static struct schema_aggregation latencies = {
	.name = "q", .function = "lquantize", .id = 3, .keys = fields,
	.nkeys = FIELDS, .nvalues = 12, .params = { -10, 90, 10 },
};

static const struct aggregate *find(const char *function, const int64_t *params,
				    uint32_t nvalues)
{
	return agg_find(function, params, nvalues);
}

static struct wire wire_of(const struct text *out)
{
	const uint8_t *at = (const uint8_t *)text_str(out);

	return (struct wire){ .at = at, .end = at + out->n };
}

/* ------------------------------------------------------------- comparing */

static void same_text(const char *a, const char *b)
{
	assert_int_equal(!a, !b);
	if (a)
		assert_string_equal(a, b);
}

static void same_fields(const struct schema_field *a,
			const struct schema_field *b, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++, a++, b++) {
		assert_int_equal(a->form, b->form);
		assert_int_equal(a->which, b->which);
		assert_int_equal(a->kind, b->kind);
		assert_int_equal(a->is_signed, b->is_signed);
		assert_int_equal(a->symbol, b->symbol);
		assert_int_equal(a->offset, b->offset);
		assert_int_equal(a->size, b->size);
		assert_int_equal(a->limit, b->limit);
		same_text(a->constant, b->constant);
		same_text(a->type, b->type);
		same_text(a->name, b->name);
		assert_int_equal(!a->object, !b->object);
		if (a->object)
			assert_int_equal(a->object->number, b->object->number);
	}
}

/* Writing again what was read gives the same bytes. */
static void same_bytes(const struct text *first, const struct text *again)
{
	assert_int_equal(first->n, again->n);
	assert_memory_equal(text_str(first), text_str(again), first->n);
}

/* ----------------------------------------------------------------- tests */

static void read_objects(struct schema_reader *reader)
{
	for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
		struct text out = { 0 }, again = { 0 };

		schema_put_object(&out, objects[i]);
		struct wire wire = wire_of(&out);

		assert_true(schema_get_object(reader, &wire));
		assert_ptr_equal(wire.at, wire.end);
		schema_put_object(&again, reader->schema.objects[i]);
		same_bytes(&out, &again);
		text_free(&out);
		text_free(&again);
	}
}

static void read_aggregation(struct schema_reader *reader)
{
	struct text out = { 0 };

	schema_put_aggregation(&out, &latencies);
	struct wire wire = wire_of(&out);

	assert_true(schema_get_aggregation(reader, &wire));
	assert_ptr_equal(wire.at, wire.end);
	assert_int_equal(reader->schema.naggregations, 4);
	const struct schema_aggregation *read = reader->schema.aggregations[3];

	assert_string_equal(read->name, "q");
	assert_string_equal(read->function, "lquantize");
	assert_non_null(read->aggregate);
	assert_memory_equal(read->params, latencies.params,
			    sizeof(latencies.params));
	assert_int_equal(read->nvalues, 12);
	assert_int_equal(read->nkeys, FIELDS);
	same_fields(read->keys, fields, FIELDS);
	text_free(&out);
}

static void whole(void **state)
{
	struct arena *arena = arena_new();
	struct schema_reader reader = { .arena = arena, .aggregate = find };
	const char *problem, *text = "%-8s|%*d %@u\n";
	struct schema_action table = {
		.name = "printa", .rule = RULE_TABLE,
		.aggregations = (uint32_t[]){ 3 }, .naggregations = 1,
		.format = format_read(arena, text, strlen(text), &problem),
	}, print = {
		.name = "print", .rule = RULE_OBJECT, .fields = &fields[3],
		.nfields = 1, .next = &table,
	}, printf_all = {
		.name = "printf", .rule = RULE_FORMAT, .fields = fields,
		.nfields = FIELDS, .next = &print,
		.format = format_read(arena, "a\0b%d", 5, &problem),
	};
	const struct schema_clause clause = {
		.clause = 2, .skipped = 7, .is_cut = true, .records = true,
		.actions = &printf_all, .last_action = &table,
	};
	struct text out = { 0 }, again = { 0 };

	(void)state;
	read_objects(&reader);
	read_aggregation(&reader);
	schema_put_clause(&out, 5, &clause);
	struct wire wire = wire_of(&out);

	assert_true(schema_get_clause(&reader, &wire));
	assert_ptr_equal(wire.at, wire.end);
	assert_int_equal(reader.schema.nclauses, 6);
	assert_null(reader.schema.clauses[4]);
	const struct schema_clause *read = reader.schema.clauses[5];

	assert_int_equal(read->clause, 2);
	assert_int_equal(read->skipped, 7);
	assert_true(read->is_cut && read->records && !read->is_empty_clause);
	same_fields(read->actions->fields, fields, FIELDS);
	assert_int_equal(read->actions->format->length, 5);
	assert_memory_equal(read->actions->format->text, "a\0b%d", 5);
	assert_ptr_equal(read->actions->next->fields->object,
			 reader.schema.objects[5]);
	assert_string_equal(read->last_action->format->text, text);
	assert_int_equal(read->last_action->aggregations[0], 3);
	schema_put_clause(&again, 5, read);
	same_bytes(&out, &again);

	/* if it is truncated anywhere, nothing is read */
	for (size_t n = 0; n < out.n; n++) {
		struct schema_reader other = reader;

		wire = wire_of(&out);
		wire.end = wire.at + n;
		assert_false(schema_get_clause(&other, &wire));
	}
	text_free(&out);
	text_free(&again);
	arena_free(arena);
}

static bool reads_object(struct schema_object object)
{
	struct arena *arena = arena_new();
	struct schema_reader reader = { .arena = arena, .aggregate = find };
	struct text out = { 0 };

	schema_put_object(&out, &object);
	struct wire wire = wire_of(&out);
	bool is_read = schema_get_object(&reader, &wire);

	text_free(&out);
	arena_free(arena);
	return is_read;
}

static bool reads_aggregation(struct schema_aggregation aggregation)
{
	struct arena *arena = arena_new();
	struct schema_reader reader = { .arena = arena, .aggregate = find };
	struct text out = { 0 };

	schema_put_aggregation(&out, &aggregation);
	struct wire wire = wire_of(&out);
	bool is_read = schema_get_aggregation(&reader, &wire);

	text_free(&out);
	arena_free(arena);
	return is_read;
}

static void unsound(void **state)
{
	struct schema_object object = number;
	struct schema_aggregation aggregation = {
		.name = "c", .function = "count", .nvalues = 1,
	};

	(void)state;
	assert_true(reads_object(object));
	object.size = 9;
	assert_false(reads_object(object));
	object = number;
	object.number = 1; /* the first one is 0 */
	assert_false(reads_object(object));
	object = number;
	object.kind = OBJECT_ARRAY; /* of nothing */
	assert_false(reads_object(object));
	object = inner;
	object.number = 0; /* refers to parts that do not exist */
	assert_false(reads_object(object));

	assert_true(reads_aggregation(aggregation));
	aggregation.nvalues = 2;
	assert_false(reads_aggregation(aggregation));
	aggregation.nvalues = 1;
	aggregation.function = "counts";
	assert_false(reads_aggregation(aggregation));
	aggregation = latencies;
	aggregation.nkeys = 0;
	assert_true(reads_aggregation(aggregation));
	aggregation.params[2] = 0; /* steps of 0 */
	assert_false(reads_aggregation(aggregation));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole),
		cmocka_unit_test(unsound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
