#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * httpdurls.d - what a web server is asked for
 *
 * Counts requests of all nginx servers by address, until Ctrl-C, and adds up their
 * times. Requests of HTTP/2 are not seen (dtrace_nginx(4)).
 *
 * FIELDS
 *	METHOD	GET, POST ...
 *	URL	as the client sent it
 *	COUNT	requests
 *	AVG(us)	from the first byte to the end, on average
 *	KB	that were sent
 *
 * EXAMPLES
 *	httpdurls.d	the most frequent last
 *	httpdurls.d -a	/find?a=1 and /find?a=2 are the same
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option zdefs

#pragma D usage "Count requests of nginx servers by address."
#pragma D parameter process -p pid = 0 "only this process"
#pragma D parameter bare -a bool "leave out arguments: what follows ?"
#pragma D parameter top -t count = 0 "only so many lines; 0 is all"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

nginx*:::request-done
/!$process || $process == pid/
{
	this->url = $bare ? strtok(args[0]->nr_uri, "?") : args[0]->nr_uri;
	@count[args[0]->nr_method, this->url] = count();
	@time[args[0]->nr_method, this->url] = avg(args[4] / 1000);
	@kb[args[0]->nr_method, this->url] = sum(args[3]);
}

END
{
	if ($top)
		trunc(@count, $top);
	normalize(@kb, 1024);
	printf("%-7s %-44s %7s %9s %8s\n", "METHOD", "URL", "COUNT", "AVG(us)", "KB");
	printa("%-7s %-44s %@7d %@9d %@8d\n", @count, @time, @kb);
	trunc(@count);
	trunc(@time);
	trunc(@kb);
}
