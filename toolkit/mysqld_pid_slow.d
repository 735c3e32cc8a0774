#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mysqld_pid_slow.d - slow queries of a MariaDB or MySQL server, on and off CPU
 *
 * Prints a line for each query that takes longer than so many
 * milliseconds: the time that it took, and how much of it its thread was on a
 * CPU.  The rest it waited: for locks, for disks, for a CPU.
 *
 * FIELDS
 *	TIME(ms)	from the command to its answer
 *	CPU(ms)	of that, on a CPU
 *	QUERY	its text
 *
 * EXAMPLES
 *	mysqld_pid_slow.d -p $(pgrep -xo mariadbd) 100	slower than 100 ms
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show queries of the server -p PID that take longer than so many milliseconds."
#pragma D operand min_ms count "milliseconds: only queries that take longer"

BEGIN
{
	min_ns = $min_ms * 1000000;
	printf("Tracing... Min query time: %d ns.\n\n", min_ns);
	printf(" %8s %8s %s\n", "TIME(ms)", "CPU(ms)", "QUERY");
}

/* The command is 3 for a query. */
pid$target::_Z16dispatch_command*:entry
/(int)arg0 == 3/
{
	self->query = copyinstr(arg2, (uint32_t)arg3);
	self->vstart = vtimestamp;
	self->start = timestamp;
}

pid$target::_Z16dispatch_command*:return
/self->start && timestamp - self->start > min_ns/
{
	printf(" %8d %8d %s\n", (timestamp - self->start) / 1000000,
	    (vtimestamp - self->vstart) / 1000000, self->query);
}

pid$target::_Z16dispatch_command*:return
{
	self->query = 0;
	self->vstart = 0;
	self->start = 0;
}
