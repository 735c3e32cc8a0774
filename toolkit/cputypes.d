#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cputypes.d - the processors of this machine
 *
 * Prints a line for each processor, as soon as something is seen to run on it,
 * and ends when all have been seen.
 *
 * FIELDS
 *	CPU	processor
 *	CHIP	package in which it is
 *	PSET	processor set; there is only set 0
 *	LGRP	memory node that is nearest to it
 *	CLOCK	megahertz
 *	TYPE	instruction set
 *	FPU	floating-point unit
 *
 * EXAMPLES
 *	cputypes.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show the processors of this machine."

int64_t seen[int];
int64_t printed[int];

BEGIN
{
	printf("%4s %4s %4s %4s %6s  %-16s %s\n", "CPU", "CHIP", "PSET", "LGRP", "CLOCK", "TYPE", "FPU");
}

profile-100hz
/!seen[cpu]/
{
	seen[cpu] = 1;
	printf("%4d %4d %4d %4d %6d  %-16s %s\n", cpu, curcpu->cpu_chip, curcpu->cpu_pset, curcpu->cpu_lgrp,
	    curcpu->cpu_info.pi_clock, curcpu->cpu_info.pi_processor_type, curcpu->cpu_info.pi_fputypes);
	printed[0]++;
}

tick-100hz
/printed[0] == `ncpus_online/
{
	exit(0);
}
