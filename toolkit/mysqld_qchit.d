#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mysqld_qchit.d - hits of the query cache of MariaDB servers
 *
 * Counts queries that the query cache has answered, and those that it has not,
 * by their texts, until Ctrl-C.  A server whose cache is off asks it nothing,
 * and then there are no lines.
 *
 * FIELDS
 *	HITS	answers from the cache
 *	MISSES	queries that had to be executed
 *	QUERY	their text
 *
 * EXAMPLES
 *	mysqld_qchit.d	of all servers
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option zdefs

#pragma D usage "Count hits and misses of the query cache of MariaDB servers."
#pragma D parameter process -p pid = 0 "only this server"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

mysql*:::query-cache-hit
/!$process || $process == pid/
{
	@hits[copyinstr(arg0)] = sum(1);
	@misses[copyinstr(arg0)] = sum(0);
}

mysql*:::query-cache-miss
/!$process || $process == pid/
{
	@hits[copyinstr(arg0)] = sum(0);
	@misses[copyinstr(arg0)] = sum(1);
}

END
{
	printf("%8s %8s %s\n", "HITS", "MISSES", "QUERY");
	printa("%@8d %@8d %s\n", @hits, @misses);
}
