#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcp1stbyte.d - how long the first data of a TCP server takes
 *
 * Measures until Ctrl-C the time from the moment when a connection that went
 * out is made to the first segment with data that comes in on it, and prints
 * the distribution for each host.
 *
 * FIELDS
 *	address	of the server
 *	value	nanoseconds
 *	count	connections
 *
 * EXAMPLES
 *	tcp1stbyte.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show how long the first data of TCP servers takes."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

tcp:::connect-established
{
	since[args[1]->cs_cid] = timestamp;
}

tcp:::receive
/since[args[1]->cs_cid] && args[2]->ip_plength > args[4]->tcp_offset/
{
	@time[args[3]->tcps_raddr] = quantize(timestamp - since[args[1]->cs_cid]);
	since[args[1]->cs_cid] = 0;
}

END
{
	printa("\n  %s (ns)\n%@d", @time);
}
