#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * minfbyproc.d - page faults by program
 *
 * Counts page faults, until Ctrl-C: how often a process touched memory that it
 * has, but that was not mapped for it yet. Nearly all of them are minor: no
 * disk is needed.
 *
 * FIELDS
 *	CMD	program
 *	MINFAULTS	how many
 *
 * EXAMPLES
 *	minfbyproc.d	the largest are last
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show page faults by program."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

vminfo:::as_fault
{
	@sums[execname] = sum(arg0);
}

END
{
	printf("%-16s %16s\n", "CMD", "MINFAULTS");
	printa("%-16s %@16d\n", @sums);
}
