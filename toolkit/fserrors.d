#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fserrors.d - calls about files that fail
 *
 * Prints a line for each system call about a file that fails: with the path as
 * the program gave it, or the path of the open file.
 *
 * FIELDS
 *	PROCESSES	program
 *	SYSCALL	system call
 *	ERROR	error number; errinfo has names
 *	PATH	file
 *
 * EXAMPLES
 *	fserrors.d	all of them
 *	fserrors.d -n nginx	one program
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show calls about files that fail."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("%-16s %-12s %5s %s\n", "PROCESSES", "SYSCALL", "ERROR", "PATH");
}

syscall::open:entry, syscall::creat:entry, syscall::stat:entry, syscall::lstat:entry,
syscall::access:entry, syscall::mkdir:entry, syscall::rmdir:entry, syscall::unlink:entry,
syscall::rename:entry, syscall::link:entry, syscall::symlink:entry, syscall::chmod:entry,
syscall::chown:entry, syscall::chdir:entry, syscall::readlink:entry,
syscall::truncate:entry, syscall::execve:entry
/pid != $pid && ($name == "" || $name == execname)/
{
	self->path = arg0;
}

syscall::openat:entry, syscall::openat2:entry, syscall::newfstatat:entry,
syscall::statx:entry, syscall::faccessat:entry, syscall::faccessat2:entry,
syscall::mkdirat:entry, syscall::unlinkat:entry, syscall::renameat2:entry,
syscall::linkat:entry, syscall::fchmodat:entry, syscall::fchownat:entry,
syscall::readlinkat:entry
/pid != $pid && ($name == "" || $name == execname)/
{
	self->path = arg1;
}

syscall::read:entry, syscall::write:entry, syscall::pread64:entry,
syscall::pwrite64:entry, syscall::readv:entry, syscall::writev:entry,
syscall::fsync:entry, syscall::fdatasync:entry, syscall::ftruncate:entry,
syscall::fallocate:entry, syscall::getdents64:entry
/pid != $pid && ($name == "" || $name == execname)/
{
	self->file = (int)arg0 + 1;
}

syscall:::return
/errno && (self->path || self->file)/
{
	printf("%-16s %-12s %5d %s\n", execname, probefunc, errno,
	    self->path ? copyinstr(self->path) : fds[self->file - 1].fi_pathname);
}

syscall:::return
/self->path || self->file/
{
	self->path = 0;
	self->file = 0;
}
