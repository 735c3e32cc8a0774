#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intbycpu.d - interrupts by CPU
 *
 * Counts until Ctrl-C the interrupts of devices that each CPU handles, and the
 * software interrupts that follow from them and from timers.
 *
 * FIELDS
 *	CPU	processor
 *	INTERRUPTS	handlers of devices that were called
 *	SOFTIRQS	software interrupts
 *
 * EXAMPLES
 *	intbycpu.d
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option aggsortkey

#pragma D usage "Show interrupts by CPU."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

sdt:::interrupt-start
{
	@hard[cpu] = count();
}

rawtp:irq::softirq_entry
{
	@soft[cpu] = count();
}

END
{
	printf("\n%5s %12s %12s\n", "CPU", "INTERRUPTS", "SOFTIRQS");
	printa("%5d %@12d %@12d\n", @hard, @soft);
}
