#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * networkwho.d - who talks to the network
 *
 * Counts until Ctrl-C which users and programs connect to which hosts by IPv4
 * and IPv6, and how many connections they accept.
 *
 * FIELDS
 *	UID	user
 *	PID	process
 *	CMD	program
 *	DIR	out connected, in accepted
 *	ADDRESS	the other host
 *	PORT	its port if the connection went out, the local one if it came in
 *	COUNT	connections
 *
 * EXAMPLES
 *	networkwho.d -u 1000	what a user talks to
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show who talks to the network."
#pragma D parameter user -u int = -1 "only this user"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall::connect:entry
/$user == -1 || $user == uid/
{
	self->where = arg1;
	self->size = arg2;
}

/* The address is read after the call: before it, its page may not be in memory. */
syscall::connect:return
/self->where && self->size >= 16 && (!errno || errno == EINPROGRESS)/
{
	this->family = *(uint16_t *)copyin(self->where, 2);
	this->address = (uint64_t)copyin(self->where, self->size > 28 ? 28 : self->size);
	if (this->family == AF_INET)
		@count[uid, pid, execname, "out", inet_ntoa((ipaddr_t *)(this->address + 4)),
		    ntohs(*(uint16_t *)(this->address + 2))] = count();
	else if (this->family == AF_INET6 && self->size >= 24)
		@count[uid, pid, execname, "out", inet_ntop(AF_INET6, (void *)(this->address + 8)),
		    ntohs(*(uint16_t *)(this->address + 2))] = count();
}

syscall::connect:return
{
	self->where = 0;
	self->size = 0;
}

syscall::accept:return, syscall::accept4:return
/!errno && ($user == -1 || $user == uid)/
{
	this->sock = ((struct socket *)getf(arg1)->private_data)->sk;
	this->family = this->sock->__sk_common.skc_family;
	if (this->family == AF_INET || this->family == AF_INET6)
		@count[uid, pid, execname, "in", xlate <tcpsinfo_t *> (this->sock)->tcps_raddr,
		    ntohs(((struct inet_sock *)this->sock)->inet_sport)] = count();
}

END
{
	printf("\n%5s %6s %-16s %-3s %-30s %5s %8s\n", "UID", "PID", "CMD", "DIR", "ADDRESS", "PORT", "COUNT");
	printa("%5d %6d %-16s %-3s %-30s %5d %@8d\n", @count);
}
