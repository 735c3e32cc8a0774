#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcpconnect.d - TCP connections that went out
 *
 * Counts until Ctrl-C, by address and port.
 *
 * FIELDS
 *	RADDR	host that was asked
 *	RPORT	its port
 *	RESULT	accepted or refused
 *	COUNT	connections
 *
 * EXAMPLES
 *	tcpconnect.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show TCP connections that went out."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

tcp:::connect-established, tcp:::connect-refused
{
	@count[args[3]->tcps_raddr, args[3]->tcps_rport,
	    probename == "connect-refused" ? "refused" : "accepted"] = count();
}

END
{
	printf("\n%-30s %6s %-8s %8s\n", "RADDR", "RPORT", "RESULT", "COUNT");
	printa("%-30s %6d %-8s %@8d\n", @count);
}
