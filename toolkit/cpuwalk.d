#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpuwalk.d - on which CPUs processes run
 *
 * Looks a thousand times a second which process runs on each CPU, and prints at
 * the end for each process where it was found.
 *
 * FIELDS
 *	PID	process
 *	CMD	program
 *	value	CPU
 *	count	how often it was found there
 *
 * EXAMPLES
 *	cpuwalk.d 5		for five seconds
 *	cpuwalk.d -n java	programs of this name
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show on which CPUs processes run."
#pragma D parameter name -n string = "" "only programs of this name"
#pragma D operand seconds count = 0 "how long to look; until Ctrl-C if not given"

BEGIN
{
	left = $seconds ? $seconds : -1;
	printf("Sampling... Hit Ctrl-C to end.\n");
}

profile-1000hz
/pid && ($name == "" || $name == execname)/
{
	@where[pid, execname] = lquantize(cpu, 0, 1024, 1);
}

tick-1s
/!--left/
{
	exit(0);
}

END
{
	printa("\n     PID: %-8d CMD: %s\n%@d", @where);
}
