/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Functions that are written in D.
 *
 *	int64_t delta(int64_t t) { return timestamp - t; }
 *
 * A definition is kept as it was parsed, because what its body means depends on
 * the caller: a pointer may lead into the kernel, a user process or D's scratch
 * memory, and psinfo_t *p may be a translation.  The body is checked when the
 * function is first called with such a combination, and all calls with that
 * combination share the result, an instance: struct defined_function.
 *
 * 1. An instance is never changed after its check, except for `uses`, which
 *    lowering fills in.
 * 2. Parameters that are never written are IDENT_PARAMETER, bound to the
 *    arguments like those of inlines; the others have storage of their own.
 * 3. No function calls itself, so an instance needs one set of parameters and
 *    local names.
 */

#include "lang/function.h"
#include "lang/ident.h"

/* As written. */
struct function_definition {
	const char *name;
	struct type *type;	  /* TYPE_FUNCTION: its result and parameters */
	const char **param_names; /* NULL: unnamed */
	struct place *param_places;
	uint32_t nparams;
	struct node *body; /* as parsed */
	uint32_t nstatements;
	struct place place; /* of the name */
	struct place end;   /* of the closing brace */
	bool is_from_library, is_from_directory;
	bool is_tried; /* its body has been checked at least once */
	struct defined_function *instances;
	struct function_definition *next; /* of the same language */
};

/* One instance, as calls name it. */
struct defined_function {
	struct function_definition *definition;
	/* for callers: name, kind and flags of all that the body does */
	struct function function;
	struct ident **params;
	struct node *body;
	struct type *result;
	bool result_is_user, result_is_scratch;
	struct clause *effects; /* what a clause with this body would be */
	unsigned actions;	/* classes of actions: check_statement.c */
	uint32_t expansions;	/* statements that one call stands for */
	uint32_t depth;		/* of calls below it */
	bool is_checked;
	uint32_t number;		 /* in order of making */
	struct defined_function *caller; /* while it is checked */
	struct defined_function *next;	 /* of the same definition */
	struct defined_function *before; /* made before this one */

	/* lowering's: ir/lower_function.c */
	unsigned uses;
	bool knows_uses;
};
