#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * newproc.d - new processes with their arguments
 *
 * Prints a line for each program that starts. execsnoop has more fields.
 *
 * FIELDS
 *	TIME	time of day
 *	PID	process
 *	PPID	its parent
 *	ARGS	command line
 *
 * EXAMPLES
 *	newproc.d	what starts
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show new processes with their arguments."

BEGIN
{
	printf("%-20s %6s %6s %s\n", "TIME", "PID", "PPID", "ARGS");
}

proc:::exec-success
{
	printf("%-20Y %6d %6d %s\n", walltimestamp, pid, ppid, curpsinfo->pr_psargs);
}
