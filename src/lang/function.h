/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Functions and built-in variables, as the language sees them.
 *
 * The definitions live in builtin/ and agg/, one file per family, with type
 * check, lowering and printing side by side.  The checker knows only this
 * header: it gets a registry of them when a `struct language` is created.
 *
 * A prototype is D text, parsed by the real parser's type reader:
 *
 *	"string (const char *, [int])"    optional arguments in brackets
 *	"void (@, [...])"                 @ = any type, ... = any number
 *
 * so that D_PROTO_LEN and D_PROTO_ARG need no code per function.
 */

#include "facts/schema.h"
#include "lang/tree.h"

struct checker;
struct lower;
struct value;
struct ir_mem;

enum function_kind {
	FUNCTION_SUBROUTINE,	/* yields a value, usable in expressions */
	FUNCTION_ACTION,	/* a statement */
	FUNCTION_AGGREGATE,	/* right side of @a = */
};

enum function_flags {
	FUNCTION_RECORDS = 1 << 0, /* appends to the record */
	FUNCTION_DESTRUCTIVE = 1 << 1,
	FUNCTION_SPECULATE = 1 << 2,
	FUNCTION_COMMIT = 1 << 3,
	FUNCTION_DISCARD = 1 << 4,
	FUNCTION_EXIT = 1 << 5,
	FUNCTION_KEY = 1 << 6,	   /* action that may be a key or %k: stack() */
	FUNCTION_SCRATCH = 1 << 7, /* result points into scratch memory */
	/* reads user memory, and is asked by lower->later what to do with a
	   page that is not there: the read may wait until it is needed */
	FUNCTION_LATER = 1 << 8,
	FUNCTION_CONTINUES = 1 << 9, /* where its last call ended: strtok() */
};

struct function {
	const char *name;
	const char *prototype;
	enum function_kind kind;
	unsigned flags;
	struct attr attr;
	uint8_t since; /* version 1.n of D; 0: always there */
	/*
	 * 1 + the argument that says how many bytes the result points to, which
	 * a variable copies to keep them beyond the clause; 0: none.
	 */
	uint8_t kept_size;
	/*
	 * Checks beyond the prototype and may set call->type and call->call.data.
	 * Arguments have been checked.  If `checks_prototype` it replaces the
	 * prototype test (printf, printa, lquantize ...).
	 */
	bool (*check)(struct checker *checker, struct node *call);
	bool checks_prototype;
	/*
	 * Emits IR.  Subroutines fill `result`; actions ignore it.  NULL means
	 * that the function compiles but cannot run yet: using it outside -e
	 * is an error that says so.
	 */
	bool (*lower)(struct lower *lower, const struct node *call,
		      struct value *result);
	/*
	 * Aggregating functions only, optional: the checker has seen and checked
	 * the NODE_AGGREGATION of `@a[keys] = call`.  Compares parameters with
	 * those of earlier uses (ident->agg_params) and notes this use.
	 * `lower`, too, gets the NODE_AGGREGATION as its `call`: it lowers keys
	 * and values.
	 */
	bool (*check_aggregation)(struct checker *checker,
				  struct node *aggregation);
	/* How sinks show what the action left in a record. */
	enum action_rule rule;
	/* What the consumer does when it comes to the record: exit() ... */
	action_control *control;
	/*
	 * Actions that may be keys (FUNCTION_KEY): how many bytes (multiple of
	 * 8) a use takes, and the code that puts them at `at`.
	 */
	enum symbol_form form;
	uint32_t (*size)(struct lower *lower, const struct node *call);
	bool (*store)(struct lower *lower, const struct node *call,
		      struct ir_mem at);
	/* Aggregating functions only: see agg/agg.h. */
	const struct aggregate *aggregate;
};

enum clause_clock { CLOCK_NONE, CLOCK_TIME = 1 << 0, CLOCK_WALLTIME = 1 << 1 };

struct builtin_variable {
	const char *name;
	const char *type; /* D text: "int64_t", "struct task_struct *" */
	struct attr attr;
	uint8_t since; /* version 1.n of D; 0: always there */
	bool is_array; /* args[], uregs[], fds[] */
	bool is_writable;
	/*
	 * Strings: the most bytes with their NUL, 0 = strsize; and 1 + enum
	 * probe_name (facts/schema.h) when it is a name of the probe.
	 */
	uint16_t capacity;
	uint16_t probe_name;
	/*
	 * Some thousand values at most, as a machine is used: aggregations by
	 * such keys alone need no room beyond their tables.
	 */
	bool has_few_values;
	bool is_argument; /* a word of the probe, the same all the time */
	/* It is read once in a clause, before anything that may be skipped. */
	enum clause_clock clock;
	/*
	 * Type of an element of an array variable, after its keys are checked.
	 * NULL: `type` is right.
	 */
	bool (*check)(struct checker *checker, struct node *variable);
	/*
	 * Checks an element and its keys, and yields the node that replaces it:
	 * for an array whose elements differ in type.  NULL: one integer is its
	 * key, and `check` has the rest.
	 */
	struct node *(*check_element)(struct checker *checker,
				      struct node *variable);
	bool (*lower)(struct lower *lower, const struct node *variable,
		      struct value *result);
	/*
	 * The same pointer in a register that the kernel's verifier knows to be
	 * of its type, so that plain loads can follow it.  NULL: none.
	 */
	uint32_t (*lower_typed)(struct lower *lower);
};

/* Is it a call of a function with this flag? */
bool call_has_flag(const struct node *node, unsigned flag);

/* NULL-terminated arrays of pointers to tables' rows. */
struct language_registry {
	const struct function *const *functions;
	const struct builtin_variable *const *variables;
};
