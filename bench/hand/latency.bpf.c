/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* Time in each system call as powers of two: a hash by thread, one by bucket. */
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "log2.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 10240);
	__type(key, __u32);
	__type(value, __u64);
} starts SEC(".maps");

struct bucket {
	__u32 number, log2;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 10240);
	__type(key, struct bucket);
	__type(value, __u64);
} counts SEC(".maps");

SEC("raw_tp/sys_enter")
int enter(void *ctx)
{
	__u32 thread = (__u32)bpf_get_current_pid_tgid();
	__u64 now = bpf_ktime_get_ns();

	(void)ctx;
	bpf_map_update_elem(&starts, &thread, &now, BPF_ANY);
	return 0;
}

SEC("raw_tp/sys_exit")
int leave(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 thread = (__u32)bpf_get_current_pid_tgid();
	__u64 one = 1, number, *start, *count;
	struct pt_regs *regs = (void *)ctx->args[0];

	start = bpf_map_lookup_elem(&starts, &thread);
	if (!start)
		return 0;
	__u64 spent = bpf_ktime_get_ns() - *start;

	bpf_map_delete_elem(&starts, &thread);
	bpf_probe_read_kernel(&number, sizeof(number), &regs->orig_rax);

	struct bucket bucket = { (__u32)number, log2_of(spent) };

	count = bpf_map_lookup_elem(&counts, &bucket);
	if (count)
		(*count)++;
	else
		bpf_map_update_elem(&counts, &bucket, &one, BPF_NOEXIST);
	return 0;
}

char license_text[] SEC("license") = "GPL";
