#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * creatbyproc.d - files that programs may create
 *
 * Prints program and path for each successful call that creates a file if
 * there is none: creat(2), and open(2) and openat(2) with O_CREAT.
 *
 * FIELDS
 *	CMD	program
 *	FILE	whole path
 *
 * EXAMPLES
 *	creatbyproc.d	who creates what
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show files that programs may create."

BEGIN
{
	printf("%-16s %s\n", "CMD", "FILE");
}

syscall::creat:entry
{
	self->creates = 1;
}

syscall::open:entry
/arg1 & O_CREAT/
{
	self->creates = 1;
}

syscall::openat:entry
/arg2 & O_CREAT/
{
	self->creates = 1;
}

syscall::creat:return, syscall::open:return, syscall::openat:return
/self->creates/
{
	if ((int)arg1 >= 0)
		printf("%-16s %s\n", execname, fds[(int)arg1].fi_pathname);
	self->creates = 0;
}
