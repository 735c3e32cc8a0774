#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kill.d - signals that programs send
 *
 * Prints a line for each call of kill(2), tkill(2) and tgkill(2), with the
 * result.
 *
 * FIELDS
 *	FROM	process that sends
 *	COMMAND	its program
 *	SIG	number of the signal; 0 only asks whether there is such a process
 *	TO	process or thread; a negative number is a group
 *	RESULT	0, or -1 if the call failed
 *
 * EXAMPLES
 *	kill.d	who kills whom
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show signals that programs send."

BEGIN
{
	printf("%6s %12s %6s %6s %6s\n", "FROM", "COMMAND", "SIG", "TO", "RESULT");
}

syscall::kill:entry, syscall::tkill:entry
{
	self->asked = 1;
	self->to = (int)arg0;
	self->signal = (int)arg1;
}

syscall::tgkill:entry
{
	self->asked = 1;
	self->to = (int)arg1;
	self->signal = (int)arg2;
}

syscall::kill:return, syscall::tkill:return, syscall::tgkill:return
/self->asked/
{
	printf("%6d %12s %6d %6d %6d\n", pid, execname, self->signal, self->to, (int)arg1);
	self->asked = 0;
	self->to = 0;
	self->signal = 0;
}
