/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Parts of a schema, written and read (facts/wire.h).
 *
 * A schema that is read grows part by part, in its own arena.  What is read is
 * as sound as what the compiler produces: sizes and offsets fit, references are
 * to parts that exist, formats fit the values they are given.
 */

#include "facts/schema.h"
#include "facts/wire.h"

void schema_put_object(struct text *out, const struct schema_object *object);
void schema_put_clause(struct text *out, uint32_t id,
		       const struct schema_clause *clause);
void schema_put_aggregation(struct text *out,
			    const struct schema_aggregation *aggregation);

struct schema_reader {
	struct schema schema;
	struct arena *arena;
	uint32_t clauses_capacity, aggregations_capacity, objects_capacity;
	/*
	 * The vtable of an aggregating function, if it has such parameters and
	 * that many words; otherwise NULL.
	 */
	const struct aggregate *(*aggregate)(const char *name,
					     const int64_t *params,
					     uint32_t nvalues);
};

/* Each reads one part; false: it is malformed. */
bool schema_get_object(struct schema_reader *reader, struct wire *wire);
bool schema_get_clause(struct schema_reader *reader, struct wire *wire);
bool schema_get_aggregation(struct schema_reader *reader, struct wire *wire);
