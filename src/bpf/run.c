/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running and asking about loaded programs.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bpf/bpf.h"
#include "bpf/encode.h"
#include "bpf/sys.h"

enum { CONTEXT_WORDS = 12 }; /* the most arguments a raw_tp can have */

static int run_where(const struct bpf_loaded *loaded, const uint64_t *words,
		     uint32_t count, uint32_t flags, uint32_t cpu,
		     uint32_t *result)
{
	uint64_t context[CONTEXT_WORDS] = { 0 };
	union bpf_attr attr;

	if (count)
		memcpy(context, words, count * sizeof(*words));
	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = (uint32_t)loaded->fd;
	attr.test.ctx_in = (uint64_t)(uintptr_t)context;
	attr.test.ctx_size_in = sizeof(context);
	attr.test.flags = flags;
	attr.test.cpu = cpu;
	int err = sys_bpf(BPF_PROG_TEST_RUN, &attr, sizeof(attr));

	*result = attr.test.retval;
	return err < 0 ? err : 0;
}

int bpf_run_with(const struct bpf_loaded *loaded, const uint64_t *words,
		 uint32_t count, uint32_t *result)
{
	return run_where(loaded, words, count, 0, 0, result);
}

int bpf_run_on(const struct bpf_loaded *loaded, const uint64_t *words,
	       uint32_t count, uint32_t cpu)
{
	uint32_t ignored;

	return run_where(loaded, words, count, BPF_F_TEST_RUN_ON_CPU, cpu,
			 &ignored);
}

int bpf_run_once(const struct bpf_loaded *loaded)
{
	uint32_t ignored;

	return bpf_run_with(loaded, NULL, 0, &ignored);
}

int bpf_ask_task(const uint32_t *offsets, uint32_t count)
{
	enum { MOST = 4 };
	struct bpf_insn insns[MOST + 2];
	uint32_t n = 0;
	union bpf_attr attr;

	if (!count || count > MOST)
		return -EINVAL;
	insns[n++] = insn_call(BPF_FUNC_get_current_task_btf);
	for (uint32_t i = 0; i < count; i++)
		insns[n++] = insn_load(i + 1 < count ? 8 : 4, R0, R0,
				       (int16_t)offsets[i]);
	insns[n++] = insn_exit();
	int fd = sys_prog_load(&(struct sys_prog){
		.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.insns = insns,
		.count = n,
		.name = "dtrace_ask",
	});

	if (fd < 0)
		return fd;
	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = (uint32_t)fd;
	int err = sys_bpf(BPF_PROG_TEST_RUN, &attr, sizeof(attr));

	close(fd);
	return err < 0 ? err : (int)attr.test.retval;
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
