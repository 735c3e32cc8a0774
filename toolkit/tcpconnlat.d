#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcpconnlat.d - how long TCP connections take to be made
 *
 * Measures until Ctrl-C the time from the request for a connection to the
 * answer, and prints the distribution for each address.  Requests that are
 * never answered are not counted.
 *
 * FIELDS
 *	address	of the other side, and whether it accepted or refused
 *	value	nanoseconds
 *	count	connections
 *
 * EXAMPLES
 *	tcpconnlat.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show how long TCP connections take to be made."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

tcp:::connect-request
{
	since[args[1]->cs_cid] = timestamp;
}

tcp:::connect-established, tcp:::connect-refused
/since[args[1]->cs_cid]/
{
	@time[args[3]->tcps_raddr, probename == "connect-refused" ? "refused" : "established"] =
	    quantize(timestamp - since[args[1]->cs_cid]);
	since[args[1]->cs_cid] = 0;
}

END
{
	printa("\n  %s %s (ns)\n%@d", @time);
}
