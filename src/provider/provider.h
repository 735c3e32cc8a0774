/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Inside provider/: what the files of this room share. */

#include <sys/types.h>

#include "arch/arch.h"
#include "probe/probe.h"

extern const struct provider dtrace_provider;
extern const struct provider profile_provider;
extern const struct provider syscall_provider;
extern const struct provider pid_provider;
extern const struct provider rawtp_provider;
extern const struct provider sdt_provider;
extern const struct provider proc_provider;
extern const struct provider sched_provider;
extern const struct provider usdt_provider;
extern const struct provider plockstat_provider;
extern const struct provider synthetic_provider;
extern const struct provider cpc_provider;
extern const struct provider ip_provider;
extern const struct provider tcp_provider;
extern const struct provider udp_provider;
extern const struct provider mib_provider;
extern const struct provider sysinfo_provider;
extern const struct provider vminfo_provider;
extern const struct provider fbt_provider;
extern const struct provider rawfbt_provider;
extern const struct provider io_provider;
extern const struct provider lockstat_provider;
extern const struct provider fsinfo_provider;
extern const struct provider vfs_provider;
extern const struct provider fpuinfo_provider;
extern const struct provider nfsv3_provider;
extern const struct provider nfsv4_provider;
extern const struct provider iscsi_provider;
extern const struct provider interrupt_provider;
extern const struct provider java_provider;

/* Stability of a name and of its implementation, which is the same for all. */
#define STABILITY(word, class)                            \
	{                                                 \
		STABILITY_##word, STABILITY_##word, class \
	}
/* Modules and functions are the kernel's, or the program's, own affair. */
#define PROVIDER_ATTRS(provider_attr, name_attr, args_attr) { \
	.provider = provider_attr, \
	.module = STABILITY(PRIVATE, CLASS_UNKNOWN), \
	.function = STABILITY(PRIVATE, CLASS_UNKNOWN), \
	.name = name_attr, \
	.args = args_attr, \
}

/* Descriptors that hold a program in its place; closing them detaches it. */
struct attachment {
	int *fds;
	unsigned count;
	int guard; /* uprobe_event.c: closed after the others */
};

/* The group's attachment, created if there is none. */
struct attachment *attachment_of(struct probe_group *group);
void attachment_add(struct attachment *attachment, int fd);
/*
 * There will be that many perf events with programs: makes room for their
 * descriptors, or as much as the process may have.
 */
void attachment_expect(uint32_t count);
/* Closes everything; usable as a provider's detach. */
void attachment_close(struct probe_group *group);

/* bpf(2) for links: descriptor or negative errno. */
int link_raw_tracepoint(int program_fd, const char *tracepoint);
int link_perf_event(int program_fd, int event_fd, uint64_t cookie);

/*
 * Register holding 8 bytes of what the kernel passed to the program; at probes
 * in code that is struct pt_regs, with registers at their places.
 */
ir_reg context_word(struct lower *lower, uint32_t offset);

/* ------------------------------------------------- syscalls: names, types */

enum { SYSCALL_LIMIT = 512 }; /* numbers are below */

/*
 * syscall_usual.c: "openat; its path is arg1" of a system call that programs do
 * not make, or NULL; *instead: a glob of those that they make, or NULL.
 */
const char *syscall_usual(const char *name, const char **instead);

/* syscall_prototypes.c: "int, const char *", or NULL when it is not known. */
const char *syscall_prototype(const char *name);

/* syscall_types.c */
struct syscall_types;
/* Is the syscall there in this kernel?  True when that cannot be known. */
bool syscall_exists(struct probe_registry *registry,
		    struct syscall_types *types, const char *name);
/* Type of argument n as text: 1, 0 no such argument, -1 unknown. */
int syscall_argument_type(struct probe_registry *registry,
			  struct syscall_types *types, const char *name,
			  uint32_t n, const char **text);
struct syscall_types *syscall_types_new(struct arena *arena);
void syscall_types_free(struct syscall_types *types);
/* Read all syscalls at once, before many are queried. */
void syscall_types_read_names(struct probe_registry *registry,
			      struct syscall_types *types);
