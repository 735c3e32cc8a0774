#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dispqlen.d - lengths of run queues
 *
 * Looks a thousand times a second at the run queue of each CPU until Ctrl-C,
 * and prints how many threads were waiting there.  The one that runs is not
 * counted.
 *
 * FIELDS
 *	CPU	processor
 *	value	threads waiting
 *	count	how often that was found
 *
 * EXAMPLES
 *	dispqlen.d
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option aggsortkey

#pragma D usage "Show lengths of run queues."

BEGIN
{
	printf("Sampling... Hit Ctrl-C to end.\n");
}

/* The thread that runs is on the queue, too; the idle one is not. */
profile-1000hz
{
	@length[cpu] = lquantize((int)curthread->se.cfs_rq->rq->nr_running - (curthread->pid ? 1 : 0), 0, 64, 1);
}

END
{
	printa("\n CPU %d%@d", @length);
}
