#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uname-a.d - names of this system
 *
 * Prints what uname(1) does, from the kernel's own variables.
 *
 * FIELDS
 *	names	system, node, release, version, machine
 *
 * EXAMPLES
 *	uname-a.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show names of this system."

BEGIN
{
	printf("%s %s %s %s %s\n", `utsname.sysname, `utsname.nodename, `utsname.release, `utsname.version,
	    `utsname.machine);
	exit(0);
}
