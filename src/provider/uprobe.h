/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * User probes: one program in many places of files that processes map.
 *
 * A provider of user probes (pid, USDT) does this:
 *
 *	.program_type = BPF_PROG_TYPE_KPROBE,
 *	context():  uprobe_context(arena, group) sets the kind of program and
 *		    how the probe that fired is identified; then set
 *		    group->lower.argument.  What the kernel passes is the
 *		    user's struct pt_regs: context_word(lower, ARCH_PC).
 *	attach():   create one uprobe_site per probe (or several: a USDT probe
 *		    with many places), `probe` being its index in the group,
 *		    and call uprobe_attach().
 *	.detach	    = uprobe_detach
 *
 * User memory is read with IR_USER (ir_read_scalar(), copyin ...): where the
 * kernel has sleepable programs, missing pages are faulted in.
 *
 * 1. A place is a byte of a file, wherever processes have it mapped.  The
 *    path is only used to find the file: /proc/PID/root/..., or
 *    /proc/self/fd/N for one that is open.
 * 2. Never where arch_is_unsafe(); see uprobe_skip_entry() for functions.
 * 3. Semaphores are counted up and down by the kernel, in every process that
 *    has the file mapped (or only in `pid`).
 */

#include <sys/types.h>

#include "provider/provider.h"

struct uprobe_site {
	const char *path;   /* sites of one file should be neighbours */
	uint64_t offset;    /* of the instruction, in the file */
	uint64_t semaphore; /* of its counter, in the file; 0: none */
	/*
	 * Its address in the process, if it belongs to one; 0: not known.
	 * Kernels without links for many probes (6.1) identify probes by it,
	 * and without it each site costs a tenth of a second when tracing ends.
	 */
	uint64_t address;
	uint32_t probe; /* index of the probe in its group; select finds it */
	bool is_return; /* fires when the function returns */
};

struct uprobe_sites {
	struct uprobe_site *items;
	uint32_t count;
	pid_t pid;     /* only this process; 0: all */
	bool are_told; /* even those of one probe are distinguished */
};

/* Kind of program and select() for a group. */
void uprobe_context(struct arena *arena, struct probe_group *group);
/*
 * The same, with the sites that will be attached: then kernels without links
 * for many probes can do with one event for all of them.
 */
void uprobe_context_at(struct arena *arena, struct probe_group *group,
		       const struct uprobe_sites *sites);
/*
 * End firings in other processes.  Kernels without links for many probes see
 * to that at entries, but not at returns: those fire in any process in which
 * another tracer has a probe in that place.  Not in a container, where the
 * kernel knows the process by another number.
 */
void uprobe_stay_in(struct lower *lower, pid_t pid);
/*
 * Attach the group's program to all of the sites.  Sites where the kernel
 * allows no probe are left out as long as one remains; *nrefused (if not
 * NULL) says how many.  0 or a negative errno with context->error.
 */
int uprobe_attach(struct attach_context *context, struct probe_group *group,
		  const struct uprobe_sites *sites, uint32_t *nrefused);
void uprobe_detach(struct probe_group *group);
/*
 * Bytes of a function's beginning to step over: a landing pad, which the kernel
 * would single-step, ten times slower than what follows, and instructions where
 * it allows no probe.  UINT32_MAX: there is no suitable place.
 */
uint32_t uprobe_skip_entry(const uint8_t *code, uint32_t size);

/* A provider's check: are there user probes at all? */
enum provider_status uprobe_check(struct probe_registry *registry,
				  const struct provider *provider,
				  const char **reason);
