#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bitesize.d - sizes of requests to disks, by process
 *
 * Counts requests until Ctrl-C, then prints for each process how large they
 * were.
 *
 * FIELDS
 *	PID	process
 *	CMD	its command line
 *	value	size in bytes
 *	count	number of requests of at least this size
 *
 * EXAMPLES
 *	bitesize.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show sizes of requests to disks, by process."
#pragma D parameter device -d string = "" "only this disk or partition"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

io:::start
/$device == "" || $device == args[1]->dev_statname/
{
	@size[pid, curpsinfo->pr_psargs] = quantize(args[0]->b_bcount);
}

END
{
	printf("\n%8s  %s\n", "PID", "CMD");
	printa("%8d  %s\n%@d\n", @size);
}
