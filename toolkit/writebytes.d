#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writebytes.d - bytes that programs write
 *
 * Adds up what programs write by system calls, until Ctrl-C: files, sockets,
 * pipes and terminals.
 *
 * FIELDS
 *	CMD	program
 *	BYTES	how many
 *
 * EXAMPLES
 *	writebytes.d	the largest are last
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show bytes that programs write."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

sysinfo:::writech
{
	@bytes[execname] = sum(arg0);
}

END
{
	printf("%-16s %16s\n", "CMD", "BYTES");
	printa("%-16s %@16d\n", @bytes);
}
