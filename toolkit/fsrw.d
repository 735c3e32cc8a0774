#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fsrw.d - reads and writes, and the disk requests below them
 *
 * Prints a line for each read and write of a file by a system call, and for
 * each request that goes to a disk. Data that is written goes to the disk
 * later, from a thread of the kernel; data that is read may come from memory.
 *
 * FIELDS
 *	EVENT	sc-read and sc-write are system calls, disk_io is a request to a disk
 *	DEVICE	type of the file system, or name of the disk
 *	RW	R is a read, W a write
 *	SIZE	bytes
 *	OFFSET	in the file before a system call, or on the disk, in bytes
 *	PATH	file
 *
 * EXAMPLES
 *	fsrw.d	everything
 *	fsrw.d -n dd	one program
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show reads and writes, and the disk requests below them."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("%-12s %10s %2s %8s %16s %s\n", "EVENT", "DEVICE", "RW", "SIZE", "OFFSET", "PATH");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry,
syscall::preadv:entry, syscall::preadv2:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry,
syscall::pwritev:entry, syscall::pwritev2:entry
/pid != $pid && ($name == "" || $name == execname)/
{
	self->file = (int)arg0 + 1;
	self->offset = fds[(int)arg0].fi_offset;
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry,
syscall::preadv:entry, syscall::preadv2:entry
{
	self->reads = 1;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return,
syscall::preadv:return, syscall::preadv2:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return, syscall::pwritev2:return
/self->file && (int64_t)arg1 >= 0 && (getf(self->file - 1)->f_inode->i_mode & S_IFMT) == S_IFREG/
{
	printf("%-12s %10s %2s %8d %16d %s\n", self->reads ? "sc-read" : "sc-write",
	    fds[self->file - 1].fi_fs, self->reads ? "R" : "W", (int64_t)arg1, self->offset,
	    fds[self->file - 1].fi_pathname);
}

syscall::read:return, syscall::pread64:return, syscall::readv:return,
syscall::preadv:return, syscall::preadv2:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return, syscall::pwritev2:return
{
	self->file = 0;
	self->offset = 0;
	self->reads = 0;
}

io:::start
/$name == "" || $name == execname/
{
	printf("%-12s %10s %2s %8d %16d %s\n", "  disk_io", args[1]->dev_statname,
	    args[0]->b_flags & B_READ ? "R" : "W", args[0]->b_bcount, args[0]->b_blkno * 512,
	    args[2]->fi_pathname);
}
