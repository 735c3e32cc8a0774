/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
#pragma once

/* What records.bpf.c writes and hand.c prints. */
struct event {
	unsigned int pid, tid;
	char comm[16];
	unsigned long long time;
	long long argument;
};
