#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * brk.d - heaps that grow
 *
 * Prints a line for each brk(2) that makes the heap of a process larger or
 * smaller. Large blocks of malloc(3) do not come from there; mmap.d has them.
 *
 * FIELDS
 *	TIME	time of day
 *	PID	process
 *	EXEC	program
 *	GROWS	by how many bytes; less than 0 where it shrinks
 *	HEAP	size of the heap now, in bytes
 *
 * EXAMPLES
 *	brk.d	all processes
 *	brk.d -n redis-server	one program
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show heaps that grow."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("%-20s %6s %-16s %12s %14s\n", "TIME", "PID", "EXEC", "GROWS", "HEAP");
}

syscall::brk:entry
/arg0 && ($name == "" || $name == execname)/
{
	self->before = curthread->mm->brk;
}

syscall::brk:return
/self->before && self->before != arg1/
{
	printf("%-20Y %6d %-16s %12d %14d\n", walltimestamp, pid, execname,
	    (int64_t)arg1 - (int64_t)self->before, arg1 - curthread->mm->start_brk);
}

syscall::brk:return
{
	self->before = 0;
}
