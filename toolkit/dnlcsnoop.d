#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dnlcsnoop.d - look-ups in the cache of names, as they happen
 *
 * Prints a line each time the kernel looks for a name in its cache of dentries.
 * A path is looked for name by name. -m shows only what the file system had to be
 * asked for.
 *
 * FIELDS
 *	PID	process
 *	CMD	program
 *	RESULT	hit, hit-negative (there is no such file), or miss
 *	NAME	a part of a path
 *
 * EXAMPLES
 *	dnlcsnoop.d -m -n find	names that find(1) brings in
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show look-ups in the cache of file names."
#pragma D parameter misses -m bool "only misses"
#pragma D parameter name -n string = "" "only programs of this name"
#pragma D parameter process -p pid = 0 "only this process"

BEGIN
{
	printf("%7s %-16s %-12s %s\n", "PID", "CMD", "RESULT", "NAME");
}

vfs:namecache:lookup:hit, vfs:namecache:lookup:hit-negative,
vfs:namecache:lookup:miss
/pid != $pid && (!$misses || probename == "miss") &&
    ($name == "" || $name == execname) && (!$process || $process == pid)/
{
	printf("%7d %-16s %-12s %s\n", pid, execname, probename, stringof(args[1]));
}
