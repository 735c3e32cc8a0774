/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Time in a user function as powers of two: two links, a hash by thread.
 * duration_end.bpf.c has the second one at the return instruction.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "log2.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 10240);
	__type(key, __u32);
	__type(value, __u64);
} starts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

SEC("uprobe")
int entry(void *ctx)
{
	__u32 thread = (__u32)bpf_get_current_pid_tgid();
	__u64 now = bpf_ktime_get_ns();

	(void)ctx;
	bpf_map_update_elem(&starts, &thread, &now, BPF_ANY);
	return 0;
}

#ifndef LEAVE
#define LEAVE "uretprobe"
#endif

SEC(LEAVE)
int leave(void *ctx)
{
	__u32 thread = (__u32)bpf_get_current_pid_tgid(), bucket;
	__u64 *start = bpf_map_lookup_elem(&starts, &thread), *count;

	(void)ctx;
	if (!start)
		return 0;
	bucket = log2_of(bpf_ktime_get_ns() - *start);
	bpf_map_delete_elem(&starts, &thread);
	count = bpf_map_lookup_elem(&counts, &bucket);
	if (count)
		(*count)++;
	return 0;
}

char license_text[] SEC("license") = "GPL";
