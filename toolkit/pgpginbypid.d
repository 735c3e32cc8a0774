#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pgpginbypid.d - pages read from disks by process
 *
 * Adds up pages that are read from disks, until Ctrl-C. Pages that the kernel
 * reads ahead count for the process that made it do so; swapping in counts,
 * too.
 *
 * FIELDS
 *	PID	process
 *	CMD	program
 *	PAGES	how many
 *
 * EXAMPLES
 *	pgpginbypid.d	the largest are last
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show pages read from disks by process."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

vminfo:::pgpgin
{
	@sums[pid, execname] = sum(arg0);
}

END
{
	printf("%6s %-16s %16s\n", "PID", "CMD", "PAGES");
	printa("%6d %-16s %@16d\n", @sums);
}
