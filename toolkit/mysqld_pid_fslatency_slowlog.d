#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mysqld_pid_fslatency_slowlog.d - slow queries, and the share of the file system
 *
 * Prints a line for each query of a MariaDB or MySQL server during which its
 * thread waited for files longer than a limit: how long the query took, how much
 * of it were reads and writes of files, and how many.
 *
 * FIELDS
 *	query	time of the query
 *	fs	of that, in reads and writes of files
 *	I/O	number of reads and writes
 *
 * EXAMPLES
 *	mysqld_pid_fslatency_slowlog.d $(pgrep -xo mariadbd)	longer than 100 ms
 *	mysqld_pid_fslatency_slowlog.d --min 1ms 29952	longer than 1 ms
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show queries of a server that wait for files."
#pragma D parameter min -m time = 100ms "only queries that wait at least so long"
#pragma D operand server pid "process of the server"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

pid$server::_Z16dispatch_command*:entry
/(int)arg0 == 3/
{
	self->q_start = timestamp;
	self->total_ns = 0;
	self->io_count = 0;
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry,
syscall::preadv:entry, syscall::write:entry, syscall::pwrite64:entry,
syscall::writev:entry, syscall::pwritev:entry
/self->q_start && fds[arg0].fi_fs != "sockfs" && fds[arg0].fi_fs != "pipefs" &&
    fds[arg0].fi_fs != "anon_inodefs"/
{
	self->fs_start = timestamp;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return,
syscall::preadv:return, syscall::write:return, syscall::pwrite64:return,
syscall::writev:return, syscall::pwritev:return
/self->fs_start/
{
	self->total_ns += timestamp - self->fs_start;
	self->io_count++;
	self->fs_start = 0;
}

pid$server::_Z16dispatch_command*:return
/self->q_start && self->io_count && self->total_ns >= $min/
{
	printf("%Y filesystem I/O during query > %d ms: ", walltimestamp,
	    $min / 1000000);
	printf("query %d ms, fs %d ms, %d I/O\n",
	    (timestamp - self->q_start) / 1000000, self->total_ns / 1000000,
	    self->io_count);
}

pid$server::_Z16dispatch_command*:return
{
	self->q_start = 0;
	self->total_ns = 0;
	self->io_count = 0;
}
