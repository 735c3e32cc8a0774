#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcpstate.d - states of TCP connections as they change
 *
 * Prints a line each time that a connection goes from one state to another,
 * with the time that it had been in the old one.
 *
 * FIELDS
 *	LADDR:LPORT	local address and port
 *	RADDR:RPORT	address and port of the other side
 *	TIME	microseconds in the old state; - if its beginning was not seen
 *	OLD	old state
 *	NEW	new state
 *
 * EXAMPLES
 *	tcpstate.d
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show states of TCP connections as they change."
#pragma D parameter port -l count = 0 "only this local port"
#pragma D parameter remote -r count = 0 "only this port of the other side"

uint64_t since[uint64_t];	/* by socket */

BEGIN
{
	printf("%15s:%-5s %15s:%-5s %10s  %s -> %s\n", "LADDR", "LPORT", "RADDR", "RPORT", "TIME(us)", "OLD", "NEW");
}

tcp:::state-change
/(!$port || $port == args[3]->tcps_lport) && (!$remote || $remote == args[3]->tcps_rport)/
{
	this->since = since[args[1]->cs_addr];
	printf("%15s:%-5d %15s:%-5d ", args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport);
	if (this->since)
		printf("%10d", (timestamp - this->since) / 1000);
	else
		printf("%10s", "-");
	printf("  %s -> %s\n", tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]);
}

tcp:::state-change
{
	since[args[1]->cs_addr] = args[3]->tcps_state == TCP_STATE_CLOSED ? 0 : timestamp;
}
