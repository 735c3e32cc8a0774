#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcpsize.d - sizes of TCP segments, by host
 *
 * Counts until Ctrl-C how much data segments had that were sent to a host and
 * received from it.  Segments without data are left out.
 *
 * FIELDS
 *	address	of the other side, and the direction
 *	value	bytes of data
 *	count	segments
 *
 * EXAMPLES
 *	tcpsize.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show sizes of TCP segments, by host."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

tcp:::send, tcp:::receive
/args[2]->ip_plength > args[4]->tcp_offset/
{
	@size[args[3]->tcps_raddr, probename == "send" ? "sent" : "received"] =
	    quantize(args[2]->ip_plength - args[4]->tcp_offset);
}

END
{
	printa("\n  %s %s (bytes)\n%@d", @size);
}
