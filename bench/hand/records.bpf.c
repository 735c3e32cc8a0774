/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* A record of five fields for each getppid() of one process, in a ring buffer. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "records.h"

enum { GETPPID = 110 };

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 * 1024 * 1024);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

const volatile __u32 wanted;

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 id = bpf_get_current_pid_tgid(), *lost;
	__u32 zero = 0;
	struct event *event;

	if (ctx->args[1] != GETPPID || id >> 32 != wanted)
		return 0;
	event = bpf_ringbuf_reserve(&events, sizeof(*event), 0);
	if (!event) {
		lost = bpf_map_lookup_elem(&counts, &zero);
		if (lost)
			(*lost)++;
		return 0;
	}
	event->pid = id >> 32;
	event->tid = (__u32)id;
	bpf_get_current_comm(event->comm, sizeof(event->comm));
	event->time = bpf_ktime_get_ns();
	event->argument = 0;
	bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
	return 0;
}

char license_text[] SEC("license") = "GPL";
