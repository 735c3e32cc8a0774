/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that keep their CPU.
 *
 * The kernel does not run a program on a CPU where another thread is inside of
 * it: that firing is lost (and counted).  Up to Linux 6.18 this happens on
 * tracepoints only if an interrupt fires the same probe; since Linux 7 a thread
 * may also lose the CPU in the middle of a program, and then the others lose
 * their firings until it gets the CPU back.
 *
 * So the program forbids preemption as its first act.  If the scheduler wants
 * the CPU meanwhile, allowing it again would preempt the thread at that very
 * place, which is still inside.  But not while interrupts are off: so they are,
 * for a moment, and what is pending is done when the kernel next looks, outside.
 * What remains are the few instructions before and after.
 *
 * Where the kernel never preempts programs of tracepoints this would only cost
 * time.  Whether it does is seen from another thing: it then lets them sleep.
 */
#include "bpf/gen.h"

#include <unistd.h>

#include "bpf/sys.h"

static const char *const names[HOLD_FUNCTIONS] = {
	[HOLD_DISABLE] = "bpf_preempt_disable",
	[HOLD_ENABLE] = "bpf_preempt_enable",
	[HOLD_SAVE] = "bpf_local_irq_save",
	[HOLD_RESTORE] = "bpf_local_irq_restore",
};

const char *bpf_hold_name(enum bpf_hold_function which)
{
	return names[which];
}

static bool is_held(const struct bpf_generate_config *config)
{
	return config->hold[HOLD_DISABLE] &&
	       (config->kind.type == BPF_PROG_TYPE_RAW_TRACEPOINT ||
		config->kind.type == BPF_PROG_TYPE_TRACING);
}

/* R1 is kept. */
void gen_hold(struct gen *g)
{
	if (!is_held(g->config))
		return;
	out(g, insn_store(8, R10, TEMP_A, R1));
	out(g, insn_call_kernel(g->config->hold[HOLD_DISABLE]));
	out(g, insn_load(8, R1, R10, TEMP_A));
}

static void call_with_flags(struct gen *g, enum bpf_hold_function which)
{
	out(g, insn_mov(R1, R10));
	out(g, insn_alu_imm(BPF_ADD, R1, TEMP_A));
	out(g, insn_call_kernel(g->config->hold[which]));
}

/* R1 is kept, if there is anything in it that needs to be. */
void gen_release(struct gen *g, bool keeps_r1)
{
	if (!is_held(g->config))
		return;
	if (keeps_r1)
		out(g, insn_store(8, R10, TEMP_B, R1));
	call_with_flags(g, HOLD_SAVE);
	out(g, insn_call_kernel(g->config->hold[HOLD_ENABLE]));
	call_with_flags(g, HOLD_RESTORE);
	if (keeps_r1)
		out(g, insn_load(8, R1, R10, TEMP_B));
}

bool bpf_hold_works(const uint32_t hold[HOLD_FUNCTIONS])
{
	const struct bpf_insn insns[] = {
		insn_call_kernel(hold[HOLD_DISABLE]),
		insn_mov(R1, R10),
		insn_alu_imm(BPF_ADD, R1, TEMP_A),
		insn_call_kernel(hold[HOLD_SAVE]),
		insn_call_kernel(hold[HOLD_ENABLE]),
		insn_mov(R1, R10),
		insn_alu_imm(BPF_ADD, R1, TEMP_A),
		insn_call_kernel(hold[HOLD_RESTORE]),
		insn_mov_imm(R0, 0),
		insn_exit(),
	};
	int fd = sys_prog_load(&(struct sys_prog){
		.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.insns = insns,
		.count = sizeof(insns) / sizeof(insns[0]),
		.name = "dtrace_try",
	});

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}
