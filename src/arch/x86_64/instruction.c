/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions of x86-64: their lengths, where they go, where probes may be.
 *
 * An instruction is prefixes, an opcode of one to three bytes (or packed into a
 * VEX, EVEX or XOP prefix), and then, as the opcode says, a ModRM byte with
 * what it requires, and immediate bytes.  Tables have one letter per opcode:
 *
 *	.	nothing follows
 *	m	ModRM
 *	b w z	immediate of 1, 2, 2 or 4 bytes
 *	v	1, 2, 4 or 8 bytes: mov of a constant
 *	d	4 bytes: jumps and calls
 *	B Z	ModRM, then b or z
 *	e	enter: 3 bytes
 *	o	address: 8 bytes, or 4
 *	g G	ModRM, and an immediate b or z if its reg field is 0 or 1
 *	-	no instruction
 *
 * Real programs are decoded correctly, as the test over the C library shows;
 * bytes that no processor executes may be called an instruction here.
 */
#include "arch/arch.h"

#include <string.h>

enum { MOST_BYTES = 15 };

/* Numbers of registers, as the processor has them, and one more. */
enum { RSP = 4, RIP = 16 };

static const char one_byte[256 + 1] = "mmmmbz--mmmmbz--"
				      "mmmmbz--mmmmbz--" /* 00 */
				      "mmmmbz--mmmmbz--"
				      "mmmmbz--mmmmbz--" /* 20 */
				      "----------------"
				      "................" /* 40 */
				      "---m----zZbB...."
				      "bbbbbbbbbbbbbbbb" /* 60 */
				      "BZ-Bmmmmmmmmmmmm"
				      "..........-....." /* 80 */
				      "oooo....bz......"
				      "bbbbbbbbvvvvvvvv" /* a0 */
				      "BBw.--BZe.w..b-."
				      "mmmm---.mmmmmmmm" /* c0 */
				      "bbbbbbbbdd-b...."
				      "-.--..gG......mm"; /* e0 */

static const char two_bytes[256 + 1] = "mmmm-.....-.-m.B"
				       "mmmmmmmmmmmmmmmm" /* 00 */
				       "mmmm----mmmmmmmm"
				       "........--------" /* 20 */
				       "mmmmmmmmmmmmmmmm"
				       "mmmmmmmmmmmmmmmm" /* 40 */
				       "mmmmmmmmmmmmmmmm"
				       "BBBBmmm.mm--mmmm" /* 60 */
				       "dddddddddddddddd"
				       "mmmmmmmmmmmmmmmm" /* 80 */
				       "...mBmmm...mBmmm"
				       "mmmmmmmmmmBmmmmm" /* a0 */
				       "mmBmBBBm........"
				       "mmmmmmmmmmmmmmmm" /* c0 */
				       "mmmmmmmmmmmmmmmm"
				       "mmmmmmmmmmmmmmmm"; /* e0 */

struct instruction {
	const uint8_t *code;
	size_t size; /* bytes there are, at most MOST_BYTES */
	unsigned at; /* bytes taken */
	bool has_lock, has_segment, is_wide, is_narrow, is_short_address;
	bool is_local; /* fs or gs: thread-local */
	uint8_t rex;
	bool is_packed; /* VEX, EVEX, XOP */
	unsigned map;	/* 0: one byte; 1: 0f; 2: 0f 38; 3: 0f 3a */
	uint8_t opcode;
	unsigned modrm_at; /* where that is, if it has one */
	char form;
};

static bool take(struct instruction *insn, unsigned count)
{
	insn->at += count;
	return insn->at <= insn->size;
}

static bool peek(const struct instruction *insn, unsigned ahead, uint8_t *byte)
{
	if (insn->at + ahead >= insn->size)
		return false;
	*byte = insn->code[insn->at + ahead];
	return true;
}

static bool take_prefixes(struct instruction *insn)
{
	uint8_t byte;

	while (peek(insn, 0, &byte)) {
		switch (byte) {
		case 0xf0:
			insn->has_lock = true;
			break;
		case 0x66:
			insn->is_narrow = true;
			break;
		case 0x67:
			insn->is_short_address = true;
			break;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
			insn->has_segment = true;
			break;
		case 0x64:
		case 0x65:
			insn->is_local = true;
			break;
		case 0xf2:
		case 0xf3:
			break;
		default:
			if ((byte & 0xf0) != 0x40)
				return true;
			/* REX counts right before the opcode only */
			insn->is_wide = byte & 8;
			insn->rex = byte;
			insn->at++;
			uint8_t next;

			if (!peek(insn, 0, &next))
				return false;
			if ((next & 0xf0) != 0x40 && next != 0x66 &&
			    next != 0x67 && next != 0xf0 && next != 0xf2 &&
			    next != 0xf3)
				return true;
			insn->is_wide = false;
			insn->rex = 0;
			continue;
		}
		insn->at++;
	}
	return false;
}

static char packed_form(const struct instruction *insn)
{
	switch (insn->map) {
	case 1:
		if (insn->opcode == 0x77)
			return '.';
		return two_bytes[insn->opcode] == 'B' && insn->opcode != 0xa4 &&
				       insn->opcode != 0xac &&
				       insn->opcode != 0xba &&
				       insn->opcode != 0x0f
			       ? 'B'
			       : 'm';
	case 3:
	case 8:
		return 'B';
	case 2:
	case 5:
	case 6:
	case 9:
		return 'm';
	default:
		return '-';
	}
}

/* VEX, EVEX, XOP: `length` bytes of prefix, the map in the second of them. */
static bool take_packed(struct instruction *insn, unsigned length, unsigned map)
{
	insn->is_packed = true;
	insn->map = map;
	if (!peek(insn, length, &insn->opcode))
		return false;
	insn->form = packed_form(insn);
	return take(insn, length + 1);
}

static bool take_escaped(struct instruction *insn)
{
	if (!peek(insn, 1, &insn->opcode))
		return false;
	insn->map = insn->opcode == 0x38 ? 2 : insn->opcode == 0x3a ? 3 : 1;
	if (insn->map == 1) {
		insn->form = two_bytes[insn->opcode];
		return take(insn, 2);
	}
	if (!peek(insn, 2, &insn->opcode))
		return false;
	insn->form = insn->map == 2 ? 'm' : 'B';
	return take(insn, 3);
}

static bool take_opcode(struct instruction *insn)
{
	uint8_t first, second;

	if (!peek(insn, 0, &first))
		return false;
	if (first == 0x0f)
		return take_escaped(insn);
	if (peek(insn, 1, &second)) {
		if (first == 0xc5)
			return take_packed(insn, 2, 1);
		if (first == 0xc4)
			return take_packed(insn, 3, second & 31);
		if (first == 0x62)
			return take_packed(insn, 4, second & 7);
		if (first == 0x8f && (second & 31) >= 8)
			return take_packed(insn, 3, second & 31);
	}
	insn->opcode = first;
	insn->form = one_byte[first];
	return take(insn, 1);
}

static bool take_modrm(struct instruction *insn, unsigned *reg)
{
	uint8_t modrm, sib;

	if (!peek(insn, 0, &modrm))
		return false;
	unsigned mod = modrm >> 6, rm = modrm & 7;

	insn->modrm_at = insn->at;
	*reg = modrm >> 3 & 7;
	insn->at++;
	if (mod == 3)
		return true;
	if (rm == 4) {
		if (!peek(insn, 0, &sib))
			return false;
		insn->at++;
		if (mod == 0 && (sib & 7) == 5)
			return take(insn, 4);
	}
	if (mod == 0)
		return rm == 5 ? take(insn, 4) : true;
	return take(insn, mod == 1 ? 1 : 4);
}

static bool take_immediate(struct instruction *insn, unsigned reg)
{
	unsigned z = insn->is_narrow && !insn->is_wide ? 2 : 4;

	switch (insn->form) {
	case 'b':
	case 'B':
		return take(insn, 1);
	case 'w':
		return take(insn, 2);
	case 'z':
	case 'Z':
		return take(insn, z);
	case 'v':
		return take(insn, insn->is_wide ? 8 : z);
	case 'd':
		return take(insn, 4);
	case 'e':
		return take(insn, 3);
	case 'o':
		return take(insn, insn->is_short_address ? 4 : 8);
	case 'g':
		return reg > 1 || take(insn, 1);
	case 'G':
		return reg > 1 || take(insn, z);
	case '-':
		return false;
	default:
		return true;
	}
}

static bool decode(struct instruction *insn, const uint8_t *code, size_t size)
{
	unsigned reg = 0;

	*insn = (struct instruction){
		.code = code,
		.size = size < MOST_BYTES ? size : MOST_BYTES,
	};
	if (!take_prefixes(insn) || !take_opcode(insn))
		return false;
	if (strchr("mBZgG", insn->form) && !take_modrm(insn, &reg))
		return false;
	return take_immediate(insn, reg);
}

unsigned arch_instruction_length(const uint8_t *code, size_t size)
{
	struct instruction insn;

	return decode(&insn, code, size) ? insn.at : 0;
}

static bool starts_with(const uint8_t *code, size_t size, const uint8_t *bytes,
			size_t count)
{
	return size >= count && !memcmp(code, bytes, count);
}

unsigned arch_landing_pad(const uint8_t *code, size_t size)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	return starts_with(code, size, endbr64, sizeof(endbr64))
		       ? sizeof(endbr64)
		       : 0;
}

/* The nop of 5 bytes, which some kernels replace by a call. */
static bool is_long_nop(const uint8_t *code, size_t size)
{
	static const uint8_t nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

	return starts_with(code, size, nop, sizeof(nop));
}

/* `ret`, with or without prefixes and operand. */
bool arch_is_return(const uint8_t *code, size_t size)
{
	struct instruction insn;

	return decode(&insn, code, size) && !insn.map && !insn.is_packed &&
	       (insn.opcode == 0xc3 || insn.opcode == 0xc2);
}

/* syscall, sysenter, int $0x80 */
bool arch_is_syscall(const uint8_t *code, size_t size)
{
	struct instruction insn;

	if (!decode(&insn, code, size) || insn.is_packed)
		return false;
	if (insn.map == 1)
		return insn.opcode == 0x05 || insn.opcode == 0x34;
	return !insn.map && insn.opcode == 0xcd && code[insn.at - 1] == 0x80;
}

enum arch_flow arch_flow(const uint8_t *code, size_t size, int64_t *target)
{
	struct instruction insn;
	int32_t far;

	if (!decode(&insn, code, size) || insn.is_packed)
		return GOES_ON;
	const uint8_t *end = code + insn.at;

	if (insn.map == 1 && (insn.opcode & 0xf0) == 0x80) {
		memcpy(&far, end - sizeof(far), sizeof(far));
		*target = (int64_t)insn.at + far;
		return GOES_BRANCH;
	}
	if (insn.map)
		return insn.map == 1 && insn.opcode == 0x0b ? GOES_STOP
							    : GOES_ON;
	switch (insn.opcode) {
	case 0xe9:
		memcpy(&far, end - sizeof(far), sizeof(far));
		*target = (int64_t)insn.at + far;
		return GOES_JUMP;
	case 0xff:
		return (insn.code[insn.modrm_at] >> 3 & 7) == 4 ? GOES_INDIRECT
								: GOES_ON;
	case 0xc2:
	case 0xc3:
		return GOES_RETURN;
	case 0xf4:
		return GOES_STOP;
	default:
		break;
	}
	*target = (int64_t)insn.at + (int8_t)end[-1];
	if (insn.opcode == 0xeb)
		return GOES_JUMP;
	return (insn.opcode & 0xf0) == 0x70 || (insn.opcode & 0xfc) == 0xe0
		       ? GOES_BRANCH
		       : GOES_ON;
}

bool arch_condition(const uint8_t *code, size_t size, unsigned *condition)
{
	struct instruction insn;

	if (!decode(&insn, code, size) || insn.is_packed)
		return false;
	*condition = insn.opcode & 15;
	return (insn.map == 1 && (insn.opcode & 0xf0) == 0x80) ||
	       (!insn.map && (insn.opcode & 0xf0) == 0x70);
}

static int32_t displacement_of(const struct instruction *insn, unsigned at,
			       unsigned size)
{
	int32_t far;

	if (size == 1)
		return (int8_t)insn->code[at];
	memcpy(&far, insn->code + at, sizeof(far));
	return far;
}

/* False: a segment, or addresses of 32 bits. */
bool arch_indirect(const uint8_t *code, size_t size, struct arch_target *target)
{
	struct instruction insn;

	if (!decode(&insn, code, size) || insn.map || insn.is_packed ||
	    insn.opcode != 0xff || insn.is_local || insn.is_short_address)
		return false;
	unsigned at = insn.modrm_at;
	unsigned mod = code[at] >> 6, rm = code[at] & 7;
	unsigned high_base = insn.rex & 1 ? 8 : 0;
	unsigned high_index = insn.rex & 2 ? 8 : 0;

	*target = (struct arch_target){
		.is_memory = mod != 3,
		.index = ARCH_NREGISTERS,
		.base = (uint8_t)(rm | high_base),
	};
	if (mod == 3)
		return true;
	at++;
	if (rm == 4) {
		unsigned sib = code[at++], index = (sib >> 3 & 7) | high_index;

		target->base = (uint8_t)((sib & 7) | high_base);
		if (index != RSP)
			target->index = (uint8_t)index;
		target->shift = (uint8_t)(sib >> 6);
		if (mod == 0 && (sib & 7) == 5) {
			target->base = ARCH_NREGISTERS;
			mod = 2;
		}
	} else if (mod == 0 && rm == 5) {
		target->base = RIP;
		mod = 2;
	}
	if (mod)
		target->displacement = displacement_of(&insn, at,
						       mod == 1 ? 1 : 4);
	if (target->base == RIP)
		target->displacement += (int32_t)insn.at;
	return true;
}

/* notrack */
bool arch_is_switch(const uint8_t *code, size_t size)
{
	struct instruction insn;

	return decode(&insn, code, size) && insn.has_segment &&
	       insn.code[0] == 0x3e;
}

int arch_added_to(const uint8_t *code, size_t size)
{
	struct instruction insn;

	if (!decode(&insn, code, size) || insn.map || insn.is_packed ||
	    !insn.is_wide || (insn.opcode != 0x01 && insn.opcode != 0x03) ||
	    code[insn.modrm_at] >> 6 != 3)
		return -1;
	uint8_t modrm = code[insn.modrm_at];

	return insn.opcode == 0x01 ? (modrm & 7) | (insn.rex & 1 ? 8 : 0)
				   : (modrm >> 3 & 7) | (insn.rex & 4 ? 8 : 0);
}

/* Ports, interrupts, hlt: what a process may not do in any case. */
static bool is_privileged(uint8_t opcode)
{
	return (opcode & 0xfc) == 0x6c || (opcode & 0xf4) == 0xe4 ||
	       opcode == 0xcc || opcode == 0xcd || opcode == 0xcf ||
	       opcode == 0xf1 || opcode == 0xf4 || opcode == 0xfa ||
	       opcode == 0xfb;
}

/*
 * Vector instructions, those with `lock` or a segment (as long nops have), and
 * privileged ones: the kernel allows no probe there.
 */
static bool is_refused(const uint8_t *code, size_t size)
{
	struct instruction insn;

	return !decode(&insn, code, size) || insn.has_lock ||
	       insn.has_segment || insn.is_packed || insn.map > 1 ||
	       (!insn.map && is_privileged(insn.opcode));
}

bool arch_is_unsafe(const uint8_t *code, size_t size)
{
	return is_long_nop(code, size) || is_refused(code, size) ||
	       arch_is_syscall(code, size);
}

/* Of vector instructions, those whose result is not a vector. */
static bool yields_number(const struct instruction *insn)
{
	switch (insn->map) {
	case 1:
		return insn->opcode == 0x7e || insn->opcode == 0xd7 ||
		       insn->opcode == 0x50 || insn->opcode == 0xc5 ||
		       insn->opcode == 0x2c || insn->opcode == 0x2d ||
		       insn->opcode == 0x93;
	case 2:
		return insn->opcode >= 0xf0;
	case 3:
		return insn->opcode >= 0xf0 ||
		       (insn->opcode >= 0x14 && insn->opcode <= 0x17);
	default:
		return true;
	}
}

bool arch_is_harmless(const uint8_t *code, size_t size)
{
	struct instruction insn;

	if (is_long_nop(code, size))
		return true;
	if (!decode(&insn, code, size))
		return false;
	if (insn.is_packed)
		return !yields_number(&insn);
	/* lock bts $n,mem and the like: flags only */
	return insn.has_lock && insn.map == 1 && insn.opcode == 0xba;
}
