#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rwbytype.d - bytes read and written by kind of file
 *
 * Adds up bytes that processes read and write, by the kind of the file, until
 * Ctrl-C.
 *
 * FIELDS
 *	PID	process
 *	CMD	program
 *	VTYPE	kind: reg, dir, chr, blk, fifo (pipes), sock, lnk, or non for what has no kind, such as epoll
 *	DIR	direction: R is reading, W writing
 *	BYTES	how many
 *
 * EXAMPLES
 *	rwbytype.d	files, or sockets?
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show bytes read and written by kind of file."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry,
syscall::preadv:entry, syscall::preadv2:entry
{
	self->file = (int)arg0 + 1;
	self->reads = 1;
}

syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry,
syscall::pwritev:entry, syscall::pwritev2:entry
{
	self->file = (int)arg0 + 1;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return,
syscall::preadv:return, syscall::preadv2:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return, syscall::pwritev2:return
/self->file && (int64_t)arg1 > 0/
{
	int kind = getf(self->file - 1)->f_inode->i_mode & S_IFMT;

	@bytes[pid, execname, kind == S_IFREG ? "reg" : kind == S_IFDIR ? "dir" :
	    kind == S_IFCHR ? "chr" : kind == S_IFBLK ? "blk" : kind == S_IFIFO ? "fifo" :
	    kind == S_IFSOCK ? "sock" : kind == S_IFLNK ? "lnk" : "non",
	    self->reads ? "R" : "W"] = sum((int64_t)arg1);
}

syscall::read:return, syscall::pread64:return, syscall::readv:return,
syscall::preadv:return, syscall::preadv2:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return, syscall::pwritev2:return
{
	self->file = 0;
	self->reads = 0;
}

END
{
	printf("%6s %-16s %6s %3s %12s\n", "PID", "CMD", "VTYPE", "DIR", "BYTES");
	printa("%6d %-16s %6s %3s %@12d\n", @bytes);
}
