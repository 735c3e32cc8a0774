#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vfslife.d - files that are created, renamed and deleted
 *
 * Prints a line for each successful call that creates, renames or deletes a
 * name of a file. A call that opens a file and may create it is shown as
 * create, whether or not there was one before.
 *
 * FIELDS
 *	TIME	time of day
 *	UID	user
 *	PID	process
 *	PROCESS	program
 *	CALL	create, mkdir, rename, link, symlink, unlink or rmdir
 *	PATH	as the program gave it; for create the whole path; for rename, link and symlink the new one
 *
 * EXAMPLES
 *	vfslife.d	all programs
 *	vfslife.d -n sh	one program
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show files that are created, renamed and deleted."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("%-20s %6s %6s %-16s %-8s %s\n", "TIME", "UID", "PID", "PROCESS", "CALL", "PATH");
}

syscall::mkdir:entry, syscall::unlink:entry, syscall::rmdir:entry
/$name == "" || $name == execname/
{
	self->call = probefunc;
	self->path = arg0;
}

syscall::rename:entry, syscall::link:entry, syscall::symlink:entry
/$name == "" || $name == execname/
{
	self->call = probefunc;
	self->path = arg1;
}

syscall::mkdirat:entry
/$name == "" || $name == execname/
{
	self->call = "mkdir";
	self->path = arg1;
}

syscall::unlinkat:entry
/$name == "" || $name == execname/
{
	self->call = arg2 & AT_REMOVEDIR ? "rmdir" : "unlink";
	self->path = arg1;
}

syscall::renameat:entry, syscall::renameat2:entry, syscall::linkat:entry
/$name == "" || $name == execname/
{
	self->call = probefunc == "linkat" ? "link" : "rename";
	self->path = arg3;
}

syscall::symlinkat:entry
/$name == "" || $name == execname/
{
	self->call = "symlink";
	self->path = arg2;
}

syscall::mkdir:return, syscall::unlink:return, syscall::rmdir:return,
syscall::rename:return, syscall::link:return, syscall::symlink:return,
syscall::mkdirat:return, syscall::unlinkat:return, syscall::renameat:return,
syscall::renameat2:return, syscall::linkat:return, syscall::symlinkat:return
/self->path/
{
	if (!errno)
		printf("%-20Y %6d %6d %-16s %-8s %s\n", walltimestamp, uid, pid, execname,
		    self->call, copyinstr(self->path));
	self->path = 0;
	self->call = NULL;
}

syscall::creat:entry
/$name == "" || $name == execname/
{
	self->creates = 1;
}

syscall::open:entry
/(arg1 & O_CREAT) && ($name == "" || $name == execname)/
{
	self->creates = 1;
}

syscall::openat:entry
/(arg2 & O_CREAT) && ($name == "" || $name == execname)/
{
	self->creates = 1;
}

syscall::creat:return, syscall::open:return, syscall::openat:return
/self->creates/
{
	if (!errno)
		printf("%-20Y %6d %6d %-16s %-8s %s\n", walltimestamp, uid, pid, execname, "create",
		    fds[(int)arg1].fi_pathname);
	self->creates = 0;
}
