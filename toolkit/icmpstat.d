#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * icmpstat.d - messages of ICMP by kind
 *
 * Prints every second which counters of ICMP have changed, and by how much.
 *
 * FIELDS
 *	STATISTIC	counter of the kernel
 *	VALUE	by how much it has changed
 *
 * EXAMPLES
 *	icmpstat.d 10
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show messages of ICMP by kind."
#pragma D operand interval count = 1 "seconds between reports"
#pragma D operand count count = 0 "how many reports; no end if not given"

BEGIN
{
	every = $interval;
	left = every;
	reports = $count ? $count : -1;
	printf("Tracing... Hit Ctrl-C to end.\n");
}

mib:::icmp*
{
	@icmp[probename] = sum(arg0);
}

tick-1s
{
	left--;
}

tick-1s, END
/probename == "END" ? reports : !left/
{
	printf("%Y:\n\n\t%-24s %8s\n", walltimestamp, "STATISTIC", "VALUE");
	printa("\t%-24s %@8d\n", @icmp);
	printf("\n");
	trunc(@icmp);
	left = every;
	reports--;
}

tick-1s
/!reports/
{
	exit(0);
}
