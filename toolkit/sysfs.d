#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sysfs.d - system calls about files by program
 *
 * Counts system calls that are about files, by program, until Ctrl-C.
 *
 * FIELDS
 *	PROCESS	program
 *	SYSCALL	system call
 *	COUNT	how often
 *
 * EXAMPLES
 *	sysfs.d	all programs
 *	sysfs.d -n bash	one program
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Count system calls about files by program."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
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
/pid != $pid && ($name == "" || $name == execname)/
{
	@calls[execname, probefunc] = count();
}

END
{
	printf("%-16s %-16s %12s\n", "PROCESS", "SYSCALL", "COUNT");
	printa("%-16s %-16s %@12d\n", @calls);
}
