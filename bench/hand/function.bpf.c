/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* A user function's entries, counted. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

SEC("uprobe")
int entry(void *ctx)
{
	__u32 key = 0;
	__u64 *count = bpf_map_lookup_elem(&counts, &key);

	(void)ctx;
	if (count)
		(*count)++;
	return 0;
}

char license_text[] SEC("license") = "GPL";
