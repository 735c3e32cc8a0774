#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar-c.d - system calls by kind, every second
 *
 * Prints what sar -c does: how many system calls, reads, writes, forks and
 * execs happened in each second, and how many characters were read and written.
 *
 * FIELDS
 *	scall/s	system calls
 *	sread/s	reads
 *	swrit/s	writes
 *	fork/s	new processes
 *	exec/s	programs executed
 *	rchar/s	bytes read
 *	wchar/s	bytes written
 *
 * EXAMPLES
 *	sar-c.d 10 6	averages, for a minute
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show system calls by kind."
#pragma D operand interval count = 1 "seconds between lines"
#pragma D operand count count = 0 "how many lines; no end if not given"

BEGIN
{
	every = $interval;
	left = every;
	lines = $count ? $count : -1;
	@calls = sum(0);
	@reads = sum(0);
	@writes = sum(0);
	@forks = sum(0);
	@execs = sum(0);
	@read = sum(0);
	@written = sum(0);
	printf("%-20s %9s %9s %9s %7s %7s %11s %11s\n", "TIME", "scall/s", "sread/s", "swrit/s", "fork/s", "exec/s",
	    "rchar/s", "wchar/s");
}

sysinfo:::syscall
{
	@calls = sum(arg0);
}

sysinfo:::sysread
{
	@reads = sum(arg0);
}

sysinfo:::syswrite
{
	@writes = sum(arg0);
}

sysinfo:::sysfork, sysinfo:::sysvfork
{
	@forks = sum(arg0);
}

sysinfo:::sysexec
{
	@execs = sum(arg0);
}

sysinfo:::readch
{
	@read = sum(arg0);
}

sysinfo:::writech
{
	@written = sum(arg0);
}

tick-1s
{
	left--;
}

tick-1s, END
/probename == "END" ? lines : !left/
{
	this->seconds = every - left > 0 ? every - left : 1;
	normalize(@calls, this->seconds);
	normalize(@reads, this->seconds);
	normalize(@writes, this->seconds);
	normalize(@forks, this->seconds);
	normalize(@execs, this->seconds);
	normalize(@read, this->seconds);
	normalize(@written, this->seconds);
	printf("%-20Y", walltimestamp);
	printa(" %@9d %@9d %@9d %@7d %@7d %@11d %@11d\n", @calls, @reads, @writes, @forks, @execs, @read, @written);
	clear(@calls);
	clear(@reads);
	clear(@writes);
	clear(@forks);
	clear(@execs);
	clear(@read);
	clear(@written);
	left = every;
	lines--;
}

tick-1s
/!lines/
{
	exit(0);
}
