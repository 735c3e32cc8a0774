#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * xcallsbypid.d - calls to other CPUs, by process
 *
 * Counts until Ctrl-C how often a process made the kernel interrupt other CPUs
 * for it: to flush their translations of addresses, for example.
 *
 * FIELDS
 *	PID	process; 0 is an idle CPU
 *	CMD	program
 *	XCALLS	calls
 *
 * EXAMPLES
 *	xcallsbypid.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show calls to other CPUs, by process."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

sysinfo:::xcalls
{
	@calls[pid, execname] = sum(arg0);
}

END
{
	printf("\n%6s %-16s %12s\n", "PID", "CMD", "XCALLS");
	printa("%6d %-16s %@12d\n", @calls);
}
