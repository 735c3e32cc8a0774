#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sotop.d - processes that use sockets most
 *
 * Shows every few seconds which processes read from sockets and write to them,
 * with the largest first.
 *
 * FIELDS
 *	PID	process
 *	PROCESS	program
 *	READS	calls that read
 *	WRITES	calls that write
 *	READ	kilobytes read
 *	WRITTEN	kilobytes written
 *	TOTAL	bytes of both
 *
 * EXAMPLES
 *	sotop.d 1
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option screen
#pragma D option aggsortrev
#pragma D option aggsortpos=4

#pragma D usage "Show processes that use sockets most."
#pragma D operand interval count = 5 "seconds between pages"
#pragma D operand count count = 0 "how many pages; no end if not given"

BEGIN
{
	every = $interval;
	left = every;
	pages = $count ? $count : -1;
	printf("Tracing... Please wait.\n");
}

syscall::read:entry, syscall::readv:entry, syscall::recvfrom:entry, syscall::recvmsg:entry, syscall::write:entry,
syscall::writev:entry, syscall::sendto:entry, syscall::sendmsg:entry, syscall::sendfile:entry
/getf(arg0) != NULL && (getf(arg0)->f_inode->i_mode & 0xf000) == 0xc000/
{
	self->is_socket = 1;
}

syscall::read:return, syscall::readv:return, syscall::recvfrom:return, syscall::recvmsg:return, syscall::write:return,
syscall::writev:return, syscall::sendto:return, syscall::sendmsg:return, syscall::sendfile:return
/self->is_socket && !errno/
{
	this->is_read = probefunc == "read" || probefunc == "readv" || probefunc == "recvfrom" || probefunc == "recvmsg";
	@reads[pid, execname] = sum(this->is_read ? 1 : 0);
	@writes[pid, execname] = sum(this->is_read ? 0 : 1);
	@read[pid, execname] = sum(this->is_read ? arg1 : 0);
	@written[pid, execname] = sum(this->is_read ? 0 : arg1);
	@total[pid, execname] = sum(arg1);
}

syscall::read:return, syscall::readv:return, syscall::recvfrom:return, syscall::recvmsg:return, syscall::write:return,
syscall::writev:return, syscall::sendto:return, syscall::sendmsg:return, syscall::sendfile:return
{
	self->is_socket = 0;
}

tick-1s
{
	left--;
}

tick-1s, END
/probename == "END" ? pages : !left/
{
	normalize(@read, 1024);
	normalize(@written, 1024);
	printf("\f%Y\n%6s %-16s %8s %8s %10s %10s %14s\n", walltimestamp, "PID", "PROCESS", "READS", "WRITES", "READ(KB)",
	    "WRITTEN(KB)", "TOTAL(B)");
	printa("%6d %-16s %@8d %@8d %@10d %@10d %@14d\n", @reads, @writes, @read, @written, @total);
	printf("\n");
	trunc(@reads);
	trunc(@writes);
	trunc(@read);
	trunc(@written);
	trunc(@total);
	left = every;
	pages--;
}

tick-1s
/!pages/
{
	exit(0);
}
