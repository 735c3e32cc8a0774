#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcpio.d - TCP segments as they are sent and received
 *
 * Prints a line for each segment.
 *
 * FIELDS
 *	CPU	processor
 *	DELTA	microseconds since the segment before, on any CPU
 *	LADDR:LPORT	local address and port
 *	DR	-> sent, <- received
 *	RADDR:RPORT	address and port of the other side
 *	BYTES	bytes of data
 *	FLAGS	of the header: S syn, F fin, R reset, P push, A acknowledges, U urgent
 *
 * EXAMPLES
 *	tcpio.d -l 22	of a local port
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show TCP segments as they are sent and received."
#pragma D parameter port -l count = 0 "only this local port"

BEGIN
{
	printf("%3s %10s %15s:%-5s %2s %15s:%-5s %7s  %s\n", "CPU", "DELTA(us)", "LADDR", "LPORT", "DR", "RADDR", "RPORT",
	    "BYTES", "FLAGS");
	last = timestamp;
}

tcp:::send, tcp:::receive
/!$port || $port == args[3]->tcps_lport/
{
	this->delta = timestamp > last ? (timestamp - last) / 1000 : 0;
	this->flags = args[4]->tcp_flags;
	printf("%3d %10d %15s:%-5d %2s %15s:%-5d %7d  %c%c%c%c%c%c\n", cpu, this->delta, args[3]->tcps_laddr, args[3]->tcps_lport,
	    probename == "send" ? "->" : "<-", args[3]->tcps_raddr, args[3]->tcps_rport,
	    args[2]->ip_plength - args[4]->tcp_offset, this->flags & TH_SYN ? 'S' : '-', this->flags & TH_FIN ? 'F' : '-',
	    this->flags & TH_RST ? 'R' : '-', this->flags & TH_PUSH ? 'P' : '-', this->flags & TH_ACK ? 'A' : '-',
	    this->flags & TH_URG ? 'U' : '-');
	last = timestamp;
}
