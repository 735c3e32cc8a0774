/* SPDX-License-Identifier: Apache-2.0 */
/*
 * udp: datagrams sent and received.
 *
 * A datagram fires once, however it is fragmented: a sent one before it is
 * fragmented, a received one when it is complete and its socket is found (once
 * for each of several sockets, if it is multicast).  Where functions cannot be
 * traced, its first fragment represents it; then ip_plength is the fragment's,
 * while udp_length is always the datagram's.
 */
#include "provider/packet.h"

#define DATAGRAM(connection) { \
	{ "struct sk_buff *", "pktinfo_t *" }, \
	{ "struct sock *", "csinfo_t *" }, \
	{ "struct iphdr *", "ipinfo_t *" }, \
	{ connection, "udpsinfo_t *" }, \
	{ "struct udphdr *", "udpinfo_t *" }, \
}
#define SENT_ARGS(v, skb, ip) { \
	skb, skb "->sk", "(struct iphdr *)" ip, "(struct _udp_sent *)" skb, \
	"(struct udphdr *)_ip" v "_next[" ip "]", \
}
#define IS_SENT(v, skb, ip) \
	"_ip" v "_protocol[" ip "] == IPPROTO_UDP && _is_made_here[" skb "]"
#define CAME_ARGS(v, skb, sk, ip) { \
	skb, sk, "(struct iphdr *)" ip, "(struct _udp_received *)" skb, \
	"(struct udphdr *)_ip" v "_next[" ip "]", \
}
#define HAS_COME(v, skb, ip) "_ip" v "_protocol[" ip "] == IPPROTO_UDP"
#define DEVICE_ARGS(v, skb, ip) CAME_ARGS(v, skb, NULL, ip)

static const struct stable_probe probes[] = {
	{ "send", DATAGRAM("struct _udp_sent *"),
	  STABLE_SOURCES(PACKET_SENT(IS_SENT, SENT_ARGS)) },
	{ "receive", DATAGRAM("struct _udp_received *"), STABLE_SOURCES(
		{ "fbt::udp_queue_rcv_one_skb:entry",
		  .args = CAME_ARGS("4", "args[1]", "args[0]",
				    "_ip_header[args[1]]") },
		PACKET_CAME("4", HAS_COME, DEVICE_ARGS, false),
		{ "fbt::udpv6_queue_rcv_one_skb:entry", .also = true,
		  .args = CAME_ARGS("6", "args[1]", "args[0]",
				    "_ip_header[args[1]]") },
		PACKET_CAME("6", HAS_COME, DEVICE_ARGS, false)) },
	{ .name = NULL },
};

static int udp_list(struct probe_registry *registry,
		    const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &udp_provider, probes, desc);
}

const struct provider udp_provider = {
	.name = "udp",
	.about = "datagrams of UDP, sent and received",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = udp_list,
	.nids = sizeof(probes) / sizeof(probes[0]) - 1,
	STABLE_METHODS,
};
