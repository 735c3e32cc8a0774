/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* System calls by execname, as usual: helpers and PERCPU_HASH. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 10240);
	__uint(key_size, 16);
	__type(value, __u64);
} counts SEC(".maps");

SEC("raw_tp/sys_enter")
int enter(void *ctx)
{
	char name[16];
	__u64 one = 1, *count;

	(void)ctx;
	bpf_get_current_comm(name, sizeof(name));
	count = bpf_map_lookup_elem(&counts, name);
	if (count)
		(*count)++;
	else
		bpf_map_update_elem(&counts, name, &one, BPF_NOEXIST);
	return 0;
}

char license_text[] SEC("license") = "GPL";
