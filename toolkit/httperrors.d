#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * httperrors.d - requests to a web server that fail
 *
 * Prints a line for each request to an nginx server whose status is 400 or more, or
 * that got no answer at all. Requests of HTTP/2 are not seen (dtrace_nginx(4)).
 *
 * FIELDS
 *	TIME	time of day
 *	CLIENT	address
 *	STATUS	that was sent; 0: nothing was
 *	REQUEST	its first line
 *
 * EXAMPLES
 *	httperrors.d	4xx and 5xx
 *	httperrors.d -m 500	faults of the server only
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz
#pragma D option zdefs

#pragma D usage "Show requests to nginx servers that fail."
#pragma D parameter process -p pid = 0 "only this process"
#pragma D parameter min -m count = 400 "the lowest status to show"

BEGIN
{
	printf("%-20s %-16s %6s %s\n", "TIME", "CLIENT", "STATUS", "REQUEST");
}

nginx*:::request-done
/(args[2] >= $min || !args[2]) && (!$process || $process == pid)/
{
	printf("%-20Y %-16s %6d %s\n", walltimestamp, args[1]->nc_remote, args[2], args[0]->nr_line);
}
