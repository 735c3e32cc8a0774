#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lat.d - how long threads wait for each CPU
 *
 * Measures until Ctrl-C how long threads wait for a CPU: from the moment when
 * they are woken, or lose their CPU to another thread, to the moment when they
 * get one.
 *
 * FIELDS
 *	CPU	processor
 *	value	nanoseconds
 *	count	how often a thread waited so long
 *
 * EXAMPLES
 *	lat.d
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option aggsortkey

#pragma D usage "Show how long threads wait for each CPU."

uint64_t since[int];	/* by thread */

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

sched:::wakeup
/args[0]->pr_lwpid/
{
	since[args[0]->pr_lwpid] = timestamp;
}

sched:::preempt
{
	since[tid] = timestamp;
}

sched:::on-cpu
/since[tid]/
{
	@wait[cpu] = quantize(timestamp - since[tid]);
	since[tid] = 0;
}

END
{
	printa("\n  CPU %d (ns)\n%@d", @wait);
}
