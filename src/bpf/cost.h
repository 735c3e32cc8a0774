/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What tracing costs: time in this process's programs, memory of its maps.
 *
 * The kernel measures programs only while somebody asks for it, because reading
 * the clock twice is itself a cost of some tens of nanoseconds for each firing.
 */

#include <stdint.h>

struct bpf_cost {
	uint64_t nanoseconds; /* in programs, of all CPUs */
	uint64_t runs;
	uint64_t bytes; /* of programs and maps, in the kernel */
};

/* The kernel measures while this descriptor is open; or a negative errno. */
int bpf_cost_measure(void);
/* Of all programs and maps that this process has open. */
void bpf_cost_read(struct bpf_cost *cost);
