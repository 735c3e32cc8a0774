#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcplistendrop.d - connections that find the queue of their server full
 *
 * Prints a line for each second in which TCP threw away connections or requests
 * for them because a server does not accept those that wait.
 *
 * FIELDS
 *	TIME	when the line was printed
 *	DROPS	how many were thrown away
 *
 * EXAMPLES
 *	tcplistendrop.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show connections that find the queue of their server full."

BEGIN
{
	any = 0;
	printf("%-20s %8s\n", "TIME", "DROPS");
}

mib:::tcpListenDrop
{
	@drops = sum(arg0);
	any = 1;
}

tick-1s, END
/any/
{
	any = 0;
	printf("%-20Y ", walltimestamp);
	printa("%@8d\n", @drops);
	trunc(@drops);
}
