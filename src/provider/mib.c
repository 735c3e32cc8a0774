/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mib: the counters of the Internet protocols, each where it changes.
 *
 * The kernel has no hook at its counters, which are plain additions all over
 * the code.  So each of the well-known ones is derived from a place where the
 * counted event can be seen: a packet sent or received, a dropped packet and
 * the reason, a change of a connection's state.  args[0] is the increment.
 *
 * 1. Names are the classic ones.  A counter with another name on Linux has the
 *    classic name here (tcpListenDrop is ListenDrops).
 * 2. A packet that is split or merged by the device is counted as the segments
 *    it represents where the kernel does so (tcpInSegs, tcpOutSegs,
 *    tcpRetransSegs), and once elsewhere.
 * 3. Tracepoints are used wherever they provide enough: there are many
 *    counters, and a traced function takes a tenth of a second to release.
 * 4. tcpInData...Bytes cover established connections: data that arrives after
 *    our own FIN is not seen.
 * 5. tcpListenDrop without functions: a connection that is complete and finds
 *    the queue full is seen on kernels that name this reason; a SYN that finds
 *    it full leaves no trace.
 */
#include "provider/packet.h"

#define ONE                   \
	{                     \
		{             \
			"int" \
		}             \
	}

/* Counting in conditions: on a packet with its header, on sockets' states. */
#define BY_ONE(v, skb, ip) \
	{                  \
		"1"        \
	}
/* Segments in a packet; gso_segs is in what follows its data. */
#define SHARED(skb) \
	"((struct skb_shared_info *)((uint64_t)" skb "->head + " skb "->end))"
#define BY_SEGMENTS(v, skb, ip) { \
	"(int)(" SHARED(skb) "->gso_segs > 1 ? " SHARED(skb) "->gso_segs : 1)" }
#define NEXT(v, ip) "_ip" v "_next[" ip "]"
#define TCP(v, skb, ip) "_ip" v "_protocol[" ip "] == IPPROTO_TCP"
#define UDP(v, skb, ip) "_ip" v "_protocol[" ip "] == IPPROTO_UDP"
#define ICMP(v, skb, ip) "_ip" v "_protocol[" ip "] == IPPROTO_ICMP"
#define HERE(skb) "_is_made_here[" skb "]"
#define TCP_OUT(v, skb, ip) TCP(v, skb, ip) " && " HERE(skb)
#define UDP_OUT(v, skb, ip) UDP(v, skb, ip) " && " HERE(skb)
#define ICMP_OUT(v, skb, ip) ICMP(v, skb, ip) " && " HERE(skb)
#define TCP_IN(v, skb, ip) TCP(v, skb, ip) " && " skb "->pkt_type == 0"
#define FLAGS(v, ip) "*(uint8_t *)(" NEXT(v, ip) " + 13)"
#define RST_OUT(v, skb, ip) \
	TCP_OUT(v, skb, ip) " && (" FLAGS(v, ip) " & TH_RST) != 0"
#define CONTROL_OUT(v, skb, ip) \
	TCP_OUT(v, skb, ip) " && (" FLAGS(v, ip) " & 7) != 0"
/* Bytes of data after the headers. */
#define DATA(v, skb, ip) \
	"((int)((uint64_t)" skb "->data + " skb "->len - " NEXT(v, ip) ") - " \
	"((*(uint8_t *)(" NEXT(v, ip) " + 12) >> 4) << 2))"
#define DATA_OUT(v, skb, ip) TCP_OUT(v, skb, ip) " && " DATA(v, skb, ip) " > 0"
#define ACK_OUT(v, skb, ip) \
	TCP_OUT(v, skb, ip) " && (" FLAGS(v, ip) " & 0x17) == TH_ACK && " \
	DATA(v, skb, ip) " <= 0"
#define BY_DATA(v, skb, ip)      \
	{                        \
		DATA(v, skb, ip) \
	}
#define ANY_IN(v, skb, ip) "1"
#define ANY_OUT(v, skb, ip) HERE(skb)
#define FORWARDED(v, skb, ip) "!" HERE(skb)
#define FRAGMENT(v, skb, ip) "(ntohs(*(uint16_t *)(" ip " + 6)) & 0x3fff) != 0"

#define QUEUED(when_of, args_of) \
	PACKET_QUEUED("4", when_of, args_of, false), \
	PACKET_QUEUED("6", when_of, args_of, true)
#define SENT(name, when) { name, ONE, \
	STABLE_SOURCES(QUEUED(when, BY_ONE)) }
#define SENT4(name, when) { name, ONE, \
	STABLE_SOURCES(PACKET_QUEUED("4", when, BY_ONE, false)) }
#define SENT6(name, when) { name, ONE, \
	STABLE_SOURCES(PACKET_QUEUED("6", when, BY_ONE, false)) }
#define CAME4(name, when) { name, ONE, \
	STABLE_SOURCES(PACKET_CAME("4", when, BY_ONE, false)) }
#define CAME6(name, when) { name, ONE, \
	STABLE_SOURCES(PACKET_CAME("6", when, BY_ONE, false)) }
#define STATE(name, change) { name, ONE, STABLE_SOURCES( \
	{ "rawtp:sock::inet_sock_set_state", .args = { "1" }, \
	  .when = "args[0]->sk_protocol == IPPROTO_TCP && " change }) }
#define DROP(name, reason, kind) { name, ONE, STABLE_SOURCES( \
	{ "rawtp:skb::kfree_skb", .needs = reason, .args = { "1" }, \
	  .when = "args[2] == " reason kind }) }
#define OF_IP4 " && _is_ip4[args[0]]"
#define OF_UDP " && (_is_ip4[args[0]] ? " \
	UDP("4", "args[0]", "_ip_header[args[0]]") " : _is_ip6[args[0]] && " \
	UDP("6", "args[0]", "_ip_header[args[0]]") ")"
/* ICMP's types: names for received and for sent messages. */
#define TYPE(v, ip, type) " && *(uint8_t *)" NEXT(v, ip) " == " type
#define ICMP_TYPE(name, number) \
	{ "icmpIn" name, ONE, STABLE_SOURCES( \
		{ "rawtp:net::netif_receive_skb", .args = { "1" }, \
		  .when = "_is_ip4[args[0]] && _is_for_ip[args[0]] && " \
			  ICMP("4", "args[0]", "(uint64_t)args[0]->data") \
			  TYPE("4", "(uint64_t)args[0]->data", number) }) }, \
	{ "icmpOut" name, ONE, STABLE_SOURCES( \
		{ "rawtp:net::net_dev_queue", .args = { "1" }, \
		  .when = "_is_ip4[args[0]] && _is_ips_own[args[0]] && " \
			  ICMP_OUT("4", "args[0]", "_ip_header[args[0]]") \
			  TYPE("4", "_ip_header[args[0]]", number) }) }
/*
 * A segment of an established connection, before it is accepted (tcp_probe):
 * its bytes, those that are new, and how far it starts ahead of the expected
 * number.
 */
#define CB "((struct tcp_skb_cb *)&args[1]->cb)"
#define EXPECTED "((struct tcp_sock *)args[0])->rcv_nxt"
#define END "(" CB "->end_seq - (" CB "->tcp_flags & TH_FIN))"
#define BYTES "(int)(" END " - " CB "->seq)"
#define NEW "(int)(" END " - " EXPECTED ")"
#define AHEAD "(int)(" CB "->seq - " EXPECTED ")"
#define FULL(sk) sk "->sk_ack_backlog > " sk "->sk_max_ack_backlog"

static const struct stable_probe probes[] = {
	CAME4("ipInReceives", ANY_IN),
	CAME6("ipv6InReceives", ANY_IN),
	CAME4("ipReasmReqds", FRAGMENT),
	SENT4("ipOutRequests", ANY_OUT),
	SENT6("ipv6OutRequests", ANY_OUT),
	SENT4("ipForwDatagrams", FORWARDED),
	SENT6("ipv6ForwDatagrams", FORWARDED),
	DROP("ipInHdrErrors", "SKB_DROP_REASON_IP_INHDR", OF_IP4),
	DROP("ipInCksumErrs", "SKB_DROP_REASON_IP_CSUM", OF_IP4),
	DROP("ipInAddrErrors", "SKB_DROP_REASON_IP_INADDRERRORS", OF_IP4),
	DROP("ipInUnknownProtos", "SKB_DROP_REASON_IP_NOPROTO", OF_IP4),
	DROP("ipOutNoRoutes", "SKB_DROP_REASON_IP_OUTNOROUTES", OF_IP4),

	CAME4("icmpInMsgs", ICMP),
	SENT4("icmpOutMsgs", ICMP_OUT),
	ICMP_TYPE("EchoReps", "0"),
	ICMP_TYPE("DestUnreachs", "3"),
	ICMP_TYPE("SrcQuenchs", "4"),
	ICMP_TYPE("Redirects", "5"),
	ICMP_TYPE("Echos", "8"),
	ICMP_TYPE("TimeExcds", "11"),
	ICMP_TYPE("ParmProbs", "12"),
	ICMP_TYPE("Timestamps", "13"),
	ICMP_TYPE("TimestampReps", "14"),
	ICMP_TYPE("AddrMasks", "17"),
	ICMP_TYPE("AddrMaskReps", "18"),
	DROP("icmpInCksumErrs", "SKB_DROP_REASON_ICMP_CSUM", ""),

	{ "tcpActiveOpens", ONE, STABLE_SOURCES(
		{ "rawtp:sock::inet_sock_set_state", .args = { "1" },
		  .when = "args[0]->sk_protocol == IPPROTO_TCP && "
			  "args[2] == TCP_STATE_SYN_SENT" }) },
	STATE("tcpPassiveOpens", "args[1] == TCP_STATE_LISTEN && "
	      "args[2] == TCP_STATE_SYN_RECEIVED"),
	STATE("tcpAttemptFails", "args[2] == TCP_STATE_CLOSED && "
	      "(args[1] == TCP_STATE_SYN_SENT || "
	      "args[1] == TCP_STATE_SYN_RECEIVED)"),
	STATE("tcpEstabResets", "args[2] == TCP_STATE_CLOSED && "
	      "(args[1] == TCP_STATE_ESTABLISHED || "
	      "args[1] == TCP_STATE_CLOSE_WAIT)"),
	{ "tcpInSegs", ONE, STABLE_SOURCES(
		PACKET_CAME("4", TCP_IN, BY_SEGMENTS, false),
		PACKET_CAME("6", TCP_IN, BY_SEGMENTS, true)) },
	{ "tcpOutSegs", ONE, STABLE_SOURCES(
		QUEUED(TCP_OUT, BY_SEGMENTS)) },
	SENT("tcpOutDataSegs", DATA_OUT),
	{ "tcpOutDataBytes", ONE, STABLE_SOURCES(
		QUEUED(DATA_OUT, BY_DATA)) },
	SENT("tcpOutAck", ACK_OUT),
	SENT("tcpOutControl", CONTROL_OUT),
	SENT("tcpOutRsts", RST_OUT),
	{ "tcpRetransSegs", ONE, STABLE_SOURCES(
		{ "rawtp:tcp::tcp_retransmit_skb", .args = {
			"(int)((struct tcp_skb_cb *)&args[1]->cb)->"
			"tcp_gso_segs" } },
		{ "rawtp:tcp::tcp_retransmit_synack", .also = true,
		  .args = { "1" } }) },
	{ "tcpRetransBytes", ONE, STABLE_SOURCES(
		{ "rawtp:tcp::tcp_retransmit_skb", .when = "args[1]->len > 0",
		  .args = { "(int)args[1]->len" } }) },
	{ "tcpInDataInorderBytes", ONE, STABLE_SOURCES(
		{ "rawtp:tcp::tcp_probe", .when = AHEAD " <= 0 && " NEW " > 0",
		  .args = { NEW } }) },
	{ "tcpInDataUnorderBytes", ONE, STABLE_SOURCES(
		{ "rawtp:tcp::tcp_probe", .when = AHEAD " > 0 && " BYTES " > 0",
		  .args = { BYTES } }) },
	{ "tcpInDataDupBytes", ONE, STABLE_SOURCES(
		{ "rawtp:tcp::tcp_probe", .when = AHEAD " < 0 && " BYTES " > 0",
		  .args = { NEW " > 0 ? -" AHEAD " : " BYTES } }) },
	{ "tcpTimRetrans", ONE, STABLE_SOURCES(
		{ "fbt::tcp_retransmit_timer:entry", .args = { "1" },
		  .when = "((struct tcp_sock *)args[0])->packets_out != 0" }) },
	{ "tcpInErrs", ONE, STABLE_SOURCES(
		{ "rawtp:tcp::tcp_bad_csum", .args = { "1" } }) },
	{ "tcpListenDrop", ONE, STABLE_SOURCES(
		{ "fbt::tcp_conn_request:entry", .args = { "1" },
		  .when = FULL("args[2]") },
		{ "fbt::tcp_v4_syn_recv_sock:entry", .also = true,
		  .args = { "1" }, .when = FULL("args[0]") },
		{ "rawtp:skb::kfree_skb", .args = { "1" },
		  .needs = "SKB_DROP_REASON_TCP_LISTEN_OVERFLOW",
		  .when = "args[2] == SKB_DROP_REASON_TCP_LISTEN_OVERFLOW" },
		{ "fbt::tcp_v6_syn_recv_sock:entry", .also = true,
		  .args = { "1" },
		  .when = FULL("args[0]") " && _is_ip6[args[1]]" }) },

	{ "udpInDatagrams", ONE, STABLE_SOURCES(
		PACKET_CAME("4", UDP, BY_ONE, false),
		PACKET_CAME("6", UDP, BY_ONE, true)) },
	SENT("udpOutDatagrams", UDP_OUT),
	{ "udpOutErrors", ONE, STABLE_SOURCES(
		{ "rawtp:sock::sock_send_length", .args = { "1" },
		  .when = "args[1] < 0 && "
			  "args[0]->sk_protocol == IPPROTO_UDP" },
		{ "fbt::udp_sendmsg:return", .args = { "1" },
		  .when = "args[1] < 0" },
		{ "fbt::udpv6_sendmsg:return", .also = true, .args = { "1" },
		  .without = "rawtp:sock::sock_send_length",
		  .when = "args[1] < 0" }) },
	DROP("udpNoPorts", "SKB_DROP_REASON_NO_SOCKET", OF_UDP),
	DROP("udpInCksumErrs", "SKB_DROP_REASON_UDP_CSUM", ""),
	DROP("udpInErrors", "SKB_DROP_REASON_PKT_TOO_SMALL", OF_UDP),
	{ "udpInOverflows", ONE, STABLE_SOURCES(
		{ "rawtp:udp::udp_fail_queue_rcv_skb", .args = { "1" },
		  .when = "args[0] == -12" }) },
	{ .name = NULL },
};

static int mib_list(struct probe_registry *registry,
		    const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &mib_provider, probes, desc);
}

const struct provider mib_provider = {
	.name = "mib",
	.about = "counters of the Internet protocols, where they move",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = mib_list,
	.nids = sizeof(probes) / sizeof(probes[0]) - 1,
	STABLE_METHODS,
};
