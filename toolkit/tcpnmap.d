#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcpnmap.d - hosts that look for open ports
 *
 * Counts until Ctrl-C from how many segments a host has asked for ports where
 * nobody listens, or sent flags that only a scanner sends together.  Few are
 * mistakes, many are a port scan.
 *
 * FIELDS
 *	HOST	who asks
 *	KIND	refused: a port without a server; null, xmas, fin: segments with no
 *		flags, with FIN, PUSH and URG, or with FIN alone
 *	COUNT	segments
 *	LOW	lowest port
 *	HIGH	highest port
 *
 * EXAMPLES
 *	tcpnmap.d
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show hosts that look for open ports."

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

tcp:::accept-refused
{
	this->host = args[2]->ip_daddr;
	@count[this->host, "refused"] = count();
	@low[this->host, "refused"] = min(args[4]->tcp_sport);
	@high[this->host, "refused"] = max(args[4]->tcp_sport);
}

tcp:::receive
/(args[4]->tcp_flags & 0x3f) == 0 || (args[4]->tcp_flags & 0x3f) == (TH_FIN | TH_PUSH | TH_URG) ||
    (args[4]->tcp_flags & 0x3f) == TH_FIN/
{
	this->flags = args[4]->tcp_flags & 0x3f;
	this->kind = this->flags == 0 ? "null" : this->flags == TH_FIN ? "fin" : "xmas";
	this->host = args[2]->ip_saddr;
	@count[this->host, this->kind] = count();
	@low[this->host, this->kind] = min(args[4]->tcp_dport);
	@high[this->host, this->kind] = max(args[4]->tcp_dport);
}

END
{
	printf("\n%-30s %-8s %8s %6s %6s\n", "HOST", "KIND", "COUNT", "LOW", "HIGH");
	printa("%-30s %-8s %@8d %@6d %@6d\n", @count, @low, @high);
}
