#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setuids.d - processes that become another user
 *
 * Prints a line for each call by which a process changes its user: logins,
 * su(1), servers that give up their rights.
 *
 * FIELDS
 *	UID	user before
 *	SUID	user after; the effective one
 *	PPID	parent
 *	PID	process
 *	PCMD	program of the parent
 *	CMD	command line
 *
 * EXAMPLES
 *	setuids.d
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show processes that become another user."

BEGIN
{
	printf("%6s %6s %6s %6s %-16s %s\n", "UID", "SUID", "PPID", "PID", "PCMD", "CMD");
}

syscall::setuid:entry, syscall::setreuid:entry, syscall::setresuid:entry
{
	self->is_set = 1;
	self->user = uid;
}

syscall::setuid:return, syscall::setreuid:return, syscall::setresuid:return
/self->is_set && !errno/
{
	printf("%6d %6d %6d %6d %-16s %s\n", self->user, curpsinfo->pr_euid, ppid, pid,
	    stringof(curthread->real_parent->comm), curpsinfo->pr_psargs);
}

syscall::setuid:return, syscall::setreuid:return, syscall::setresuid:return
{
	self->is_set = 0;
	self->user = 0;
}
