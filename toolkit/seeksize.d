#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seeksize.d - distances between requests to disks, by process
 *
 * Counts requests until Ctrl-C, then prints for each process how far from the
 * end of the request before it, of any process, each of its requests began.
 * Zero is sequential.  The first request to a device counts for nobody.
 *
 * FIELDS
 *	PID	process
 *	CMD	its command line
 *	value	distance in 512-byte sectors
 *	count	number of requests
 *
 * EXAMPLES
 *	seeksize.d -d sda	one disk
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show distances between requests to disks, by process."
#pragma D parameter device -d string = "" "only this disk or partition"

uint64_t next[dev_t];	/* sector behind the last request, by device */

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

io:::start
/($device == "" || $device == args[1]->dev_statname) && next[args[0]->b_edev]/
{
	this->next = next[args[0]->b_edev];
	@distance[pid, curpsinfo->pr_psargs] = quantize(args[0]->b_blkno > this->next ?
	    args[0]->b_blkno - this->next : this->next - args[0]->b_blkno);
}

io:::start
{
	next[args[0]->b_edev] = args[0]->b_blkno + args[0]->b_bcount / 512;
}

END
{
	printf("\n%8s  %s\n", "PID", "CMD");
	printa("%8d  %s\n%@d\n", @distance);
}
