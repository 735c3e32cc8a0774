#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shortlived.d - CPU time of processes that do not live long
 *
 * Adds up the CPU time of all processes that started and ended while the tool
 * ran, until Ctrl-C. Such processes are gone before ps(1) or top(1) can show
 * them, and together they may take much: scripts and builds are made of them.
 *
 * FIELDS
 *	NAME	program
 *	PPID	parent of these processes
 *	ms	CPU time of all of them, in milliseconds
 *
 * EXAMPLES
 *	shortlived.d	who they are, and who starts them
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show the CPU time of processes that start and end meanwhile."

BEGIN
{
	started = timestamp;
	printf("Tracing... Hit Ctrl-C to end.\n");
}

proc:::start
{
	self->born = 1;
	self->cpu = vtimestamp;
}

proc:::exit
/self->born/
{
	@by_name[execname] = sum(vtimestamp - self->cpu);
	@by_parent[ppid] = sum(vtimestamp - self->cpu);
	@number = count();
	total["lost"] += vtimestamp - self->cpu;
	self->born = 0;
	self->cpu = 0;
}

END
{
	int64_t lasted = timestamp - started, lost = total["lost"];

	printf("short lived processes: %6d.%03d secs\n", lost / 1000000000,
	    lost % 1000000000 / 1000000);
	printf("total sample duration: %6d.%03d secs\n", lasted / 1000000000,
	    lasted % 1000000000 / 1000000);
	printa("number of processes:   %@6d\n", @number);
	normalize(@by_name, 1000000);
	normalize(@by_parent, 1000000);
	printf("\nTotal time by process name,\n");
	printa("%18s %@12d ms\n", @by_name);
	printf("\nTotal time by PPID,\n");
	printa("%18d %@12d ms\n", @by_parent);
	trunc(@number);
	trunc(@by_name);
	trunc(@by_parent);
}
