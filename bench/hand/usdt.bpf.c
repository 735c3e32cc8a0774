/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* A USDT probe counted by its string argument. */
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <stdbool.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/usdt.bpf.h>

struct text {
	char bytes[64];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 10240);
	__type(key, struct text);
	__type(value, __u64);
} counts SEC(".maps");

SEC("usdt")
int call(struct pt_regs *ctx)
{
	struct text text = { 0 };
	__u64 one = 1, *count;
	long address;

	if (bpf_usdt_arg(ctx, 1, &address))
		return 0;
	bpf_probe_read_user_str(&text, sizeof(text), (void *)address);
	count = bpf_map_lookup_elem(&counts, &text);
	if (count)
		(*count)++;
	else
		bpf_map_update_elem(&counts, &text, &one, BPF_NOEXIST);
	return 0;
}

char license_text[] SEC("license") = "GPL";
