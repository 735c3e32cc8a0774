#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * readbytes.d - bytes that programs read
 *
 * Adds up what programs read by system calls, until Ctrl-C: files, sockets,
 * pipes and terminals.
 *
 * FIELDS
 *	CMD	program
 *	BYTES	how many
 *
 * EXAMPLES
 *	readbytes.d	the largest are last
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show bytes that programs read."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

sysinfo:::readch
{
	@bytes[execname] = sum(arg0);
}

END
{
	printf("%-16s %16s\n", "CMD", "BYTES");
	printa("%-16s %@16d\n", @bytes);
}
