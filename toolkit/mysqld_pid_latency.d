#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mysqld_pid_latency.d - how long commands of a MariaDB or MySQL server take
 *
 * Collects the time of each command that clients send, most of which are
 * queries, until Ctrl-C, and prints its distribution.  It traces a function of
 * the server, so it works for servers of any version.
 *
 * FIELDS
 *	value	nanoseconds, the lower end of a row
 *	count	commands that took so long
 *
 * EXAMPLES
 *	mysqld_pid_latency.d -p $(pgrep -xo mariadbd)	until Ctrl-C
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show the distribution of the time of commands of the server -p PID."

BEGIN
{
	printf("Tracing PID %d... Hit Ctrl-C to end.\n", $target);
}

pid$target::_Z16dispatch_command*:entry
{
	self->start = timestamp;
}

pid$target::_Z16dispatch_command*:return
/self->start/
{
	@["ns"] = quantize(timestamp - self->start);
	self->start = 0;
}
