#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syscallbyproc.d - system calls by program
 *
 * Counts system calls by the name of the program that makes them, until
 * Ctrl-C.
 *
 * FIELDS
 *	EXEC	program
 *	COUNT	how many calls
 *
 * EXAMPLES
 *	syscallbyproc.d	who makes the most
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Count system calls by program."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall:::entry
{
	@calls[execname] = count();
}

END
{
	printf("%-24s %12s\n", "EXEC", "COUNT");
	printa("%-24s %@12d\n", @calls);
}
