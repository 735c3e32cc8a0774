#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * minfbypid.d - page faults by process
 *
 * Counts page faults, until Ctrl-C: how often a process touched memory that it
 * has, but that was not mapped for it yet. Nearly all of them are minor: no
 * disk is needed.
 *
 * FIELDS
 *	PID	process
 *	CMD	program
 *	MINFAULTS	how many
 *
 * EXAMPLES
 *	minfbypid.d	the largest are last
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show page faults by process."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

vminfo:::as_fault
{
	@sums[pid, execname] = sum(arg0);
}

END
{
	printf("%6s %-16s %16s\n", "PID", "CMD", "MINFAULTS");
	printa("%6d %-16s %@16d\n", @sums);
}
