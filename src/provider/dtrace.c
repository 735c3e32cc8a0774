/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtrace:::BEGIN, END and ERROR.
 *
 * The session itself runs BEGIN and END, once each, as BPF test runs in this
 * process: they attach to nothing, so no other dtrace can see them.  The phase
 * in which each may run separates them from all other programs.  ERROR has no
 * program of its own: its clauses are part of every program that can fault
 * (struct lower_group.error_clauses).
 */
#include <linux/bpf.h>
#include <stddef.h>
#include <string.h>

#include "ir/abi.h"
#include "provider/provider.h"

static const struct {
	const char *name;
	uint32_t phase;
} probes[] = {
	{ "BEGIN", PHASE_BEGIN },
	{ "END", PHASE_END },
	{ "ERROR", PHASE_ACTIVE },
};

enum { NPROBES = sizeof(probes) / sizeof(probes[0]) };

static int dtrace_list(struct probe_registry *registry,
		       const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	for (uint32_t i = 0; i < NPROBES; i++) {
		if (desc &&
		    !probe_desc_matches(desc, "dtrace", "", "", probes[i].name))
			continue;
		registry_add(registry, &dtrace_provider, "dtrace", "", "",
			     probes[i].name, i);
	}
	return 0;
}

static uint32_t dtrace_id(const struct probe *probe)
{
	return (uint32_t)probe->number;
}

static ir_reg no_argument(struct lower *lower, uint32_t n)
{
	(void)n;
	return ir_const(&lower->b, 0);
}

static int dtrace_context(struct arena *arena, struct probe_group *group)
{
	(void)arena;
	group->lower.phase = probes[group->probes[0]->number].phase;
	group->lower.argument = no_argument;
	group->lower.hidden_frames = 1; /* the program */
	return 0;
}

static int dtrace_attach(struct attach_context *context,
			 struct probe_group *group)
{
	(void)context;
	(void)group;
	return 0;
}

static void dtrace_detach(struct probe_group *group)
{
	(void)group;
}

const struct provider dtrace_provider = {
	.name = "dtrace",
	.about = "beginning, end and errors of the run",
	.attrs = PROVIDER_ATTRS(STABILITY(STABLE, CLASS_COMMON),
				STABILITY(STABLE, CLASS_COMMON),
				STABILITY(STABLE, CLASS_COMMON)),
	.program_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
	.list = dtrace_list,
	.shape = dtrace_id,
	.context = dtrace_context,
	.attach = dtrace_attach,
	.detach = dtrace_detach,
	.nids = NPROBES,
	.fixed_id = dtrace_id,
};
