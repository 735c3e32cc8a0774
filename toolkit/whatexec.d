#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * whatexec.d - kinds of files that are executed
 *
 * Prints a line for each program that is executed: which file, and what it is.
 *
 * FIELDS
 *	PARENT	program that started it
 *	PID	process
 *	EXEC	program
 *	TYPE	ELF, or #! for a script, with its interpreter
 *	FILE	path, as the parent gave it
 *
 * EXAMPLES
 *	whatexec.d
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show kinds of files that are executed."

BEGIN
{
	printf("%-16s %6s %-16s %-20s %s\n", "PARENT", "PID", "EXEC", "TYPE", "FILE");
}

/* Of a script the kernel has read the interpreter by now. */
rawtp:sched::sched_process_exec
{
	this->file = stringof(args[2]->filename);
	this->interpreter = stringof(args[2]->interp);
	printf("%-16s %6d %-16s %-20s %s\n", stringof(curthread->real_parent->comm), pid, execname,
	    this->file != this->interpreter ? strjoin("#!", this->interpreter) :
	    args[2]->buf[0] == 0x7f && args[2]->buf[1] == 'E' ? "ELF" : "?", this->file);
}
