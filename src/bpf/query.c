/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions to the kernel: who, where, when.  Most are one helper call; the
 * table says which.
 */
#include "bpf/gen.h"
#include "bpf/link.h"
#include "bpf/unwind.h"

#include <stddef.h>

static const int helpers[IR_QUERY_COUNT] = {
	[IR_QUERY_TIMESTAMP] = BPF_FUNC_ktime_get_ns,
	[IR_QUERY_BOOTTIME] = BPF_FUNC_ktime_get_boot_ns,
	[IR_QUERY_PID_TGID] = BPF_FUNC_get_current_pid_tgid,
	[IR_QUERY_UID_GID] = BPF_FUNC_get_current_uid_gid,
	[IR_QUERY_CPU] = BPF_FUNC_get_smp_processor_id,
	[IR_QUERY_TASK] = BPF_FUNC_get_current_task,
	[IR_QUERY_TASK_TYPED] = BPF_FUNC_get_current_task_btf,
	[IR_QUERY_RANDOM] = BPF_FUNC_get_prandom_u32,
};

/*
 * state.wall_offset belongs to the clock that is used here: TAI, which
 * follows clock steps, or the boot clock where there is no TAI helper.
 */
static void gen_walltime(struct gen *g)
{
	out(g,
	    insn_call(bpf_has(FEATURE_TAI_CLOCK) ? BPF_FUNC_ktime_get_tai_ns
						 : BPF_FUNC_ktime_get_boot_ns));
	emit_map_value(&g->e, R1, MAP_STATE,
		       offsetof(struct abi_state, wall_offset));
	out(g, insn_load(8, R1, R1, 0));
	out(g, insn_alu(BPF_ADD, R0, R1));
}

void gen_query(struct gen *g, const struct ir_insn *insn)
{
	switch (insn->imm) {
	case IR_QUERY_WALLTIME:
		gen_walltime(g);
		break;
	case IR_QUERY_USER_REGS:
		out(g, insn_call(BPF_FUNC_get_current_task_btf));
		out(g, insn_mov(R1, R0));
		out(g, insn_call(BPF_FUNC_task_pt_regs));
		break;
	case IR_QUERY_FAULT_CODE:
		use_in(g, hidden_reg(g, HIDDEN_NOTE), R0);
		out(g, insn_alu_imm(BPF_RSH, R0, NOTE_CODE_SHIFT));
		break;
	case IR_QUERY_FAULT_SITE:
		use_in(g, hidden_reg(g, HIDDEN_NOTE), R0);
		out(g, insn_alu_imm(BPF_AND, R0, (1 << NOTE_CODE_SHIFT) - 1));
		break;
	case IR_QUERY_FAULT_NOTE:
		use_in(g, hidden_reg(g, HIDDEN_NOTE), R0);
		break;
	case IR_QUERY_TURN:
		use_in(g, hidden_reg(g, HIDDEN_TURN), R0);
		break;
	case IR_QUERY_FAULT_VALUE:
		use_in(g, hidden_reg(g, HIDDEN_FAULT_VALUE), R0);
		break;
	case IR_QUERY_FAULT_PROBE:
		use_in(g, hidden_reg(g, HIDDEN_FAULT_PROBE), R0);
		break;
	default:
		if (insn->imm < 0 || insn->imm >= IR_QUERY_COUNT ||
		    !helpers[insn->imm])
			emit_fail(&g->e, "an unknown query");
		else
			out(g, insn_call(helpers[insn->imm]));
	}
	define(g, insn->dst, R0);
}

void gen_comm(struct gen *g, const struct ir_insn *insn)
{
	label lost = label_new(&g->e);

	prepare_write(g, &insn->mem, 0, false, lost);

	struct spot comm = locate(g, &insn->mem, 16, R1, R2);

	/* 6.1 leaves what follows the NUL unchanged: a key needs zeros. */
	clear_bytes(g, comm, 16);
	spot_address(g, comm, R1);
	out(g, insn_mov_imm(R2, 16));
	out(g, insn_call(BPF_FUNC_get_current_comm));
	label_bind(&g->e, lost);
}

/*
 * The run-time library walks the user's stack; if it does not know the process
 * yet it asks user space for help.  A caller that wants the number has the
 * frames in its own memory, not in a self record that may be missing.
 */
_Static_assert((int)IR_WALK_SIZE == (int)UNWIND_STATE, "the same in both");

void gen_ustack(struct gen *g, const struct ir_insn *insn)
{
	label lost = label_new(&g->e), quiet = label_new(&g->e);
	uint32_t size = (uint32_t)insn->imm;

	prepare_write(g, &insn->mem, 0, false, lost);
	struct spot to = locate(g, &insn->mem, size, R1, R2);

	clear_bytes(g, to, size);
	spot_address(g, to, R1);
	emit_map_value(&g->e, R2, MAP_UNWIND, 0);
	emit_const(&g->e, R3,
		   (int64_t)((uint64_t)size | g->config->unwind_size << 32));
	use_in(g, insn->a, R4);
	if (insn->imm2)
		out(g, insn_alu_imm(BPF_OR, R4, (int32_t)insn->imm2));
	spot_address(g, locate(g, &insn->source, IR_WALK_SIZE, R5, R0), R5);
	link_call(g, FUNCTION_unwind);
	out(g, insn_mov(R1, R0));
	out(g, insn_alu_imm(BPF_RSH, R1, 32));
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R1, 0, 0), quiet);
	out(g,
	    insn_store(8, R10,
		       TEMP_MESSAGE + (int)offsetof(struct abi_message, value),
		       R0));
	wake_consumer(g, CONTROL_STACK);
	out(g,
	    insn_load(8, R0, R10,
		      TEMP_MESSAGE + (int)offsetof(struct abi_message, value)));
	label_bind(&g->e, quiet);
	if (insn->dst) {
		out(g, insn_mov32(R0, R0));
		define(g, insn->dst, R0);
	}
	label_bind(&g->e, lost);
}

/*
 * The trampoline of a typed program is called by the function that it is on,
 * whose frame then comes first.  Or the function jumps to it (Linux 7, where its
 * return is traced, too, by anybody), and there is no such frame.  If it is
 * there it returns to right behind the call, at the function's start.
 */
enum { PATCHED_START = 16 };

static void mark_function(struct gen *g, const struct ir_insn *insn)
{
	label other = label_new(&g->e);

	out(g, insn_store(8, R10, TEMP_A, R0));
	use_in(g, hidden_reg(g, HIDDEN_CONTEXT), R1);
	out(g, insn_call(BPF_FUNC_get_func_ip));
	struct spot first = locate(g, &insn->mem, (uint32_t)insn->imm, R1, R2);

	out(g, insn_load(8, R3, first.reg, (int16_t)first.offset));
	out(g, insn_alu(BPF_SUB, R3, R0));
	emit_jump(&g->e, insn_jump_imm(BPF_JGT, R3, PATCHED_START, 0), other);
	out(g,
	    insn_store_imm(8, first.reg, (int16_t)first.offset, ABI_OWN_FRAME));
	label_bind(&g->e, other);
	out(g, insn_load(8, R0, R10, TEMP_A));
}

/*
 * The helper leaves the bytes after the last frame alone, and fails if there is
 * no such stack (a kernel thread has no user stack): then all are zero.
 */
void gen_stack(struct gen *g, const struct ir_insn *insn)
{
	label lost = label_new(&g->e), walked = label_new(&g->e);
	uint32_t size = (uint32_t)insn->imm;

	prepare_write(g, &insn->mem, 0, false, lost);
	struct spot to = locate(g, &insn->mem, size, R1, R2);

	clear_bytes(g, to, size);
	spot_address(g, to, R2);
	use_in(g, hidden_reg(g, HIDDEN_CONTEXT), R1);
	out(g, insn_mov_imm(R3, (int32_t)size));
	out(g, insn_mov_imm(R4, (int32_t)insn->imm2));
	out(g, insn_call(BPF_FUNC_get_stack));
	if (g->program->marks_function)
		mark_function(g, insn);
	if (!insn->dst) {
		label_bind(&g->e, lost);
		label_bind(&g->e, walked);
		return;
	}
	emit_jump(&g->e, insn_jump32_imm(BPF_JSGE, R0, 0, 0), walked);
	label_bind(&g->e, lost);
	out(g, insn_mov_imm(R0, 0));
	label_bind(&g->e, walked);
	out(g, insn_mov32(R0, R0));
	out(g, insn_alu_imm(BPF_RSH, R0, 3));
	define(g, insn->dst, R0);
}

/*
 * To the verifier, loads from the context would be pointers, on which it allows
 * little arithmetic; these helpers (which it expands in place) give numbers.
 */
static void gen_function_value(struct gen *g, const struct ir_insn *insn)
{
	bool is_result = insn->imm == IR_FUNCTION_RESULT;
	int64_t n = 0;

	if (!is_result && !is_constant(g, insn->a, &n))
		emit_fail(&g->e, "an argument whose number is not constant");
	out(g, insn_mov_imm(R1, 0));
	out(g, insn_store(8, R10, TEMP_A, R1));
	use_in(g, hidden_reg(g, HIDDEN_CONTEXT), R1);
	out(g, insn_mov(is_result ? R2 : R3, R10));
	out(g, insn_alu_imm(BPF_ADD, is_result ? R2 : R3, TEMP_A));
	if (!is_result)
		out(g, insn_mov_imm(R2, (int32_t)n));
	out(g, insn_call(is_result ? BPF_FUNC_get_func_ret
				   : BPF_FUNC_get_func_arg));
	out(g, insn_load(8, R0, R10, TEMP_A));
}

void gen_intrinsic(struct gen *g, const struct ir_insn *insn)
{
	switch (insn->imm) {
	case IR_ATTACH_COOKIE:
		use_in(g, hidden_reg(g, HIDDEN_CONTEXT), R1);
		out(g, insn_call(BPF_FUNC_get_attach_cookie));
		break;
	case IR_CHILL:
		gen_chill(g, insn);
		return;
	case IR_SEND_SIGNAL:
		use_in(g, insn->a, R1);
		out(g, insn_call(BPF_FUNC_send_signal));
		break;
	case IR_FUNCTION_ARGUMENT:
	case IR_FUNCTION_RESULT:
		gen_function_value(g, insn);
		break;
	default:
		emit_fail(&g->e, "an unknown intrinsic");
		return;
	}
	if (!is_dead(g, insn->dst))
		define(g, insn->dst, R0);
}
