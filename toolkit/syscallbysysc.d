#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syscallbysysc.d - system calls by name
 *
 * Counts system calls of the whole machine, until Ctrl-C.
 *
 * FIELDS
 *	SYSCALL	system call
 *	COUNT	how many calls
 *
 * EXAMPLES
 *	syscallbysysc.d	which calls are made most
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Count system calls by name."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall:::entry
{
	@calls[probefunc] = count();
}

END
{
	printf("%-24s %12s\n", "SYSCALL", "COUNT");
	printa("%-24s %@12d\n", @calls);
}
