#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iofile.d - time of disk requests, by file
 *
 * Adds up until Ctrl-C how long requests to disks took, by process and file.
 * Requests that a disk works on at the same time count each for itself.
 *
 * FIELDS
 *	PID	process
 *	CMD	program
 *	TIME	microseconds from request to completion, all together
 *	FILE	path; <none> for a file system's own data, <unknown> for data that a
 *		program reads or writes past the cache
 *
 * EXAMPLES
 *	iofile.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show the time of disk requests, by process and file."
#pragma D parameter device -d string = "" "only this disk or partition"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

/* The uppermost byte of a request's address changes if it fails. */
io:::start
/$device == "" || $device == args[1]->dev_statname/
{
	this->io = arg0 | 0xff00000000000000;
	since[this->io] = timestamp;
	who[this->io] = pid;
	program[this->io] = execname;
}

io:::done
/since[arg0 | 0xff00000000000000]/
{
	this->io = arg0 | 0xff00000000000000;
	@time[who[this->io], program[this->io], args[2]->fi_pathname] = sum(timestamp - since[this->io]);
	since[this->io] = 0;
	who[this->io] = 0;
	program[this->io] = NULL;
}

END
{
	printf("\n%6s %-15s %12s FILE\n", "PID", "CMD", "TIME(us)");
	normalize(@time, 1000);
	printa("%6d %-15s %@12d %s\n", @time);
}
