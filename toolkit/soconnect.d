#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soconnect.d - connections that processes ask for
 *
 * Prints a line for each call of connect(2): to where, how long it took, and
 * how it ended.  A socket that does not block is "in progress" then; see
 * tcpconnlat.d for those.
 *
 * FIELDS
 *	PID	process
 *	PROCESS	program
 *	FAM	family of addresses: 2 IPv4, 10 IPv6, 1 local
 *	ADDRESS	where to; the path of a local socket
 *	PORT	where to; 0 for local sockets
 *	LAT	microseconds in the call
 *	RESULT	how it ended
 *
 * EXAMPLES
 *	soconnect.d -n curl	what a program talks to
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show connections that processes ask for."
#pragma D parameter name -n string = "" "only programs of this name"

string
result(int error)
{
	if (!error)
		return "success";
	if (error == EINPROGRESS)
		return "in progress";
	if (error == ECONNREFUSED)
		return "refused";
	if (error == ETIMEDOUT)
		return "timed out";
	if (error == ENETUNREACH || error == EHOSTUNREACH)
		return "unreachable";
	if (error == ENOENT)
		return "no such socket";
	if (error == EACCES || error == EPERM)
		return "not allowed";
	if (error == EINTR)
		return "interrupted";
	return strjoin("error ", lltostr(error));
}

BEGIN
{
	printf("%6s %-15s %3s %-30s %5s %8s %s\n", "PID", "PROCESS", "FAM", "ADDRESS", "PORT", "LAT(us)", "RESULT");
}

syscall::connect:entry
/$name == "" || $name == execname/
{
	self->where = arg1;
	self->size = arg2;
	self->since = timestamp;
}

/* The address is read after the call: before it, its page may not be in memory. */
syscall::connect:return
/self->where && self->size >= 2/
{
	this->family = *(uint16_t *)copyin(self->where, 2);
	printf("%6d %-15s %3d ", pid, execname, this->family);
	if (this->family == AF_INET && self->size >= 8) {
		this->address = (uint64_t)copyin(self->where, 8);
		printf("%-30s %5d ", inet_ntoa((ipaddr_t *)(this->address + 4)), ntohs(*(uint16_t *)(this->address + 2)));
	} else if (this->family == AF_INET6 && self->size >= 24) {
		this->address = (uint64_t)copyin(self->where, 24);
		printf("%-30s %5d ", inet_ntop(AF_INET6, (void *)(this->address + 8)),
		    ntohs(*(uint16_t *)(this->address + 2)));
	} else
		printf("%-30s %5d ", this->family == AF_UNIX && self->size > 2 ? copyinstr(self->where + 2) : "-", 0);
	printf("%8d %s\n", (timestamp - self->since) / 1000, result(errno));
}

syscall::connect:return
{
	self->where = 0;
	self->size = 0;
	self->since = 0;
}
