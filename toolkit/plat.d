#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plat.d - how long programs wait for a CPU
 *
 * Measures until Ctrl-C how long threads wait for a CPU: from the moment when
 * they are woken, or lose their CPU to another thread, to the moment when they
 * get one.
 *
 * FIELDS
 *	name	program
 *	value	nanoseconds
 *	count	how often a thread waited so long
 *
 * EXAMPLES
 *	plat.d -n mysqld	a program
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show how long programs wait for a CPU."
#pragma D parameter name -n string = "" "only programs of this name"

uint64_t since[int];	/* by thread */

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

sched:::wakeup
/args[0]->pr_lwpid && ($name == "" ? 1 : $name == args[1]->pr_fname)/
{
	since[args[0]->pr_lwpid] = timestamp;
}

sched:::preempt
/$name == "" ? 1 : $name == execname/
{
	since[tid] = timestamp;
}

sched:::on-cpu
/since[tid]/
{
	@wait[execname] = quantize(timestamp - since[tid]);
	since[tid] = 0;
}

END
{
	printa("\n  %s (ns)\n%@d", @wait);
}
