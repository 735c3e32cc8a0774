#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * priclass.d - priorities of threads that run, by class
 *
 * Looks a thousand times a second at each CPU until Ctrl-C, and prints for each
 * scheduling class which priorities the running threads had.  Idle CPUs are
 * left out.
 *
 * FIELDS
 *	class	TS time sharing, RT real time, DL deadline
 *	value	priority: 120 is nice 0, smaller numbers run first
 *	count	samples
 *
 * EXAMPLES
 *	priclass.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show priorities of threads that run, by class."

BEGIN
{
	printf("Sampling... Hit Ctrl-C to end.\n");
}

profile-1001
/pid/
{
	@class[curlwpsinfo->pr_clname] = lquantize(curlwpsinfo->pr_pri, 0, 140, 1);
}

END
{
	printa("\n  %s\n%@d", @class);
}
