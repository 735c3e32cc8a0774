#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dnlcps.d - the cache of names, by process
 *
 * Counts until Ctrl-C how often names of files were found in the kernel's cache of
 * dentries, and how often not, by process.
 *
 * FIELDS
 *	CMD	program
 *	PID	process
 *	RESULT	hit, hit-negative (there is no such file), or miss
 *	COUNT	how often
 *
 * EXAMPLES
 *	dnlcps.d	who looks for files, and who for new ones
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Count hits and misses of the cache of file names, by process."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

vfs:namecache:lookup:hit, vfs:namecache:lookup:hit-negative,
vfs:namecache:lookup:miss
/pid != $pid && ($name == "" || $name == execname)/
{
	@[execname, pid, probename] = count();
}

END
{
	printf("%-16s %7s %-12s %10s\n", "CMD", "PID", "RESULT", "COUNT");
	printa("%-16s %7d %-12s %@10d\n", @);
	trunc(@);
}
