/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The schema: what the records and aggregations of a program hold.
 *
 * Lowering writes it together with the code that fills the records; it is all
 * that the consumer knows about a program.  Nothing in it points to the tree,
 * to identifiers or to types, so it can be written to a file and read back on
 * another machine (facts/schema_file.c).
 *
 *	schema
 *	  clause: size, does it print a line
 *	    action: printf, stack ... and the rule by which it is shown
 *	      field: where it is in the record, what kind of value it is
 *	  aggregation: its function, parameters and keys (fields, too)
 *
 * Objects are in an arena, or live as long as the program.
 */

#include <stdbool.h>
#include <stdint.h>

/* What kind of value it is, for code that shows it. */
enum fact_kind {
	FACT_INTEGER,		/* 1, 2, 4 or 8 bytes, signed or not */
	FACT_STRING,		/* ends at the first NUL, or at its size */
	FACT_BYTES,		/* structs, arrays, floating-point numbers */
	FACT_SYMBOL,		/* one address: kernel or process */
	FACT_STACK,		/* a list of addresses */
	FACT_KINDS
};

/* What the words of a symbol or a stack mean, and how much of it is shown. */
enum symbol_form {
	SYMBOL_NONE,
	SYMBOL_STACK,	/* addresses, 0-terminated */
	SYMBOL_USTACK,	/* process id, then addresses of that process */
	SYMBOL_SYM, SYMBOL_MOD,	/* one kernel address */
	SYMBOL_USYM, SYMBOL_UMOD, SYMBOL_UADDR,	/* process id, one address */
	SYMBOL_FORMS
};

/* How a value gets into (or stays out of) the record. */
enum field_form {
	FIELD_BYTES,		/* size bytes at offset */
	FIELD_PROBE_NAME,	/* not stored: a name of the record's probe */
	FIELD_PROBE_ID,		/* in keys: a 4-byte probe id for a name */
	FIELD_CONSTANT,		/* not stored: text of a literal */
	FIELD_FORMS
};

enum probe_name { PROBE_PROVIDER, PROBE_MODULE, PROBE_FUNCTION, PROBE_NAME };

struct schema_field {
	enum field_form form;
	enum probe_name which; /* FIELD_PROBE_NAME, FIELD_PROBE_ID */
	enum fact_kind kind;
	bool is_signed;		 /* FACT_INTEGER */
	enum symbol_form symbol; /* FACT_SYMBOL, FACT_STACK */
	uint32_t offset;	 /* from the start of the record (or key) */
	uint32_t size;
	uint32_t limit;	      /* names: maximum length in bytes; 0: no limit */
	const char *constant; /* FIELD_CONSTANT */
	const char *type;     /* in D: "unsigned int" */
	const char *name;     /* its name in the program, or NULL */
	const struct schema_object *object; /* print(): its parts, or NULL */
};

/* A C type, as print() shows its values. */
enum object_shape {
	OBJECT_INTEGER, OBJECT_ENUM, OBJECT_POINTER, OBJECT_FLOAT,
	OBJECT_ARRAY, OBJECT_STRUCT, OBJECT_STRING, OBJECT_OTHER,
	OBJECT_SHAPES
};

struct object_member {
	const char *name; /* NULL: anonymous */
	uint64_t bit_offset;
	uint32_t bit_width; /* 0: not a bit-field */
	const struct schema_object *type;
};

struct object_enumerator {
	const char *name;
	int64_t value;
};

struct schema_object {
	enum object_shape kind;
	uint32_t number;  /* in its schema, counted from 0 */
	const char *name; /* "struct pair" */
	uint64_t size;
	bool is_signed, is_char;
	const struct schema_object *element; /* OBJECT_ARRAY */
	uint64_t count;			     /* its elements */
	struct object_member *members;	     /* OBJECT_STRUCT, unions too */
	uint32_t nmembers;
	struct object_enumerator *enumerators; /* OBJECT_ENUM */
	uint32_t nenumerators;
};

/* How the text of an action is produced from its values. */
enum action_rule {
	RULE_ABSENT,	/* nothing to report: the kernel did it all */
	RULE_SILENT,	/* it happened, without text */
	RULE_VALUE,	/* trace(): the first field */
	RULE_KEY,	/* stack(), sym(): as in keys of aggregations */
	RULE_MEMORY,	/* tracemem(): a dump, at most the second field */
	RULE_FORMAT,	/* printf(): all fields, by the format */
	RULE_TABLE,	/* printa(): aggregations, by the format if any */
	RULE_OBJECT,	/* print(): an object; two fields: where and what */
	RULE_COUNT
};

struct consumer; /* facts/consumer.h */
struct fact_action;
struct format; /* facts/format.h */

/* Something that the consumer does: exit(), clear(), system() ... */
typedef void action_control(struct consumer *consumer,
			    const struct fact_action *action);

/* One action of a clause, in program order. */
struct schema_action {
	const char *name; /* "printf" */
	enum action_rule rule;
	action_control *control; /* or NULL; not in files */
	bool is_control;	 /* it had one where it ran */
	struct schema_field *fields;
	uint32_t nfields;
	const struct format *format; /* printf family, or NULL */
	uint32_t *aggregations;	     /* printa, clear, trunc ...: their ids */
	uint32_t naggregations;
	uint32_t statement; /* 1-based, for messages */
	/*
	 * Actions under if: offset of a byte of the record that is not 0 if the
	 * action ran.  0: it always runs.
	 */
	uint32_t guard;
	struct schema_action *next;
};

struct schema_clause {
	uint32_t clause;      /* its number; for a piece: of the whole clause */
	uint32_t skipped;     /* statements of the clause before this piece */
	bool is_cut;	      /* more records of the clause may follow */
	uint32_t size;	      /* whole record with header, multiple of 8 */
	bool records;	      /* prints a line; false: control only */
	bool is_empty_clause; /* default action */
	struct schema_action *actions, *last_action;
};

/*
 * Records of one probe on one CPU: do they belong to one clause and one firing?
 * A clause has several records if it is in pieces, or if loops in it record;
 * all of them have its time.
 */
static inline bool clause_continues(const struct schema_clause *later,
				    uint64_t later_stamp,
				    const struct schema_clause *earlier,
				    uint64_t earlier_stamp)
{
	return later->clause == earlier->clause && earlier->is_cut &&
	       later_stamp == earlier_stamp;
}

enum { AGGREGATION_PARAMS = 4 };

struct schema_aggregation {
	const char *name;     /* without @; NULL: nothing updates or shows it */
	const char *function; /* "quantize" */
	const struct aggregate *aggregate; /* agg/agg.h, by that name */
	uint32_t id;	 /* its index among the schema's aggregations */
	bool is_updated; /* by some enabled clause */
	struct schema_field *keys;
	uint32_t nkeys;
	uint32_t key_size; /* multiple of 8 */
	uint32_t nvalues;
	int64_t params[AGGREGATION_PARAMS];
};

struct schema {
	struct schema_clause **clauses; /* by id; NULL: not enabled */
	uint32_t nclauses;
	struct schema_aggregation **aggregations; /* by id; NULL: unused */
	uint32_t naggregations;
	const struct schema_object **objects; /* by number */
	uint32_t nobjects;
};
