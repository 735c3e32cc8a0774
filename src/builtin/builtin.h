/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Built-in functions and variables.
 *
 * One file per family holds, for each name, everything about it: prototype,
 * checks, code, printing.  functions.def and variables.def list the names; a
 * new one is a definition in its family's file and a line there.
 */

#include "lang/function.h"
#include "lang/internal.h"

/* Everything, aggregating functions included. */
const struct language_registry *builtin_registry(void);

/* --------------------------------------------------- inside builtin/ only */

#define FUNCTION(id) extern const struct function function_##id;
#include "builtin/functions.def"
#undef FUNCTION
#define VARIABLE(id) extern const struct builtin_variable variable_##id;
#include "builtin/variables.def"
#undef VARIABLE

/* Definitions: SUBROUTINE(strlen, "size_t (const char *)", .lower = ...); */
#define SUBROUTINE(id, d_prototype, ...) \
	const struct function function_##id = { \
		.name = #id, .prototype = d_prototype, \
		.kind = FUNCTION_SUBROUTINE, .attr = ATTR_STABLE, __VA_ARGS__ \
	}
#define ACTION(id, d_prototype, ...) \
	const struct function function_##id = { \
		.name = #id, .prototype = d_prototype, \
		.kind = FUNCTION_ACTION, .attr = ATTR_STABLE, __VA_ARGS__ \
	}
#define BUILTIN(id, d_type, ...) \
	const struct builtin_variable variable_##id = { \
		.name = #id, .type = d_type, .attr = ATTR_STABLE, __VA_ARGS__ \
	}

/* Reports at a node of a call; always false. */
#define builtin_error(checker, node, tag, ...) \
	diag_error(&(checker)->language->diag, &(node)->place, tag, __VA_ARGS__)

/* aggctl.c: nothing has been assigned to this aggregation so far: D_IDENT_UNDEF,
   or `known` when the program does so further on. */
bool aggregation_undefined(struct checker *checker, const struct node *node,
			   enum tag known);

/* D_PROTO_ARG's text for an argument (0-based) that wants `prototype`. */
bool argument_error(struct checker *checker, const struct node *call,
		    uint32_t n, enum tag tag, const char *prototype);
/* A constant greater than 0? */
bool node_is_positive_constant(const struct node *node);

/* printf.c: the format of printf(), system() ..., checked, in call.data. */
enum format_rule { FORMAT_MAY_BE_EMPTY = 1 << 0 };
bool check_format_call(struct checker *checker, struct node *call,
		       unsigned rules);
bool lower_format_call(struct lower *lower, const struct node *call,
		       struct value *result);

/* task.c: members of the kernel's structs by name, from typed pointers. */
struct member;
struct member_name {
	const char *tag, *member; /* of struct tag */
};
bool find_member(struct lower *lower, const struct node *node, const char *tag,
		 const char *name, struct member *member);
/* The number of a task's process, as `pid` has it. */
bool load_process_id(struct lower *lower, const struct node *node,
		     uint32_t task, uint32_t *reg);
bool load_member(struct lower *lower, const struct node *node, uint32_t base,
		 const char *tag, const char *name, uint32_t *reg);
/* From the current task on. */
bool load_chain(struct lower *lower, const struct node *node,
		const struct member_name *names, size_t count, uint32_t *reg);

/* stack.c: the user's stack, with enum unwind_flags; how many frames. */
uint32_t walk_user(struct lower *lower, struct ir_mem at, uint32_t size,
		   uint32_t flags);

/* An action that only leaves its scalar and string arguments in the record. */
bool lower_arguments(struct lower *lower, const struct node *call,
		     struct value *result);
