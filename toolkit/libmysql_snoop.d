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
 *	TIME(ms)	until the program looks at the answer
 *	QUERY	its text
 *
 * EXAMPLES
 *	libmysql_snoop.d -p 1234	of an application
 *	libmysql_snoop.d -c 'mariadb -e "select 1"'
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz
#pragma D option zdefs

#pragma D usage "Show queries that the client -p PID or -c COMMAND sends to MariaDB or MySQL."

BEGIN
{
	printf("%7s %8s %s\n", "PID", "TIME(ms)", "QUERY");
}

pid$target::mysql_real_query:entry, pid$target::mysql_send_query:entry
/!self->start/
{
	self->query = copyinstr(arg1, arg2 ? arg2 : strlen(copyinstr(arg1)));
	self->start = timestamp;
}

/* The library ends these calls by a jump, so what the program calls next is their end. */
pid$target::mysql_errno:entry, pid$target::mysql_error:entry,
pid$target::mysql_field_count:entry, pid$target::mysql_store_result:entry,
pid$target::mysql_use_result:entry, pid$target::mysql_affected_rows:entry,
pid$target::mysql_next_result:entry, pid$target::mysql_close:entry
/self->start/
{
	printf("%7d %8d %s\n", pid, (timestamp - self->start) / 1000000, self->query);
	self->query = 0;
	self->start = 0;
}
