/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The holder of a kernel lock, and how it is held.
 *
 * A mutex keeps the address of its owner in one word, with flags in the low
 * three bits.  Locks for readers and writers, spinning or sleeping, keep a
 * count: bits for a writer, one for waiters, and above them the number of
 * readers.  A thread that waits while readers hold the lock is a writer, or is
 * queued after one.  Offsets come from the kernel's types; the bits are its
 * constants.
 */
#include <string.h>

#include "builtin/builtin.h"
#include "ir/lower.h"

enum { OWNER_FLAGS = 7 };

/* The first is what a pointer of any other type is taken for. */
static const struct rw_form {
	const char *type;
	const char *outer, *inner;
	int64_t writer, waiting;
	int64_t reader_shift;
} rw_forms[] = {
	{ "rwlock_t *", "raw_lock", "cnts", 0xff, 0x100, 9 },
	{ "struct rw_semaphore *", "count", "counter", 1, 2, 8 },
};

enum { RW_FORMS = sizeof(rw_forms) / sizeof(rw_forms[0]) };

/* The value of inner.outer of the struct that argument 0 points to. */
static bool read_word(struct lower *lower, const struct node *call,
		      const char *outer, const char *inner, ir_reg *word)
{
	const struct node *lock = call_argument(call, 0);
	struct types *types = lower->types;
	struct type *pointer = type_strip(types, lock->type);
	struct member at, within = { 0 };
	ir_reg address;

	if (!type_member(types, pointer->target, outer, &at) ||
	    !type_member(types, at.type, inner, &within))
		return lower_fail(lower, call,
				  "%s( ) does not know this kernel's %s",
				  call->call.name,
				  type_name(types, pointer->target));
	if (!lower_scalar(lower, lock, &address))
		return false;
	address = ir_binary_imm(&lower->b, IR_ADD, address,
				(int64_t)(at.bit_offset + within.bit_offset) /
					8);
	*word = ir_read_scalar(&lower->b, IR_KERNEL, address,
			       (unsigned)type_size(types, within.type), false);
	return true;
}

/* ----------------------------------------------------------------- mutex */

static bool read_owner(struct lower *lower, const struct node *call,
		       ir_reg *owner)
{
	if (!read_word(lower, call, "owner", "counter", owner))
		return false;
	*owner = ir_binary_imm(&lower->b, IR_AND, *owner, ~OWNER_FLAGS);
	return true;
}

static bool lower_owner(struct lower *lower, const struct node *call,
			struct value *result)
{
	ir_reg owner;

	if (!read_owner(lower, call, &owner))
		return false;
	*result = value_of_reg(call->type, owner);
	return true;
}

static bool lower_owned(struct lower *lower, const struct node *call,
			struct value *result)
{
	ir_reg owner;

	if (!read_owner(lower, call, &owner))
		return false;
	ir_reg self = ir_query(&lower->b, IR_QUERY_TASK);

	*result = value_of_reg(call->type,
			       ir_binary(&lower->b, IR_EQ, owner, self));
	return true;
}

/* Every struct mutex is adaptive; spinning locks have another type. */
static bool lower_adaptive(struct lower *lower, const struct node *call,
			   struct value *result)
{
	ir_reg owner;

	if (!read_owner(lower, call, &owner))
		return false;
	*result = value_of_reg(call->type, ir_const(&lower->b, 1));
	return true;
}

static bool lower_spin(struct lower *lower, const struct node *call,
		       struct value *result)
{
	ir_reg owner;

	if (!read_owner(lower, call, &owner))
		return false;
	*result = value_of_reg(call->type, ir_const(&lower->b, 0));
	return true;
}

SUBROUTINE(mutex_owned, "int (struct mutex *)", .lower = lower_owned);
SUBROUTINE(mutex_owner, "struct task_struct *(struct mutex *)",
	   .lower = lower_owner);
SUBROUTINE(mutex_type_adaptive, "int (struct mutex *)",
	   .lower = lower_adaptive);
SUBROUTINE(mutex_type_spin, "int (struct mutex *)", .lower = lower_spin);

/* ---------------------------------------------------- readers and writers */

static bool check_rw(struct checker *checker, struct node *call)
{
	struct node *lock = call_argument(call, 0);

	for (unsigned i = 0; i < RW_FORMS; i++) {
		struct type *type = language_parse_type(checker->language,
							rw_forms[i].type);

		if (type && check_assignable(checker, type, lock))
			return true;
		diag_clear(&checker->language->diag);
	}
	return argument_error(checker, call, 0, D_PROTO_ARG, rw_forms[0].type);
}

static const struct rw_form *form_of(struct lower *lower,
				     const struct node *call)
{
	struct types *types = lower->types;
	struct type *pointer = type_strip(types, call_argument(call, 0)->type);
	const char *name =
		pointer->target
			? type_name(types, type_strip(types, pointer->target))
			: "";
	size_t length = strlen(name);

	for (unsigned i = 1; i < RW_FORMS; i++)
		if (!strncmp(rw_forms[i].type, name, length) &&
		    !strcmp(rw_forms[i].type + length, " *"))
			return &rw_forms[i];
	return &rw_forms[0];
}

static bool read_count(struct lower *lower, const struct node *call,
		       const struct rw_form *form, ir_reg *count)
{
	return read_word(lower, call, form->outer, form->inner, count);
}

/* Held or wanted by a writer. */
static bool lower_iswriter(struct lower *lower, const struct node *call,
			   struct value *result)
{
	const struct rw_form *form = form_of(lower, call);
	ir_reg count;

	if (!read_count(lower, call, form, &count))
		return false;
	count = ir_binary_imm(&lower->b, IR_AND, count,
			      form->writer | form->waiting);
	*result = value_of_reg(call->type,
			       ir_binary_imm(&lower->b, IR_NE, count, 0));
	return true;
}

static bool lower_write_held(struct lower *lower, const struct node *call,
			     struct value *result)
{
	const struct rw_form *form = form_of(lower, call);
	ir_reg count;

	if (!read_count(lower, call, form, &count))
		return false;
	count = ir_binary_imm(&lower->b, IR_AND, count, form->writer);
	*result = value_of_reg(call->type, ir_binary_imm(&lower->b, IR_EQ,
							 count, form->writer));
	return true;
}

static bool lower_read_held(struct lower *lower, const struct node *call,
			    struct value *result)
{
	const struct rw_form *form = form_of(lower, call);
	ir_reg count;

	if (!read_count(lower, call, form, &count))
		return false;
	count = ir_binary_imm(&lower->b, IR_LSR, count, form->reader_shift);
	*result = value_of_reg(call->type,
			       ir_binary_imm(&lower->b, IR_NE, count, 0));
	return true;
}

SUBROUTINE(rw_iswriter, "int (@)", .check = check_rw, .lower = lower_iswriter);
SUBROUTINE(rw_read_held, "int (@)", .check = check_rw,
	   .lower = lower_read_held);
SUBROUTINE(rw_write_held, "int (@)", .check = check_rw,
	   .lower = lower_write_held);
