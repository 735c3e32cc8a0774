#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writedist.d - sizes of writes by program
 *
 * Shows how large the writes of each program are, as a distribution, until
 * Ctrl-C.
 *
 * FIELDS
 *	value	bytes of one call: the lower end of a bucket
 *	count	how many calls
 *
 * EXAMPLES
 *	writedist.d	all programs
 *	writedist.d -n mysqld	one program
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show sizes of writes by program."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

sysinfo:::writech
/$name == "" || $name == execname/
{
	@sizes[execname] = quantize(arg0);
}

END
{
	printa("%s\n%@d\n", @sizes);
}
