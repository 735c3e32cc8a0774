/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Where tcp, udp and mib find packets, as lines of their tables.
 *
 * A sent packet is examined before it is fragmented, where IP is about to hand
 * it to a device and all its headers are present; without functions, in the
 * device's queue, where its first fragment represents it.  A received packet,
 * without functions: when the device hands it over.
 *
 * `v` is "4" or "6".  `when_of` and `args_of` are macros of v and of the D text
 * for the packet and its IP header.
 */

#include "provider/stable.h"

#define PACKET_QUEUED(v, when_of, args_of, is_also) \
	{ "rawtp:net::net_dev_queue", .also = is_also, \
	  .when = "_is_ip" v "[args[0]] && _is_ips_own[args[0]] && " \
		  when_of(v, "args[0]", "_ip_header[args[0]]"), \
	  .args = args_of(v, "args[0]", "_ip_header[args[0]]") }
#define PACKET_SENT_BY(v, function, when_of, args_of, is_also) \
	{ "fbt::" function ":entry", .also = is_also, \
	  .when = when_of(v, "args[2]", "_ip_header[args[2]]"), \
	  .args = args_of(v, "args[2]", "_ip_header[args[2]]") }, \
	PACKET_QUEUED(v, when_of, args_of, false)
#define PACKET_SENT(when_of, args_of) \
	PACKET_SENT_BY("4", "ip_finish_output", when_of, args_of, false), \
	PACKET_SENT_BY("6", "ip6_finish_output", when_of, args_of, true)

#define PACKET_CAME(v, when_of, args_of, is_also) \
	{ "rawtp:net::netif_receive_skb", .also = is_also, \
	  .when = "_is_ip" v "[args[0]] && _is_for_ip[args[0]] && " \
		  when_of(v, "args[0]", "(uint64_t)args[0]->data"), \
	  .args = args_of(v, "args[0]", "(uint64_t)args[0]->data") }
