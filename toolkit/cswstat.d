#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cswstat.d - context switches and what they cost
 *
 * Prints every second how often CPUs changed from one thread to another, and
 * how long that took: from the moment when the scheduler has chosen the next
 * thread to the moment when that one has the CPU.
 *
 * FIELDS
 *	TIME	when the line was printed
 *	NUM	context switches, on all CPUs
 *	CSWTIME	microseconds that they took, all together
 *	AVGTIME	nanoseconds for each
 *
 * EXAMPLES
 *	cswstat.d 10 6	for a minute
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show context switches and what they cost."
#pragma D operand interval count = 1 "seconds between lines"
#pragma D operand count count = 0 "how many lines; no end if not given"

uint64_t since[int];	/* by CPU */

BEGIN
{
	every = $interval;
	left = every;
	lines = $count ? $count : -1;
	@number = sum(0);
	@time = sum(0);
	@average = avg(0);
	clear(@average);
	printf("%-20s %8s %12s %12s\n", "TIME", "NUM", "CSWTIME(us)", "AVGTIME(ns)");
}

sched:::off-cpu
{
	since[cpu] = timestamp;
}

sched:::on-cpu
/since[cpu]/
{
	@number = sum(1);
	@time = sum(timestamp - since[cpu]);
	@average = avg(timestamp - since[cpu]);
	since[cpu] = 0;
}

tick-1s
{
	left--;
}

tick-1s, END
/probename == "END" ? lines : !left/
{
	printf("%-20Y ", walltimestamp);
	normalize(@time, 1000);
	printa("%@8d %@12d %@12d\n", @number, @time, @average);
	clear(@number);
	clear(@time);
	clear(@average);
	left = every;
	lines--;
}

tick-1s
/!lines/
{
	exit(0);
}
