#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iotypes.d - requests to disks by kind
 *
 * Counts until Ctrl-C what disks are asked for: reading or writing, and on
 * whose behalf.
 *
 * FIELDS
 *	DEVICE	disk or partition
 *	D	R read, W write
 *	FS	file system of the data; <none> for a file system's own data, <unknown>
 *		for data that a program reads or writes past the cache
 *	COUNT	number of requests
 *	KB	kilobytes
 *	AVG	microseconds from request to completion, on average
 *
 * EXAMPLES
 *	iotypes.d
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option aggsortkey

#pragma D usage "Show requests to disks by kind."
#pragma D parameter device -d string = "" "only this disk or partition"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

/* The uppermost byte of a request's address changes if it fails. */
io:::start
/$device == "" || $device == args[1]->dev_statname/
{
	since[arg0 | 0xff00000000000000] = timestamp;
}

io:::done
/since[arg0 | 0xff00000000000000]/
{
	this->way = args[0]->b_flags & B_READ ? "R" : "W";
	@count[args[1]->dev_statname, this->way, args[2]->fi_fs] = count();
	@bytes[args[1]->dev_statname, this->way, args[2]->fi_fs] = sum(args[0]->b_bcount);
	@time[args[1]->dev_statname, this->way, args[2]->fi_fs] =
	    avg((timestamp - since[arg0 | 0xff00000000000000]) / 1000);
	since[arg0 | 0xff00000000000000] = 0;
}

END
{
	printf("\n%-10s %1s %-10s %8s %10s %10s\n", "DEVICE", "D", "FS", "COUNT", "KB", "AVG(us)");
	normalize(@bytes, 1024);
	printa("%-10s %1s %-10s %@8d %@10d %@10d\n", @count, @bytes, @time);
}
