#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vmstat.d - virtual memory and system activity each second
 *
 * Prints a line every few seconds, as vmstat(8) does, from probes of this
 * machine. How much memory is free is not counted by events: vmstat(8) and
 * free(1) show that.
 *
 * FIELDS
 *	re	pages that were about to be reused and are active again
 *	mf	page faults
 *	maj	page faults that waited for a disk
 *	pi, po	kilobytes that were read and written
 *	fr	pages that were freed by force
 *	sr	pages that were looked at for that
 *	sy	system calls
 *	cs	context switches
 *
 * EXAMPLES
 *	vmstat.d	a line every second
 *	vmstat.d 5 12	a minute in lines of 5 seconds
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show virtual memory and system activity."
#pragma D operand interval count = 1 "seconds between lines"
#pragma D operand count count = 0 "how many lines; no end if not given"

BEGIN
{
	every = $interval;
	lines = $count ? $count : -1;
	seconds = every;
	@pgrec = sum(0);
	@faults = sum(0);
	@major = sum(0);
	@in = sum(0);
	@out = sum(0);
	@freed = sum(0);
	@scanned = sum(0);
	@calls = sum(0);
	@switches = sum(0);
	printf("%6s %8s %6s %8s %8s %7s %7s %8s %8s\n", "re", "mf", "maj", "pi", "po", "fr", "sr",
	    "sy", "cs");
}

vminfo:::pgrec { @pgrec = sum(arg0); }
vminfo:::as_fault { @faults = sum(arg0); }
vminfo:::maj_fault { @major = sum(arg0); }
vminfo:::pgpgin { @in = sum(arg0 * `_pagesize / 1024); }
vminfo:::pgpgout { @out = sum(arg0 * `_pagesize / 1024); }
vminfo:::dfree { @freed = sum(arg0); }
vminfo:::scan { @scanned = sum(arg0); }
syscall:::entry { @calls = sum(1); }
sysinfo:::pswitch { @switches = sum(arg0); }

void
line()
{
	printa("%@6d %@8d %@6d %@8d %@8d %@7d %@7d %@8d %@8d\n",
	    @pgrec, @faults, @major, @in, @out, @freed, @scanned, @calls, @switches);
	clear(@pgrec);
	clear(@faults);
	clear(@major);
	clear(@in);
	clear(@out);
	clear(@freed);
	clear(@scanned);
	clear(@calls);
	clear(@switches);
}

tick-1s
{
	seconds--;
}

tick-1s
/!seconds/
{
	line();
	seconds = every;
	lines--;
}

tick-1s
/!lines/
{
	exit(0);
}

END
/lines/
{
	line();
}

END
{
	trunc(@pgrec);
	trunc(@faults);
	trunc(@major);
	trunc(@in);
	trunc(@out);
	trunc(@freed);
	trunc(@scanned);
	trunc(@calls);
	trunc(@switches);
}
