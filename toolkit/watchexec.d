#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watchexec.d - who executes programs
 *
 * Prints a line for each program that is executed, with the user, the parent
 * and the whole command line; or only for a certain user or program.
 *
 * FIELDS
 *	TIME	when it was executed
 *	UID	user
 *	EUID	whose rights it has: differs for set-user-ID programs
 *	PPID	parent
 *	PARENT	program of the parent
 *	PID	process
 *	COMMAND	command line
 *
 * EXAMPLES
 *	watchexec.d -u 1000	what a user executes
 *	watchexec.d -n su	who becomes root
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show who executes programs."
#pragma D parameter name -n string = "" "only programs of this name"
#pragma D parameter user -u int = -1 "only this user"

BEGIN
{
	printf("%-20s %5s %5s %6s %-15s %6s %s\n", "TIME", "UID", "EUID", "PPID", "PARENT", "PID", "COMMAND");
}

proc:::exec-success
/($user == -1 || $user == uid) && ($name == "" || $name == execname)/
{
	printf("%-20Y %5d %5d %6d %-15s %6d %s\n", walltimestamp, uid, curpsinfo->pr_euid, ppid,
	    stringof(curthread->real_parent->comm), pid, curpsinfo->pr_psargs);
}
