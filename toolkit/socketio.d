#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * socketio.d - bytes through sockets, by process
 *
 * Adds up until Ctrl-C what processes read from sockets and write to them, of
 * whatever kind.
 *
 * FIELDS
 *	PID	process
 *	PROCESS	program
 *	FAM	family of addresses: 2 IPv4, 10 IPv6, 1 local
 *	DIR	read or write
 *	CALLS	calls
 *	BYTES	bytes
 *
 * EXAMPLES
 *	socketio.d
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option aggsortpos=1

#pragma D usage "Show bytes through sockets, by process."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall::read:entry, syscall::readv:entry, syscall::recvfrom:entry, syscall::recvmsg:entry, syscall::write:entry,
syscall::writev:entry, syscall::sendto:entry, syscall::sendmsg:entry, syscall::sendfile:entry
/($name == "" || $name == execname) && getf(arg0) != NULL && (getf(arg0)->f_inode->i_mode & 0xf000) == 0xc000/
{
	self->family = ((struct socket *)getf(arg0)->private_data)->sk->__sk_common.skc_family;
}

syscall::read:return, syscall::readv:return, syscall::recvfrom:return, syscall::recvmsg:return, syscall::write:return,
syscall::writev:return, syscall::sendto:return, syscall::sendmsg:return, syscall::sendfile:return
/self->family && !errno/
{
	this->way = probefunc == "read" || probefunc == "readv" || probefunc == "recvfrom" || probefunc == "recvmsg" ?
	    "read" : "write";
	@calls[pid, execname, self->family, this->way] = count();
	@bytes[pid, execname, self->family, this->way] = sum(arg1);
}

syscall::read:return, syscall::readv:return, syscall::recvfrom:return, syscall::recvmsg:return, syscall::write:return,
syscall::writev:return, syscall::sendto:return, syscall::sendmsg:return, syscall::sendfile:return
{
	self->family = 0;
}

END
{
	printf("\n%6s %-16s %3s %-5s %10s %14s\n", "PID", "PROCESS", "FAM", "DIR", "CALLS", "BYTES");
	printa("%6d %-16s %3d %-5s %@10d %@14d\n", @calls, @bytes);
}
