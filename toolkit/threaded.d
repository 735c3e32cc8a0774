#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threaded.d - which threads of a process are on CPUs
 *
 * Looks at all CPUs 100 times a second, and shows every second for each
 * process how often each of its threads was there. A program that does all of
 * its work in one thread shows one row.
 *
 * FIELDS
 *	PID, CMD	process and program
 *	value	the process's threads, numbered from 0 in the order in which they
 *		were first seen
 *	count	samples
 *
 * EXAMPLES
 *	threaded.d	a page every second
 *	threaded.d -n java	one program
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option screen

#pragma D usage "Show which threads of a process are on CPUs."
#pragma D parameter name -n string = "" "only programs of this name"

int number[int];	/* of a thread, from 1 */
int seen[int];		/* threads of a process */

BEGIN
{
	printf("Tracing... Please wait.\n");
}

profile-100hz
/pid && ($name == "" || $name == execname)/
{
	this->number = number[tid];
	if (!this->number) {
		this->number = ++seen[pid];
		number[tid] = this->number;
	}
	@threads[pid, execname] = lquantize(this->number - 1, 0, 128, 1);
}

proc:::lwp-exit
{
	number[tid] = 0;
}

proc:::exit
{
	seen[pid] = 0;
}

tick-1s, END
{
	printf("\f%Y,\n\n", walltimestamp);
	printa(" PID: %-8d CMD: %s\n%@d\n", @threads);
	trunc(@threads);
}
