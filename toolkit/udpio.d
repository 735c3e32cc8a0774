#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * udpio.d - UDP datagrams as they are sent and received
 *
 * Prints a line for each datagram.
 *
 * FIELDS
 *	CPU	processor
 *	DELTA	microseconds since the datagram before, on any CPU
 *	LADDR:LPORT	local address and port
 *	DR	-> sent, <- received
 *	RADDR:RPORT	address and port of the other side
 *	BYTES	bytes of data
 *
 * EXAMPLES
 *	udpio.d -r 53	questions to name servers, and answers
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show UDP datagrams as they are sent and received."
#pragma D parameter port -l count = 0 "only this local port"
#pragma D parameter remote -r count = 0 "only this port of the other side"

BEGIN
{
	printf("%3s %10s %15s:%-5s %2s %15s:%-5s %7s\n", "CPU", "DELTA(us)", "LADDR", "LPORT", "DR", "RADDR", "RPORT",
	    "BYTES");
	last = timestamp;
}

udp:::send, udp:::receive
{
	this->is_sent = probename == "send";
	this->lport = this->is_sent ? args[4]->udp_sport : args[4]->udp_dport;
	this->rport = this->is_sent ? args[4]->udp_dport : args[4]->udp_sport;
	if ((!$port || $port == this->lport) && (!$remote || $remote == this->rport)) {
		this->delta = timestamp > last ? (timestamp - last) / 1000 : 0;
		printf("%3d %10d %15s:%-5d %2s %15s:%-5d %7d\n", cpu, this->delta,
		    this->is_sent ? args[2]->ip_saddr : args[2]->ip_daddr, this->lport, this->is_sent ? "->" : "<-",
		    this->is_sent ? args[2]->ip_daddr : args[2]->ip_saddr, this->rport, args[4]->udp_length - 8);
		last = timestamp;
	}
}
