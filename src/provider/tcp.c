/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcp: segments sent and received, and state changes of connections.
 *
 * A sent segment is examined where it has all its headers: where IP hands it to
 * a device.  A received one is examined where TCP has found its socket; where
 * functions cannot be traced, it is examined when the device hands it over, and
 * the socket's members are 0 (dlib/connection.d).
 *
 * 1. A segment fires once.  One that the device will split, or has merged from
 *    many, is one segment.
 * 2. Of two rows with the same name the first that is available counts: one
 *    uses functions, the other is for kernels without.
 * 3. A state is written after the place where its change can be seen.  arg6
 *    carries the new one, arg7 the flags of the segment that caused it.  For
 *    what is received, arg6 carries the socket.
 * 4. A socket that is created for a connection request gets its state first and
 *    its peer afterwards (before 6.14).  The request knows the peer: the
 *    function that copies the socket has it, and arg7 carries it.
 */
#include "provider/packet.h"

#define SEGMENT(owner, packet, connection, header) { \
	{ "struct sk_buff *", "pktinfo_t *" }, \
	{ owner, "csinfo_t *" }, \
	{ packet, "ipinfo_t *" }, \
	{ connection, "tcpsinfo_t *" }, \
	{ header, "tcpinfo_t *" }, \
}
#define SENT SEGMENT("struct _tcp_sent *", "struct iphdr *", \
		     "struct _tcp_sent *", "struct tcphdr *")
#define CAME SEGMENT("struct _tcp_received *", "struct iphdr *", \
		     "struct _tcp_received *", "struct tcphdr *")
/* With the segment that did it, and without. */
#define BECOMING_BY SEGMENT("struct sock *", "struct iphdr *", \
			    "struct _tcp_becoming *", "struct tcphdr *")
#define BECOMING_ALONE \
	SEGMENT("struct sock *", "struct _tcp_becoming *", \
		"struct _tcp_becoming *", "struct _tcp_becoming *")

/* Sent segments. */
#define SENT_ARGS(v, skb, ip) { \
	skb, "(struct _tcp_sent *)" skb, "(struct iphdr *)" ip, \
	"(struct _tcp_sent *)" skb, "(struct tcphdr *)_ip" v "_next[" ip "]", \
}
#define IS_SENT(v, skb, ip) \
	"_ip" v "_protocol[" ip "] == IPPROTO_TCP && _is_made_here[" skb "]"
#define FLAGS(v, ip) "*(uint8_t *)(_ip" v "_next[" ip "] + 13)"
/* The first SYN of a socket that connects. */
#define IS_REQUEST(v, skb, ip) \
	IS_SENT(v, skb, ip) " && (" FLAGS(v, ip) " & 0x17) == TH_SYN && " \
	"_is_tcp[" skb "->sk] && " \
	"((struct tcp_sock *)" skb "->sk)->total_retrans == 0"
/* The answer to a SYN without a listener acknowledges, from number 0. */
#define IS_REFUSAL(v, skb, ip) \
	IS_SENT(v, skb, ip) " && (" FLAGS(v, ip) " & 0x14) == 0x14 && " \
	"!_is_tcp[" skb "->sk] && *(uint32_t *)(_ip" v "_next[" ip "] + 4) == 0"

/* Received segments, with their socket if it is known. */
#define CAME_ARGS(skb, ip, next, sk) { \
	skb, "(struct _tcp_received *)" skb, "(struct iphdr *)" ip, \
	"(struct _tcp_received *)" skb, "(struct tcphdr *)" next "[" ip "]", \
	NULL, sk, \
}
#define CAME_FOR(skb, sk) \
	CAME_ARGS(skb, "_ip_header[" skb "]", "_ip_next", sk)
#define HAS_COME(v, skb, ip) \
	skb "->pkt_type == 0 && _ip" v "_protocol[" ip "] == IPPROTO_TCP"
#define DEVICE_ARGS(v, skb, ip) CAME_ARGS(skb, ip, "_ip" v "_next", NULL)

/* What a segment has done to the socket's state. */
#define BECOMING(skb, sk, state) { \
	skb, sk, \
	"(struct iphdr *)_ip_header[" skb "]", \
	"(struct _tcp_becoming *)" sk, \
	"(struct tcphdr *)_ip_next[_ip_header[" skb "]]", NULL, state, \
}
#define BECAME(sk, state, flags) { \
	NULL, sk, \
	"(struct _tcp_becoming *)" sk, "(struct _tcp_becoming *)" sk, \
	"(struct _tcp_becoming *)" sk, NULL, state, flags, \
}

#define CHANGE(from, to, request) { \
	NULL, "(struct _tcp_becoming *)args[0]", \
	NULL, "(struct _tcp_becoming *)args[0]", NULL, from, to, request, \
}
/* Is this the socket that is being copied for a request? */
#define IS_COPY \
	"args[1] == TCP_STATE_LISTEN && args[2] == TCP_STATE_SYN_RECEIVED"

static const struct stable_probe probes[] = {
	{ "send", SENT, STABLE_SOURCES(PACKET_SENT(IS_SENT, SENT_ARGS)) },

	/*
	 * A socket's filter sees each segment before anything else, and before
	 * segments that must wait are glued together.  Those without a socket,
	 * or with the rest of one, are seen where they are answered.
	 */
	{ "receive", CAME, STABLE_SOURCES(
		{ "fbt::sk_filter_trim_cap:entry", .when = "_is_tcp[args[0]]",
		  .args = CAME_FOR("args[1]", "args[0]") },
		{ "fbt::tcp_timewait_state_process:entry", .also = true,
		  .symbol = "sk_filter_trim_cap",
		  .args = CAME_FOR("args[1]", "args[0]") },
		{ "fbt::tcp_v4_send_reset:entry", .also = true,
		  .symbol = "sk_filter_trim_cap", .when = "args[0] == NULL",
		  .args = CAME_FOR("args[1]", NULL) },
		{ "fbt::tcp_v6_send_reset:entry", .also = true,
		  .symbol = "sk_filter_trim_cap", .when = "args[0] == NULL",
		  .args = CAME_FOR("args[1]", NULL) }) },
	{ "receive", CAME, STABLE_SOURCES(
		PACKET_CAME("4", HAS_COME, DEVICE_ARGS, false),
		PACKET_CAME("6", HAS_COME, DEVICE_ARGS, true)) },

	{ "connect-request", SENT,
	  STABLE_SOURCES(PACKET_SENT(IS_REQUEST, SENT_ARGS)) },
	{ "accept-refused", SENT,
	  STABLE_SOURCES(PACKET_SENT(IS_REFUSAL, SENT_ARGS)) },

	{ "connect-established", BECOMING_BY,
	  STABLE_SOURCES(
		{ "fbt::tcp_finish_connect:entry", .when = "args[1] != NULL",
		  .args = BECOMING("args[1]", "args[0]",
				   "TCP_STATE_ESTABLISHED") }) },
	{ "connect-established", BECOMING_ALONE,
	  STABLE_SOURCES(
		{ "rawtp:sock::inet_sock_set_state",
		  .when = "args[0]->sk_protocol == IPPROTO_TCP && "
			  "args[1] == TCP_STATE_SYN_SENT && "
			  "args[2] == TCP_STATE_ESTABLISHED",
		  .args = BECAME("args[0]", "args[2]", "TH_SYN | TH_ACK") }) },

	{ "connect-refused", BECOMING_BY,
	  STABLE_SOURCES(
		{ "fbt::tcp_reset:entry",
		  .when = "args[0]->__sk_common.skc_state == "
			  "TCP_STATE_SYN_SENT && args[1] != NULL",
		  .args = BECOMING("args[1]", "args[0]",
				   "TCP_STATE_CLOSED") }) },
	{ "connect-refused", BECOMING_ALONE,
	  STABLE_SOURCES(
		{ "rawtp:tcp::tcp_receive_reset",
		  .when = "args[0]->__sk_common.skc_state == "
			  "TCP_STATE_SYN_SENT",
		  .args = BECAME("args[0]", "TCP_STATE_CLOSED",
				 "TH_RST | TH_ACK") }) },

	{ "accept-established", BECOMING_BY,
	  STABLE_SOURCES(
		{ "fbt::tcp_init_transfer:entry",
		  .when = "args[1] == BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB && "
			  "args[2] != NULL",
		  .args = BECOMING("args[2]", "args[0]",
				   "TCP_STATE_ESTABLISHED") }) },
	{ "accept-established", BECOMING_ALONE,
	  STABLE_SOURCES(
		{ "rawtp:sock::inet_sock_set_state",
		  .when = "args[0]->sk_protocol == IPPROTO_TCP && "
			  "args[1] == TCP_STATE_SYN_RECEIVED && "
			  "args[2] == TCP_STATE_ESTABLISHED",
		  .args = BECAME("args[0]", "args[2]", "TH_ACK") }) },

	/* A socket that waits for late segments is no longer a full socket. */
	{ "state-change", {
		{ "void *" }, { "struct _tcp_becoming *", "csinfo_t *" },
		{ "void *" },
		{ "struct _tcp_becoming *", "tcpsinfo_t *" }, { "void *" },
		{ "int", "tcplsinfo_t *" } }, STABLE_SOURCES(
		{ "fbt::inet_csk_clone_lock:entry",
		  .when = "(self->_tcp_request = (uintptr_t)args[1]) == 0" },
		{ "rawtp:sock::inet_sock_set_state", .also = true,
		  .without = "fbt::inet_csk_clone_lock:entry",
		  .when = "args[0]->sk_protocol == IPPROTO_TCP",
		  .args = CHANGE("args[1]", "args[2]", NULL) },
		{ "rawtp:sock::inet_sock_set_state",
		  .when = "args[0]->sk_protocol == IPPROTO_TCP",
		  .args = CHANGE("args[1]", "args[2]",
				 IS_COPY " ? self->_tcp_request : 0") },
		{ "fbt::tcp_time_wait:entry", .also = true,
		  .when = "args[1] == TCP_STATE_TIME_WAIT",
		  .args = CHANGE("args[0]->__sk_common.skc_state", "args[1]",
				 NULL) }) },
	{ .name = NULL },
};

static int tcp_list(struct probe_registry *registry,
		    const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &tcp_provider, probes, desc);
}

const struct provider tcp_provider = {
	.name = "tcp",
	.about = "segments of TCP, and the lives of connections",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = tcp_list,
	.nids = sizeof(probes) / sizeof(probes[0]) - 1,
	STABLE_METHODS,
};
