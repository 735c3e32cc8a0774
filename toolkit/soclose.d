#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soclose.d - how long processes keep connections
 *
 * Prints a line when a process closes a socket that it had connected or
 * accepted: for how long it had it, and what it did with it.  Sockets that are
 * closed because their process ends are not seen.
 *
 * FIELDS
 *	PID	process
 *	PROCESS	program
 *	FD	descriptor
 *	HOW	connect or accept
 *	TIME	milliseconds from connecting or accepting to closing
 *	READ	bytes read
 *	WRITTEN	bytes written
 *
 * EXAMPLES
 *	soclose.d -n nginx
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show how long processes keep connections."
#pragma D parameter name -n string = "" "only programs of this name"

uint64_t since[int, int];	/* by process and descriptor */
string how[int, int];
int64_t read[int, int];
int64_t written[int, int];

BEGIN
{
	printf("%6s %-16s %4s %-8s %9s %12s %12s\n", "PID", "PROCESS", "FD", "HOW", "TIME(ms)", "READ", "WRITTEN");
}

syscall::connect:entry
/$name == "" || $name == execname/
{
	self->connects = arg0 + 1;
	self->since = timestamp;
}

syscall::connect:return
/self->connects && (!errno || errno == EINPROGRESS)/
{
	since[pid, (int)self->connects - 1] = self->since;
	how[pid, (int)self->connects - 1] = "connect";
	read[pid, (int)self->connects - 1] = 0;
	written[pid, (int)self->connects - 1] = 0;
}

syscall::connect:return
{
	self->connects = 0;
	self->since = 0;
}

syscall::accept:return, syscall::accept4:return
/!errno && ($name == "" || $name == execname)/
{
	since[pid, (int)arg1] = timestamp;
	how[pid, (int)arg1] = "accept";
	read[pid, (int)arg1] = 0;
	written[pid, (int)arg1] = 0;
}

syscall::read:entry, syscall::readv:entry, syscall::recvfrom:entry, syscall::recvmsg:entry, syscall::write:entry,
syscall::writev:entry, syscall::sendto:entry, syscall::sendmsg:entry, syscall::sendfile:entry
/since[pid, (int)arg0]/
{
	self->io = arg0 + 1;
}

syscall::read:return, syscall::readv:return, syscall::recvfrom:return, syscall::recvmsg:return, syscall::write:return,
syscall::writev:return, syscall::sendto:return, syscall::sendmsg:return, syscall::sendfile:return
/self->io && !errno/
{
	if (probefunc == "read" || probefunc == "readv" || probefunc == "recvfrom" || probefunc == "recvmsg")
		read[pid, (int)self->io - 1] += arg1;
	else
		written[pid, (int)self->io - 1] += arg1;
}

syscall::read:return, syscall::readv:return, syscall::recvfrom:return, syscall::recvmsg:return, syscall::write:return,
syscall::writev:return, syscall::sendto:return, syscall::sendmsg:return, syscall::sendfile:return
{
	self->io = 0;
}

syscall::close:entry
/since[pid, (int)arg0]/
{
	this->file = (int)arg0;
	printf("%6d %-16s %4d %-8s %9d %12d %12d\n", pid, execname, this->file, how[pid, this->file],
	    (timestamp - since[pid, this->file]) / 1000000, read[pid, this->file], written[pid, this->file]);
	since[pid, this->file] = 0;
	how[pid, this->file] = NULL;
	read[pid, this->file] = 0;
	written[pid, this->file] = 0;
}
