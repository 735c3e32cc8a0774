#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fssnoop.d - operations on files as they happen
 *
 * Prints a line for each system call that works on an open file: reads,
 * writes, opens, closes, mappings and others. Calls that fail to open a file
 * are not here; fserrors.d has them.
 *
 * FIELDS
 *	TIME(us)	when
 *	UID	user
 *	PID	process
 *	PROCESS	program
 *	CALL	system call
 *	BYTES	how many were moved, or mapped
 *	FS	type of the file system
 *	PATH	file
 *
 * EXAMPLES
 *	fssnoop.d	everything
 *	fssnoop.d -n postgres	one program
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show operations on files as they happen."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("%-16s %6s %6s %-16s %-10s %8s %-8s %s\n", "TIME(us)", "UID", "PID", "PROCESS",
	    "CALL", "BYTES", "FS", "PATH");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry,
syscall::preadv:entry, syscall::preadv2:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry,
syscall::pwritev:entry, syscall::pwritev2:entry,
syscall::getdents64:entry, syscall::fsync:entry, syscall::fdatasync:entry,
syscall::ioctl:entry, syscall::lseek:entry, syscall::fallocate:entry,
syscall::ftruncate:entry, syscall::flock:entry
/pid != $pid && ($name == "" || $name == execname)/
{
	self->file = (int)arg0 + 1;
}

syscall::open:entry, syscall::creat:entry, syscall::openat:entry, syscall::openat2:entry
/pid != $pid && ($name == "" || $name == execname)/
{
	self->opens = 1;
}

syscall::open:return, syscall::creat:return, syscall::openat:return, syscall::openat2:return
/self->opens/
{
	self->file = (int)arg1 + 1;
	self->opens = 0;
}

syscall::mmap:entry
/(int)arg4 >= 0 && !(arg3 & MAP_ANONYMOUS) && pid != $pid && ($name == "" || $name == execname)/
{
	self->file = (int)arg4 + 1;
	self->mapped = arg1;
}

/* After close(2) there is no file to ask: it is shown as it begins. */
syscall::close:entry
/pid != $pid && ($name == "" || $name == execname)/
{
	self->file = (int)arg0 + 1;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return,
syscall::preadv:return, syscall::preadv2:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return, syscall::pwritev2:return,
syscall::getdents64:return, syscall::fsync:return, syscall::fdatasync:return,
syscall::ioctl:return, syscall::lseek:return, syscall::fallocate:return,
syscall::ftruncate:return, syscall::flock:return, syscall::mmap:return,
syscall::open:return, syscall::creat:return, syscall::openat:return,
syscall::openat2:return, syscall::close:entry
/self->file/
{
	int64_t bytes = 0;

	if (probefunc == "mmap")
		bytes = self->mapped;
	else if (strstr(probefunc, "read") != NULL || strstr(probefunc, "write") != NULL)
		bytes = (int64_t)arg1 > 0 ? (int64_t)arg1 : 0;
	printf("%-16d %6d %6d %-16s %-10s %8d %-8s %s\n", timestamp / 1000, uid, pid, execname,
	    probefunc, bytes, fds[self->file - 1].fi_fs, fds[self->file - 1].fi_pathname);
	self->file = 0;
	self->mapped = 0;
}
