#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rwtime.d - how long disks take to read and to write
 *
 * Measures requests to all disks until Ctrl-C, and prints two distributions:
 * one for reading, one for writing.
 *
 * FIELDS
 *	value	microseconds from request to completion
 *	count	number of requests
 *
 * EXAMPLES
 *	rwtime.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show how long disks take to read and to write."
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
	@time[args[0]->b_flags & B_READ ? "read time (us)" : "write time (us)"] =
	    quantize((timestamp - since[arg0 | 0xff00000000000000]) / 1000);
	since[arg0 | 0xff00000000000000] = 0;
}

END
{
	printa("\n%s\n%@d", @time);
}
