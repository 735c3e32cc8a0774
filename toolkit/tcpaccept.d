#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcpaccept.d - TCP connections that came in
 *
 * Counts until Ctrl-C, by address and port.
 *
 * FIELDS
 *	RADDR	host that asked
 *	LPORT	local port
 *	RESULT	accepted by TCP, or refused
 *	COUNT	connections
 *
 * EXAMPLES
 *	tcpaccept.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show TCP connections that came in."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

tcp:::accept-established, tcp:::accept-refused
{
	@count[args[3]->tcps_raddr, args[3]->tcps_lport,
	    probename == "accept-refused" ? "refused" : "accepted"] = count();
}

END
{
	printf("\n%-30s %6s %-8s %8s\n", "RADDR", "LPORT", "RESULT", "COUNT");
	printa("%-30s %6d %-8s %@8d\n", @count);
}
