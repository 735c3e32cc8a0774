/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The printer: IR as text, one line per instruction (-x dump=ir, tests).
 *
 *	block 2 (clause 0 body):
 *		; line 3
 *		r4 = load.4s global[8]
 *		r5 = sdiv r4, r3
 *		fault_if r6 DIVZERO -> block 5
 *
 * Sizes follow the name after a dot, with s for signed.  A comment names the D
 * line wherever it changes.  The shape of a line is the same for all ops:
 * result, name, registers, immediate, memory, targets; what an op does not use
 * is 0 and is not printed.
 */

#include <inttypes.h>

#include "ir/ir.h"

static const char *const spaces[] = {
	[IR_NOWHERE] = "nowhere", [IR_FRAME] = "frame", [IR_GLOBAL] = "global",
	[IR_SELF] = "self", [IR_RECORD] = "record", [IR_RODATA] = "rodata",
	[IR_CONTEXT] = "context", [IR_TYPED] = "typed", [IR_KERNEL] = "kernel",
	[IR_USER] = "user", [IR_STATE] = "state",
};

static void print_mem(const struct ir_mem *mem, struct text *out)
{
	text_puts(out, spaces[mem->space]);
	if (mem->space == IR_FRAME)
		text_printf(out, "%" PRIu32, mem->object);
	text_putc(out, '[');
	if (mem->base)
		text_printf(out, "r%" PRIu32, mem->base);
	if (mem->bound)
		text_printf(out, " < %" PRIu32, mem->bound);
	if (mem->base && mem->offset)
		text_puts(out, " + ");
	if (mem->offset || !mem->base)
		text_printf(out, "%" PRId64, mem->offset);
	text_putc(out, ']');
}

/* Does the immediate mean something for this op, besides b? */
static bool has_immediate(const struct ir_insn *insn)
{
	switch (insn->op) {
	case IR_CONTINUE:
	case IR_CONST:
	case IR_COPY:
	case IR_CLEAR:
	case IR_READ:
	case IR_READ_STRING:
	case IR_STRING_COPY:
	case IR_STRING_TAKE:
	case IR_STRING_COMPARE:
	case IR_WRITE_USER:
	case IR_STRING_EQUAL:
	case IR_STRING_LENGTH:
	case IR_RECORD_BEGIN:
	case IR_AGGREGATE:
	case IR_INTRINSIC:
	case IR_STACK:
	case IR_USTACK:
	case IR_ARRAY_LOAD:
	case IR_ARRAY_READ:
	case IR_ARRAY_STORE:
	case IR_ARRAY_WRITE:
	case IR_ARRAY_DELETE:
	case IR_ARRAY_ADD:
	case IR_ARRAY_SWEEP:
	case IR_READ_ARGS:
	case IR_CALL_READ:
	case IR_CALL_WRITE:
	case IR_LOOP:
	case IR_INVOKE:
	case IR_LEAVE:
		return true;
	default:
		break;
	}
	return !insn->b && ((insn->op >= IR_ADD && insn->op <= IR_ASR) ||
			    (insn->op >= IR_EQ && insn->op <= IR_SGE));
}

static bool has_second_immediate(enum ir_op op)
{
	return op == IR_CALL_READ || op == IR_CALL_WRITE ||
	       op == IR_STRING_COPY || op == IR_STRING_TAKE ||
	       op == IR_STRING_COMPARE || op == IR_STRING_EQUAL ||
	       op == IR_RECORD_BEGIN || op == IR_FAULT_RECORD;
}

/* "" before the first operand, "," before the others. */
static const char *separator(bool *is_first)
{
	const char *text = *is_first ? " " : ", ";

	*is_first = false;
	return text;
}

/* "[2 + r5] += r6", "[0] min r3", "[2] += r8:r7" */
static void print_change(const struct ir_slot_change *change, struct text *out)
{
	static const char *const ops[] = {
		[IR_SLOT_ADD] = "+=", [IR_SLOT_MIN] = "min",
		[IR_SLOT_MAX] = "max", [IR_SLOT_ADD128] = "+=",
	};

	text_printf(out, "[%" PRIu32, change->slot);
	if (change->index)
		text_printf(out, " + r%" PRIu32, change->index);
	text_printf(out, "] %s ", ops[change->op]);
	if (change->high)
		text_printf(out, "r%" PRIu32 ":", change->high);
	text_printf(out, "r%" PRIu32, change->value);
}

static void print_operands(const struct ir_insn *insn, struct text *out)
{
	bool is_first = true;

	if (insn->op == IR_QUERY)
		text_printf(out, "%s%s", separator(&is_first),
			    ir_query_name((enum ir_query)insn->imm));
	if (insn->op == IR_CALL_READ || insn->op == IR_CALL_WRITE)
		text_printf(out, "%s%s", separator(&is_first),
			    ir_function_name(insn->function));
	if (insn->mem.space) {
		text_puts(out, separator(&is_first));
		print_mem(&insn->mem, out);
	}
	if (insn->source.space) {
		text_puts(out, separator(&is_first));
		if (ir_op_flags(insn->op) & IR_READS_SOURCE)
			print_mem(&insn->source, out);
		else
			text_puts(out, spaces[insn->source.space]);
	}
	if (insn->a)
		text_printf(out, "%sr%" PRIu32, separator(&is_first), insn->a);
	if (insn->op == IR_FAULT || insn->op == IR_FAULT_IF)
		text_printf(out, "%s%s", separator(&is_first),
			    fault_name((enum fault)insn->imm));
	if (insn->b)
		text_printf(out, "%sr%" PRIu32, separator(&is_first), insn->b);
	if (has_immediate(insn))
		text_printf(out, "%s%" PRId64, separator(&is_first), insn->imm);
	if (has_second_immediate(insn->op))
		text_printf(out, "%s%" PRId64, separator(&is_first),
			    insn->imm2);
	if (insn->speculation)
		text_printf(out, "%sr%" PRIu32, separator(&is_first),
			    insn->speculation);
	for (uint32_t i = 0; insn->slots && i < insn->slots->count; i++) {
		text_puts(out, separator(&is_first));
		print_change(&insn->slots->changes[i], out);
	}
	if (insn->target)
		text_printf(out, " -> block %" PRIu32, insn->target->number);
	if (insn->otherwise)
		text_printf(out, ", block %" PRIu32, insn->otherwise->number);
}

static void print_insn(const struct ir_insn *insn, struct text *out)
{
	text_putc(out, '\t');
	if (insn->dst)
		text_printf(out, "r%" PRIu32 " = ", insn->dst);
	text_puts(out, ir_op_name(insn->op));
	if (insn->size)
		text_printf(out, ".%u%s", insn->size,
			    insn->is_signed ? "s" : "");
	print_operands(insn, out);
	text_putc(out, '\n');
}

static bool same_line(const struct place *a, const struct place *b)
{
	return a->source == b->source && a->line == b->line &&
	       a->file == b->file;
}

static void print_place(const struct place *place, struct text *out)
{
	if (!place->source && !place->line)
		return;
	text_puts(out, "\t; ");
	if (place->file)
		text_printf(out, "%s, ", place->file);
	text_printf(out, "line %" PRIu32 "\n", place->line);
}

void ir_print(const struct ir_program *program, struct text *out)
{
	struct place last = { 0 };

	text_printf(out,
		    "; %" PRIu32 " registers, %" PRIu32 " bytes of rodata,"
		    " largest record %" PRIu32 "\n",
		    program->nregs, program->rodata_size, program->max_record);
	for (uint32_t i = 0; i < program->nobjects; i++)
		text_printf(out, "; frame%" PRIu32 ": %" PRIu32 " bytes, %s\n",
			    i, program->objects[i].size,
			    program->objects[i].name ? program->objects[i].name
						     : "unnamed");
	for (const struct ir_block *block = program->blocks; block;
	     block = block->next) {
		text_printf(out, "block %" PRIu32, block->number);
		if (block->label)
			text_printf(out, " (%s)", block->label);
		text_puts(out, ":\n");
		for (const struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			if (!same_line(&insn->place, &last))
				print_place(&insn->place, out);
			last = insn->place;
			print_insn(insn, out);
		}
	}
}
