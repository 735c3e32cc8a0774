/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One program in front of many.
 *
 * All system calls share two tracepoints.  Thirty programs on one of them would
 * each be called for every system call of the machine, to find out that it is
 * not theirs; attaching and removing them would wait thirty times.  So a
 * program of a few instructions takes their place, looks up the number in a
 * table of programs, and continues in the one it finds, if any.
 */
#include "bpf/bpf.h"
#include "bpf/encode.h"
#include "bpf/sys.h"

enum { MOST_INSNS = 24, NUMBER = -8 };

/* R7 = `half` if the flag is set in the calling thread's struct, else 0. */
static uint32_t add_half(struct bpf_insn *insns, const struct bpf_half *half)
{
	uint32_t n = 0;

	insns[n++] = insn_call(BPF_FUNC_get_current_task_btf);
	insns[n++] = insn_load(4, R7, R0, (int16_t)half->offset);
	insns[n++] = insn_alu_imm(BPF_AND, R7, (int32_t)half->flag);
	insns[n++] = insn_alu_imm(BPF_MUL, R7,
				  (int32_t)(half->first / half->flag));
	return n;
}

int bpf_dispatcher_load(int table_fd, uint32_t word, int32_t offset,
			const struct bpf_half *half)
{
	struct bpf_insn insns[MOST_INSNS];
	uint32_t n = 0;

	insns[n++] = insn_mov(R6, R1);
	if (half->offset)
		n += add_half(&insns[n], half);
	insns[n++] = insn_load(8, R3, R6, (int16_t)(word * 8));
	if (offset >= 0) {
		insns[n++] = insn_alu_imm(BPF_ADD, R3, offset);
		insns[n++] = insn_mov(R1, R10);
		insns[n++] = insn_alu_imm(BPF_ADD, R1, NUMBER);
		insns[n++] = insn_mov_imm(R2, 8);
		insns[n++] = insn_call(BPF_FUNC_probe_read_kernel);
		insns[n++] = insn_load(8, R3, R10, NUMBER);
	}
	if (half->offset)
		insns[n++] = insn_alu(BPF_ADD, R3, R7);
	insns[n++] = insn_mov(R1, R6);
	insn_map(&insns[n], R2, table_fd);
	n += 2;
	insns[n++] = insn_call(BPF_FUNC_tail_call);
	insns[n++] = insn_mov_imm(R0, 0);
	insns[n++] = insn_exit();
	return sys_prog_load(&(struct sys_prog){
		.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.insns = insns,
		.count = n,
		.name = "dtrace_dispatch",
	});
}
