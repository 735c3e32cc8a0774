#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * disklatency.d - how long each disk takes, every few seconds
 *
 * Prints for each device how many requests it completed in the interval, and
 * how long they took on average, at most, and as a distribution.
 *
 * FIELDS
 *	DEVICE	disk or partition
 *	COUNT	requests completed
 *	AVG	microseconds from request to completion, on average
 *	MAX	the longest
 *	value	microseconds
 *
 * EXAMPLES
 *	disklatency.d 1 10	every second, ten times
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show how long disks take."
#pragma D parameter device -d string = "" "only this disk or partition"
#pragma D operand interval count = 5 "seconds between reports"
#pragma D operand count count = 0 "how many reports; no end if not given"

BEGIN
{
	every = $interval;
	left = every;
	reports = $count ? $count : -1;
	printf("Tracing... Hit Ctrl-C to end.\n");
}

/* The uppermost byte of a request's address changes if it fails. */
io:::start
/$device == "" || $device == args[1]->dev_statname/
{
	since[arg0 | 0xff00000000000000] = timestamp;
}

io:::done
/since[arg0 | 0xff00000000000000]/
{
	this->time = (timestamp - since[arg0 | 0xff00000000000000]) / 1000;
	@count[args[1]->dev_statname] = count();
	@avg[args[1]->dev_statname] = avg(this->time);
	@max[args[1]->dev_statname] = max(this->time);
	@time[args[1]->dev_statname] = quantize(this->time);
	since[arg0 | 0xff00000000000000] = 0;
}

tick-1s
{
	left--;
}

tick-1s, END
/probename == "END" ? reports : !left/
{
	printf("%Y\n%-10s %8s %10s %10s\n", walltimestamp, "DEVICE", "COUNT", "AVG(us)", "MAX(us)");
	printa("%-10s %@8d %@10d %@10d\n%@d", @count, @avg, @max, @time);
	printf("\n");
	trunc(@count);
	trunc(@avg);
	trunc(@max);
	trunc(@time);
	left = every;
	reports--;
}

tick-1s
/!reports/
{
	exit(0);
}
