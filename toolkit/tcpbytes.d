#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcpbytes.d - data moved by TCP, by connection
 *
 * Adds up until Ctrl-C how many bytes of data were sent and received on each
 * connection.  Headers are not counted.
 *
 * FIELDS
 *	LADDR	local address
 *	LPORT	local port
 *	DR	-> sent, <- received
 *	RADDR	address of the other side
 *	RPORT	port of the other side
 *	BYTES	bytes of data
 *
 * EXAMPLES
 *	tcpbytes.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show data moved by TCP, by connection."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

tcp:::send, tcp:::receive
/args[2]->ip_plength > args[4]->tcp_offset/
{
	@bytes[args[3]->tcps_laddr, args[3]->tcps_lport, probename == "send" ? "->" : "<-", args[3]->tcps_raddr,
	    args[3]->tcps_rport] = sum(args[2]->ip_plength - args[4]->tcp_offset);
}

END
{
	printf("\n%-25s %6s %2s %-25s %6s %12s\n", "LADDR", "LPORT", "DR", "RADDR", "RPORT", "BYTES");
	printa("%-25s %6d %2s %-25s %6d %@12d\n", @bytes);
}
