/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ip: packets that the Internet Protocol hands to a device and takes from one.
 *
 * Packets are seen at the border between IP and the devices, each once, in the
 * pieces that the device sees: after fragmentation on the way out, before
 * reassembly on the way in, and a forwarded packet in both directions.  A large
 * packet that the device itself will split (or has merged) is one packet.
 *
 * The functions at that border see exactly this.  Where functions cannot be
 * traced, the tracepoints of the devices come closest, with conditions that
 * leave out what is not IP's (dlib/packet.d).  Then a packet counts twice if it
 * is sent through one device on top of another and nothing in the packet shows
 * that (macvlan, tunnels within the same host).
 */
#include "provider/stable.h"

#define PACKET \
	{ "struct sk_buff *", "pktinfo_t *" }, \
	{ "struct sock *", "csinfo_t *" }, \
	{ "struct iphdr *", "ipinfo_t *" }, \
	{ "struct net_device *", "ifinfo_t *" }, \
	{ "struct iphdr *", "ipv4info_t *" }, \
	{ "struct ipv6hdr *", "ipv6info_t *" }
#define ARGUMENTS      \
	{              \
		PACKET \
	}
#define PACKET4(skb, sk, header) { \
	skb, sk, "(struct iphdr *)" header, skb "->dev", \
	"(struct iphdr *)" header, NULL, \
}
#define PACKET6(skb, sk, header) { \
	skb, sk, "(struct iphdr *)" header, skb "->dev", \
	NULL, "(struct ipv6hdr *)" header, \
}

/*
 * A packet that is dropped, and the kernel's reason.  One that was never
 * received here was being sent.
 */
#define DROP_ARGUMENTS                         \
	{                                      \
		PACKET,                        \
		{                              \
			"enum skb_drop_reason" \
		}                              \
	}
#define DROP(way) STABLE_SOURCES( \
	{ "rawtp:skb::kfree_skb", .needs = "enum skb_drop_reason", \
	  .when = "_is_ip4[args[0]] && " way "_is_made_here[args[0]] && " \
		  "_ip_is4[_ip_header[args[0]]]", \
	  .args = { "args[0]", NULL, "(struct iphdr *)_ip_header[args[0]]", \
		    "args[0]->dev", "(struct iphdr *)_ip_header[args[0]]", \
		    NULL, "args[2]" } }, \
	{ "rawtp:skb::kfree_skb", .needs = "enum skb_drop_reason", .also = true, \
	  .when = "_is_ip6[args[0]] && " way "_is_made_here[args[0]] && " \
		  "!_ip_is4[_ip_header[args[0]]]", \
	  .args = { "args[0]", NULL, "(struct iphdr *)_ip_header[args[0]]", \
		    "args[0]->dev", NULL, \
		    "(struct ipv6hdr *)_ip_header[args[0]]", "args[2]" } })

static const struct stable_probe probes[] = {
	{ "send", ARGUMENTS, STABLE_SOURCES(
		{ "fbt::ip_finish_output2:entry",
		  .args = PACKET4("args[2]", "args[2]->sk",
				  "_ip_header[args[2]]") },
		{ "rawtp:net::net_dev_queue",
		  .when = "_is_ip4[args[0]] && _is_ips_own[args[0]]",
		  .args = PACKET4("args[0]", "args[0]->sk",
				  "_ip_header[args[0]]") },
		{ "fbt::ip6_finish_output2:entry", .also = true,
		  .args = PACKET6("args[2]", "args[2]->sk",
				  "_ip_header[args[2]]") },
		{ "rawtp:net::net_dev_queue",
		  .when = "_is_ip6[args[0]] && _is_ips_own[args[0]]",
		  .args = PACKET6("args[0]", "args[0]->sk",
				  "_ip_header[args[0]]") }) },
	{ "receive", ARGUMENTS, STABLE_SOURCES(
		{ "fbt::ip_rcv_core:entry", .when = "_is_for_ip[args[0]]",
		  .args = PACKET4("args[0]", NULL, "args[0]->data") },
		{ "rawtp:net::netif_receive_skb",
		  .when = "_is_ip4[args[0]] && _is_for_ip[args[0]]",
		  .args = PACKET4("args[0]", NULL, "args[0]->data") },
		{ "fbt::ip6_rcv_core:entry", .also = true,
		  .when = "_is_for_ip[args[0]]",
		  .args = PACKET6("args[0]", NULL, "args[0]->data") },
		{ "rawtp:net::netif_receive_skb",
		  .when = "_is_ip6[args[0]] && _is_for_ip[args[0]]",
		  .args = PACKET6("args[0]", NULL, "args[0]->data") }) },
	{ "drop-in", DROP_ARGUMENTS, DROP("!") },
	{ "drop-out", DROP_ARGUMENTS, DROP("") },
	{ .name = NULL },
};

static int ip_list(struct probe_registry *registry,
		   const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &ip_provider, probes, desc);
}

const struct provider ip_provider = {
	.name = "ip",
	.about = "packets of IPv4 and IPv6, sent and received",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = ip_list,
	.nids = sizeof(probes) / sizeof(probes[0]) - 1,
	STABLE_METHODS,
};
