/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiled code of V8: where in which functions an instruction is.
 *
 * Baseline code has a table with the size of each bytecode's instructions.
 * Optimised code can go back to the interpreter wherever it calls something: its
 * safepoints lead to translations, which say what frames the interpreter would
 * have, that is, which functions were inlined, and where they are.  Between
 * calls there is only the outermost function.
 *
 * A translation is a sequence of opcodes with operands; V8 has a table of how
 * many each has.  It may take over a number of opcodes from an earlier one.
 */
#include <stdlib.h>

#include "runtime/v8.h"

/* ---------------------------------------------------------------- baseline */

/* Size of the bytecode there, with its prefix; 0: there is none. */
static size_t bytecode_size(const struct v8 *v8, const uint8_t *at,
			    const uint8_t *end)
{
	/* prefixes: wide, very wide, and both for the debugger */
	enum { PREFIXES = 4 };
	size_t scale = 0, prefix = 0;

	if (at < end && *at < PREFIXES) {
		scale = 1 + (*at & 1);
		prefix = 1;
		at++;
	}
	if (at >= end || *at >= v8->nbytecodes)
		return 0;
	return prefix + v8->sizes[scale * v8->nbytecodes + *at];
}

/* Instructions of the prologue come first. */
static int64_t find_bytecode(const struct v8 *v8, const uint8_t *at,
			     const uint8_t *end, const uint8_t *code,
			     size_t size, uint64_t pc)
{
	uint64_t until = v8_unsigned(&at, end);
	int64_t offset = -1;
	size_t next = 0;

	while (until < pc && at < end) {
		size_t step = bytecode_size(v8, code + next, code + size);

		if (!step)
			return -1;
		offset = (int64_t)next;
		next += step;
		until += v8_unsigned(&at, end);
	}
	return until < pc ? -1 : offset;
}

int64_t v8_baseline(struct runtime_process *process, uint64_t shared,
		    uint64_t pc)
{
	enum { TAG = 1, MOST = 1 << 20 };
	const struct v8 *v8 = process->own;
	uint64_t code = v8_field(process, shared, v8->meta[V8_DATA]);
	uint64_t array = v8_bytecode(process, shared);
	int64_t length = v8_number(v8_field(process, array,
					    v8->meta[V8_LENGTH]));
	int64_t offset = -1;
	size_t size;

	if (!v8->code || v8_type(process, code) != v8->meta[V8_IS_CODE] ||
	    length <= 0 || length > MOST)
		return -1;
	uint8_t *table = v8_bytes(process,
				  v8_field(process, code, v8->code->table),
				  &size);
	uint8_t *bytecode = malloc((size_t)length);

	if (table && bytecode &&
	    runtime_read(process,
			 array - TAG + (uint64_t)v8->meta[V8_BYTECODES],
			 bytecode, (size_t)length))
		offset = find_bytecode(v8, table, table + size, bytecode,
				       (size_t)length, pc);
	free(table);
	free(bytecode);
	return offset;
}

/* -------------------------------------------------------------- safepoints */

static uint64_t take_little(const uint8_t *at, unsigned size)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)at[i] << 8 * i;
	return value;
}

/* The deoptimization that a call may end in; -1: none is known. */
static int64_t find_safepoint(struct runtime_process *process, uint64_t code,
			      uint64_t pc)
{
	enum { COUNT_MOST = 1 << 16, SIZE_MOST = 4, HEAD = 2 };
	const struct v8 *v8 = process->own;
	const struct v8_code_layout *layout = v8->code;
	uint64_t start = layout->start ? v8_field(process, code, layout->start)
				       : code - 1 + layout->instructions;
	uint32_t size = (uint32_t)v8_field(process, code, layout->size);
	uint32_t head[HEAD]; /* count, and sizes of what an entry has */

	if (!runtime_read(process, start + size, head, sizeof(head)) ||
	    !head[0] || head[0] > COUNT_MOST)
		return -1;
	unsigned has_deopt = head[1] & 1, registers = head[1] >> 1 & 7;
	unsigned pcs = head[1] >> 4 & 7, indexes = head[1] >> 7 & 7;
	size_t each = pcs + (has_deopt ? indexes + pcs : 0) + registers;
	int64_t found = -1;

	if (!has_deopt || pcs > SIZE_MOST || indexes > SIZE_MOST)
		return -1;
	uint8_t *entries = malloc(head[0] * each);

	if (entries && runtime_read(process, start + size + sizeof(head),
				    entries, head[0] * each))
		for (uint32_t i = 0; i < head[0]; i++) {
			const uint8_t *at = entries + i * each;
			uint64_t index = take_little(at + pcs, indexes);
			/* where it continues if it is not valid any more */
			uint64_t other = take_little(at + pcs + indexes, pcs);

			/* both are one more, so that 0 is none */
			if (index && (take_little(at, pcs) == pc ||
				      (other && other - 1 == pc)))
				found = (int64_t)index - 1;
		}
	free(entries);
	return found;
}

/* ------------------------------------------------------------ translations */

struct translation {
	const struct v8 *v8;
	const uint8_t *bytes, *end;
	const uint8_t *at;
	const uint8_t *other; /* what it takes over from */
	uint64_t left;	      /* opcodes to be taken over */
	uint64_t passed;      /* opcodes since then */
};

static uint8_t take_opcode(const uint8_t **at, const uint8_t *end)
{
	return *at < end ? *(*at)++ : UINT8_MAX;
}

static uint64_t take_operand(struct translation *t)
{
	return v8_unsigned(t->left ? &t->other : &t->at, t->end);
}

static void pass_other(struct translation *t)
{
	uint8_t opcode = take_opcode(&t->other, t->end);

	for (uint32_t i = 0;
	     opcode < t->v8->nopcodes && i < t->v8->operands[opcode]; i++)
		v8_unsigned(&t->other, t->end);
}

/* The next opcode; UINT8_MAX: there is none. */
static uint8_t next_opcode(struct translation *t)
{
	const struct v8_code_layout *layout = t->v8->code;
	uint8_t match = (uint8_t)(t->v8->nopcodes - 1);

	if (t->left && --t->left)
		return take_opcode(&t->other, t->end);
	const uint8_t *begin = t->at;
	uint8_t opcode = take_opcode(&t->at, t->end);

	if (begin == t->end)
		return UINT8_MAX;
	if (!layout->has_matches)
		return opcode >> 1;
	if (opcode >= match) {
		t->left = opcode > match ? opcode - match - 1u
					 : v8_unsigned(&t->at, t->end);
		for (; t->passed && t->other < t->end; t->passed--)
			pass_other(t);
		t->passed = 0;
		return take_opcode(&t->other, t->end);
	}
	t->passed++;
	if (opcode >= layout->begin && opcode <= layout->last_begin) {
		const uint8_t *operand = t->at;
		uint64_t back = v8_unsigned(&operand, t->end);

		if (back > (uint64_t)(begin - t->bytes))
			return UINT8_MAX;
		t->other = begin - back;
		t->passed = 1;
	}
	return opcode;
}

/* An operand with a sign, in its lowest bit. */
static int64_t signed_operand(uint64_t operand)
{
	int64_t value = (int64_t)(operand >> 1);

	return operand & 1 ? -value : value;
}

struct place {
	uint64_t literal;
	int64_t offset;
};

/* Frames of functions, outermost first; 0: they are not understood. */
static unsigned read_translation(struct translation *t,
				 struct place places[RUNTIME_INLINED])
{
	enum { OPERANDS = 8, WITH_RETURN = 5, WITHOUT_RETURN = 3, MOST = 4096 };
	const struct v8 *v8 = t->v8;
	uint64_t operands[OPERANDS] = { 0 };
	uint8_t with_return = 0, opcode = next_opcode(t);
	unsigned n = 0, frames = 0;

	/* only one opcode has so many; that without a result is the next */
	while (with_return < v8->nopcodes &&
	       v8->operands[with_return] != WITH_RETURN)
		with_return++;
	if (with_return + 1u >= v8->nopcodes || opcode < v8->code->begin ||
	    opcode > v8->code->last_begin)
		return 0;
	for (unsigned turn = 0; turn < MOST && opcode < v8->nopcodes; turn++) {
		uint32_t count = v8->operands[opcode];

		for (uint32_t i = 0; i < count; i++) {
			uint64_t operand = take_operand(t);

			if (i < OPERANDS)
				operands[i] = operand;
		}
		if (!turn)
			frames = (unsigned)
				signed_operand(operands[v8->code->frames_at]);
		if (opcode == with_return || opcode == with_return + 1) {
			if (n == RUNTIME_INLINED)
				return n;
			places[n].offset = signed_operand(operands[0]);
			places[n++].literal =
				(uint64_t)signed_operand(operands[1]);
		}
		if (n && n == frames)
			break;
		opcode = next_opcode(t);
		if (opcode >= v8->code->begin && opcode <= v8->code->last_begin)
			break;
	}
	return n;
}

/* ------------------------------------------------------------------ frames */

/* Indices in DeoptimizationData. */
enum {
	TRANSLATIONS = 0, LITERALS = 2, SHARED = 6, ENTRIES = 11,
	ENTRY_WORDS = 3, ENTRY_TRANSLATION = 1
};

static unsigned read_places(struct runtime_process *process, uint64_t code,
			    uint64_t data, uint64_t pc,
			    struct place places[RUNTIME_INLINED])
{
	struct translation t = { .v8 = process->own };
	int64_t entry = find_safepoint(process, code, pc);
	unsigned n = 0;
	size_t size;

	if (entry < 0)
		return 0;
	int64_t index = v8_number(v8_element(
		process, data,
		ENTRIES + (uint64_t)entry * ENTRY_WORDS + ENTRY_TRANSLATION));
	uint8_t *bytes = v8_bytes(process,
				  v8_element(process, data, TRANSLATIONS),
				  &size);

	if (bytes && index >= 0 && (size_t)index < size) {
		t.bytes = bytes;
		t.end = bytes + size;
		t.at = t.other = bytes + index;
		n = read_translation(&t, places);
	}
	free(bytes);
	return n;
}

unsigned v8_optimised(struct runtime_process *process, uint64_t code,
		      uint64_t pc, struct runtime_frame *frames,
		      const char **why)
{
	const struct v8 *v8 = process->own;
	uint64_t data, literals, shared;
	struct place places[RUNTIME_INLINED];
	unsigned n, written = 0;

	*why = "this version's code objects are not known";
	if (!v8->code)
		return 0;
	*why = "optimised code does not say whose it is";
	data = v8_field(process, code, v8->code->data);
	literals = v8_element(process, data, LITERALS);
	n = read_places(process, code, data, pc, places);
	while (n--) {
		/* it may be weak */
		shared = v8_element(process, literals, places[n].literal) &
			 ~(uint64_t)2;
		if (v8_type(process, shared) != v8->meta[V8_IS_SHARED]) {
			written = 0;
			break;
		}
		v8_function(process, shared, places[n].offset,
			    &frames[written++]);
	}
	if (written)
		return written;
	shared = v8_element(process, data, SHARED);
	if (v8_type(process, shared) != v8->meta[V8_IS_SHARED])
		return 0;
	v8_function(process, shared, -1, &frames[0]);
	return 1;
}
