#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcpwdist.d - sizes of writes to TCP, by process
 *
 * Counts until Ctrl-C how much each call wrote to a TCP connection, and prints
 * distributions by process.
 *
 * FIELDS
 *	PID	process
 *	CMD	program
 *	value	bytes
 *	count	calls
 *
 * EXAMPLES
 *	tcpwdist.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show sizes of writes to TCP, by process."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall::write:entry, syscall::writev:entry, syscall::sendto:entry, syscall::sendmsg:entry, syscall::sendfile:entry
/($name == "" || $name == execname) && getf(arg0) != NULL && (getf(arg0)->f_inode->i_mode & 0xf000) == 0xc000 &&
    ((struct socket *)getf(arg0)->private_data)->sk->sk_protocol == IPPROTO_TCP/
{
	self->is_tcp = 1;
}

syscall::write:return, syscall::writev:return, syscall::sendto:return, syscall::sendmsg:return,
syscall::sendfile:return
/self->is_tcp && !errno/
{
	@size[pid, execname] = quantize(arg1);
}

syscall::write:return, syscall::writev:return, syscall::sendto:return, syscall::sendmsg:return,
syscall::sendfile:return
{
	self->is_tcp = 0;
}

END
{
	printa("\n PID: %-6d CMD: %s\n%@d", @size);
}
