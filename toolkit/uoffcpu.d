#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uoffcpu.d - where a program leaves its CPU, and for how long
 *
 * Measures until Ctrl-C how long threads are without a CPU, whether they wait
 * for something or for a CPU, by a program's stack at that time.
 * Without a program, -p and -c all are looked at.
 *
 * FIELDS
 *	stack	innermost function first
 *	value	nanoseconds
 *	count	how often a thread was away for that long
 *
 * EXAMPLES
 *	uoffcpu.d mysqld	programs of this name
 *	uoffcpu.d -p 1234	a process
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show where a program leaves its CPU, and for how long."
#pragma D operand program string = "" "only programs of this name"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

sched:::off-cpu
/pid && ($program == "" || execname == $program) && (!$target || pid == $target)/
{
	self->since = timestamp;
}

sched:::on-cpu
/self->since/
{
	@["\n  off-cpu (ns):", ustack()] = quantize(timestamp - self->since);
	self->since = 0;
}

END
{
	printa("%s%k%@d", @);
}
