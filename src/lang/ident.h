/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Identifiers: the names a D program can mention.
 *
 * Three scopes share one struct: globals (with built-in variables, inlines,
 * functions and enumerators among them), self-> and this->.  Aggregations
 * have a name space of their own.  An identifier outlives the program that
 * introduced it: programs of one command line share their variables.  Names
 * that a clause declares in a block are found by scope.h.
 */

#include "lang/tree.h"

enum ident_kind {
	IDENT_VARIABLE,		/* user's scalar, string, struct, fixed array */
	IDENT_ARRAY,		/* associative array */
	IDENT_BUILTIN,		/* pid, execname, arg0, curthread ... */
	IDENT_BUILTIN_ARRAY,	/* args[], uregs[], fds[] */
	IDENT_AGGREGATION,
	IDENT_FUNCTION,		/* subroutine, action or aggregating function */
	IDENT_ENUMERATOR,
	IDENT_INLINE,
	IDENT_PARAMETER,	/* of an inline or a translator: bound by NODE_LET */
};

enum ident_scope { SCOPE_GLOBAL, SCOPE_SELF, SCOPE_THIS };

struct signature { /* keys of an array or aggregation */
	struct type **types;
	uint32_t count;
	/* arrays: most bytes of each string key, with its NUL; NULL: any */
	uint32_t *widths;
};

struct ident {
	const char *name;
	enum ident_kind kind;
	enum ident_scope scope;
	struct type *type; /* NULL: not known yet */
	struct attr attr;
	struct place place; /* of the declaration or first use */

	struct signature *signature;	    /* arrays, aggregations, inlines */
	struct signature *former_signature; /* while infer.c checks again */
	const struct builtin_variable *builtin;
	const struct function *function; /* functions; aggregations: theirs */
	struct function_definition *definition; /* functions in D */
	struct node *body;			/* inlines */
	struct ident **params;			/* inlines: one per key */
	int64_t value;				/* enumerators */
	uint32_t expansions;			/* inlines: those in the body */

	bool is_declared;    /* by a declaration, not by use */
	bool is_local;	     /* known in a block only; stored as this-> is */
	bool is_in_function; /* of D: has storage while that runs */
	bool is_used;	     /* mentioned somewhere: parameters, local names */
	bool is_written;     /* assigned to, or through it */
	bool is_user;	     /* its value came from user memory: parameters */
	bool is_open_sign;   /* only constants like 0 so far: infer.c */
	bool is_from_library;
	bool is_scratch;    /* holds alloca/copyin pointers */
	bool knows_scratch; /* is_scratch has been decided by a value */
	bool is_only_null;  /* nothing but NULL is assigned so far */
	/* pointers: bytes that variable has room for, to keep what it points to */
	uint32_t keeps;
	bool has_address; /* which is taken somewhere: arrays */
	bool takes_later; /* a FUNCTION_LATER is assigned to it somewhere */
	/*
	 * The untranslated value is kept, to be translated where a member of it
	 * is used: the NODE_XLATE of the first assignment, or NULL.
	 */
	const struct node *translation;
	uint32_t id;	  /* dense per kind+scope, in order of appearance */
	void *agg_params; /* aggregations: lquantize limits and the like */

	/* used by later stages; the front end leaves them alone */
	uint32_t storage; /* offset in globals, self record ... */
	bool has_storage;
};

/* "associative array", "variable", "function" ... as messages say it. */
const char *ident_kind_name(const struct ident *ident);
/* "self->x", "this->x", "@x", "x". */
const char *ident_display_name(struct arena *arena, const struct ident *ident);
