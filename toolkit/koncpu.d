#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * koncpu.d - what the kernel is doing when it has a CPU
 *
 * Looks about a thousand times a second at each CPU until Ctrl-C, and counts
 * the kernel's stacks that it finds, the most frequent last.
 * Idle CPUs are left out.
 * Without a program, -p and -c all are looked at.
 *
 * FIELDS
 *	stack	innermost function first
 *	count	samples
 *
 * EXAMPLES
 *	koncpu.d mysqld	programs of this name
 *	koncpu.d -p 1234	a process
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show what the kernel is doing when it has a CPU."
#pragma D operand program string = "" "only programs of this name"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

profile-1001
/arg0 && pid && ($program == "" || execname == $program) && (!$target || pid == $target)/
{
	@["\n  on-cpu (count @1001hz):", stack()] = count();
}

END
{
	printa("%s%k %@d\n", @);
}
