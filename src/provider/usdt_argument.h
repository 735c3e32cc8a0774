/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Arguments of a USDT site: from assembler text to a value.
 *
 * A note says where its arguments are in the syntax of the assembler: size and
 * sign, '@', operand.  The text is parsed once, when the probe is created; the
 * result is compared (sites with the same forms need no dispatch) and turned
 * into IR.
 */

#include "arch/arch.h"
#include "base/arena.h"
#include "ir/lower.h"

struct usdt_argument {
	struct arch_operand operand;
	uint8_t size; /* 1, 2, 4 or 8 */
	bool is_signed;
};

/*
 * The arguments of a site at `address`: how many, of which at most `most` are
 * stored.
 */
uint32_t usdt_arguments_parse(struct arena *arena, const char *text,
			      uint64_t address, arch_symbol *symbol, void *data,
			      struct usdt_argument *arguments, uint32_t most);
bool usdt_argument_same(const struct usdt_argument *a,
			const struct usdt_argument *b);
/* "int32_t" */
const char *usdt_argument_type(const struct usdt_argument *argument);
/* The value, in a program whose context is the registers of the process. */
ir_reg usdt_argument_lower(struct lower *lower,
			   const struct usdt_argument *argument);
