#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockbyproc.d - time that processes wait for locks of the kernel
 *
 * Adds up until Ctrl-C how long each program slept because another thread held
 * a lock of the kernel: a mutex, or a readers/writer lock.
 *
 * FIELDS
 *	CMD	program
 *	COUNT	how often it waited
 *	TIME	nanoseconds, all together
 *
 * EXAMPLES
 *	lockbyproc.d
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option aggsortpos=1

#pragma D usage "Show time that processes wait for locks of the kernel."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

lockstat:::adaptive-block, lockstat:::rw-block
{
	@count[execname] = count();
	@time[execname] = sum(arg1);
}

END
{
	printf("\n%-16s %10s %16s\n", "CMD", "COUNT", "TIME (ns)");
	printa("%-16s %@10d %@16d\n", @count, @time);
}
