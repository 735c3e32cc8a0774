#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * udpstat.d - datagrams of UDP
 *
 * Prints every second how many datagrams were sent and received by UDP, and how
 * many failed.
 *
 * FIELDS
 *	TIME	when the line was printed
 *	UDP_out	datagrams sent
 *	UDP_outErr	that could not be sent
 *	UDP_in	datagrams received
 *	UDP_inErr	received and damaged, or without room for them
 *	UDP_noPort	received for a port that nobody listens on
 *
 * EXAMPLES
 *	udpstat.d 10 6	for a minute
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show datagrams of UDP."
#pragma D operand interval count = 1 "seconds between lines"
#pragma D operand count count = 0 "how many lines; no end if not given"

BEGIN
{
	every = $interval;
	left = every;
	lines = $count ? $count : -1;
	printed = 0;
	@udp_out = sum(0);
	@udp_outerr = sum(0);
	@udp_in = sum(0);
	@udp_inerr = sum(0);
	@udp_noport = sum(0);
	printf("%-20s %12s %12s %12s %12s %12s\n", "TIME", "UDP_out", "UDP_outErr", "UDP_in", "UDP_inErr", "UDP_noPort");
}

mib:::udpOutDatagrams
{
	@udp_out = sum(arg0);
}

mib:::udpOutErrors
{
	@udp_outerr = sum(arg0);
}

mib:::udpInDatagrams
{
	@udp_in = sum(arg0);
}

mib:::udpInErrors
{
	@udp_inerr = sum(arg0);
}

mib:::udpNoPorts
{
	@udp_noport = sum(arg0);
}

tick-1s
{
	left--;
}

tick-1s, END
/(probename == "END" ? lines : !left) &&
    printed && printed % 20 == 0/
{
	printf("%-20s %12s %12s %12s %12s %12s\n", "TIME", "UDP_out", "UDP_outErr", "UDP_in", "UDP_inErr", "UDP_noPort");
}

tick-1s, END
/probename == "END" ? lines : !left/
{
	printf("%-20Y", walltimestamp);
	printa(" %@12d %@12d %@12d %@12d %@12d\n", @udp_out, @udp_outerr, @udp_in, @udp_inerr, @udp_noport);
	clear(@udp_out);
	clear(@udp_outerr);
	clear(@udp_in);
	clear(@udp_inerr);
	clear(@udp_noport);
	printed++;
	left = every;
	lines--;
}

tick-1s
/!lines/
{
	exit(0);
}
