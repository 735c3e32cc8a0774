#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * so1stbyte.d - how long the first byte of an answer takes
 *
 * Measures until Ctrl-C the time from a call of connect(2) to the end of the
 * first call that reads something from that socket, and prints distributions
 * by program.
 *
 * FIELDS
 *	name	program
 *	value	nanoseconds
 *	count	connections
 *
 * EXAMPLES
 *	so1stbyte.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show how long the first byte of an answer takes."
#pragma D parameter name -n string = "" "only programs of this name"

uint64_t since[int, int];	/* by process and descriptor */

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall::connect:entry
/$name == "" || $name == execname/
{
	since[pid, (int)arg0] = timestamp;
}

syscall::read:entry, syscall::readv:entry, syscall::recvfrom:entry, syscall::recvmsg:entry
/since[pid, (int)arg0]/
{
	self->socket = (int)arg0 + 1;
}

syscall::read:return, syscall::readv:return, syscall::recvfrom:return, syscall::recvmsg:return
/self->socket && (int64_t)arg1 > 0/
{
	@time[execname] = quantize(timestamp - since[pid, self->socket - 1]);
	since[pid, self->socket - 1] = 0;
}

syscall::read:return, syscall::readv:return, syscall::recvfrom:return, syscall::recvmsg:return
{
	self->socket = 0;
}

syscall::close:entry
{
	since[pid, (int)arg0] = 0;
}

END
{
	printa("\n  %s (ns)\n%@d", @time);
}
