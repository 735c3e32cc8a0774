#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intoncpu.d - how long interrupts keep a CPU
 *
 * Measures until Ctrl-C how long each handler of an interrupt has a CPU, and
 * prints distributions.  An interrupt that comes while a software interrupt is
 * handled counts for both.
 *
 * FIELDS
 *	name	device as in /proc/interrupts, or software interrupt
 *	value	nanoseconds
 *	count	how often it took so long
 *
 * EXAMPLES
 *	intoncpu.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show how long interrupts keep a CPU."

string
softirq(int number)
{
	if (number == 0)
		return "softirq#hi";
	if (number == 1)
		return "softirq#timer";
	if (number == 2)
		return "softirq#net_tx";
	if (number == 3)
		return "softirq#net_rx";
	if (number == 4)
		return "softirq#block";
	if (number == 5)
		return "softirq#irq_poll";
	if (number == 6)
		return "softirq#tasklet";
	if (number == 7)
		return "softirq#sched";
	if (number == 8)
		return "softirq#hrtimer";
	return "softirq#rcu";
}

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

/* An interrupt may come while a software interrupt is handled, not the other way. */
sdt:::interrupt-start
{
	since[cpu] = timestamp;
}

sdt:::interrupt-complete
/since[cpu]/
{
	@time[stringof(args[0]->name)] = quantize(timestamp - since[cpu]);
	since[cpu] = 0;
}

rawtp:irq::softirq_entry
{
	soft_since[cpu] = timestamp;
}

rawtp:irq::softirq_exit
/soft_since[cpu]/
{
	@time[softirq(arg0)] = quantize(timestamp - soft_since[cpu]);
	soft_since[cpu] = 0;
}

END
{
	printa("\n  %s (ns)\n%@d", @time);
}
