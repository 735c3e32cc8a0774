#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * httpclients.d - who asks a web server
 *
 * Counts connections and requests of all nginx servers by client, until Ctrl-C.
 * Requests of HTTP/2 are not seen (dtrace_nginx(4)).
 *
 * FIELDS
 *	CLIENT	address, unix: for local sockets
 *	CONN	connections
 *	REQ	requests
 *	KB	that were sent to it
 *
 * EXAMPLES
 *	httpclients.d	the busiest last
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option zdefs
#pragma D option aggsortpos=1

#pragma D usage "Count connections and requests of nginx servers by client."
#pragma D parameter process -p pid = 0 "only this process"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

nginx*:::connection-start
/!$process || $process == pid/
{
	@connections[args[0]->nc_remote] = sum(1);
	@requests[args[0]->nc_remote] = sum(0);
	@kb[args[0]->nc_remote] = sum(0);
}

nginx*:::request-done
/!$process || $process == pid/
{
	@connections[args[1]->nc_remote] = sum(0);
	@requests[args[1]->nc_remote] = sum(1);
	@kb[args[1]->nc_remote] = sum(args[3]);
}

END
{
	normalize(@kb, 1024);
	printf("%-40s %8s %8s %10s\n", "CLIENT", "CONN", "REQ", "KB");
	printa("%-40s %@8d %@8d %@10d\n", @connections, @requests, @kb);
	trunc(@connections);
	trunc(@requests);
	trunc(@kb);
}
