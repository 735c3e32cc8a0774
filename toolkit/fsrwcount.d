#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fsrwcount.d - reads and writes by file system
 *
 * Counts reads and writes by the type of the file system and the system call,
 * until Ctrl-C.
 *
 * FIELDS
 *	FS	type of the file system
 *	SYSCALL	read, write or a relative
 *	COUNT	how many
 *
 * EXAMPLES
 *	fsrwcount.d	all programs
 *	fsrwcount.d -n sshd	one program
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Count reads and writes by file system."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry,
syscall::preadv:entry, syscall::preadv2:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry,
syscall::pwritev:entry, syscall::pwritev2:entry
/pid != $pid && ($name == "" || $name == execname)/
{
	self->file = (int)arg0 + 1;
	self->start = timestamp;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return,
syscall::preadv:return, syscall::preadv2:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return, syscall::pwritev2:return
/self->file && (int64_t)arg1 >= 0/
{
	@number[fds[self->file - 1].fi_fs, probefunc] = count();
}

syscall::read:return, syscall::pread64:return, syscall::readv:return,
syscall::preadv:return, syscall::preadv2:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return, syscall::pwritev2:return
{
	self->file = 0;
	self->start = 0;
}

END
{
	printf("%-12s %-12s %12s\n", "FS", "SYSCALL", "COUNT");
	printa("%-12s %-12s %@12d\n", @number);
}
