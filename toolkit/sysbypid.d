#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sysbypid.d - system activity by process
 *
 * Adds up what the sysinfo provider counts, by process, until Ctrl-C: context
 * switches, system calls, bytes read and written, and others.
 *
 * FIELDS
 *	EXEC	program
 *	PID	process
 *	SYS	counter; dtrace(8) names them under sysinfo
 *	VALUE	by how much it grew
 *
 * EXAMPLES
 *	sysbypid.d	all processes
 *	sysbypid.d -n java	one program
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show system activity by process."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

sysinfo:::
/$name == "" || $name == execname/
{
	@events[execname, pid, probename] = sum(arg0);
}

END
{
	printf("%16s %8s %22s %12s\n", "EXEC", "PID", "SYS", "VALUE");
	printa("%16s %8d %22s %@12d\n", @events);
}
