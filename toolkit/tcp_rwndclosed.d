#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcp_rwndclosed.d - peers that cannot take more
 *
 * A receiver whose buffer is full closes its window: the sender has to wait
 * until its program reads. Shows until Ctrl-C how often that happened, and for how
 * long, by connection: the network is not to blame then.
 *
 * FIELDS
 *	RADDR	host whose window was closed
 *	RPORT	its port
 *	CLOSED	how often
 *	TOTAL(ms)	how long in all; windows that are still closed do not count
 *
 * EXAMPLES
 *	tcp_rwndclosed.d	who reads too slowly
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show TCP connections whose peers cannot take more."

uint64_t closed[uint64_t];

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

tcp:::receive
/args[4]->tcp_window == 0 && !(args[4]->tcp_flags & (TH_RST | TH_SYN)) && !closed[args[1]->cs_cid]/
{
	closed[args[1]->cs_cid] = timestamp;
	@count[args[2]->ip_saddr, args[4]->tcp_sport] = count();
	@time[args[2]->ip_saddr, args[4]->tcp_sport] = sum(0);
}

tcp:::receive
/args[4]->tcp_window && closed[args[1]->cs_cid]/
{
	@time[args[2]->ip_saddr, args[4]->tcp_sport] =
	    sum((timestamp - closed[args[1]->cs_cid]) / 1000000);
	closed[args[1]->cs_cid] = 0;
}

END
{
	printf("%-40s %6s %8s %10s\n", "RADDR", "RPORT", "CLOSED", "TOTAL(ms)");
	printa("%-40s %6d %@8d %@10d\n", @count, @time);
	trunc(@count);
	trunc(@time);
}
