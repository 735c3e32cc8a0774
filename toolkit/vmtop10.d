#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vmtop10.d - the ten most frequent events of virtual memory
 *
 * Shows every few seconds which programs cause most events of virtual memory.
 *
 * FIELDS
 *	EXEC	program
 *	VM	counter; dtrace(8) explains them under vminfo
 *	VALUE	by how much it grew in the interval
 *
 * EXAMPLES
 *	vmtop10.d	every 5 seconds
 *	vmtop10.d --every 1s	every second
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option screen
#pragma D option aggsortrev

#pragma D usage "Show the ten most frequent events of virtual memory."
#pragma D parameter every time = 5s "interval"

BEGIN
{
	printf("Tracing... Please wait.\n");
}

vminfo:::
{
	@events[execname, probename] = sum(arg0);
}

tick-$every, END
{
	trunc(@events, 10);
	printf("\f%-16s %-16s %12s\n", "EXEC", "VM", "VALUE");
	printa("%-16s %-16s %@12d\n", @events);
	trunc(@events);
}
