#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mysqld_pid_fslatency.d - how long a database server waits for its files
 *
 * Collects the time of each read and write of a file by the server, until
 * Ctrl-C, and prints two distributions.  That is the latency which the server
 * feels: caches of the file system make it shorter, what else goes on makes it
 * longer than that of the disk.  Sockets and pipes do not count.  Servers do
 * some of their I/O by other calls, in threads of their own, for which no query
 * waits; those are not seen.
 *
 * FIELDS
 *	value	nanoseconds, the lower end of a row
 *	count	calls that took so long
 *
 * EXAMPLES
 *	mysqld_pid_fslatency.d -p $(pgrep -xo mariadbd)	until Ctrl-C
 *	mysqld_pid_fslatency.d -n 'tick-10s { exit(0); }' -p 7357	for ten seconds
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show the time of file reads and writes of the server -p PID."

BEGIN
{
	printf("Tracing PID %d... Hit Ctrl-C to end.\n", $target);
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry,
syscall::preadv:entry, syscall::write:entry, syscall::pwrite64:entry,
syscall::writev:entry, syscall::pwritev:entry
/pid == $target && fds[arg0].fi_fs != "sockfs" && fds[arg0].fi_fs != "pipefs" &&
    fds[arg0].fi_fs != "anon_inodefs"/
{
	self->start = timestamp;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return,
syscall::preadv:return
/self->start/
{
	@time["read"] = quantize(timestamp - self->start);
	@number = count();
	self->start = 0;
}

syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return
/self->start/
{
	@time["write"] = quantize(timestamp - self->start);
	@number = count();
	self->start = 0;
}

END
{
	printa("MySQL filesystem I/O: %@d; latency (ns):\n", @number);
	printa(@time);
}
