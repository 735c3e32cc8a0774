#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * taskq.d - work that the kernel puts off, by function
 *
 * Much of what the kernel does is queued and done later by threads named
 * kworker. Shows until Ctrl-C which functions that are, how long they waited and how
 * long they ran: what keeps a kworker busy.
 *
 * FIELDS
 *	FUNCTION	of the kernel
 *	COUNT	how often it ran
 *	WAIT(us)	from the queue to its start, on average
 *	RUN(us)	from its start to its end, on average
 *	TOTAL(us)	all of RUN
 *
 * EXAMPLES
 *	taskq.d	what kworkers do
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show work that the kernel puts off: kworker threads by function."

uint64_t queued[struct work_struct *];

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

rawtp:workqueue::workqueue_activate_work
{
	queued[args[0]] = timestamp;
}

rawtp:workqueue::workqueue_execute_start
{
	self->work = (uint64_t)args[0]->func;
	self->wait = queued[args[0]] ? timestamp - queued[args[0]] : 0;
	self->start = timestamp;
	queued[args[0]] = 0;
}

rawtp:workqueue::workqueue_execute_end
/self->start/
{
	@count[func(self->work)] = count();
	@wait[func(self->work)] = avg(self->wait / 1000);
	@run[func(self->work)] = avg((timestamp - self->start) / 1000);
	@total[func(self->work)] = sum((timestamp - self->start) / 1000);
	self->work = 0;
	self->wait = 0;
	self->start = 0;
}

END
{
	printf("%-40s %8s %9s %9s %10s\n", "FUNCTION", "COUNT", "WAIT(us)", "RUN(us)", "TOTAL(us)");
	setopt("aggsortpos", "3");
	printa("%-40a %@8d %@9d %@9d %@10d\n", @count, @wait, @run, @total);
	trunc(@count);
	trunc(@wait);
	trunc(@run);
	trunc(@total);
}
