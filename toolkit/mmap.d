#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mmap.d - memory and files that programs map
 *
 * Prints a line for each mmap(2).
 *
 * FIELDS
 *	PID	process
 *	EXEC	program
 *	SIZE	in bytes
 *	PROT	what is allowed: r, w, x
 *	FLAGS	S is shared with others, P private, A memory of its own
 *	FILE	what is mapped
 *
 * EXAMPLES
 *	mmap.d	all processes
 *	mmap.d -n java	one program
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show memory and files that programs map."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("%6s %-16s %12s %-4s %-5s %s\n", "PID", "EXEC", "SIZE", "PROT", "FLAGS", "FILE");
}

syscall::mmap:entry
/pid != $pid && ($name == "" || $name == execname)/
{
	self->size = arg1;
	self->prot = arg2;
	self->flags = arg3;
	self->fd = (int)arg4;
}

syscall::mmap:return
/self->size && !errno/
{
	printf("%6d %-16s %12d %s%s%-2s %s%-4s %s\n", pid, execname, self->size,
	    self->prot & PROT_READ ? "r" : "-", self->prot & PROT_WRITE ? "w" : "-",
	    self->prot & PROT_EXEC ? "x" : "-", self->flags & MAP_SHARED ? "S" : "P",
	    self->flags & MAP_ANONYMOUS ? "A" : "",
	    self->flags & MAP_ANONYMOUS ? "" : fds[self->fd].fi_pathname);
}

syscall::mmap:return
{
	self->size = 0;
	self->prot = 0;
	self->flags = 0;
	self->fd = 0;
}
