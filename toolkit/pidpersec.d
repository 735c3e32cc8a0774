#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pidpersec.d - new processes each second
 *
 * Prints every second how many processes were created.
 *
 * FIELDS
 *	TIME	time of day
 *	LASTPID	number of the last one
 *	PID/s	how many in this second
 *
 * EXAMPLES
 *	pidpersec.d	rate of new processes
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show how many processes are created each second."

BEGIN
{
	last = 0;
	@created = sum(0);
	printf("%-22s %8s %6s\n", "TIME", "LASTPID", "PID/s");
}

proc:::create
{
	@created = sum(1);
	last = args[0]->pr_pid;
}

tick-1s, END
{
	printf("%-22Y %8d ", walltimestamp, last);
	printa("%@6d\n", @created);
	clear(@created);
}

END
{
	trunc(@created);
}
