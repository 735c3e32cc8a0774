#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ipio.d - IP packets as they are sent and received
 *
 * Prints a line for each packet of IPv4 or IPv6 that IP hands to a device or
 * takes from one.
 *
 * FIELDS
 *	CPU	processor
 *	DELTA	microseconds since the packet before, on any CPU
 *	SOURCE	address; of this host if the packet is sent
 *	DEST	address
 *	DR	-> sent, <- received
 *	INT	device
 *	BYTES	bytes behind the header of IP
 *
 * EXAMPLES
 *	ipio.d -i eth0
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show IP packets as they are sent and received."
#pragma D parameter device -i string = "" "only this device"

BEGIN
{
	printf("%3s %10s %-15s %2s %-15s %-8s %7s\n", "CPU", "DELTA(us)", "SOURCE", "DR", "DEST", "INT", "BYTES");
	last = timestamp;
}

ip:::send, ip:::receive
/$device == "" || $device == args[3]->if_name/
{
	this->delta = timestamp > last ? (timestamp - last) / 1000 : 0;
	printf("%3d %10d %-15s %2s %-15s %-8s %7d\n", cpu, this->delta, args[2]->ip_saddr,
	    probename == "send" ? "->" : "<-", args[2]->ip_daddr, args[3]->if_name, args[2]->ip_plength);
	last = timestamp;
}
