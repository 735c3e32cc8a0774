#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mysqld_qslower.d - queries of MariaDB servers that are slower than a limit
 *
 * Prints a line for each query that takes longer than so many
 * milliseconds, with the time that its thread was on a CPU.
 *
 * FIELDS
 *	TIME(ms)	from its beginning to its end
 *	CPU(ms)	of that, on a CPU
 *	QUERY	its text
 *
 * EXAMPLES
 *	mysqld_qslower.d 10	slower than 10 ms
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz
#pragma D option zdefs

#pragma D usage "Show queries of MariaDB servers that take longer than so many milliseconds."
#pragma D parameter process -p pid = 0 "only this server"
#pragma D operand min_ms count "milliseconds: only queries that take longer"

BEGIN
{
	min_ns = $min_ms * 1000000;
	printf("Tracing... Min query time: %d ns.\n\n", min_ns);
	printf(" %8s %8s %s\n", "TIME(ms)", "CPU(ms)", "QUERY");
}

mysql*:::query-start
/!$process || $process == pid/
{
	self->query = copyinstr(arg0);
	self->vstart = vtimestamp;
	self->start = timestamp;
}

mysql*:::query-done
/self->start && timestamp - self->start > min_ns/
{
	printf(" %8d %8d %s\n", (timestamp - self->start) / 1000000,
	    (vtimestamp - self->vstart) / 1000000, self->query);
}

mysql*:::query-done
{
	self->query = 0;
	self->vstart = 0;
	self->start = 0;
}
