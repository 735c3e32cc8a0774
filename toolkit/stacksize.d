#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stacksize.d - sizes of stacks by program
 *
 * Shows the largest user stack of each program whose threads get onto a CPU,
 * until Ctrl-C. It is what the kernel has reserved for the first thread, in
 * bytes; stacks of other threads are ordinary memory.
 *
 * FIELDS
 *	EXEC	program
 *	SIZE	bytes
 *
 * EXAMPLES
 *	stacksize.d	the largest are last
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show sizes of stacks by program."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

sched:::on-cpu
/curthread->mm != NULL/
{
	@size[execname] = max(curthread->mm->stack_vm * `_pagesize);
}

END
{
	printf("%-20s %12s\n", "EXEC", "SIZE");
	printa("%-20s %@12d\n", @size);
}
