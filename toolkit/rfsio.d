#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rfsio.d - reads by file system: from memory or from disk
 *
 * Adds up bytes that programs read by system calls from regular files, and
 * bytes that were read from disks for them, by file system, until Ctrl-C.
 * Where the second number is small, the cache does its work. Reading ahead can
 * make it the larger one.
 *
 * FIELDS
 *	LOGICAL	bytes that programs read
 *	PHYSICAL	bytes that came from disks
 *	MOUNT	where it is mounted
 *
 * EXAMPLES
 *	rfsio.d	does the cache work?
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show reads by file system, from memory or from disk."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry,
syscall::preadv:entry, syscall::preadv2:entry
{
	self->file = (int)arg0 + 1;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return,
syscall::preadv:return, syscall::preadv2:return
/self->file && (int64_t)arg1 > 0 && (getf(self->file - 1)->f_inode->i_mode & S_IFMT) == S_IFREG/
{
	@logical[fds[self->file - 1].fi_mount] = sum((int64_t)arg1);
}

syscall::read:return, syscall::pread64:return, syscall::readv:return,
syscall::preadv:return, syscall::preadv2:return
{
	self->file = 0;
}

io:::start
/args[0]->b_flags & B_READ/
{
	@physical[args[2]->fi_mount] = sum(args[0]->b_bcount);
}

END
{
	printf("%14s %14s %s\n", "LOGICAL", "PHYSICAL", "MOUNT");
	printa("%@14d %@14d %s\n", @logical, @physical);
}
