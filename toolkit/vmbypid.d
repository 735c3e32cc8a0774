#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vmbypid.d - events of virtual memory by process
 *
 * Adds up what the vminfo provider counts, by process, until Ctrl-C: page
 * faults, pages that are filled with zeros, copied, read and written. Work
 * that the kernel does for nobody in particular is under the process that
 * happened to run.
 *
 * FIELDS
 *	EXEC	program
 *	PID	process
 *	VM	counter; dtrace(8) explains them under vminfo
 *	VALUE	by how much it grew
 *
 * EXAMPLES
 *	vmbypid.d	all processes
 *	vmbypid.d -n java	one program
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show events of virtual memory by process."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

vminfo:::
/$name == "" || $name == execname/
{
	@events[execname, pid, probename] = sum(arg0);
}

END
{
	printf("%16s %8s %22s %8s\n", "EXEC", "PID", "VM", "VALUE");
	printa("%16s %8d %22s %@8d\n", @events);
}
