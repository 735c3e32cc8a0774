#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * readdist.d - sizes of reads by program
 *
 * Shows how large the reads of each program are, as a distribution, until
 * Ctrl-C.
 *
 * FIELDS
 *	value	bytes of one call: the lower end of a bucket
 *	count	how many calls
 *
 * EXAMPLES
 *	readdist.d	all programs
 *	readdist.d -n mysqld	one program
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show sizes of reads by program."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

sysinfo:::readch
/$name == "" || $name == execname/
{
	@sizes[execname] = quantize(arg0);
}

END
{
	printa("%s\n%@d\n", @sizes);
}
