#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libmysql_snoop.d - queries that a client sends, in its library
 *
 * Prints a line for each query that a program sends through libmariadb or
 * libmysqlclient, with its time as the client sees it: with that of the network.
 *
 * FIELDS
 *	PID	process
 *	TIME(ms)	until the first answer
 *	RET	0, or another number if it failed
 *	QUERY	its text
 *
 * EXAMPLES
 *	libmysql_snoop.d -p 1234	of an application
 *	libmysql_snoop.d -c 'mariadb -e "select 1"'
 */
#pragma D option quiet
#pragma D option switchrate=10hz

#pragma D usage "Show queries that the client -p PID or -c COMMAND sends to MariaDB or MySQL."

BEGIN
{
	printf("%7s %8s %3s %s\n", "PID", "TIME(ms)", "RET", "QUERY");
}

pid$target::mysql_real_query:entry, pid$target::mysql_send_query:entry
/!self->start/
{
	self->query = copyinstr(arg1, arg2 ? arg2 : strlen(copyinstr(arg1)));
	self->start = timestamp;
	self->by = probefunc;
}

pid$target::mysql_real_query:return, pid$target::mysql_send_query:return
/self->start && self->by == probefunc/
{
	printf("%7d %8d %3d %s\n", pid, (timestamp - self->start) / 1000000, (int)arg1, self->query);
	self->query = 0;
	self->start = 0;
	self->by = 0;
}
