/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments of the probe: arg0..arg9, args[], and the user's registers.
 *
 * The raw words come from the provider (lower_argument), read once per clause.
 * args[n] is the same word with its type; the checker has already replaced
 * translated arguments by translations and has mapped n to the native argument.
 */
#include "arch/arch.h"
#include "builtin/builtin.h"
#include "ir/lower.h"

static bool lower_arg(struct lower *lower, const struct node *variable,
		      struct value *result)
{
	uint32_t n = (uint32_t)(variable->variable.ident->name[3] - '0');

	*result = value_of_reg(variable->type, lower_argument(lower, n));
	return true;
}

#define ARGUMENT(id) \
	BUILTIN(id, "int64_t", .is_argument = true, .lower = lower_arg)

ARGUMENT(arg0);
ARGUMENT(arg1);
ARGUMENT(arg2);
ARGUMENT(arg3);
ARGUMENT(arg4);
ARGUMENT(arg5);
ARGUMENT(arg6);
ARGUMENT(arg7);
ARGUMENT(arg8);
ARGUMENT(arg9);

/* An object: words of the probe, one after the other. */
static bool lower_object(struct lower *lower, const struct node *variable,
			 uint32_t first, struct value *result)
{
	struct ir_builder *b = &lower->b;
	uint32_t size = lower_size(lower, variable->type);
	uint32_t words = (size + 7) / 8;

	if (words > LOWER_ARGUMENTS - first ||
	    (words > 1 && !lower->group->has_objects))
		return lower_fail(lower, variable,
				  "an argument of this size cannot be read");
	struct ir_mem object = ir_object(b, words * 8, "argument");

	for (uint32_t i = 0; i < words; i++)
		ir_store(b, ir_mem_at(object, 8 * i),
			 lower_argument(lower, first + i), 8);
	*result = (struct value){
		.kind = VALUE_MEMORY,
		.type = variable->type,
		.mem = object,
		.capacity = size,
	};
	return true;
}

static bool lower_args(struct lower *lower, const struct node *variable,
		       struct value *result)
{
	const struct node *key = variable->variable.keys;

	if (!node_is_integer_constant(key) ||
	    key->integer.value >= LOWER_ARGUMENTS)
		return lower_fail(lower, variable,
				  "args[ ] cannot be read at this index");
	uint32_t n = (uint32_t)key->integer.value;

	if (type_is_sou(lower->types, variable->type))
		return lower_object(lower, variable, n, result);
	ir_reg raw = lower_argument(lower, n);
	struct type *word = types_base(lower->types, BASE_INT64);

	*result = value_of_reg(variable->type,
			       lower_convert(lower, raw, word, variable->type));
	return true;
}

BUILTIN(args, NULL, .is_array = true, .check_element = check_args,
	.lower = lower_args);

/* The object whose method fired. */
static bool lower_jthis(struct lower *lower, const struct node *variable,
			struct value *result)
{
	uint32_t n = lower->group->instance;

	*result = value_of_reg(variable->type, n ? lower_argument(lower, n)
						 : ir_const(&lower->b, 0));
	return true;
}

BUILTIN(jthis, "userland java_object_t *", .lower = lower_jthis);

/* --------------------------------------------------------- user registers */

/*
 * The first are the words of the user's struct pt_regs in its own order; the
 * others are kept in the thread (arch.h: ARCH_UREGS).
 */

static bool check_uregs(struct checker *checker, struct node *variable)
{
	const struct node *key = variable->variable.keys;

	if (!node_is_integer_constant(key) || key->integer.value < ARCH_UREGS)
		return true;
	builtin_error(checker, key, D_UNKNOWN,
		      "uregs[]: index out of bounds (%lld)",
		      (long long)key->integer.value);
	return diag_where(&checker->language->diag, "uregs");
}

/* A register that only the thread's own state holds. */
static bool lower_thread_register(struct lower *lower,
				  const struct node *variable, uint64_t index,
				  struct value *result)
{
	struct ir_builder *b = &lower->b;
	struct member thread, member;

	if (!find_member(lower, variable, "task_struct", "thread", &thread) ||
	    !find_member(lower, variable, "thread_struct",
			 arch_thread_registers[index - ARCH_UREGS_SAVED],
			 &member))
		return false;
	struct ir_mem mem = ir_mem_from(IR_TYPED,
					ir_query(b, IR_QUERY_TASK_TYPED),
					(int64_t)(thread.bit_offset / 8 +
						  member.bit_offset / 8));

	*result = value_of_reg(
		variable->type,
		ir_load(b, mem, (unsigned)type_size(lower->types, member.type),
			false));
	return true;
}

static bool lower_uregs(struct lower *lower, const struct node *variable,
			struct value *result)
{
	struct ir_builder *b = &lower->b;
	const struct node *key = variable->variable.keys;
	ir_reg regs = ir_query(b, IR_QUERY_USER_REGS), index;

	if (node_is_integer_constant(key)) {
		if (key->integer.value >= ARCH_UREGS_SAVED)
			return lower_thread_register(lower, variable,
						     key->integer.value,
						     result);
		struct ir_mem mem = ir_mem_from(IR_TYPED, regs,
						(int64_t)key->integer.value *
							8);

		*result = value_of_reg(variable->type,
				       ir_load(b, mem, 8, false));
		return true;
	}
	if (!lower_scalar(lower, key, &index))
		return false;
	ir_fault_index(b, index, ARCH_UREGS_SAVED);
	ir_reg at = ir_binary(b, IR_ADD,
			      ir_address(b, ir_mem_from(IR_TYPED, regs, 0)),
			      ir_binary_imm(b, IR_SHL, index, 3));

	*result = value_of_reg(variable->type,
			       ir_read_scalar(b, IR_KERNEL, at, 8, false));
	return true;
}

BUILTIN(uregs, "uint64_t", .is_array = true, .check = check_uregs,
	.lower = lower_uregs);
BUILTIN(vmregs, "uint64_t", .since = 7, .is_array = true);
