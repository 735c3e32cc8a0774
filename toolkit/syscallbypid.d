#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syscallbypid.d - system calls by process
 *
 * Counts system calls by process and call, until Ctrl-C.
 *
 * FIELDS
 *	PID	process
 *	CMD	program
 *	SYSCALL	system call
 *	COUNT	how many calls
 *
 * EXAMPLES
 *	syscallbypid.d	which process makes which calls
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Count system calls by process."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall:::entry
{
	@calls[pid, execname, probefunc] = count();
}

END
{
	printf("%6s %-24s %-24s %8s\n", "PID", "CMD", "SYSCALL", "COUNT");
	printa("%6d %-24s %-24s %@8d\n", @calls);
}
