/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * BPF_LINK_CREATE for many user probes (6.6+), which the headers of 6.1 do
 * not know.
 */

#include <stdint.h>

enum {
	ATTACH_UPROBE_MULTI = 48,	/* enum bpf_attach_type */
	UPROBE_MULTI_RETURN = 1 << 0,	/* flags */
};

/* As union bpf_attr starts for this call; pointers as numbers. */
struct uprobe_multi_attr {
	uint32_t prog_fd, target_fd, attach_type, link_flags;
	uint64_t path, offsets, semaphores, cookies;
	uint32_t count, flags, pid, pad;
};
