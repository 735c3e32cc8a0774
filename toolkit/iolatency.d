#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iolatency.d - how long requests to disks take
 *
 * Measures until Ctrl-C each request from the moment when it enters the
 * device's queue to its completion, and prints the distribution for each
 * device, reading and writing apart.
 *
 * FIELDS
 *	DEVICE	disk or partition
 *	D	read or write
 *	value	nanoseconds
 *	count	number of requests
 *
 * EXAMPLES
 *	iolatency.d -d sda	one disk
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show how long requests to disks take, as distributions."
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
	@time[args[1]->dev_statname, args[0]->b_flags & B_READ ? "read" : "write"] =
	    quantize(timestamp - since[arg0 | 0xff00000000000000]);
	since[arg0 | 0xff00000000000000] = 0;
}

END
{
	printa("\n%s %s (ns)\n%@d", @time);
}
