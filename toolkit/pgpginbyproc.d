#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pgpginbyproc.d - pages read from disks by program
 *
 * Adds up pages that are read from disks, until Ctrl-C. Pages that the kernel
 * reads ahead count for the process that made it do so; swapping in counts,
 * too.
 *
 * FIELDS
 *	CMD	program
 *	PAGES	how many
 *
 * EXAMPLES
 *	pgpginbyproc.d	the largest are last
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show pages read from disks by program."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

vminfo:::pgpgin
{
	@sums[execname] = sum(arg0);
}

END
{
	printf("%-16s %16s\n", "CMD", "PAGES");
	printa("%-16s %@16d\n", @sums);
}
