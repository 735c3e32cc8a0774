/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands of x86-64 as notes spell them.
 *
 *	-4@%eax		8@-24(%rbp)	4@$-5		8@(%rax,%rcx,8)
 *	1@%ah		2@%r8w		8@sym+4(%rip)	8@%fs:16(%rax)
 *
 * 1. The size before the '@' is that of the value (negative: signed); the
 *    width of a register's name does not matter, except that %ah is not %al.
 *    A size with 'f' and a vector register are floating point, which a probe
 *    cannot read: the kernel does not keep those registers where programs
 *    can get at them.
 * 2. A symbol is an address in the file.  The process has it at some other
 *    address, which differs by as much as the site's does; so all symbols are
 *    kept as distances from the site, and the instruction pointer of the
 *    firing makes addresses of them.
 * 3. An operand that nobody can read is no error until a program reads it.
 */
#include "provider/usdt_argument.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/type.h"
#include "provider/provider.h"

/* -------------------------------------------------------------- registers */

/* Place in struct pt_regs of the registers with names for each width. */
static const struct {
	const char *names[5];	/* 8, 4, 2, 1 bytes, second byte */
	int16_t place;
} registers[] = {
	{ { "rax", "eax", "ax", "al", "ah" }, 80 },
	{ { "rbx", "ebx", "bx", "bl", "bh" }, 40 },
	{ { "rcx", "ecx", "cx", "cl", "ch" }, 88 },
	{ { "rdx", "edx", "dx", "dl", "dh" }, REGS_RDX },
	{ { "rsi", "esi", "si", "sil" }, REGS_RSI },
	{ { "rdi", "edi", "di", "dil" }, REGS_RDI },
	{ { "rbp", "ebp", "bp", "bpl" }, 32 },
	{ { "rsp", "esp", "sp", "spl" }, 152 },
	{ { "rip", "eip", "ip" }, REGS_RIP },
};

enum { WIDTHS = 5, SECOND_BYTE = 4 };

/* r8 .. r15 */
static const int16_t numbered[] = {
	REGS_R8, REGS_R9, REGS_R10, 48, 24, 16, 8, 0,
};

/* Their narrow parts have suffixes. */
static int16_t numbered_register(struct str name)
{
	unsigned number = 0;
	size_t at = 1;

	if (name.n < 2 || name.p[0] != 'r' ||
	    !isdigit((unsigned char)name.p[1]))
		return USDT_NO_REGISTER;
	for (; at < name.n && at < 3 && isdigit((unsigned char)name.p[at]); at++)
		number = number * 10 + (unsigned)(name.p[at] - '0');
	if (number < 8 || number > 15)
		return USDT_NO_REGISTER;
	if (at + 1 == name.n && strchr("dwbl", name.p[at]))
		at++;
	if (at != name.n)
		return USDT_NO_REGISTER;
	return numbered[number - 8];
}

static int16_t register_place(struct str name, uint8_t *shift)
{
	*shift = 0;
	for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++) {
		for (unsigned w = 0; w < WIDTHS; w++) {
			const char *known = registers[i].names[w];

			if (!known || !str_is(name, known))
				continue;
			*shift = w == SECOND_BYTE ? 8 : 0;
			return registers[i].place;
		}
	}
	return numbered_register(name);
}

/* ----------------------------------------------------------------- parser */

struct parser {
	struct arena *arena;
	const char *at, *end;	/* of the argument at hand */
	uint64_t address;
	usdt_symbol *symbol;
	void *data;
	struct usdt_argument *argument;
};

static bool give_up(struct parser *parser, const char *problem)
{
	parser->argument->operand = USDT_UNREADABLE;
	parser->argument->problem = problem;
	return false;
}

static bool not_understood(struct parser *parser)
{
	return give_up(parser, "its operand is not understood");
}

static bool skip(struct parser *parser, char c)
{
	if (parser->at == parser->end || *parser->at != c)
		return false;
	parser->at++;
	return true;
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static struct str next_word(struct parser *parser)
{
	struct str word = { parser->at, 0 };

	while (parser->at < parser->end && is_word_char(*parser->at))
		parser->at++;
	word.n = (size_t)(parser->at - word.p);
	return word;
}

/* "%rax": its place, with the shift in the argument. */
static bool parse_register(struct parser *parser, int16_t *place)
{
	if (!skip(parser, '%'))
		return not_understood(parser);
	struct str name = next_word(parser);
	uint8_t shift;

	if (name.n > 2 && name.p[1] == 'm' && name.p[2] == 'm')
		return give_up(parser, "it is floating point");
	*place = register_place(name, &shift);
	parser->argument->shift = shift;
	return *place != USDT_NO_REGISTER || not_understood(parser);
}

static bool parse_number(struct parser *parser, uint64_t *number)
{
	char *end;

	if (parser->at == parser->end ||
	    !isdigit((unsigned char)*parser->at))
		return false;
	errno = 0;
	*number = strtoull(parser->at, &end, 0);
	if (errno || end > parser->end)
		return false;
	parser->at = end;
	return true;
}

static bool add_symbol(struct parser *parser)
{
	struct str name = next_word(parser);
	uint64_t address;

	if (!name.n || parser->argument->is_relative)
		return not_understood(parser);
	if (!parser->symbol || !parser->symbol(parser->data, name, &address))
		return give_up(parser,
			       arena_printf(parser->arena,
					    "the file has no symbol %.*s",
					    (int)name.n, name.p));
	parser->argument->is_relative = true;
	parser->argument->value = (int64_t)((uint64_t)parser->argument->value +
					    address - parser->address);
	return true;
}

/* "-24", "sym+4", "4+sym", or nothing: a sum with one symbol at most. */
static bool parse_sum(struct parser *parser)
{
	struct usdt_argument *argument = parser->argument;
	bool is_first = true;

	while (parser->at < parser->end && *parser->at != '(') {
		bool is_negative = skip(parser, '-');
		uint64_t number;

		if (!is_negative && !skip(parser, '+') && !is_first)
			return not_understood(parser);
		is_first = false;
		if (parse_number(parser, &number))
			argument->value = (int64_t)(is_negative ?
				(uint64_t)argument->value - number :
				(uint64_t)argument->value + number);
		else if (is_negative)
			return not_understood(parser);
		else if (!add_symbol(parser))
			return false;
	}
	return true;
}

/* "(%rax,%rcx,8)", "(,%rcx,8)" */
static bool parse_address(struct parser *parser)
{
	struct usdt_argument *argument = parser->argument;
	uint64_t scale = 1;

	if (!skip(parser, '('))
		return not_understood(parser);
	if (parser->at < parser->end && *parser->at == '%' &&
	    !parse_register(parser, &argument->base))
		return false;
	if (skip(parser, ',')) {
		if (!parse_register(parser, &argument->index))
			return false;
		if (skip(parser, ',') && !parse_number(parser, &scale))
			return not_understood(parser);
	}
	if (argument->shift || !skip(parser, ')') ||
	    (scale != 1 && scale != 2 && scale != 4 && scale != 8))
		return not_understood(parser);
	argument->scale = (uint8_t)scale;
	/* "sym(%rip)" is the symbol: the distance from the site is known */
	if (argument->base == REGS_RIP) {
		argument->base = USDT_NO_REGISTER;
		argument->is_relative = true;
	}
	return true;
}

/* "%fs:" in front of a memory operand. */
static bool parse_segment(struct parser *parser)
{
	size_t left = (size_t)(parser->end - parser->at);

	if (left < 4 || parser->at[0] != '%' || parser->at[3] != ':' ||
	    parser->at[2] != 's')
		return true;
	switch (parser->at[1]) {
	case 'f':
		parser->argument->segment = USDT_FS;
		break;
	case 'g':
		parser->argument->segment = USDT_GS;
		break;
	case 'c': case 'd': case 'e': case 's':
		break;
	default:
		return not_understood(parser);
	}
	parser->at += 4;
	return true;
}

static bool parse_operand(struct parser *parser)
{
	struct usdt_argument *argument = parser->argument;

	if (skip(parser, '$')) {
		argument->operand = USDT_CONSTANT;
		return parser->at < parser->end ? parse_sum(parser)
						: not_understood(parser);
	}
	if (parser->at < parser->end && *parser->at == '*')
		return not_understood(parser);
	const char *start = parser->at;

	if (!parse_segment(parser))
		return false;
	if (parser->at == start && start < parser->end && *start == '%') {
		argument->operand = USDT_REGISTER;
		return parse_register(parser, &argument->base);
	}
	argument->operand = USDT_MEMORY;
	if (parser->at == parser->end)
		return not_understood(parser);
	return parse_sum(parser) &&
	       (parser->at == parser->end || parse_address(parser));
}

/* "-4@", "8f@"; without it, a word. */
static bool parse_size(struct parser *parser)
{
	struct usdt_argument *argument = parser->argument;
	const char *sign = memchr(parser->at, '@',
				  (size_t)(parser->end - parser->at));
	uint64_t size;

	if (!sign)
		return true;
	argument->is_signed = skip(parser, '-');
	if (!parse_number(parser, &size))
		return not_understood(parser);
	bool is_float = skip(parser, 'f');

	if (!skip(parser, '@'))
		return not_understood(parser);
	if (is_float)
		return give_up(parser, "it is floating point");
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return give_up(parser, "its size is not one of 1, 2, 4, 8");
	argument->size = (uint8_t)size;
	return true;
}

static void parse_argument(struct parser *parser)
{
	*parser->argument = (struct usdt_argument){
		.size = 8, .scale = 1,
		.base = USDT_NO_REGISTER, .index = USDT_NO_REGISTER,
	};
	if (parse_size(parser) && parse_operand(parser) &&
	    parser->at != parser->end)
		not_understood(parser);
}

uint32_t usdt_arguments_parse(struct arena *arena, const char *text,
			      uint64_t address, usdt_symbol *symbol, void *data,
			      struct usdt_argument *arguments, uint32_t most)
{
	uint32_t count = 0;

	for (;;) {
		struct usdt_argument ignored;
		struct parser parser = {
			.arena = arena, .address = address,
			.symbol = symbol, .data = data,
		};

		text += strspn(text, " \t\n");
		if (!*text)
			return count;
		parser.at = text;
		text += strcspn(text, " \t\n");
		parser.end = text;
		parser.argument = count < most ? &arguments[count] : &ignored;
		parse_argument(&parser);
		count++;
	}
}

bool usdt_argument_same(const struct usdt_argument *a,
			const struct usdt_argument *b)
{
	return a->operand == b->operand && a->size == b->size &&
	       a->is_signed == b->is_signed && a->shift == b->shift &&
	       a->scale == b->scale && a->base == b->base &&
	       a->index == b->index && a->segment == b->segment &&
	       a->value == b->value && a->is_relative == b->is_relative;
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

static ir_reg segment_base(struct lower *lower, enum usdt_segment segment)
{
	const char *name = segment == USDT_FS ? "fsbase" : "gsbase";
	struct member thread, base;

	if (!types_kernel_member(lower->types, "task_struct", "thread",
				 &thread) ||
	    !type_member(lower->types, thread.type, name, &base)) {
		lower_fail(lower, NULL,
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
			 const struct usdt_argument *argument)
{
	struct ir_builder *b = &lower->b;
	ir_reg sum = 0;

	if (argument->is_relative)
		sum = context_word(lower, REGS_RIP);
	if (argument->base != USDT_NO_REGISTER)
		sum = add(lower, sum,
			  context_word(lower, (uint32_t)argument->base));
	if (argument->index != USDT_NO_REGISTER)
		sum = add(lower, sum,
			  ir_binary_imm(b, IR_MUL,
					context_word(lower,
						(uint32_t)argument->index),
					argument->scale));
	if (argument->segment != USDT_NO_SEGMENT)
		sum = add(lower, sum, segment_base(lower, argument->segment));
	return sum ? ir_binary_imm(b, IR_ADD, sum, argument->value)
		   : ir_const(b, argument->value);
}

ir_reg usdt_argument_lower(struct lower *lower,
			   const struct usdt_argument *argument)
{
	struct ir_builder *b = &lower->b;
	ir_reg value;

	switch (argument->operand) {
	case USDT_CONSTANT:
		value = address_of(lower, argument);
		break;
	case USDT_REGISTER:
		value = context_word(lower, (uint32_t)argument->base);
		if (argument->shift)
			value = ir_binary_imm(b, IR_LSR, value,
					      argument->shift);
		break;
	case USDT_MEMORY:
		return ir_read_scalar(b, IR_USER, address_of(lower, argument),
				      argument->size, argument->is_signed);
	default:
		return ir_const(b, 0);
	}
	if (argument->size == 8)
		return value;
	return ir_extend(b, value, argument->size, argument->is_signed);
}
