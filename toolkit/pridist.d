#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pridist.d - priorities of threads that run, by process
 *
 * Looks a thousand times a second at each CPU until Ctrl-C, and prints for each
 * process which priorities its running threads had.  Idle CPUs are left out.
 *
 * FIELDS
 *	CMD	program
 *	PID	process
 *	value	priority: 120 is nice 0, smaller numbers run first
 *	count	samples
 *
 * EXAMPLES
 *	pridist.d -n java	programs of this name
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show priorities of threads that run, by process."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("Sampling... Hit Ctrl-C to end.\n");
}

profile-1001
/pid && ($name == "" || $name == execname)/
{
	@priority[execname, pid] = lquantize(curlwpsinfo->pr_pri, 0, 140, 1);
}

END
{
	printa("\n CMD: %-20s PID: %d\n%@d", @priority);
}
