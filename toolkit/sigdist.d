#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sigdist.d - signals by sender and recipient
 *
 * Counts signals by who sends them to whom, until Ctrl-C. A sender with number
 * 0 is the kernel on behalf of no process, a timer for example.
 *
 * FIELDS
 *	SENDER	program that sends
 *	RECIPIENT	program that is sent to
 *	SIG	number of the signal
 *	COUNT	how many
 *
 * EXAMPLES
 *	sigdist.d	who sends signals to whom
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Count signals by sender and recipient."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

proc:::signal-send
{
	@signals[execname, stringof(args[1]->pr_fname), args[2]] = count();
}

END
{
	printf("%-16s %-16s %4s %8s\n", "SENDER", "RECIPIENT", "SIG", "COUNT");
	printa("%-16s %-16s %4d %@8d\n", @signals);
}
