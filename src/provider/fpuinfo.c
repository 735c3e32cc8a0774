/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fpuinfo: saving and loading a thread's floating-point and vector registers.
 *
 * The classic provider counts the floating-point instructions that a SPARC
 * leaves to the kernel.  Here no instructions are left to the kernel, but it
 * saves and loads registers.  Where it has tracepoints for that
 * (ARCH_FPU_EVENT), these are the probes.  args[0] is 1, as with the other
 * statistics; args[1] is the structure that holds the registers.
 */
#include "provider/stable.h"

#define FPU(event) \
	{ "fpu_" event, { { "uint64_t" }, { "struct fpu *" } }, \
	  STABLE_SOURCES({ ARCH_FPU_EVENT event, \
			   .args = { "1", "args[0]" } }) }

static const struct stable_probe probes[] = {
	FPU("regs_activated"),
	FPU("regs_deactivated"),
	FPU("before_save"),
	FPU("after_save"),
	FPU("copy_dst"),
	FPU("dropped"),
	FPU("xstate_check_failed"),
	{ .name = NULL },
};

static int fpuinfo_list(struct probe_registry *registry,
			const struct probe_desc *desc,
			struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &fpuinfo_provider, probes, desc);
}

const struct provider fpuinfo_provider = {
	.name = "fpuinfo",
	.about = "saving and loading floating-point and vector registers",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = fpuinfo_list,
	.nids = sizeof(probes) / sizeof(probes[0]) - 1,
	STABLE_METHODS,
};
