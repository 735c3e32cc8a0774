#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * httpdstat.d - what a web server does, each second
 *
 * Prints a line each second about all nginx servers. Requests of HTTP/2 are not
 * seen (dtrace_nginx(4)).
 *
 * FIELDS
 *	TIME	time of day
 *	NUM	requests that ended
 *	GET	of these, with method GET
 *	POST	with method POST
 *	ERR	with status 400 or more
 *	KB	that were sent, in KB
 *	AVG(us)	from the first byte to the end, on average
 *	MAX(us)	the longest
 *
 * EXAMPLES
 *	httpdstat.d	one line each second
 *	httpdstat.d 10 6	six lines in a minute
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option zdefs

#pragma D usage "Show what nginx servers do, in intervals."
#pragma D parameter process -p pid = 0 "only this process"
#pragma D operand interval count = 1 "seconds between lines"
#pragma D operand count count = 0 "how many lines; no end if not given"

BEGIN
{
	left = $interval;
	lines = $count ? $count : -1;
	any = 0;
	printf("%-20s %6s %6s %6s %6s %8s %9s %9s\n", "TIME", "NUM", "GET", "POST", "ERR", "KB", "AVG(us)", "MAX(us)");
}

nginx*:::request-done
/!$process || $process == pid/
{
	@num = count();
	@get = sum(args[0]->nr_method == "GET");
	@post = sum(args[0]->nr_method == "POST");
	@err = sum(args[2] >= 400);
	@kb = sum(args[3]);
	@avg = avg(args[4] / 1000);
	@max = max(args[4] / 1000);
	any = 1;
}

tick-1s
{
	left--;
}

tick-1s, END
/probename == "END" ? lines : !left/
{
	normalize(@kb, 1024);
	printf("%-20Y ", walltimestamp);
	if (any)
		printa("%@6d %@6d %@6d %@6d %@8d %@9d %@9d\n", @num, @get, @post, @err, @kb, @avg, @max);
	else
		printf("%6d %6d %6d %6d %8d %9d %9d\n", 0, 0, 0, 0, 0, 0, 0);
	trunc(@num);
	trunc(@get);
	trunc(@post);
	trunc(@err);
	trunc(@kb);
	trunc(@avg);
	trunc(@max);
	any = 0;
	left = $interval;
	lines--;
}

tick-1s
/!lines/
{
	exit(0);
}
