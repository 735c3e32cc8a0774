#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hotspot.d - which parts of disks are used
 *
 * Counts requests until Ctrl-C, by disk and by the place on it.
 *
 * FIELDS
 *	Disk	disk or partition, major and minor number
 *	value	place on the disk, in megabytes
 *	count	requests that begin there
 *
 * EXAMPLES
 *	hotspot.d		rows of a gigabyte
 *	hotspot.d -s 10		rows of ten megabytes, for small disks
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show which parts of disks are used."
#pragma D parameter device -d string = "" "only this disk or partition"
#pragma D parameter step -s count = 1024 "megabytes that share a row"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

io:::start
/$device == "" || $device == args[1]->dev_statname/
{
	@place[args[1]->dev_statname, args[1]->dev_major, args[1]->dev_minor] =
	    lquantize(args[0]->b_blkno / 2048, 0, 1000 * $step, $step);
}

END
{
	printa("Disk: %s   Major,Minor: %d,%d\n%@d\n", @place);
}
