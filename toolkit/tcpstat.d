#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcpstat.d - bytes of TCP
 *
 * Prints every second how much data was sent and received by TCP, and how much
 * of it again or in the wrong order.
 *
 * FIELDS
 *	TIME	when the line was printed
 *	TCP_out	bytes sent
 *	TCP_outRe	bytes sent again
 *	TCP_in	bytes received in order
 *	TCP_inDup	bytes received again
 *	TCP_inUn	bytes received before others that are missing
 *
 * EXAMPLES
 *	tcpstat.d 10 6	for a minute
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show bytes of TCP."
#pragma D operand interval count = 1 "seconds between lines"
#pragma D operand count count = 0 "how many lines; no end if not given"

BEGIN
{
	every = $interval;
	left = every;
	lines = $count ? $count : -1;
	printed = 0;
	@tcp_out = sum(0);
	@tcp_outre = sum(0);
	@tcp_in = sum(0);
	@tcp_indup = sum(0);
	@tcp_inun = sum(0);
	printf("%-20s %12s %12s %12s %12s %12s\n", "TIME", "TCP_out", "TCP_outRe", "TCP_in", "TCP_inDup", "TCP_inUn");
}

mib:::tcpOutDataBytes
{
	@tcp_out = sum(arg0);
}

mib:::tcpRetransBytes
{
	@tcp_outre = sum(arg0);
}

mib:::tcpInDataInorderBytes
{
	@tcp_in = sum(arg0);
}

mib:::tcpInDataDupBytes
{
	@tcp_indup = sum(arg0);
}

mib:::tcpInDataUnorderBytes
{
	@tcp_inun = sum(arg0);
}

tick-1s
{
	left--;
}

tick-1s, END
/(probename == "END" ? lines : !left) &&
    printed && printed % 20 == 0/
{
	printf("%-20s %12s %12s %12s %12s %12s\n", "TIME", "TCP_out", "TCP_outRe", "TCP_in", "TCP_inDup", "TCP_inUn");
}

tick-1s, END
/probename == "END" ? lines : !left/
{
	printf("%-20Y", walltimestamp);
	printa(" %@12d %@12d %@12d %@12d %@12d\n", @tcp_out, @tcp_outre, @tcp_in, @tcp_indup, @tcp_inun);
	clear(@tcp_out);
	clear(@tcp_outre);
	clear(@tcp_in);
	clear(@tcp_indup);
	clear(@tcp_inun);
	printed++;
	left = every;
	lines--;
}

tick-1s
/!lines/
{
	exit(0);
}
