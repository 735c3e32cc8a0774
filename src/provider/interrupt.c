/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sdt:::interrupt-start and interrupt-complete: a device's handler runs.
 *
 * Scripts use these two of all the static probes of other kernels; here they
 * are tracepoints with other names, and with the arguments in reverse order.
 * There is no dev_info: the kernel's record of the handler takes the place of
 * the device, and its name that of the driver.
 */
#include "provider/stable.h"

#define TYPES(last) { { "struct irqaction *" }, { "void *" }, { "void *" }, \
		      { last }, { "int" } }
#define ARGS(last) .args = { "args[1]", "args[1]->handler", \
			     "args[1]->dev_id", last, "args[0]" }

static const struct stable_probe probes[] = {
	{ "interrupt-start", TYPES("void *"), STABLE_SOURCES(
		{ "rawtp:irq::irq_handler_entry", ARGS("0") }) },
	{ "interrupt-complete", TYPES("int"), STABLE_SOURCES(
		{ "rawtp:irq::irq_handler_exit", ARGS("args[2]") }) },
	{ .name = NULL },
};

static int interrupt_list(struct probe_registry *registry,
			  const struct probe_desc *desc,
			  struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &interrupt_provider, probes, desc);
}

const struct provider interrupt_provider = {
	.name = "sdt",
	.about = "interrupts of devices, under their classic names",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = interrupt_list,
	.nids = sizeof(probes) / sizeof(probes[0]) - 1,
	STABLE_METHODS,
};
