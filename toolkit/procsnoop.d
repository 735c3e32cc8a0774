#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * procsnoop.d - processes as they start, run programs and end
 *
 * Prints a line for each event in the life of a process.
 *
 * FIELDS
 *	TIME(ms)	since the tool started
 *	PID	process
 *	PPID	its parent
 *	NAME	program
 *	EVENT	fork, exec, failed (exec) or exit
 *	DETAIL	of fork the new process, of exec the command line, of a failed one the error number, of exit how it ended: 1 exited, 2 killed, 3 dumped core
 *
 * EXAMPLES
 *	procsnoop.d	all processes
 *	procsnoop.d -n make	those of one name
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show processes as they start, run programs and end."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	started = timestamp;
	printf("%-9s %6s %6s %-16s %-6s %s\n", "TIME(ms)", "PID", "PPID", "NAME", "EVENT", "DETAIL");
}

void
event(string what)
{
	printf("%-9d %6d %6d %-16s %-6s ", (timestamp - started) / 1000000, pid, ppid, execname,
	    what);
}

proc:::create
/$name == "" || $name == execname/
{
	event("fork");
	printf("%d\n", args[0]->pr_pid);
}

proc:::exec-success
/$name == "" || $name == execname/
{
	event("exec");
	printf("%s\n", curpsinfo->pr_psargs);
}

proc:::exec-failure
/$name == "" || $name == execname/
{
	event("failed");
	printf("%d\n", args[0]);
}

proc:::exit
/$name == "" || $name == execname/
{
	event("exit");
	printf("%d\n", args[0]);
}
