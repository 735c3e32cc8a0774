#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fsrwtime.d - times of reads and writes by file system
 *
 * Shows how long reads and writes take, as distributions by the type of the
 * file system and the system call, until Ctrl-C.
 *
 * FIELDS
 *	value	nanoseconds: the lower end of a bucket
 *	count	how many calls
 *
 * EXAMPLES
 *	fsrwtime.d	all programs
 *	fsrwtime.d -n sshd	one program
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show times of reads and writes by file system."
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
	@time[fds[self->file - 1].fi_fs, probefunc] = quantize(timestamp - self->start);
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
	printa("%s %s (ns)\n%@d\n", @time);
}
