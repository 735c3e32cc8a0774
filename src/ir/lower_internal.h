/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Inside ir/: what the files of lowering share.  Nothing else includes this. */

#include "ir/lower.h"

/* Where a this-> variable of the program lives. */
struct this_storage {
	const struct ident *ident;
	ir_reg reg; /* scalars; 0: in mem */
	struct ir_mem mem;
};

/*
 * What goes from one program of a group to the next (lower_split.c): a this->
 * variable, or, without an ident, what strtok() remembers.
 */
struct carried {
	const struct ident *ident;
	/*
	 * the first that mentions it, and the last that needs what others left:
	 * positions in the list of the whole group
	 */
	const struct clause *const *first, *const *last;
	uint32_t at, size;
};

struct lower_carry {
	/* by id of a this-> variable, and of strtok(); NULL: not carried */
	struct carried **variables;
	uint32_t nvariables;
	struct carried *words;
	struct carried *resumption;    /* of a clause; lower_pieces.c */
	struct carried *turns;	       /* of loops; lower_turns.c */
	bool in_self;		       /* places: in the thread's record, or */
	uint32_t start, stride, ncpus; /* in globals, for each CPU */
};

/* Bytes that are carried for a clause that was cut. */
enum { RESUMPTION_SIZE = 16 };

/* What is carried for ident (NULL: for strtok), or NULL. */
const struct carried *carried_of(const struct lower *lower,
				 const struct ident *ident);
/* Has an earlier program of the firing left something? */
bool carried_arrives(const struct lower *lower, const struct carried *carried);
struct ir_mem carried_place(struct lower *lower, const struct carried *carried);
/* At the start of a program: what strtok() remembered. */
void carry_load_strtok(struct lower *lower);
/* At the end of a program that another one continues. */
void carry_store(struct lower *lower);

/* ----------------------------------------------------- lower_turns.c */

/* Does the next program of the group have to know what loops have taken? */
bool turns_are_carried(const struct lower_group *group);
/* At the start and at the end of a program. */
void turns_start(struct lower *lower);
void turns_leave(struct lower *lower);
/* Around ERROR's clauses: what the others have taken. */
struct turns_aside {
	ir_reg done, began, unseen;
};
struct turns_aside turns_begin_error(struct lower *lower);
void turns_end_error(struct lower *lower, const struct turns_aside *aside);

/* ---------------------------------------------------- lower_pieces.c */

/* The clause from `*place` on, as far as it is in this program; moves *place. */
const struct clause *pieces_join(struct lower *lower, uint32_t *place);
/* Does the program start with the rest of a clause? */
bool pieces_resume(const struct lower_group *group);
/* At the start of a program that ends with a piece: that has not run yet. */
void pieces_start(struct lower *lower);
/* Around a piece: continue only if the one before came to its end. */
void piece_begin(struct lower *lower, const struct clause *clause,
		 struct ir_block *next);
void piece_end(struct lower *lower, const struct clause *clause);

/* A name that stands for a value inside NODE_LET, innermost first. */
struct binding {
	const struct ident *ident;
	struct value value;
	ir_reg typed; /* the same as a typed kernel pointer, or 0 */
	struct binding *outer;
};

/* An element of an associative array; lower_array.c. */
struct element {
	uint32_t array;
	uint32_t key_size;
	struct ir_mem key;    /* in the frame */
	struct ir_mem object; /* its value's copy in the frame; scalars: none */
	bool is_scalar, is_self;
};

/* An object with a place: it can be loaded from, and mostly stored to. */
struct location {
	struct type *type;
	ir_reg reg; /* a this-> scalar; else mem */
	struct ir_mem mem;
	uint32_t bit_offset, bit_width; /* bit_width 0: whole bytes */
	uint32_t capacity;		/* strings */
	bool keeps_word;   /* an integer variable: 64 bits of any type */
	bool has_null;	   /* strings: a word after the bytes marks NULL */
	bool knows_unset;  /* that word is 0 when never assigned */
	bool may_be_later; /* self-> strings: see lower_later.c */
	bool is_part;	   /* of an element that is read and written whole */
	const struct element *element; /* of an associative array, or NULL */
	bool in_union;		       /* the verifier may see another member */
	/* a byte of this string, which is written whole; and which */
	const struct node *string;
	ir_reg index;
};

/* Integers as operators see them. */
struct numeric {
	unsigned size;
	bool is_signed;
};

/* ------------------------------------------------------- lower_expr.c */

struct numeric numeric_of(struct lower *lower, struct type *type);
struct numeric numeric_promote(struct numeric a, struct numeric b);
/* Does a value of this type live in a register? */
bool type_in_register(struct lower *lower, struct type *type);
/* Does a variable of this type keep 64 bits, whatever its own size? */
bool type_keeps_word(struct lower *lower, struct type *type);
bool lower_condition(struct lower *lower, const struct node *node,
		     struct ir_block *yes, struct ir_block *no);
/* An operator's operand: register and type. */
struct operand {
	ir_reg reg;
	struct type *type;
};
/*
 * x OP y for the arithmetic operators, pointers included, in 64 bits.
 */
bool lower_arithmetic(struct lower *lower, const struct node *node, enum op op,
		      struct operand x, struct operand y, ir_reg *out);

/*
 * What this clause has read once is valid only where it was read: code that may
 * be skipped forgets what it read.
 */
struct lower_cache {
	ir_reg arguments[LOWER_ARGUMENTS];
};
struct lower_cache lower_cache_save(const struct lower *lower);
void lower_cache_restore(struct lower *lower, const struct lower_cache *cache);

/* ----------------------------------------------------- lower_place.c */

bool lower_location(struct lower *lower, const struct node *node,
		    struct location *location);
bool location_load(struct lower *lower, const struct node *node,
		   const struct location *location, struct value *value);
bool location_store(struct lower *lower, const struct node *node,
		    const struct location *location, struct value *value);
/* Are these bytes only available through a checked read or a typed load? */
static inline bool mem_is_addressed(const struct ir_mem *mem)
{
	return mem->space == IR_KERNEL || mem->space == IR_USER ||
	       mem->space == IR_TYPED || mem->space == IR_SCRATCH;
}
/* The number of an addressed place, and the space to read it from. */
ir_reg mem_address(struct lower *lower, const struct ir_mem *mem);
enum ir_space mem_read_space(const struct ir_mem *mem);
struct binding *binding_of(struct lower *lower, const struct ident *ident);
/* The pointer as one that the kernel's verifier knows, or 0. */
ir_reg lower_typed_root(struct lower *lower, const struct node *node);

/* ----------------------------------------------------- lower_store.c */

/* =, op=, ++ and --. */
bool lower_assignment(struct lower *lower, const struct node *node,
		      struct value *value);
bool lower_increment(struct lower *lower, const struct node *node,
		     struct value *value);
/* Storage for every this-> variable of the group's clauses, zeroed. */
void lower_this_variables(struct lower *lower);
/* It is 0, or "", again. */
void lower_clear_this(struct lower *lower, const struct ident *ident);
/*
 * A name that a D function declares gets its storage there: a register of its
 * own in each call, and one piece of the frame for all calls.
 */
void lower_local_storage(struct lower *lower, struct ident *ident);
bool lower_variable_location(struct lower *lower, const struct node *node,
			     struct location *location);
/* xlate as a whole struct. */
bool lower_translation(struct lower *lower, const struct node *node,
		       struct value *value);

/* Bytes of a variable of this type, with a string's mark for NULL. */
uint32_t lower_storage_size(struct lower *lower, struct type *type);

/*
 * The word after a string variable's bytes.  self-> and elements of arrays
 * that were never assigned are NULL, so one that was has MARK_SET; a global is
 * "" at first, and has MARK_UNSET.  MARK_LATER: lower_later.c.
 */
enum string_mark { MARK_UNSET, MARK_NULL, MARK_SET, MARK_LATER };
struct ir_mem location_mark(const struct location *location);

/* ----------------------------------------------------- lower_later.c */

/* Is this self->x = copyinstr(...), as a statement? */
bool is_deferrable(struct lower *lower, const struct node *node,
		   const struct location *location);
bool lower_deferrable(struct lower *lower, const struct node *node,
		      const struct location *location);
/* The string of such a variable, read now if it has not been yet. */
struct ir_mem lower_deferred(struct lower *lower,
			     const struct location *location, ir_reg mark);

/* --------------------------------------------------- lower_scratch.c */

void lower_scratch_start(struct lower *lower);
/*
 * D's own bytes have no address: that of a copy of them, until the clause
 * ends, or 0 for NULL.
 */
ir_reg lower_scratch_copy(struct lower *lower, const struct value *value);
/* Before lower_scratch_start: for the whole firing, not zeroed. */
struct ir_mem lower_scratch_reserve(struct lower *lower, uint32_t size);
/* The address of our own memory that has one: globals, reserved memory. */
bool lower_own_address(struct lower *lower, const struct ir_mem *mem,
		       ir_reg *reg);
/*
 * The place of `size` bytes at an address if it is one of globals: a register
 * says so; 0: no address of a global was ever taken.
 */
ir_reg lower_global_place(struct lower *lower, ir_reg address, uint32_t size,
			  struct ir_mem *mem);
/* A clause begins: what others have taken is free again. */
void lower_scratch_reset(struct lower *lower);
/* Bytes of an addressed place into `to`, checked. */
void mem_read(struct lower *lower, struct ir_mem to, const struct ir_mem *from,
	      uint32_t size);

/* ----------------------------------------------------- lower_array.c */

bool lower_element(struct lower *lower, const struct node *node,
		   struct location *location);
ir_reg element_load(struct lower *lower, const struct element *element,
		    struct numeric numeric);
void element_read(struct lower *lower, const struct element *element);
void element_store(struct lower *lower, const struct element *element,
		   ir_reg reg, unsigned size);
void element_write(struct lower *lower, const struct element *element);
void element_delete(struct lower *lower, const struct element *element);
/* a[k] += amount atomically, if possible; *old = what it was. */
bool element_add(struct lower *lower, const struct location *location,
		 ir_reg amount, ir_reg *old);

/* ---------------------------------------------------- lower_string.c */

/* Like lower_string, but a NULL string is not a fault. */
bool lower_string_operand(struct lower *lower, const struct node *node,
			  struct value *value);
/* Gives a string-like value readable bytes. */
bool value_to_string(struct lower *lower, const struct node *node,
		     struct value *value);
/* Any string-like value into memory, truncated and padded to `capacity`. */
bool string_store(struct lower *lower, const struct node *node,
		  struct value *value, struct ir_mem to, uint32_t capacity);
/* Is this a comparison of strings? */
bool is_string_comparison(struct lower *lower, const struct node *node);
/* 0 or NULL, under any casts? */
bool is_null_constant(const struct node *node);
bool lower_string_comparison(struct lower *lower, const struct node *node,
			     ir_reg *result);
bool lower_string_ternary(struct lower *lower, const struct node *node,
			  struct value *value);

/* -------------------------------------------------- lower_function.c */

/* Which record is open on a path, and where it goes: lower_claim.c. */
struct claims_state {
	struct record *open;
	int into;
};

/* A return that does not end the text of the call. */
struct return_path {
	struct ir_block *block; /* ends by going to the end of the call */
	bool leaves_loop;
	struct claims_state claims;
	struct return_path *next;
};

/* A D function whose body is being lowered in place of a call. */
struct expansion {
	const struct defined_function *function;
	bool returns_last; /* only there: result is the value */
	bool is_hidden;	   /* faults are those of its caller */
	struct value result;
	struct location place; /* otherwise: where all returns leave it */
	struct ir_block *end;
	struct return_path *paths;
	struct loop *loop; /* around the call */
	struct expansion *outer;
};

/* A call of a D function: decides how. */
bool lower_defined_call(struct lower *lower, const struct node *call,
			struct value *value);
bool lower_inlined_call(struct lower *lower, const struct node *call,
			struct value *value);
/* lower_routine.c; *is_done: it was one. */
bool lower_routine_call(struct lower *lower, const struct node *call,
			struct value *value, bool *is_done);
/* The value in a piece of the frame of its own. */
bool lower_copy_value(struct lower *lower, const struct node *node,
		      struct type *type, struct value *value);
bool lower_store_param(struct lower *lower, const struct node *arg,
		       struct ident *param, struct value *value);
bool lower_return(struct lower *lower, const struct node *node);

/* ------------------------------------------------------ lower_tree.c */

/* Calls visit for every node of a list of trees. */
void tree_visit(const struct node *list,
		void (*visit)(void *data, const struct node *node), void *data);
/* Clocks that it reads: enum clause_clock. */
unsigned tree_clocks(const struct node *list);
/* Is anything assigned to in there? */
bool tree_assigns(const struct node *list);
/* Statements that return: of a function itself, not of those it calls. */
uint32_t tree_count_returns(const struct node *list);
bool tree_returns(const struct node *node);
/* May what follows the statement not run: break, continue, return? */
bool tree_leaves(const struct node *node);

/* ----------------------------------------------------------- lower.c */

/* is_top: of the clause itself, not of a part of it. */
bool lower_statements(struct lower *lower, const struct node *list,
		      bool is_top);
/* Code that may be skipped, or executed again. */
bool lower_branch(struct lower *lower, const struct node *list);
/* Does anything from block `first` on jump there? */
bool is_targeted(const struct ir_block *first, const struct ir_block *goal);

/* ------------------------------------------------------ lower_loop.c */

bool lower_loop(struct lower *lower, const struct node *node);
/* No record is open where a statement with a loop starts in a loop. */
void lower_before_statement(struct lower *lower, const struct node *node);
/* A call as a statement. */
bool lower_action(struct lower *lower, const struct node *call);
/* break and continue */
void lower_jump(struct lower *lower, const struct node *node);
void lower_declaration(struct lower *lower, const struct node *node);
/* Return from loops inside of `outer`: records of their turns end. */
void lower_leave_loops(struct lower *lower, const struct loop *outer);
/* Do its statements record, or choose where to? */
bool loop_records(const struct node *loop);

/* ----------------------------------------------------- lower_claim.c */

/*
 * Before the first statement.  `next`: where to go without room; `fault`,
 * `body_fault`: where faults go without and with a record.
 */
void claims_begin(struct lower *lower, struct ir_block *next,
		  struct ir_block *fault, struct ir_block *body_fault);
void claims_want_record(struct lower *lower);
struct claims_state claims_state(const struct lower *lower);
void claims_set_state(struct lower *lower, struct claims_state state);
/* This path joins another one, which ended in a goto in block `other`. */
void claims_join(struct lower *lower, struct ir_block *other,
		 struct claims_state state);
/* `before`: what it was when the loop was entered. */
void claims_leave_loop(struct lower *lower, struct claims_state before);
/* What is recorded next is in another record. */
void claims_close(struct lower *lower);
void claims_drop(struct lower *lower, struct record *record);
/*
 * In a loop: after records that a turn may have left open when it faulted, from
 * the one after `before` on, and code from `first` on.
 */
void claims_drop_in_loop(struct lower *lower, const struct record *before,
			 const struct ir_block *first);
/* All statements are lowered: the records' sizes are known. */
void claims_settle(struct lower *lower);

/* ---------------------------------------------------- lower_record.c */

/* lower->guard: the first action of the branch makes it. */
enum { GUARD_WANTED = UINT32_MAX };
/* Record n of the clause, empty. */
struct record *layout_begin(struct lower *lower, const struct clause *clause,
			    uint32_t n);
