/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments of USDT sites: sizes as notes spell them, and values.
 *
 * 1. The size before the '@' is that of the value (negative: signed).  A size
 *    with 'f' is floating point, which a probe cannot read.
 * 2. A symbol is an address in the file.  In the process it is at another
 *    address, which differs by as much as the site's does; so all symbols are
 *    kept as distances from the site, and the program counter of the firing
 *    turns them into addresses.
 * 3. An operand that cannot be read is not an error until a program reads it.
 */
#include "provider/usdt_argument.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/type.h"
#include "provider/provider.h"

/* ----------------------------------------------------------------- parser */

static const char *give_up(struct usdt_argument *argument, const char *problem)
{
	argument->operand.kind = OPERAND_UNREADABLE;
	argument->operand.problem = problem;
	return NULL;
}

/* "-4@", "8f@"; without it, a word.  Where the operand starts; NULL: nowhere. */
static const char *parse_size(const char *at, const char *end,
			      struct usdt_argument *argument)
{
	static const char confused[] = "its operand is not understood";
	char *behind = NULL;

	if (!memchr(at, '@', (size_t)(end - at)))
		return at;
	argument->is_signed = *at == '-';
	at += argument->is_signed;
	if (!isdigit((unsigned char)*at))
		return give_up(argument, confused);
	errno = 0;
	uint64_t size = strtoull(at, &behind, 0);

	if (errno)
		return give_up(argument, confused);
	bool is_float = *behind == 'f';

	behind += is_float;
	if (*behind != '@')
		return give_up(argument, confused);
	if (is_float)
		return give_up(argument, "it is floating point");
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return give_up(argument, "its size is not one of 1, 2, 4, 8");
	argument->size = (uint8_t)size;
	return behind + 1;
}

uint32_t usdt_arguments_parse(struct arena *arena, const char *text,
			      uint64_t address, arch_symbol *symbol, void *data,
			      struct usdt_argument *arguments, uint32_t most)
{
	uint32_t count = 0;

	for (;;) {
		struct usdt_argument ignored, *argument;

		text += strspn(text, " \t\n");
		if (!*text)
			return count;
		const char *end = arch_operand_end(text);

		argument = count < most ? &arguments[count] : &ignored;
		*argument = (struct usdt_argument){ .size = 8 };
		const char *at = parse_size(text, end, argument);

		if (at)
			arch_operand_parse(
				arena, (struct str){ at, (size_t)(end - at) },
				address, symbol, data, &argument->operand);
		text = end;
		count++;
	}
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool usdt_argument_same(const struct usdt_argument *a,
			const struct usdt_argument *b)
{
	const struct arch_operand *x = &a->operand, *y = &b->operand;

	return a->size == b->size && a->is_signed == b->is_signed &&
	       x->kind == y->kind && x->shift == y->shift &&
	       x->scale == y->scale && x->base == y->base &&
	       x->index == y->index && x->value == y->value &&
	       x->is_relative == y->is_relative &&
	       is_same_text(x->thread_member, y->thread_member);
}

const char *usdt_argument_type(const struct usdt_argument *argument)
{
	static const char *const types[2][9] = {
		{ [1] = "uint8_t", [2] = "uint16_t", [4] = "uint32_t",
		  [8] = "uint64_t" },
		{ [1] = "int8_t", [2] = "int16_t", [4] = "int32_t",
		  [8] = "int64_t" },
	};

	return types[argument->is_signed][argument->size];
}

/* --------------------------------------------------------------- lowering */

/* What the kernel keeps for the thread: the start of its thread-local data. */
static ir_reg thread_base(struct lower *lower, const char *name)
{
	struct member thread, base;

	if (!types_kernel_member(lower->types, "task_struct", "thread",
				 &thread) ||
	    !type_member(lower->types, thread.type, name, &base)) {
		lower_fail(
			lower, NULL,
			"cannot read the probe's argument: the kernel's types do not say where a thread's segments are");
		return ir_const(&lower->b, 0);
	}
	struct ir_mem mem = {
		.space = IR_TYPED,
		.base = ir_query(&lower->b, IR_QUERY_TASK_TYPED),
		.offset = (int64_t)((thread.bit_offset + base.bit_offset) / 8),
	};

	return ir_load(&lower->b, mem, 8, false);
}

static ir_reg add(struct lower *lower, ir_reg sum, ir_reg term)
{
	return sum ? ir_binary(&lower->b, IR_ADD, sum, term) : term;
}

static ir_reg address_of(struct lower *lower,
			 const struct arch_operand *operand)
{
	struct ir_builder *b = &lower->b;
	ir_reg sum = 0;

	if (operand->is_relative)
		sum = context_word(lower, ARCH_PC);
	if (operand->base != ARCH_NO_REGISTER)
		sum = add(lower, sum,
			  context_word(lower, (uint32_t)operand->base));
	if (operand->index != ARCH_NO_REGISTER)
		sum = add(lower, sum,
			  ir_binary_imm(b, IR_MUL,
					context_word(lower,
						     (uint32_t)operand->index),
					operand->scale));
	if (operand->thread_member)
		sum = add(lower, sum,
			  thread_base(lower, operand->thread_member));
	return sum ? ir_binary_imm(b, IR_ADD, sum, operand->value)
		   : ir_const(b, operand->value);
}

ir_reg usdt_argument_lower(struct lower *lower,
			   const struct usdt_argument *argument)
{
	const struct arch_operand *operand = &argument->operand;
	struct ir_builder *b = &lower->b;
	ir_reg value;

	switch (operand->kind) {
	case OPERAND_CONSTANT:
		value = address_of(lower, operand);
		break;
	case OPERAND_REGISTER:
		value = context_word(lower, (uint32_t)operand->base);
		if (operand->shift)
			value = ir_binary_imm(b, IR_LSR, value, operand->shift);
		break;
	case OPERAND_MEMORY:
		return ir_read_scalar(b, IR_USER, address_of(lower, operand),
				      argument->size, argument->is_signed);
	default:
		return ir_const(b, 0);
	}
	if (argument->size == 8)
		return value;
	return ir_extend(b, value, argument->size, argument->is_signed);
}
