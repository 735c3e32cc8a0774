#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mysqld_qsnoop.d - queries of MariaDB servers, as they end
 *
 * Prints a line for each query of all MariaDB servers, or of the one that -p
 * names: who asked, how long it took, whether it failed, and its text.
 *
 * FIELDS
 *	TIME(ms)	since tracing began, when the query ended
 *	DATABASE	that the connection uses
 *	USER@HOST	of the connection
 *	ms	how long the query took
 *	RET	0, or 1 if it failed
 *	QUERY	its text
 *
 * EXAMPLES
 *	mysqld_qsnoop.d	all queries
 *	mysqld_qsnoop.d --slower 100ms	those that take longer than 100 ms
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz
#pragma D option zdefs

#pragma D usage "Show the queries of MariaDB servers."
#pragma D parameter process -p pid = 0 "only this server"
#pragma D parameter slower -s time = 0 "only queries that take at least so long"

BEGIN
{
	began = timestamp;
	printf("%-8s %-16s %-20s %6s %3s %s\n", "TIME(ms)", "DATABASE",
	    "USER@HOST", "ms", "RET", "QUERY");
}

mysql*:::query-start
/!$process || $process == pid/
{
	self->query = copyinstr(arg0);
	self->database = copyinstr(arg2);
	self->who = strjoin(copyinstr(arg3), strjoin("@", copyinstr(arg4)));
	self->start = timestamp;
}

mysql*:::query-done
/self->start && timestamp - self->start >= $slower/
{
	printf("%-8d %-16s %-20s %6d %3d %s\n", (timestamp - began) / 1000000,
	    self->database, self->who, (timestamp - self->start) / 1000000,
	    (int)arg0, self->query);
}

mysql*:::query-done
{
	self->query = 0;
	self->database = 0;
	self->who = 0;
	self->start = 0;
}
