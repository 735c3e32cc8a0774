#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loads.d - load averages
 *
 * Prints how many threads ran or waited for a CPU or a disk, on average over the
 * last minute, five and fifteen minutes.
 *
 * FIELDS
 *	load	1, 5 and 15 minutes
 *
 * EXAMPLES
 *	loads.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show load averages."

BEGIN
{
	this->one = (`avenrun[0] + 10) * 100 / 2048;
	this->five = (`avenrun[1] + 10) * 100 / 2048;
	this->fifteen = (`avenrun[2] + 10) * 100 / 2048;
	printf("%Y,  load average: %d.%02d, %d.%02d, %d.%02d\n", walltimestamp, this->one / 100, this->one % 100,
	    this->five / 100, this->five % 100, this->fifteen / 100, this->fifteen % 100);
	exit(0);
}
