#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crash.d - programs that crash
 *
 * Prints a report for each process that a fault ends: an invalid address, an
 * illegal instruction, a division by zero, abort(3). The report has the stack
 * of the thread at that moment.
 *
 * FIELDS
 *	Type	signal that ended it
 *	Program	name
 *	Args	command line
 *	PID, PPID, UID	process, parent, user
 *	Time	time of day
 *	Threads	of the process
 *	Ancestors	parents up to the first process
 *
 * EXAMPLES
 *	crash.d	wait for crashes
 *	crash.d -n myapp	of one program
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Report programs that crash."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("Waiting for crashing programs...\n");
}

/* A signal that nobody handles is about to end the process. */
rawtp:signal::signal_deliver
/(uintptr_t)args[2]->sa.sa_handler == 0 && ($name == "" || $name == execname) &&
    (args[0] == SIGSEGV || args[0] == SIGBUS || args[0] == SIGILL || args[0] == SIGFPE ||
    args[0] == SIGABRT || args[0] == SIGTRAP || args[0] == SIGSYS)/
{
	printf("\n-----------------------------------------------------\n");
	printf("CRASH DETECTED at %Y\n", walltimestamp);
	printf("-----------------------------------------------------\n");
	printf("Type:      %s\n", args[0] == SIGSEGV ? "SIGSEGV" : args[0] == SIGBUS ? "SIGBUS" :
	    args[0] == SIGILL ? "SIGILL" : args[0] == SIGFPE ? "SIGFPE" :
	    args[0] == SIGABRT ? "SIGABRT" : args[0] == SIGTRAP ? "SIGTRAP" : "SIGSYS");
	printf("Program:   %s\n", execname);
	printf("Args:      %s\n", curpsinfo->pr_psargs);
	printf("PID:       %d\n", pid);
	printf("TID:       %d\n", tid);
	printf("PPID:      %d\n", ppid);
	printf("UID:       %d\n", uid);
	printf("Threads:   %d\n", curpsinfo->pr_nlwp);
	printf("Ancestors:");
	for (struct task_struct *t = curthread->real_parent; t->pid > 1; t = t->real_parent)
		printf(" %s", t->comm);
	printf("\nUser stack:");
	ustack();
}
