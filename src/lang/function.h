/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Functions and built-in variables, as the language sees them.
 *
 * The definitions live in builtin/ and agg/, one file per family, with type
 * check, lowering and printing side by side.  The checker knows only this
 * header: it gets a registry of them when a `struct language` is made.
 *
 * A prototype is D text, parsed by the real parser's type reader:
 *
 *	"string (const char *, [int])"    optional arguments in brackets
 *	"void (@, [...])"                 @ = any type, ... = any number
 *
 * so that D_PROTO_LEN and D_PROTO_ARG need no code per function.
 */

#include "lang/tree.h"

struct checker;
struct lower;
struct value;
struct printer;
struct record_action;
struct ir_mem;

enum function_kind {
	FUNCTION_SUBROUTINE,	/* yields a value, usable in expressions */
	FUNCTION_ACTION,	/* a statement */
	FUNCTION_AGGREGATE,	/* right side of @a = */
};

/* What an action that may be a key or a value of %k, %a, %A stands for. */
enum symbol_form {
	SYMBOL_NONE,
	SYMBOL_STACK,	/* addresses, 0-terminated */
	SYMBOL_USTACK,	/* process id, then addresses of that process */
	SYMBOL_SYM, SYMBOL_MOD,	/* one kernel address */
	SYMBOL_USYM, SYMBOL_UMOD, SYMBOL_UADDR,	/* process id, one address */
};

enum function_flags {
	FUNCTION_RECORDS = 1 << 0,	/* appends to the record */
	FUNCTION_DESTRUCTIVE = 1 << 1,
	FUNCTION_SPECULATE = 1 << 2,
	FUNCTION_COMMIT = 1 << 3,
	FUNCTION_DISCARD = 1 << 4,
	FUNCTION_EXIT = 1 << 5,
	FUNCTION_KEY = 1 << 6,		/* action that may be a key or %k: stack() */
	FUNCTION_SCRATCH = 1 << 7,	/* result points into scratch memory */
	FUNCTION_CONTROLS = 1 << 8,	/* done even if nobody prints: exit() */
	FUNCTION_FILE = 1 << 9,	/* changes the output: freopen() ... */
};

struct function {
	const char *name;
	const char *prototype;
	enum function_kind kind;
	unsigned flags;
	struct attr attr;
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
	/*
	 * Prints what the action left in a record (out/out.h).  Actions that
	 * are carried out by the consumer (exit, clear, printa) act here.
	 */
	bool (*print)(struct printer *printer,
		      const struct record_action *action,
		      const uint8_t *record);
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

struct builtin_variable {
	const char *name;
	const char *type;	/* D text: "int64_t", "struct task_struct *" */
	struct attr attr;
	bool is_array;		/* args[], uregs[], fds[] */
	bool is_writable;
	/*
	 * Strings: the most bytes with their NUL, 0 = strsize; and 1 + enum
	 * probe_name (ir/layout.h) when it is a name of the probe.
	 */
	uint16_t capacity;
	uint16_t probe_name;
	/*
	 * Type of an element of an array variable, after its keys are checked
	 * (args[] asks the probe).  NULL: `type` is right.
	 */
	bool (*check)(struct checker *checker, struct node *variable);
	bool (*lower)(struct lower *lower, const struct node *variable,
		      struct value *result);
};

/* NULL-terminated arrays of pointers to tables' rows. */
struct language_registry {
	const struct function *const *functions;
	const struct builtin_variable *const *variables;
};
