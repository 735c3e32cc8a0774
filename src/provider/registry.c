/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of providers.  Ranges of probe ids follow this order, so a new
 * provider goes to the end, unless it owns none.
 */
#include <stddef.h>

#include "provider/provider.h"

const struct provider *const providers[] = {
	&dtrace_provider,
	&profile_provider,
	&syscall_provider,
	&pid_provider,
	&rawtp_provider,
	&sdt_provider,
	&proc_provider,
	&sched_provider,
	&synthetic_provider,
	&java_provider,
	&usdt_provider,
	&plockstat_provider,
	&cpc_provider,
	&ip_provider,
	&tcp_provider,
	&udp_provider,
	&mib_provider,
	&sysinfo_provider,
	&vminfo_provider,
	&fbt_provider,
	&rawfbt_provider,
	&io_provider,
	&lockstat_provider,
	&fsinfo_provider,
	&vfs_provider,
	&fpuinfo_provider,
	&nfsv3_provider,
	&nfsv4_provider,
	&iscsi_provider,
	&interrupt_provider,
	NULL,
};
