#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fswho.d - who reads and writes which file system
 *
 * Adds up bytes that programs read from and write to file systems, until
 * Ctrl-C. Pipes and sockets count, too: their file system is the kernel's own.
 *
 * FIELDS
 *	PROCESSES	program
 *	D	direction: R is reading, W writing
 *	BYTES	how many
 *	FS	type of the file system
 *	MOUNT	where it is mounted
 *
 * EXAMPLES
 *	fswho.d	the largest are last
 *	fswho.d -n rsync	one program
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show who reads and writes which file system."
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
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry,
syscall::preadv:entry, syscall::preadv2:entry
{
	self->reading = 1;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return,
syscall::preadv:return, syscall::preadv2:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return, syscall::pwritev2:return
/self->file && (int64_t)arg1 > 0/
{
	@bytes[execname, self->reading ? "R" : "W", fds[self->file - 1].fi_fs,
	    fds[self->file - 1].fi_mount] = sum((int64_t)arg1);
}

syscall::read:return, syscall::pread64:return, syscall::readv:return,
syscall::preadv:return, syscall::preadv2:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return, syscall::pwritev2:return
{
	self->file = 0;
	self->reading = 0;
}

END
{
	printf("  %-16s %1s %12s  %-10s %s\n", "PROCESSES", "D", "BYTES", "FS", "MOUNT");
	printa("  %-16s %1s %@12d  %-10s %s\n", @bytes);
}
