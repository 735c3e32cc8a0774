/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Record layout: what a clause's record holds, written by lowering beside the
 * code that fills it, read by the consumer.  This is all the consumer knows
 * of a program.
 */

#include <stdbool.h>
#include <stdint.h>

#include "btf/type.h"
#include "lang/function.h"
#include "lang/ident.h"

/* How a value came to be in (or stays out of) the record. */
enum field_form {
	FIELD_BYTES,		/* size bytes at offset, of `type` */
	FIELD_PROBE_NAME,	/* nothing stored: a name of the record's probe */
	FIELD_PROBE_ID,		/* in keys: 4 bytes of probe id stand for a name */
	FIELD_CONSTANT,		/* nothing stored: text of a literal */
};

enum probe_name { PROBE_PROVIDER, PROBE_MODULE, PROBE_FUNCTION, PROBE_NAME };

struct record_field {
	enum field_form form;
	enum probe_name which;		/* FIELD_PROBE_NAME, FIELD_PROBE_ID */
	uint32_t offset;		/* from the start of the record (or key) */
	uint32_t size;
	struct type *type;		/* the D type: decides how it prints */
	const char *constant;		/* FIELD_CONSTANT */
	/* keys and values that are actions: stack(), sym() ... */
	const struct function *function;
};

/* One action of a clause, in program order. */
struct record_action {
	const struct function *function;
	const struct node *call;
	struct record_field *fields;
	uint32_t nfields;
	const struct format *format;	/* printf family; builtin/format.h */
	struct ident **aggregations;	/* printa, clear, trunc ... */
	uint32_t naggregations;
	uint32_t statement;		/* 1-based, for messages */
	/*
	 * Actions under if: offset of a byte of the record that is not 0 when
	 * the action ran.  0: it always runs.
	 */
	uint32_t guard;
	struct record_action *next;
};

struct record_layout {
	uint32_t clause;	/* its number; of a piece: of the whole clause */
	uint32_t skipped;	/* statements of the clause before this piece */
	bool is_cut;		/* more of the clause's line may follow */
	uint32_t size;		/* whole record with header, multiple of 8 */
	bool records;		/* prints a line; false: control only */
	bool is_empty_clause;	/* default action */
	struct record_action *actions, *last_action;
};

/* In one firing: is `later` the record of a later clause, or piece of one? */
static inline bool layout_follows(const struct record_layout *later,
				  const struct record_layout *earlier)
{
	return later->clause > earlier->clause ||
	       (later->clause == earlier->clause &&
		later->skipped > earlier->skipped);
}

/* Keys of one aggregation, and what its values mean. */
struct agg_layout {
	struct ident *ident;
	const struct function *function;	/* count, quantize ... */
	struct record_field *keys;
	uint32_t nkeys;
	uint32_t key_size;	/* multiple of 8 */
	uint32_t nvalues;
	int64_t params[4];
};
