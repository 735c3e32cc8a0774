#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockbydist.d - how long processes wait for locks of the kernel
 *
 * Measures until Ctrl-C how long threads slept because another thread held a
 * lock of the kernel, a mutex or a readers/writer lock, and prints distributions
 * by program.
 *
 * FIELDS
 *	name	program
 *	value	nanoseconds
 *	count	how often it waited so long
 *
 * EXAMPLES
 *	lockbydist.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show how long processes wait for locks of the kernel."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

lockstat:::adaptive-block, lockstat:::rw-block
{
	@time[execname] = quantize(arg1);
}

END
{
	printa("\n  %s (ns)\n%@d", @time);
}
