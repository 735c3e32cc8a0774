/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions of a method: how long they are, where they will be, and the distances
 * between them.
 *
 * 1. Every place that something names is the start of an instruction.
 * 2. A jump that no longer fits into 16 bits is refused, not made longer.
 */
#include "class_code.h"

const char code_damaged[] = "its bytecode is not understood";

bool code_refuse(struct rewrite *w, const char *problem)
{
	if (!w->problem)
		w->problem = problem;
	return false;
}

/* Lengths of runs of instructions; 0: not one of a class file. */
static const struct {
	uint8_t last, length;
} lengths[] = {
	{ 15, 1 },  { 16, 2 },	{ 17, 3 },  { 18, 2 },	{ 20, 3 },  { 25, 2 },
	{ 53, 1 },  { 58, 2 },	{ 131, 1 }, { 132, 3 }, { 152, 1 }, { 168, 3 },
	{ 169, 2 }, { 177, 1 }, { 184, 3 }, { 186, 5 }, { 187, 3 }, { 188, 2 },
	{ 189, 3 }, { 191, 1 }, { 193, 3 }, { 195, 1 }, { 196, 0 }, { 197, 4 },
	{ 199, 3 }, { 201, 5 }, { 255, 0 },
};

/* Where the words of a switch begin, after what aligns them. */
static uint32_t switch_words(uint32_t pc)
{
	return (pc & ~3u) + 4;
}

/* 0: it is none, or is not whole. */
static uint32_t length_at(const struct rewrite *w, uint32_t pc)
{
	const uint8_t *code = w->code;
	uint32_t opcode = code[pc], left = w->size - pc, length = 0;

	if (opcode == OP_TABLESWITCH || opcode == OP_LOOKUPSWITCH) {
		bool is_table = opcode == OP_TABLESWITCH;
		uint32_t at = switch_words(pc), head = is_table ? 12 : 8;

		if (at > w->size || w->size - at < head)
			return 0;
		int64_t low = (int32_t)bytes_word(code + at + 4);
		int64_t count = is_table ? (int32_t)bytes_word(code + at + 8) -
						   low + 1
					 : low;

		if (count < 0 || count > MOST_CODE)
			return 0;
		length = at - pc + head + (uint32_t)count * (is_table ? 4 : 8);
	} else if (opcode == OP_WIDE) {
		length = left < 2 ? 0 : code[pc + 1] == 132 ? 6 : 4;
	} else {
		unsigned i = 0;

		while (lengths[i].last < opcode)
			i++;
		length = lengths[i].length;
	}
	return length <= left ? length : 0;
}

bool code_moved(struct rewrite *w, int64_t old, uint32_t *now)
{
	if (old < 0 || old > w->size || w->map[old] == NOWHERE)
		return code_refuse(w, code_damaged);
	*now = w->map[old];
	return true;
}

/* Does it name a constructor?  -1: it names no method. */
static int is_constructor(const struct pool *pool, uint32_t index)
{
	const uint8_t *method = pool_at(pool, index, POOL_METHOD);

	if (!method)
		method = pool_at(pool, index, POOL_IMETHOD);
	if (!method)
		return -1;
	const uint8_t *name_type = pool_at(pool, bytes_half(method + 3),
					   POOL_NAME_TYPE);

	return name_type ? pool_is(pool, bytes_half(name_type + 1), "<init>")
			 : -1;
}

/*
 * The call of the other constructor is the first one that is not for an object that
 * was made here.  Only java.lang.Object has none: it is an object from the beginning.
 */
uint32_t code_after_super(const struct rewrite *w)
{
	int made = 0, calls = 0;

	for (uint32_t pc = 0, length; pc < w->size; pc += length) {
		int is_call = 0;

		length = length_at(w, pc);
		if (length && w->code[pc] == OP_INVOKESPECIAL)
			is_call = is_constructor(w->pool,
						 bytes_half(w->code + pc + 1));
		if (!length || is_call < 0)
			return NOWHERE;
		made += w->code[pc] == OP_NEW;
		calls += is_call;
		if (is_call && !made--)
			return pc + length;
	}
	return made || calls ? NOWHERE : 0;
}

/* Where everything will be, and our calls: jumps are not right yet. */
bool code_lay_out(struct rewrite *w)
{
	for (uint32_t i = 0; i <= w->size; i++)
		w->map[i] = NOWHERE;
	if (w->method->entry && !call_entry(w))
		return false;
	for (uint32_t pc = 0, length; pc < w->size; pc += length) {
		uint32_t opcode = w->code[pc];

		length = length_at(w, pc);
		if (!length)
			return code_refuse(w, code_damaged);
		w->map[pc] = (uint32_t)w->out.size;
		if (w->method->leave && opcode >= OP_IRETURN &&
		    opcode <= OP_RETURN)
			call_leave(w, opcode);
		if (opcode != OP_TABLESWITCH && opcode != OP_LOOKUPSWITCH) {
			out_bytes(&w->out, w->code + pc, length);
			continue;
		}
		uint32_t from = switch_words(pc) - pc;
		uint32_t now = (uint32_t)w->out.size;

		out_put(&w->out, opcode, 1);
		while (w->out.size < switch_words(now))
			out_put(&w->out, 0, 1);
		out_bytes(&w->out, w->code + pc + from, length - from);
	}
	w->map[w->size] = (uint32_t)w->out.size;
	if (w->method->leave)
		call_handler(w);
	if (w->out.is_bad)
		return code_refuse(w, "there is no memory");
	return w->out.size > MOST_CODE ? code_refuse(w, "it is too long")
				       : true;
}

/* A distance that was from an instruction at `pc`, which is now at `from`. */
static bool fix(struct rewrite *w, uint32_t pc, uint32_t from, uint32_t at,
		unsigned width)
{
	const uint8_t *field = w->out.bytes + at;
	int64_t old = width == 2 ? (int16_t)bytes_half(field)
				 : (int32_t)bytes_word(field);
	uint32_t target;

	if (!code_moved(w, pc + old, &target))
		return false;
	int64_t distance = (int64_t)target - from;

	if (width == 2 && distance != (int16_t)distance)
		return code_refuse(w, "its jumps would be too long");
	out_put_at(&w->out, at, (uint32_t)distance, width);
	return true;
}

static bool fix_switch(struct rewrite *w, uint32_t pc, uint32_t from)
{
	bool is_table = w->code[pc] == OP_TABLESWITCH;
	uint32_t at = switch_words(from);
	const uint8_t *words = w->code + switch_words(pc);
	uint32_t low = bytes_word(words + 4);
	uint32_t count = is_table ? bytes_word(words + 8) - low + 1 : low;

	if (!fix(w, pc, from, at, 4))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!fix(w, pc, from,
			 is_table ? at + 12 + 4 * i : at + 12 + 8 * i, 4))
			return false;
	return true;
}

bool code_fix_jumps(struct rewrite *w)
{
	for (uint32_t pc = 0, length; pc < w->size; pc += length) {
		uint32_t opcode = w->code[pc], from = w->map[pc];

		length = length_at(w, pc);
		if (opcode == OP_TABLESWITCH || opcode == OP_LOOKUPSWITCH) {
			if (!fix_switch(w, pc, from))
				return false;
		} else if ((opcode >= OP_IFEQ && opcode <= OP_JSR) ||
			   opcode == OP_IFNULL || opcode == OP_IFNONNULL) {
			if (!fix(w, pc, from, from + 1, 2))
				return false;
		} else if (opcode == OP_GOTO_W || opcode == OP_JSR_W) {
			if (!fix(w, pc, from, from + 1, 4))
				return false;
		}
	}
	return true;
}
