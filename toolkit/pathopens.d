#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pathopens.d - files by how often they are opened
 *
 * Counts successful opens by path, until Ctrl-C. Paths are whole, whatever the
 * program gave.
 *
 * FIELDS
 *	COUNT	how often it was opened
 *	PATHNAME	whole path
 *
 * EXAMPLES
 *	pathopens.d	files that are opened most, at the end
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Count opens by path."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall::open:return, syscall::creat:return,
syscall::openat:return, syscall::openat2:return
/(int)arg1 >= 0 && pid != $pid/
{
	@opens[fds[(int)arg1].fi_pathname] = count();
}

END
{
	printf("%6s %s\n", "COUNT", "PATHNAME");
	printa("%@6d %s\n", @opens);
}
