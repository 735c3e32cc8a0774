#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fstop10.d - the ten most frequent operations on files
 *
 * Shows every few seconds which program makes which system calls about files
 * most.
 *
 * FIELDS
 *	EXEC	program
 *	SYSCALL	system call
 *	COUNT	how often in the interval
 *
 * EXAMPLES
 *	fstop10.d	every 5 seconds
 *	fstop10.d --every 1s	every second
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option screen
#pragma D option aggsortrev

#pragma D usage "Show the ten most frequent operations on files."
#pragma D parameter every time = 5s "interval"

BEGIN
{
	printf("Tracing... Please wait.\n");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry, syscall::pwritev:entry,
syscall::open:entry, syscall::openat:entry, syscall::creat:entry, syscall::close:entry,
syscall::stat:entry, syscall::lstat:entry, syscall::fstat:entry, syscall::newfstatat:entry,
syscall::statx:entry, syscall::access:entry, syscall::faccessat*:entry,
syscall::lseek:entry, syscall::getdents64:entry, syscall::readlink*:entry,
syscall::mkdir*:entry, syscall::rmdir:entry, syscall::unlink*:entry, syscall::rename*:entry,
syscall::fsync:entry, syscall::fdatasync:entry, syscall::*truncate:entry,
syscall::statfs:entry, syscall::fstatfs:entry, syscall::chdir:entry
/pid != $pid/
{
	@calls[execname, probefunc] = count();
}

tick-$every, END
{
	trunc(@calls, 10);
	printf("\f%-16s %-20s %12s\n", "EXEC", "SYSCALL", "COUNT");
	printa("%-16s %-20s %@12d\n", @calls);
	trunc(@calls);
}
