#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rwbbypid.d - reads and writes by process, in bytes
 *
 * Adds up reads and writes of processes, until Ctrl-C. rwtop shows the same
 * while it changes.
 *
 * FIELDS
 *	PID	process
 *	CMD	program
 *	DIR	direction: R is reading, W writing
 *	BYTES	how many bytes
 *
 * EXAMPLES
 *	rwbbypid.d	the largest are last
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
	@sums[pid, execname, "R"] = sum(arg0);
}

sysinfo:::writech
{
	@sums[pid, execname, "W"] = sum(arg0);
}

END
{
	printf("%6s %-24s %3s %12s\n", "PID", "CMD", "DIR", "BYTES");
	printa("%6d %-24s %3s %@12d\n", @sums);
}
