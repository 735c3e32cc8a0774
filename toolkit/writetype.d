#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writetype.d - writes by type of file system: logical and physical
 *
 * Adds up bytes that programs write by system calls, by type of file system,
 * and bytes of requests to disks that belong to files of such a type, until
 * Ctrl-C. Types whose files are not on disks have no physical part.
 *
 * FIELDS
 *	FS	type of the file system
 *	LOGICAL	bytes of system calls
 *	PHYSICAL	bytes of requests to disks
 *
 * EXAMPLES
 *	writetype.d	all types
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show writes by type of file system."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry,
syscall::pwritev:entry, syscall::pwritev2:entry
{
	self->file = (int)arg0 + 1;
}

syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return, syscall::pwritev2:return
/self->file && (int64_t)arg1 > 0/
{
	@logical[fds[self->file - 1].fi_fs] = sum((int64_t)arg1);
}

syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return, syscall::pwritev2:return
{
	self->file = 0;
}

io:::start
/!(args[0]->b_flags & B_READ)/
{
	@physical[args[2]->fi_fs] = sum(args[0]->b_bcount);
}

END
{
	printf("%-16s %14s %14s\n", "FS", "LOGICAL", "PHYSICAL");
	printa("%-16s %@14d %@14d\n", @logical, @physical);
}
