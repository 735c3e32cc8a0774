/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* All system call entries and returns, counted by number, written by hand. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

static __always_inline void add(__u32 key)
{
	__u64 *count = bpf_map_lookup_elem(&counts, &key);

	if (count)
		(*count)++;
}

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args *ctx)
{
	add((__u32)ctx->args[1] & 511);
	return 0;
}

SEC("raw_tp/sys_exit")
int leave(struct bpf_raw_tracepoint_args *ctx)
{
	add(512 + (ctx->args[1] >= 0xfffffffffffff001));
	return 0;
}

char license_text[] SEC("license") = "GPL";
