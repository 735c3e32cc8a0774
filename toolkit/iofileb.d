#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iofileb.d - kilobytes of disk requests, by file
 *
 * Adds up until Ctrl-C what was read from disks and written to them, by process
 * and file.
 *
 * FIELDS
 *	PID	process
 *	CMD	program
 *	KB	kilobytes
 *	FILE	path; <none> for a file system's own data, <unknown> for data that a
 *		program reads or writes past the cache
 *
 * EXAMPLES
 *	iofileb.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show kilobytes of disk requests, by process and file."
#pragma D parameter device -d string = "" "only this disk or partition"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

io:::start
/$device == "" || $device == args[1]->dev_statname/
{
	@bytes[pid, execname, args[2]->fi_pathname] = sum(args[0]->b_bcount);
}

END
{
	printf("\n%6s %-15s %8s FILE\n", "PID", "CMD", "KB");
	normalize(@bytes, 1024);
	printa("%6d %-15s %@8d %s\n", @bytes);
}
