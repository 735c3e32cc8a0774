#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * getaddrinfo.d - names of hosts that processes look up
 *
 * Prints a line for each call of getaddrinfo(3) and gethostbyname(3) in a process:
 * the name, how long it took, and whether it was found. Slow answers of name
 * servers are seen here, whatever protocol they use.
 *
 * FIELDS
 *	TIME	time of day
 *	PID	process
 *	LATENCY(us)	in the call
 *	RET	0, or the error: EAI_NONAME is -2, EAI_AGAIN -3
 *	HOST	name
 *
 * EXAMPLES
 *	getaddrinfo.d -c 'ssh somewhere'
 *	getaddrinfo.d -p 1234
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show names of hosts that the process -p PID or -c COMMAND looks up."

BEGIN
{
	printf("%-20s %7s %12s %4s %s\n", "TIME", "PID", "LATENCY(us)", "RET", "HOST");
}

pid$target:libc:getaddrinfo:entry, pid$target:libc:gethostbyname:entry
{
	self->host = arg0;
	self->start = timestamp;
}

pid$target:libc:getaddrinfo:return
/self->start/
{
	self->error = (int)arg1;
}

pid$target:libc:gethostbyname:return
/self->start/
{
	self->error = arg1 ? 0 : -2;
}

pid$target:libc:getaddrinfo:return, pid$target:libc:gethostbyname:return
/self->start/
{
	printf("%-20Y %7d %12d %4d %s\n", walltimestamp, pid, (timestamp - self->start) / 1000,
	    self->error, self->host ? copyinstr(self->host) : "(this host)");
	self->host = 0;
	self->start = 0;
	self->error = 0;
}
