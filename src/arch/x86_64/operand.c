/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands of x86-64 as notes spell them.
 *
 *	-4@%eax		8@-24(%rbp)	4@$-5		8@(%rax,%rcx,8)
 *	1@%ah		2@%r8w		8@sym+4(%rip)	8@%fs:16(%rax)
 *
 * The width of a register's name does not matter, except that %ah is not %al.
 * A vector register is floating point, which a probe cannot read: the kernel
 * does not keep those registers where programs can get at them.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "registers.h"

/* -------------------------------------------------------------- registers */

/* Place in struct pt_regs of the registers with names for each width. */
static const struct {
	const char *names[5]; /* 8, 4, 2, 1 bytes, second byte */
	int16_t place;
} registers[] = {
	{ { "rax", "eax", "ax", "al", "ah" }, PT_RAX },
	{ { "rbx", "ebx", "bx", "bl", "bh" }, PT_RBX },
	{ { "rcx", "ecx", "cx", "cl", "ch" }, PT_RCX },
	{ { "rdx", "edx", "dx", "dl", "dh" }, PT_RDX },
	{ { "rsi", "esi", "si", "sil" }, PT_RSI },
	{ { "rdi", "edi", "di", "dil" }, PT_RDI },
	{ { "rbp", "ebp", "bp", "bpl" }, PT_RBP },
	{ { "rsp", "esp", "sp", "spl" }, PT_RSP },
	{ { "rip", "eip", "ip" }, PT_RIP },
};

enum { WIDTHS = 5, SECOND_BYTE = 4 };

/* r8 .. r15 */
static const int16_t numbered[] = {
	PT_R8, PT_R9, PT_R10, PT_R11, PT_R12, PT_R13, PT_R14, PT_R15,
};

/* Their narrow parts have suffixes. */
static int16_t numbered_register(struct str name)
{
	unsigned number = 0;
	size_t at = 1;

	if (name.n < 2 || name.p[0] != 'r' ||
	    !isdigit((unsigned char)name.p[1]))
		return ARCH_NO_REGISTER;
	for (; at < name.n && at < 3 && isdigit((unsigned char)name.p[at]);
	     at++)
		number = number * 10 + (unsigned)(name.p[at] - '0');
	if (number < 8 || number > 15)
		return ARCH_NO_REGISTER;
	if (at + 1 == name.n && strchr("dwbl", name.p[at]))
		at++;
	if (at != name.n)
		return ARCH_NO_REGISTER;
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
	const char *at, *end; /* of the operand at hand */
	uint64_t address;
	arch_symbol *symbol;
	void *data;
	struct arch_operand *operand;
};

static bool give_up(struct parser *parser, const char *problem)
{
	parser->operand->kind = OPERAND_UNREADABLE;
	parser->operand->problem = problem;
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

/* "%rax": its place, with the shift in the operand. */
static bool parse_register(struct parser *parser, int16_t *place)
{
	if (!skip(parser, '%'))
		return not_understood(parser);
	struct str name = next_word(parser);
	uint8_t shift;

	if (name.n > 2 && name.p[1] == 'm' && name.p[2] == 'm')
		return give_up(parser, "it is floating point");
	*place = register_place(name, &shift);
	parser->operand->shift = shift;
	return *place != ARCH_NO_REGISTER || not_understood(parser);
}

static bool parse_number(struct parser *parser, uint64_t *number)
{
	char *end;

	if (parser->at == parser->end || !isdigit((unsigned char)*parser->at))
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

	if (!name.n || parser->operand->is_relative)
		return not_understood(parser);
	if (!parser->symbol || !parser->symbol(parser->data, name, &address))
		return give_up(parser,
			       arena_printf(parser->arena,
					    "the file has no symbol %.*s",
					    (int)name.n, name.p));
	parser->operand->is_relative = true;
	parser->operand->value = (int64_t)((uint64_t)parser->operand->value +
					   address - parser->address);
	return true;
}

/* "-24", "sym+4", "4+sym", or nothing: a sum with one symbol at most. */
static bool parse_sum(struct parser *parser)
{
	struct arch_operand *operand = parser->operand;
	bool is_first = true;

	while (parser->at < parser->end && *parser->at != '(') {
		bool is_negative = skip(parser, '-');
		uint64_t number;

		if (!is_negative && !skip(parser, '+') && !is_first)
			return not_understood(parser);
		is_first = false;
		if (parse_number(parser, &number))
			operand->value =
				(int64_t)(is_negative
						  ? (uint64_t)operand->value -
							    number
						  : (uint64_t)operand->value +
							    number);
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
	struct arch_operand *operand = parser->operand;
	uint64_t scale = 1;

	if (!skip(parser, '('))
		return not_understood(parser);
	if (parser->at < parser->end && *parser->at == '%' &&
	    !parse_register(parser, &operand->base))
		return false;
	if (skip(parser, ',')) {
		if (!parse_register(parser, &operand->index))
			return false;
		if (skip(parser, ',') && !parse_number(parser, &scale))
			return not_understood(parser);
	}
	if (operand->shift || !skip(parser, ')') ||
	    (scale != 1 && scale != 2 && scale != 4 && scale != 8))
		return not_understood(parser);
	operand->scale = (uint8_t)scale;
	/* "sym(%rip)" is the symbol: the distance from the site is known */
	if (operand->base == PT_RIP) {
		operand->base = ARCH_NO_REGISTER;
		operand->is_relative = true;
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
		parser->operand->thread_member = "fsbase";
		break;
	case 'g':
		parser->operand->thread_member = "gsbase";
		break;
	case 'c':
	case 'd':
	case 'e':
	case 's':
		break;
	default:
		return not_understood(parser);
	}
	parser->at += 4;
	return true;
}

static bool parse_operand(struct parser *parser)
{
	struct arch_operand *operand = parser->operand;

	if (skip(parser, '$')) {
		operand->kind = OPERAND_CONSTANT;
		return parser->at < parser->end ? parse_sum(parser)
						: not_understood(parser);
	}
	if (parser->at < parser->end && *parser->at == '*')
		return not_understood(parser);
	const char *start = parser->at;

	if (!parse_segment(parser))
		return false;
	if (parser->at == start && start < parser->end && *start == '%') {
		operand->kind = OPERAND_REGISTER;
		return parse_register(parser, &operand->base);
	}
	operand->kind = OPERAND_MEMORY;
	if (parser->at == parser->end)
		return not_understood(parser);
	return parse_sum(parser) &&
	       (parser->at == parser->end || parse_address(parser));
}

const char *arch_operand_end(const char *text)
{
	return text + strcspn(text, " \t\n");
}

void arch_operand_parse(struct arena *arena, struct str text, uint64_t address,
			arch_symbol *symbol, void *data,
			struct arch_operand *operand)
{
	struct parser parser = {
		.arena = arena, .at = text.p, .end = text.p + text.n,
		.address = address, .symbol = symbol, .data = data,
		.operand = operand,
	};

	*operand = (struct arch_operand){
		.scale = 1,
		.base = ARCH_NO_REGISTER,
		.index = ARCH_NO_REGISTER,
	};
	if (parse_operand(&parser) && parser.at != parser.end)
		not_understood(&parser);
}
