#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filebyproc.d - files that programs open
 *
 * Prints program and path for each call that opens a file, whether it succeeds
 * or not. opensnoop has more fields.
 *
 * FIELDS
 *	CMD	program
 *	FILE	path as the program gave it
 *
 * EXAMPLES
 *	filebyproc.d	who opens what
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show files that programs open."

BEGIN
{
	printf("%-16s %s\n", "CMD", "FILE");
}

syscall::open:entry, syscall::creat:entry
{
	self->path = arg0;
}

syscall::openat:entry, syscall::openat2:entry
{
	self->path = arg1;
}

syscall::open:return, syscall::creat:return, syscall::openat:return, syscall::openat2:return
/self->path/
{
	printf("%-16s %s\n", execname, copyinstr(self->path));
	self->path = 0;
}
