#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pg_qslower.d - queries of PostgreSQL that take long
 *
 * Prints a line for each query of all PostgreSQL servers that takes longer than so
 * many milliseconds. What is not on CPU is waiting: for disks, for locks.
 *
 * FIELDS
 *	TIME(ms)	of the query
 *	CPU(ms)	of that, on a CPU
 *	QUERY	its text
 *
 * EXAMPLES
 *	pg_qslower.d 10	slower than 10 ms
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz
#pragma D option zdefs

#pragma D usage "Show queries of PostgreSQL servers that take longer than so many milliseconds."
#pragma D operand min_ms count = 0 "milliseconds: only queries that take longer"

BEGIN
{
	min_ns = $min_ms * 1000000;
	printf("Tracing... Min query time: %d ns.\n\n", min_ns);
	printf(" %8s %8s %s\n", "TIME(ms)", "CPU(ms)", "QUERY");
}

postgresql*:::query-start
{
	self->query = copyinstr(arg0);
	self->vstart = vtimestamp;
	self->start = timestamp;
}

postgresql*:::query-done
/self->start && timestamp - self->start > min_ns/
{
	printf(" %8d %8d %s\n", (timestamp - self->start) / 1000000,
	    (vtimestamp - self->vstart) / 1000000, self->query);
}

postgresql*:::query-done
{
	self->query = 0;
	self->vstart = 0;
	self->start = 0;
}
