#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scrwtop10.d - the ten largest users of reads and writes
 *
 * Shows every few seconds which processes move most by which kind of file
 * system, with the average size of a call.
 *
 * FIELDS
 *	EXEC	program
 *	PID	process
 *	SYSCALL	read, write or a relative
 *	FS	type of the file system
 *	CALLS	how many in the interval
 *	AVG	average size in bytes
 *	BYTES	how many were moved
 *
 * EXAMPLES
 *	scrwtop10.d	every 5 seconds
 *	scrwtop10.d --every 1s	every second
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option screen
#pragma D option aggsortrev

#pragma D usage "Show the ten largest users of reads and writes."
#pragma D parameter every time = 5s "interval"

BEGIN
{
	printf("Tracing... Please wait.\n");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry,
syscall::preadv:entry, syscall::preadv2:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry,
syscall::pwritev:entry, syscall::pwritev2:entry
/pid != $pid/
{
	self->file = (int)arg0 + 1;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return,
syscall::preadv:return, syscall::preadv2:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return, syscall::pwritev2:return
/self->file && (int64_t)arg1 > 0/
{
	this->fs = fds[self->file - 1].fi_fs;
	@calls[execname, pid, probefunc, this->fs] = count();
	@size[execname, pid, probefunc, this->fs] = avg((int64_t)arg1);
	@bytes[execname, pid, probefunc, this->fs] = sum((int64_t)arg1);
	self->file = 0;
}

tick-$every, END
{
	trunc(@bytes, 10);
	printf("\f%-16s %6s %-10s %-10s %12s %10s %10s\n", "EXEC", "PID", "SYSCALL", "FS", "BYTES",
	    "CALLS", "AVG");
	printa("%-16s %6d %-10s %-10s %@12d %@10d %@10d\n", @bytes, @calls, @size);
	trunc(@calls);
	trunc(@size);
	trunc(@bytes);
}
