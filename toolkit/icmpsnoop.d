#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * icmpsnoop.d - messages of ICMP as they are sent and received
 *
 * Prints a line for each message of ICMP, for IPv4 and IPv6.
 *
 * FIELDS
 *	TIME	when it was seen
 *	SOURCE	address
 *	DEST	address
 *	DR	-> sent, <- received
 *	TYPE	number of its type: of IPv4 8 is an echo, 0 its reply, 3 unreachable, 11 time
 *		exceeded; of IPv6 128, 129, 1 and 3
 *	CODE	of the type
 *	BYTES	bytes behind the header of IP
 *
 * EXAMPLES
 *	icmpsnoop.d
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show messages of ICMP as they are sent and received."

BEGIN
{
	printf("%-20s %-20s %2s %-20s %4s %4s %6s\n", "TIME", "SOURCE", "DR", "DEST", "TYPE", "CODE", "BYTES");
}

ip:::send, ip:::receive
/args[2]->ip_ver == 4 && args[4]->ipv4_protocol == IPPROTO_ICMP/
{
	this->icmp = (uint8_t *)args[4]->ipv4_hdr + args[4]->ipv4_ihl;
	printf("%-20Y %-20s %2s %-20s %4d %4d %6d\n", walltimestamp, args[2]->ip_saddr, probename == "send" ? "->" : "<-",
	    args[2]->ip_daddr, this->icmp[0], this->icmp[1], args[2]->ip_plength);
}

ip:::send, ip:::receive
/args[2]->ip_ver == 6 && args[5]->ipv6_nexthdr == IPPROTO_ICMPV6/
{
	this->icmp = (uint8_t *)args[5]->ipv6_hdr + 40;
	printf("%-20Y %-20s %2s %-20s %4d %4d %6d\n", walltimestamp, args[2]->ip_saddr, probename == "send" ? "->" : "<-",
	    args[2]->ip_daddr, this->icmp[0], this->icmp[1], args[2]->ip_plength);
}
