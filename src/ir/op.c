/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of instructions: names for the printer, and what passes may
 * assume.  Everything that asks "does this op ..." asks this table, so that
 * a new op is one line here, one arm in the interpreter and one in the back
 * end.
 */

#include "ir/ir.h"

static const struct {
	const char *name;
	unsigned flags;
} ops[IR_OP_COUNT] = {
	[IR_NOP] = { "nop", 0 },
	[IR_CONST] = { "const", IR_HAS_DST | IR_IS_PURE },
	[IR_MOVE] = { "move", IR_HAS_DST | IR_IS_PURE },
	[IR_ADD] = { "add", IR_HAS_DST | IR_IS_PURE },
	[IR_SUB] = { "sub", IR_HAS_DST | IR_IS_PURE },
	[IR_MUL] = { "mul", IR_HAS_DST | IR_IS_PURE },
	[IR_UDIV] = { "udiv", IR_HAS_DST | IR_IS_PURE },
	[IR_UMOD] = { "umod", IR_HAS_DST | IR_IS_PURE },
	[IR_SDIV] = { "sdiv", IR_HAS_DST | IR_IS_PURE },
	[IR_SMOD] = { "smod", IR_HAS_DST | IR_IS_PURE },
	[IR_AND] = { "and", IR_HAS_DST | IR_IS_PURE },
	[IR_OR] = { "or", IR_HAS_DST | IR_IS_PURE },
	[IR_XOR] = { "xor", IR_HAS_DST | IR_IS_PURE },
	[IR_SHL] = { "shl", IR_HAS_DST | IR_IS_PURE },
	[IR_LSR] = { "lsr", IR_HAS_DST | IR_IS_PURE },
	[IR_ASR] = { "asr", IR_HAS_DST | IR_IS_PURE },
	[IR_NEG] = { "neg", IR_HAS_DST | IR_IS_PURE },
	[IR_NOT] = { "not", IR_HAS_DST | IR_IS_PURE },
	[IR_BITS] = { "bits", IR_HAS_DST | IR_IS_PURE },
	[IR_EQ] = { "eq", IR_HAS_DST | IR_IS_PURE },
	[IR_NE] = { "ne", IR_HAS_DST | IR_IS_PURE },
	[IR_ULT] = { "ult", IR_HAS_DST | IR_IS_PURE },
	[IR_ULE] = { "ule", IR_HAS_DST | IR_IS_PURE },
	[IR_UGT] = { "ugt", IR_HAS_DST | IR_IS_PURE },
	[IR_UGE] = { "uge", IR_HAS_DST | IR_IS_PURE },
	[IR_SLT] = { "slt", IR_HAS_DST | IR_IS_PURE },
	[IR_SLE] = { "sle", IR_HAS_DST | IR_IS_PURE },
	[IR_SGT] = { "sgt", IR_HAS_DST | IR_IS_PURE },
	[IR_SGE] = { "sge", IR_HAS_DST | IR_IS_PURE },
	[IR_EXTEND] = { "extend", IR_HAS_DST | IR_IS_PURE },
	[IR_LOAD] = { "load", IR_HAS_DST | IR_IS_PURE | IR_READS_MEM },
	[IR_STORE] = { "store", IR_WRITES_MEM },
	[IR_ATOMIC_ADD] = { "atomic_add", IR_READS_MEM | IR_WRITES_MEM },
	[IR_COPY] = { "copy", IR_WRITES_MEM | IR_READS_SOURCE },
	[IR_CLEAR] = { "clear", IR_WRITES_MEM },
	[IR_ADDRESS] = { "address", IR_HAS_DST | IR_IS_PURE | IR_READS_MEM },
	[IR_READ] = { "read", IR_MAY_JUMP | IR_WRITES_MEM },
	[IR_READ_STRING] = { "read_string",
			     IR_HAS_DST | IR_MAY_JUMP | IR_WRITES_MEM },
	[IR_READ_ARGS] = { "read_args", IR_HAS_DST | IR_WRITES_MEM },
	[IR_READ_SCALAR] = { "read_scalar", IR_HAS_DST | IR_MAY_JUMP },
	[IR_WRITE_USER] = { "write_user", IR_MAY_JUMP | IR_READS_MEM },
	[IR_STRING_COPY] = { "string_copy", IR_WRITES_MEM | IR_READS_SOURCE },
	[IR_STRING_TAKE] = { "string_take", IR_WRITES_MEM | IR_READS_SOURCE },
	[IR_STRING_COMPARE] = { "string_compare", IR_HAS_DST | IR_IS_PURE |
							  IR_READS_MEM |
							  IR_READS_SOURCE },
	[IR_STRING_EQUAL] = { "string_equal", IR_HAS_DST | IR_IS_PURE |
						      IR_READS_MEM |
						      IR_READS_SOURCE },
	[IR_STRING_LENGTH] = { "string_length",
			       IR_HAS_DST | IR_IS_PURE | IR_READS_MEM },
	[IR_CALL_READ] = { "call_read", IR_HAS_DST | IR_IS_PURE | IR_READS_MEM |
						IR_READS_SOURCE },
	[IR_CALL_WRITE] = { "call_write", IR_HAS_DST | IR_READS_MEM |
						  IR_WRITES_MEM |
						  IR_READS_SOURCE },
	[IR_QUERY] = { "query", IR_HAS_DST | IR_IS_PURE },
	[IR_COMM] = { "comm", IR_WRITES_MEM },
	[IR_STACK] = { "stack", IR_HAS_DST | IR_WRITES_MEM },
	[IR_USTACK] = { "ustack",
			IR_HAS_DST | IR_WRITES_MEM | IR_READS_SOURCE },
	[IR_GOTO] = { "goto", IR_ENDS_BLOCK },
	[IR_BRANCH] = { "branch", IR_ENDS_BLOCK },
	[IR_RETURN] = { "return", IR_ENDS_BLOCK },
	[IR_CONTINUE] = { "continue", IR_ENDS_BLOCK },
	[IR_FAULT_IF] = { "fault_if", IR_MAY_JUMP },
	[IR_FAULT] = { "fault", IR_ENDS_BLOCK },
	[IR_LOOP] = { "loop", IR_HAS_DST },
	[IR_INVOKE] = { "invoke", IR_HAS_DST },
	[IR_LEAVE] = { "leave", IR_ENDS_BLOCK },
	[IR_FAULT_AGAIN] = { "fault_again", IR_ENDS_BLOCK },
	[IR_RECORD_BEGIN] = { "record_begin", IR_MAY_JUMP },
	[IR_RECORD_END] = { "record_end", 0 },
	[IR_RECORD_DROP] = { "record_drop", 0 },
	[IR_FAULT_RECORD] = { "fault_record", 0 },
	[IR_EXIT] = { "exit", 0 },
	[IR_SPECULATION] = { "speculation", IR_HAS_DST },
	[IR_COMMIT] = { "commit", 0 },
	[IR_DISCARD] = { "discard", 0 },
	[IR_AGGREGATE] = { "aggregate", IR_READS_MEM },
	[IR_ARRAY_LOAD] = { "array_load",
			    IR_HAS_DST | IR_IS_PURE | IR_READS_SOURCE },
	[IR_ARRAY_READ] = { "array_read", IR_WRITES_MEM | IR_READS_SOURCE },
	[IR_ARRAY_STORE] = { "array_store", IR_HAS_DST | IR_READS_SOURCE },
	[IR_ARRAY_WRITE] = { "array_write",
			     IR_HAS_DST | IR_READS_MEM | IR_READS_SOURCE },
	[IR_ARRAY_DELETE] = { "array_delete", IR_HAS_DST | IR_READS_SOURCE },
	[IR_ARRAY_ADD] = { "array_add", IR_HAS_DST | IR_READS_SOURCE },
	[IR_ARRAY_SWEEP] = { "array_sweep", 0 },
	[IR_INTRINSIC] = { "intrinsic", IR_HAS_DST },
};

static const char *const queries[IR_QUERY_COUNT] = {
	[IR_QUERY_TIMESTAMP] = "timestamp",
	[IR_QUERY_WALLTIME] = "walltime",
	[IR_QUERY_BOOTTIME] = "boottime",
	[IR_QUERY_PID_TGID] = "pid_tgid",
	[IR_QUERY_UID_GID] = "uid_gid",
	[IR_QUERY_CPU] = "cpu",
	[IR_QUERY_TASK] = "task",
	[IR_QUERY_TASK_TYPED] = "task_typed",
	[IR_QUERY_USER_REGS] = "user_regs",
	[IR_QUERY_RANDOM] = "random",
	[IR_QUERY_FAULT_CODE] = "fault_code",
	[IR_QUERY_FAULT_VALUE] = "fault_value",
	[IR_QUERY_FAULT_SITE] = "fault_site",
	[IR_QUERY_FAULT_PROBE] = "fault_probe",
	[IR_QUERY_FAULT_NOTE] = "fault_note",
	[IR_QUERY_TURN] = "turn",
};

static const char *const functions[IR_FUNCTION_COUNT] = {
#define FUNCTION(name) [FUNCTION_##name] = #name,
#include "bpf/functions.def"
#undef FUNCTION
};

static const char *const faults[FAULT_COUNT] = {
	[FAULT_UNKNOWN] = "UNKNOWN", [FAULT_BADADDR] = "BADADDR",
	[FAULT_BADALIGN] = "BADALIGN", [FAULT_ILLOP] = "ILLOP",
	[FAULT_DIVZERO] = "DIVZERO", [FAULT_NOSCRATCH] = "NOSCRATCH",
	[FAULT_KPRIV] = "KPRIV", [FAULT_UPRIV] = "UPRIV",
	[FAULT_TUPOFLOW] = "TUPOFLOW", [FAULT_BADSTACK] = "BADSTACK",
	[FAULT_BADSIZE] = "BADSIZE", [FAULT_BADINDEX] = "BADINDEX",
	[FAULT_LOOPLIMIT] = "LOOPLIMIT",
};

const char *ir_op_name(enum ir_op op)
{
	if (op >= IR_OP_COUNT || !ops[op].name)
		return "unknown";
	return ops[op].name;
}

unsigned ir_op_flags(enum ir_op op)
{
	return op < IR_OP_COUNT ? ops[op].flags : 0;
}

const char *ir_query_name(enum ir_query query)
{
	if (query >= IR_QUERY_COUNT || !queries[query])
		return "unknown";
	return queries[query];
}

const char *ir_function_name(enum ir_function function)
{
	return function < IR_FUNCTION_COUNT ? functions[function] : "unknown";
}

const char *fault_name(enum fault fault)
{
	return fault < FAULT_COUNT ? faults[fault] : "UNKNOWN";
}

/* Fields that an op does not use are 0, so every register found is read. */
unsigned ir_reads(const struct ir_insn *insn, ir_reg reads[IR_MAX_READS])
{
	const ir_reg fields[IR_MAX_READS - IR_SLOT_READS] = {
		insn->a, insn->b, insn->mem.base, insn->source.base,
		insn->speculation,
	};
	const struct ir_slots *slots = insn->slots;
	unsigned count = 0;

	for (unsigned i = 0; i < IR_MAX_READS - IR_SLOT_READS; i++)
		if (fields[i])
			reads[count++] = fields[i];
	for (uint32_t i = 0; slots && i < slots->count; i++) {
		const struct ir_slot_change *change = &slots->changes[i];

		if (change->index)
			reads[count++] = change->index;
		if (change->value)
			reads[count++] = change->value;
		if (change->high)
			reads[count++] = change->high;
	}
	return count;
}

void ir_renumber(struct ir_program *program)
{
	uint32_t number = 0;

	for (struct ir_block *block = program->blocks; block;
	     block = block->next)
		block->number = number++;
	program->nblocks = number;
}
