/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Facts: what a run reports, in the order in which it happened.
 *
 * The consumer (run/) turns rings and tables into facts and hands them to sinks
 * (facts/sink.h), which print, write or pass them on.  A fact is valid until
 * the sink returns.  A recording produces the same facts.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facts/schema.h"

/* A probe, as the consumer knows it. */
struct fact_probe {
	uint32_t id;
	const char *provider, *module, *function, *name;
	/* the provider's name ends in the pid of the firing process */
	bool has_process_name;
	bool enters_kernel; /* and leaves it: -F shows arrows for it */
};

/* ---------------------------------------------------------------- values */

struct fact_value {
	enum fact_kind kind;
	bool is_signed;
	bool is_literal; /* text from the program itself */
	bool is_name;	 /* of one line */
	enum symbol_form symbol;
	uint32_t size;
	const uint8_t *bytes;
	const struct schema_field *field; /* or NULL */
};

/* An integer of 1, 2, 4 or 8 bytes, extended according to its sign. */
int64_t fact_integer(const struct fact_value *value);
/* A string's length. */
size_t fact_length(const struct fact_value *value);
/* The n-th word of a symbol or a stack; 0 after the last. */
uint64_t fact_word(const struct fact_value *value, uint32_t n);
/* A field whose bytes are at its offset. */
static inline void fact_stored(struct fact_value *value,
			       const struct schema_field *field,
			       const uint8_t *start)
{
	value->kind = field->kind;
	value->is_signed = field->is_signed;
	value->is_literal = false;
	value->is_name = false;
	value->symbol = field->symbol;
	value->size = field->size;
	value->bytes = start + field->offset;
	value->field = field;
}

/* A field of a record or key of `probe`; `named`: for FIELD_PROBE_ID. */
struct fact_value fact_value_of(const struct schema_field *field,
				const uint8_t *start,
				const struct fact_probe *probe,
				const struct fact_probe *named);
const char *fact_probe_name(const struct fact_probe *probe,
			    enum probe_name which);

/* An address with the names that its host has for it. */
enum frame_kind { FRAME_KERNEL, FRAME_USER, FRAME_SCRIPT };
struct fact_frame {
	enum frame_kind kind;
	uint64_t address;
	const char *object;   /* NULL: unknown */
	const char *function; /* NULL: only the object is known */
	/*
	 * in the function; without: where its code is in the object, or 0.
	 * FRAME_SCRIPT: fact_line()
	 */
	uint64_t offset;
};
/* Of a script, whose object is then the file; 0: its name is all there is. */
static inline uint64_t fact_line(const struct fact_frame *frame)
{
	return frame->kind == FRAME_SCRIPT && frame->object &&
			       frame->object[0] != '['
		       ? frame->offset
		       : 0;
}
typedef void frame_visit(void *data, const struct fact_frame *frame);

/*
 * Names of addresses: the tracing host looks them up, a recording contains
 * them.  The strings of a frame are valid until the next call.
 */
struct resolver {
	void *context;
	void (*address)(void *context, bool is_user, uint32_t pid,
			uint64_t address, struct fact_frame *frame);
	/*
	 * Every frame of a stack, innermost first.  Returns why it is
	 * incomplete ("more than 127 frames"), or NULL.
	 */
	const char *(*stack)(void *context, const struct fact_value *value,
			     frame_visit *visit, void *data);
};

/* The address that a symbol holds, with its names. */
void fact_symbol(const struct resolver *resolver,
		 const struct fact_value *value, struct fact_frame *frame);

/* --------------------------------------------------------------- records */

/* -F: the record's place in the call tree. */
enum fact_flow { CALL_NONE, CALL_ENTRY, CALL_RETURN };

struct fact_record {
	const struct schema_clause *clause;
	const struct fact_probe *probe;
	uint32_t cpu;
	uint64_t stamp; /* ns, monotonic clock */
	enum fact_flow flow;
	const void *data; /* the bytes of the record; NULL: not kept */
};

struct fact_table;

struct fact_action {
	const struct schema_action *action;
	const struct fact_value *values; /* action->nfields of them */
	const struct fact_table *table;	 /* RULE_TABLE, else NULL */
};

/* ---------------------------------------------------------- aggregations */

/* What one CPU contributed (-x aggpercpu). */
struct fact_cpu_values {
	uint32_t cpu;
	uint32_t aggregation; /* which one in the table */
	const int64_t *values;
};

struct fact_row {
	const struct fact_value *keys;
	uint32_t nkeys;
	/* by aggregation of the table; zeros where it has no such key */
	const int64_t *const *values;
	const struct fact_cpu_values *cpus;
	uint32_t ncpus;
};

/* Aggregations side by side, joined on their keys, in display order. */
struct fact_table {
	const struct schema_aggregation *const *aggregations;
	const uint64_t *normals; /* of each */
	uint32_t naggregations;
	const struct schema_field *keys;
	uint32_t nkeys;
	uint64_t stamp;
	uint32_t nrows;
	bool is_per_cpu;
	/* Fills in row i, which is valid until the next call. */
	void (*row)(const struct fact_table *table, uint32_t i,
		    struct fact_row *row);
};

/*
 * What was counted in one interval.  Merged by their functions, all snapshots
 * of a run equal its totals, whatever clear() and trunc() did.
 */
struct fact_snapshot {
	uint64_t second;   /* wall clock: when the interval began */
	uint64_t from, to; /* ns, wall clock */
	/* Nobody asked for it: pictures use it, and nobody shows it. */
	bool is_private;
	const struct fact_table *table; /* of one aggregation */
};

/* ---------------------------------------------------------------- others */

struct fact_start {
	const struct schema *schema;
	const char *host, *boot; /* name of the host; id of its boot */
	uint64_t stamp, wall;	 /* both clocks, ns, read together */
};

/* Only facts/drop.c knows the kinds of drops and their messages. */
enum drop_kind {
	DROP_PRINCIPAL, DROP_AGGREGATION, DROP_DYNAMIC, DROP_DYNRINSE,
	DROP_DYNDIRTY, DROP_SPEC, DROP_SPECBUSY, DROP_SPECUNAVAIL,
	DROP_STKSTROVERFLOW, DROP_DBLERROR, DROP_KINDS
};
const char *drop_name(enum drop_kind kind); /* "PRINCIPAL" */

struct fact_drop {
	enum drop_kind kind;
	int64_t cpu; /* -1: not from a single CPU */
	uint64_t count;
	uint64_t stamp;
	const char *text; /* "12 drops on CPU 0" */
};

struct fact_fault {
	const struct fact_probe *probe; /* or NULL */
	uint32_t clause, statement;
	uint32_t code;	  /* enum fault */
	const char *what; /* "divide-by-zero" */
	uint64_t value, stamp;
	const char *text; /* the whole message */
};

struct fact_end {
	uint64_t stamp;
	bool has_status; /* exit() was called */
	int status;
};
