#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rwbypid.d - reads and writes by process, in calls
 *
 * Adds up reads and writes of processes, until Ctrl-C. rwtop shows the same
 * while it changes.
 *
 * FIELDS
 *	PID	process
 *	CMD	program
 *	DIR	direction: R is reading, W writing
 *	COUNT	how many calls
 *
 * EXAMPLES
 *	rwbypid.d	the largest are last
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show reads and writes by process."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

sysinfo:::readch
{
	@sums[pid, execname, "R"] = sum(1);
}

sysinfo:::writech
{
	@sums[pid, execname, "W"] = sum(1);
}

END
{
	printf("%6s %-24s %3s %12s\n", "PID", "CMD", "DIR", "COUNT");
	printa("%6d %-24s %3s %@12d\n", @sums);
}
