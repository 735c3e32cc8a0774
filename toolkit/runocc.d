#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runocc.d - how often run queues were occupied
 *
 * Looks a thousand times a second at the run queue of each CPU, and prints
 * every few seconds how often threads were waiting there while another one
 * ran.
 *
 * FIELDS
 *	CPU	processor
 *	%OCC	part of the time, in percent
 *
 * EXAMPLES
 *	runocc.d 5
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option aggsortkey

#pragma D usage "Show how often run queues were occupied."
#pragma D operand interval count = 1 "seconds between reports"
#pragma D operand count count = 0 "how many reports; no end if not given"

BEGIN
{
	every = $interval;
	left = every;
	reports = $count ? $count : -1;
	printf("Tracing... Hit Ctrl-C to end.\n");
}

/* The thread that runs is on the queue, too; the idle one is not. */
profile-1000hz
{
	@occupied[cpu] = avg(curthread->se.cfs_rq->rq->nr_running > (curthread->pid ? 1 : 0) ? 100 : 0);
}

tick-1s
{
	left--;
}

tick-1s, END
/probename == "END" ? reports : !left/
{
	printf("\n%8s %8s\n", "CPU", "%OCC");
	printa("%8d %@8d\n", @occupied);
	trunc(@occupied);
	left = every;
	reports--;
}

tick-1s
/!reports/
{
	exit(0);
}
