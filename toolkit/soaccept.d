#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soaccept.d - connections that processes accept
 *
 * Prints a line for each connection that a process takes from a socket on
 * which it listens, and for each one that it failed to take.
 *
 * FIELDS
 *	PID	process
 *	PROCESS	program
 *	FAM	family of addresses: 2 IPv4, 10 IPv6, 1 local
 *	ADDRESS	of the other side; - for local ones
 *	PORT	of the other side
 *	LPORT	local port
 *	ERR	error number, 0 if there was none
 *
 * EXAMPLES
 *	soaccept.d
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show connections that processes accept."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("%6s %-15s %3s %-30s %5s %5s %3s\n", "PID", "PROCESS", "FAM", "ADDRESS", "PORT", "LPORT", "ERR");
}

syscall::accept:return, syscall::accept4:return
/errno && ($name == "" || $name == execname)/
{
	printf("%6d %-15s %3s %-30s %5s %5s %3d\n", pid, execname, "-", "-", "-", "-", errno);
}

syscall::accept:return, syscall::accept4:return
/!errno && ($name == "" || $name == execname)/
{
	this->sock = ((struct socket *)getf(arg1)->private_data)->sk;
	this->family = this->sock->__sk_common.skc_family;
	printf("%6d %-15s %3d ", pid, execname, this->family);
	if (this->family == AF_INET || this->family == AF_INET6)
		printf("%-30s %5d %5d ", xlate <tcpsinfo_t *> (this->sock)->tcps_raddr,
		    ntohs(this->sock->__sk_common.skc_dport),
		    ntohs(((struct inet_sock *)this->sock)->inet_sport));
	else
		printf("%-30s %5s %5s ", "-", "-", "-");
	printf("%3d\n", 0);
}
