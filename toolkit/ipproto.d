#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ipproto.d - IP packets by host and protocol
 *
 * Counts until Ctrl-C who sends which protocol to whom.
 *
 * FIELDS
 *	SADDR	source
 *	DADDR	destination
 *	PROTO	protocol: TCP, UDP, ICMP, ICMPV6, or its number
 *	COUNT	packets
 *	BYTES	bytes behind the headers of IP
 *
 * EXAMPLES
 *	ipproto.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show IP packets by host and protocol."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

ip:::send, ip:::receive
{
	this->number = args[2]->ip_ver == 4 ? args[4]->ipv4_protocol : args[5]->ipv6_nexthdr;
	this->protocol = this->number == IPPROTO_TCP ? "TCP" : this->number == IPPROTO_UDP ? "UDP" :
	    this->number == IPPROTO_ICMP ? "ICMP" : this->number == IPPROTO_ICMPV6 ? "ICMPV6" : lltostr(this->number);
	this->from = args[2]->ip_saddr;
	this->to = args[2]->ip_daddr;
	@count[this->from, this->to, this->protocol] = count();
	@bytes[this->from, this->to, this->protocol] = sum(args[2]->ip_plength);
}

END
{
	printf("\n%-30s %-30s %-8s %10s %12s\n", "SADDR", "DADDR", "PROTO", "COUNT", "BYTES");
	printa("%-30s %-30s %-8s %@10d %@12d\n", @count, @bytes);
}
