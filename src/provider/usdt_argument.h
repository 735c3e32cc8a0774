/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Arguments of a USDT site: from the assembler's words to a value.
 *
 * A note says where its arguments are in the syntax of the assembler: size
 * and sign, '@', operand.  The text is parsed once, when the probe is made;
 * what comes out is compared (sites with the same forms need no dispatch) and
 * turned into IR.
 */

#include "base/arena.h"
#include "base/str.h"
#include "ir/lower.h"

enum usdt_operand {
	USDT_UNREADABLE,	/* `problem` says why */
	USDT_CONSTANT,
	USDT_REGISTER,
	USDT_MEMORY,
};

enum usdt_segment { USDT_NO_SEGMENT, USDT_FS, USDT_GS };

struct usdt_argument {
	enum usdt_operand operand;
	uint8_t size;		/* 1, 2, 4 or 8 */
	bool is_signed;
	uint8_t shift;		/* bits: %ah is the second byte of %rax */
	uint8_t scale;		/* of the index */
	/* places in struct pt_regs, or NO_REGISTER */
	int16_t base, index;
	enum usdt_segment segment;
	/* constant, or displacement; relative to the site if `is_relative` */
	int64_t value;
	bool is_relative;
	const char *problem;
};

enum { USDT_NO_REGISTER = -1 };

/* Where the file has a symbol, as linked. */
typedef bool usdt_symbol(void *data, struct str name, uint64_t *address);

/*
 * The arguments of a site at `address`: how many, of which at most `most` are
 * stored.
 */
uint32_t usdt_arguments_parse(struct arena *arena, const char *text,
			      uint64_t address, usdt_symbol *symbol, void *data,
			      struct usdt_argument *arguments, uint32_t most);
bool usdt_argument_same(const struct usdt_argument *a,
			const struct usdt_argument *b);
/* "int32_t" */
const char *usdt_argument_type(const struct usdt_argument *argument);
/* The value, in a program whose context are the registers of the process. */
ir_reg usdt_argument_lower(struct lower *lower,
			   const struct usdt_argument *argument);
