#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ipstat.d - packets of IP
 *
 * Prints every second how many packets IP has taken from devices, sent and
 * passed on, IPv4 and IPv6 apart.
 *
 * FIELDS
 *	TIME	when the line was printed
 *	IP_in	packets of IPv4 received
 *	IP_out	sent
 *	IP_fwd	passed on to others
 *	IP6_in	packets of IPv6 received
 *	IP6_out	sent
 *	IP6_fwd	passed on to others
 *	IP_inErr	received with a damaged header or a wrong address
 *	IP_noRoute	not sent for want of a route
 *
 * EXAMPLES
 *	ipstat.d 10 6	for a minute
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show packets of IP."
#pragma D operand interval count = 1 "seconds between lines"
#pragma D operand count count = 0 "how many lines; no end if not given"

BEGIN
{
	every = $interval;
	left = every;
	lines = $count ? $count : -1;
	printed = 0;
	@ip_in = sum(0);
	@ip_out = sum(0);
	@ip_fwd = sum(0);
	@ip6_in = sum(0);
	@ip6_out = sum(0);
	@ip6_fwd = sum(0);
	@ip_inerr = sum(0);
	@ip_noroute = sum(0);
	printf("%-20s %12s %12s %12s %12s %12s %12s %12s %12s\n", "TIME", "IP_in", "IP_out", "IP_fwd", "IP6_in",
	    "IP6_out", "IP6_fwd", "IP_inErr", "IP_noRoute");
}

mib:::ipInReceives
{
	@ip_in = sum(arg0);
}

mib:::ipOutRequests
{
	@ip_out = sum(arg0);
}

mib:::ipForwDatagrams
{
	@ip_fwd = sum(arg0);
}

mib:::ipv6InReceives
{
	@ip6_in = sum(arg0);
}

mib:::ipv6OutRequests
{
	@ip6_out = sum(arg0);
}

mib:::ipv6ForwDatagrams
{
	@ip6_fwd = sum(arg0);
}

mib:::ipInHdrErrors, mib:::ipInAddrErrors
{
	@ip_inerr = sum(arg0);
}

mib:::ipOutNoRoutes
{
	@ip_noroute = sum(arg0);
}

tick-1s
{
	left--;
}

tick-1s, END
/(probename == "END" ? lines : !left) &&
    printed && printed % 20 == 0/
{
	printf("%-20s %12s %12s %12s %12s %12s %12s %12s %12s\n", "TIME", "IP_in", "IP_out", "IP_fwd", "IP6_in",
	    "IP6_out", "IP6_fwd", "IP_inErr", "IP_noRoute");
}

tick-1s, END
/probename == "END" ? lines : !left/
{
	printf("%-20Y", walltimestamp);
	printa(" %@12d %@12d %@12d %@12d %@12d %@12d %@12d %@12d\n", @ip_in, @ip_out, @ip_fwd, @ip6_in,
	    @ip6_out, @ip6_fwd, @ip_inerr, @ip_noroute);
	clear(@ip_in);
	clear(@ip_out);
	clear(@ip_fwd);
	clear(@ip6_in);
	clear(@ip6_out);
	clear(@ip6_fwd);
	clear(@ip_inerr);
	clear(@ip_noroute);
	printed++;
	left = every;
	lines--;
}

tick-1s
/!lines/
{
	exit(0);
}
