/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running and asking about loaded programs.
 */
#include <errno.h>
#include <string.h>

#include "bpf/bpf.h"
#include "bpf/sys.h"

enum { CONTEXT_WORDS = 12 };	/* the most arguments a raw_tp can have */

int bpf_run_once(const struct bpf_loaded *loaded)
{
	uint64_t context[CONTEXT_WORDS] = { 0 };
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = (uint32_t)loaded->fd;
	attr.test.ctx_in = (uint64_t)(uintptr_t)context;
	attr.test.ctx_size_in = sizeof(context);
	int err = sys_bpf(BPF_PROG_TEST_RUN, &attr, sizeof(attr));

	return err < 0 ? err : 0;
}

uint64_t bpf_missed(const struct bpf_loaded *loaded)
{
	struct bpf_prog_info info;
	union bpf_attr attr;

	memset(&info, 0, sizeof(info));
	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = (uint32_t)loaded->fd;
	attr.info.info_len = sizeof(info);
	attr.info.info = (uint64_t)(uintptr_t)&info;
	if (sys_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)) < 0)
		return 0;
	return info.recursion_misses;
}
