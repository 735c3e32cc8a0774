#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sctop10.d - the ten most frequent system calls
 *
 * Shows every few seconds which program makes which system calls most.
 *
 * FIELDS
 *	EXEC	program
 *	SYSCALL	system call
 *	COUNT	how often in the interval
 *
 * EXAMPLES
 *	sctop10.d	every 5 seconds
 *	sctop10.d --every 1s	every second
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option screen
#pragma D option aggsortrev

#pragma D usage "Show the ten most frequent system calls."
#pragma D parameter every time = 5s "interval"

BEGIN
{
	printf("Tracing... Please wait.\n");
}

syscall:::entry
/pid != $pid/
{
	@calls[execname, probefunc] = count();
}

tick-$every, END
{
	trunc(@calls, 10);
	printf("\f%-16s %-20s %12s\n", "EXEC", "SYSCALL", "COUNT");
	printa("%-16s %-20s %@12d\n", @calls);
	trunc(@calls);
}
