/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's sockets, as tcp and udp show connections.
 *
 * A connection is seen in one of four ways, each with a type of its own, so
 * that one translator can be chosen by the type of a probe's argument:
 *
 *	struct sock		a socket, or none
 *	struct _tcp_becoming	a socket on its way to state arg6
 *	struct _tcp_sent	a packet on its way out, with its socket if any
 *	struct _tcp_received	a packet that came, its IP header arg2, its
 *				socket arg6 if that is known
 *
 * The last three are other names for struct sock and struct sk_buff.  A packet
 * knows both addresses and ports, and is asked for them; what only a socket
 * knows is 0 without one.
 *
 * 1. In the states 6 (TIME_WAIT) and 12 (a connection request) what looks like
 *    a socket is only the beginning of one, struct sock_common.  A packet may
 *    also belong to the kernel's own socket for answers (not of type 1,
 *    SOCK_STREAM).  Nothing else may be read from these.
 * 2. cs_cid is made from addresses and ports, so that it is the same wherever
 *    the connection is seen, with or without its socket, and differs between
 *    the two ends of one within a host.
 * 3. An IPv6 socket that talks to an IPv4 address is shown as IPv4.
 * 4. Windows and congestion windows are in bytes, times in microseconds,
 *    except tcps_rto in milliseconds.
 * 5. A socket that was accepted is a copy of the one that listens, and still
 *    has its backlog; this is how the two sides of a connection are told apart
 *    (tcps_active).  Where listen(2) was called with 0 they cannot be.
 */

struct _tcp_becoming { char opaque; };
struct _tcp_sent { char opaque; };
struct _tcp_received { char opaque; };
struct _udp_sent { char opaque; };
struct _udp_received { char opaque; };

/* Only the beginning of a socket? */
inline int _is_mini[struct sock *S] =
	S->__sk_common.skc_state == TCP_STATE_TIME_WAIT ||
	S->__sk_common.skc_state == 12;

/* ---------------------------------------------------------------- addresses */

/* IPv4, or IPv4 in IPv6: 80 bits of zeros and 16 of ones in front. */
inline int _sock_is4[struct sock *S] =
	S->__sk_common.skc_family == AF_INET ||
	(*(uint64_t *)&S->__sk_common.skc_v6_daddr == 0 &&
	 *(uint32_t *)((uint64_t)&S->__sk_common.skc_v6_daddr + 8) ==
	 htonl(0xffff));
inline string _sock_laddr[struct sock *S] = _sock_is4[S] ?
	inet_ntoa((ipaddr_t *)&S->__sk_common.skc_rcv_saddr) :
	inet_ntop(AF_INET6, (void *)&S->__sk_common.skc_v6_rcv_saddr);
inline string _sock_raddr[struct sock *S] = _sock_is4[S] ?
	inet_ntoa((ipaddr_t *)&S->__sk_common.skc_daddr) :
	inet_ntop(AF_INET6, (void *)&S->__sk_common.skc_v6_daddr);
/* Its number is taken from a socket before it is closed, sport stays. */
inline uint16_t _sock_lport[struct sock *S] = _is_mini[S] ?
	S->__sk_common.skc_num : ntohs(((struct inet_sock *)S)->inet_sport);
inline uint16_t _sock_rport[struct sock *S] = ntohs(S->__sk_common.skc_dport);

/* In packets: the address at IPv4's or at IPv6's place. */
inline string _ip_address[uint64_t I, uint64_t at4, uint64_t at6] =
	_ip_is4[I] ? inet_ntoa((ipaddr_t *)(I + at4)) :
	inet_ntop(AF_INET6, (void *)(I + at6));
inline uint16_t _port[uint64_t T] = ntohs(*(uint16_t *)T);

/* ------------------------------------------------------------- connections */

inline uint64_t _cid[uint64_t local, uint64_t remote, uint64_t ports] =
	((local * 0x9e3779b97f4a7c15 + remote) * 0xbf58476d1ce4e5b9) ^
	(ports * 0x94d049bb133111eb);
/* An IPv6 address in 64 bits. */
inline uint64_t _fold6[uint64_t A] =
	*(uint64_t *)A * 0x9e3779b97f4a7c15 + *(uint64_t *)(A + 8);
inline uint64_t _sock_ports[struct sock *S] =
	(uint64_t)_sock_lport[S] << 16 | _sock_rport[S];
inline uint64_t _sock_cid[struct sock *S] = _sock_is4[S] ?
	_cid[S->__sk_common.skc_rcv_saddr, S->__sk_common.skc_daddr,
	     _sock_ports[S]] :
	_cid[_fold6[(uint64_t)&S->__sk_common.skc_v6_rcv_saddr],
	     _fold6[(uint64_t)&S->__sk_common.skc_v6_daddr], _sock_ports[S]];
/* Two ports next to each other in a packet, local or remote first. */
inline uint64_t _ports_sent[uint64_t T] =
	(uint64_t)_port[T] << 16 | _port[T + 2];
inline uint64_t _ports_received[uint64_t T] =
	(uint64_t)_port[T + 2] << 16 | _port[T];
inline uint64_t _ip_cid_sent[uint64_t I] = _ip_is4[I] ?
	_cid[*(uint32_t *)(I + 12), *(uint32_t *)(I + 16),
	     _ports_sent[_ip4_next[I]]] :
	_cid[_fold6[I + 8], _fold6[I + 24], _ports_sent[_ip6_next[I]]];
inline uint64_t _ip_cid_received[uint64_t I] = _ip_is4[I] ?
	_cid[*(uint32_t *)(I + 16), *(uint32_t *)(I + 12),
	     _ports_received[_ip4_next[I]]] :
	_cid[_fold6[I + 24], _fold6[I + 8], _ports_received[_ip6_next[I]]];

/* A TCP socket with everything in it? */
inline int _is_tcp[struct sock *S] =
	S != NULL && !_is_mini[S] && S->sk_type == SOCK_STREAM &&
	S->sk_protocol == IPPROTO_TCP;

translator csinfo_t < struct sock *S > {
	cs_addr = (uintptr_t)S;
	cs_cid = S == NULL ? 0 :
	    _is_mini[S] || S->sk_protocol == IPPROTO_TCP ? _sock_cid[S] :
	    (uint64_t)S;
	cs_pid = -1;
	cs_zoneid = 0;
};

/* Whose addresses and ports are the socket's: its own, or a request's, if arg7 is
 * the address of one; else it is the flags of a segment, which are one byte. */
inline struct sock *_becoming[struct _tcp_becoming *B] =
	(uint64_t)arg7 > 0xff ? (struct sock *)arg7 : (struct sock *)B;

translator csinfo_t < struct _tcp_becoming *B > {
	cs_addr = (uintptr_t)B;
	cs_cid = _sock_cid[_becoming[B]];
	cs_pid = -1;
	cs_zoneid = 0;
};

translator csinfo_t < struct _tcp_sent *P > {
	cs_addr = (uintptr_t)((struct sk_buff *)P)->sk;
	cs_cid = _ip_cid_sent[_ip_header[(struct sk_buff *)P]];
	cs_pid = -1;
	cs_zoneid = 0;
};

translator csinfo_t < struct _tcp_received *P > {
	cs_addr = (uintptr_t)arg6;
	cs_cid = _ip_cid_received[(uint64_t)arg2];
	cs_pid = -1;
	cs_zoneid = 0;
};

/* --------------------------------------------------------------------- TCP */

inline int32_t _tcp_state[struct sock *S] =
	S->__sk_common.skc_state == 12 ? TCP_STATE_SYN_RECEIVED :
	S->__sk_common.skc_state;
inline int _has_state[struct sock *S] =
	S != NULL && (_is_mini[S] || _is_tcp[S]);
inline struct tcp_sock *_tcp[struct sock *S] =
	_is_tcp[S] ? (struct tcp_sock *)S : NULL;
/* Has its way to the peer a loopback device? */
inline int _tcp_is_local[struct sock *S] =
	_is_tcp[S] && S->sk_dst_cache != NULL &&
	(S->sk_dst_cache->dev->flags & 8) != 0;

/* What a socket knows, if there is one. */
inline int _tcp_is_passive[struct tcp_sock *T] =
	((struct sock *)T)->sk_max_ack_backlog != 0;
inline int _tcp_active[struct tcp_sock *T] =
	T != NULL && !_tcp_is_passive[T];
/*
 * What is acknowledged includes one for the handshake of the side that began,
 * but not of the side that accepted.  A socket that listens has no numbers.
 */
inline uint32_t _tcp_iss[struct tcp_sock *T] =
	T == NULL || T->snd_una == 0 ? 0 :
	(uint32_t)(T->snd_una - T->bytes_acked - _tcp_is_passive[T]);
inline uint32_t _tcp_irs[struct tcp_sock *T] =
	T == NULL || T->rcv_nxt == 0 ? 0 :
	(uint32_t)(T->rcv_nxt - T->bytes_received - 1);
inline uint32_t _tcp_suna[struct tcp_sock *T] = T == NULL ? 0 : T->snd_una;
inline uint32_t _tcp_snxt[struct tcp_sock *T] = T == NULL ? 0 : T->snd_nxt;
inline uint32_t _tcp_rack[struct tcp_sock *T] = T == NULL ? 0 : T->rcv_wup;
inline uint32_t _tcp_rnxt[struct tcp_sock *T] = T == NULL ? 0 : T->rcv_nxt;
inline uint32_t _tcp_swnd[struct tcp_sock *T] = T == NULL ? 0 : T->snd_wnd;
inline int32_t _tcp_snd_ws[struct tcp_sock *T] =
	T == NULL ? 0 : T->rx_opt.snd_wscale;
inline uint32_t _tcp_rwnd[struct tcp_sock *T] = T == NULL ? 0 : T->rcv_wnd;
inline int32_t _tcp_rcv_ws[struct tcp_sock *T] =
	T == NULL ? 0 : T->rx_opt.rcv_wscale;
inline uint32_t _tcp_cwnd[struct tcp_sock *T] =
	T == NULL ? 0 : T->snd_cwnd * T->mss_cache;
inline uint32_t _tcp_ssthresh[struct tcp_sock *T] = T == NULL ? 0 :
	T->snd_ssthresh == 0x7fffffff ? 0x7fffffff :
	T->snd_ssthresh * T->mss_cache;
/* The highest sequence number that was acknowledged selectively. */
inline uint32_t _tcp_fack[struct tcp_sock *T] = T == NULL ? 0 :
	T->sacked_out != 0 ? T->recv_sack_cache[3].end_seq : T->snd_una;
/* Where the next retransmission begins. */
inline uint32_t _tcp_lost[struct tcp_sock *T] = T == NULL ? 0 :
	T->retransmit_skb_hint == NULL ? T->snd_una :
	((struct tcp_skb_cb *)&T->retransmit_skb_hint->cb)->seq;
inline uint32_t _tcp_rto[struct tcp_sock *T] =
	T == NULL ? 0 : _milliseconds(T->inet_conn.icsk_rto);
inline uint32_t _tcp_rtt[struct tcp_sock *T] = T == NULL ? 0 : T->srtt_us >> 3;
inline uint32_t _tcp_rtt_sd[struct tcp_sock *T] =
	T == NULL ? 0 : T->mdev_us >> 2;
inline uint32_t _tcp_mss[struct tcp_sock *T] = T == NULL ? 0 : T->mss_cache;
/*
 * New data begins at snd_nxt, which moves when it is on its way; what is
 * before it goes out again.  A packet with nothing in it is not sent again.
 */
inline int _tcp_is_again[struct sk_buff *P, struct tcp_sock *T] =
	T != NULL && (int32_t)(ntohl(*(uint32_t *)(_ip_next[_ip_header[P]] + 4)) -
		  T->snd_nxt) < 0 &&
	((*(uint8_t *)(_ip_next[_ip_header[P]] + 13) & (TH_SYN | TH_FIN)) != 0
	 || P->len > (_ip_next[_ip_header[P]] - (uint64_t)P->data) +
	 ((*(uint8_t *)(_ip_next[_ip_header[P]] + 12) >> 4) << 2));

translator tcpsinfo_t < struct sock *S > {
	tcps_addr = (uintptr_t)S;
	tcps_local = _tcp_is_local[S];
	tcps_active = _tcp_active[_tcp[S]];
	tcps_lport = S == NULL ? 0 : _sock_lport[S];
	tcps_rport = S == NULL ? 0 : _sock_rport[S];
	tcps_laddr = S == NULL ? "<unknown>" : _sock_laddr[S];
	tcps_raddr = S == NULL ? "<unknown>" : _sock_raddr[S];
	tcps_state = S == NULL ? -1 : _tcp_state[S];
	tcps_retransmit = 0;
	tcps_iss = _tcp_iss[_tcp[S]];
	tcps_irs = _tcp_irs[_tcp[S]];
	tcps_suna = _tcp_suna[_tcp[S]];
	tcps_snxt = _tcp_snxt[_tcp[S]];
	tcps_rack = _tcp_rack[_tcp[S]];
	tcps_rnxt = _tcp_rnxt[_tcp[S]];
	tcps_swnd = _tcp_swnd[_tcp[S]];
	tcps_snd_ws = _tcp_snd_ws[_tcp[S]];
	tcps_rwnd = _tcp_rwnd[_tcp[S]];
	tcps_rcv_ws = _tcp_rcv_ws[_tcp[S]];
	tcps_cwnd = _tcp_cwnd[_tcp[S]];
	tcps_cwnd_ssthresh = _tcp_ssthresh[_tcp[S]];
	tcps_sack_fack = _tcp_fack[_tcp[S]];
	tcps_sack_snxt = _tcp_lost[_tcp[S]];
	tcps_rto = _tcp_rto[_tcp[S]];
	tcps_rtt = _tcp_rtt[_tcp[S]];
	tcps_rtt_sd = _tcp_rtt_sd[_tcp[S]];
	tcps_mss = _tcp_mss[_tcp[S]];
};

translator tcpsinfo_t < struct _tcp_becoming *B > {
	tcps_addr = (uintptr_t)B;
	tcps_local = _tcp_is_local[(struct sock *)B];
	tcps_active = _tcp_active[_tcp[(struct sock *)B]];
	tcps_lport = _sock_lport[_becoming[B]];
	tcps_rport = _sock_rport[_becoming[B]];
	tcps_laddr = _sock_laddr[_becoming[B]];
	tcps_raddr = _sock_raddr[_becoming[B]];
	tcps_state = (int32_t)arg6;
	tcps_retransmit = 0;
	tcps_iss = _tcp_iss[_tcp[(struct sock *)B]];
	tcps_irs = _tcp_irs[_tcp[(struct sock *)B]];
	tcps_suna = _tcp_suna[_tcp[(struct sock *)B]];
	tcps_snxt = _tcp_snxt[_tcp[(struct sock *)B]];
	tcps_rack = _tcp_rack[_tcp[(struct sock *)B]];
	tcps_rnxt = _tcp_rnxt[_tcp[(struct sock *)B]];
	tcps_swnd = _tcp_swnd[_tcp[(struct sock *)B]];
	tcps_snd_ws = _tcp_snd_ws[_tcp[(struct sock *)B]];
	tcps_rwnd = _tcp_rwnd[_tcp[(struct sock *)B]];
	tcps_rcv_ws = _tcp_rcv_ws[_tcp[(struct sock *)B]];
	tcps_cwnd = _tcp_cwnd[_tcp[(struct sock *)B]];
	tcps_cwnd_ssthresh = _tcp_ssthresh[_tcp[(struct sock *)B]];
	tcps_sack_fack = _tcp_fack[_tcp[(struct sock *)B]];
	tcps_sack_snxt = _tcp_lost[_tcp[(struct sock *)B]];
	tcps_rto = _tcp_rto[_tcp[(struct sock *)B]];
	tcps_rtt = _tcp_rtt[_tcp[(struct sock *)B]];
	tcps_rtt_sd = _tcp_rtt_sd[_tcp[(struct sock *)B]];
	tcps_mss = _tcp_mss[_tcp[(struct sock *)B]];
};

inline uint64_t _sent_ip[struct _tcp_sent *P] =
	_ip_header[(struct sk_buff *)P];
inline struct tcp_sock *_sent_tcp[struct _tcp_sent *P] =
	_tcp[((struct sk_buff *)P)->sk];

translator tcpsinfo_t < struct _tcp_sent *P > {
	tcps_addr = (uintptr_t)((struct sk_buff *)P)->sk;
	tcps_local = (((struct sk_buff *)P)->dev->flags & 8) != 0;
	tcps_active = _tcp_active[_sent_tcp[P]];
	tcps_lport = _port[_ip_next[_sent_ip[P]]];
	tcps_rport = _port[_ip_next[_sent_ip[P]] + 2];
	tcps_laddr = _ip_address[_sent_ip[P], 12, 8];
	tcps_raddr = _ip_address[_sent_ip[P], 16, 24];
	tcps_state = _has_state[((struct sk_buff *)P)->sk] ?
	    _tcp_state[((struct sk_buff *)P)->sk] : TCP_STATE_CLOSED;
	tcps_retransmit = _tcp_is_again[(struct sk_buff *)P, _sent_tcp[P]];
	tcps_iss = _tcp_iss[_sent_tcp[P]];
	tcps_irs = _tcp_irs[_sent_tcp[P]];
	tcps_suna = _tcp_suna[_sent_tcp[P]];
	tcps_snxt = _tcp_snxt[_sent_tcp[P]];
	tcps_rack = _tcp_rack[_sent_tcp[P]];
	tcps_rnxt = _tcp_rnxt[_sent_tcp[P]];
	tcps_swnd = _tcp_swnd[_sent_tcp[P]];
	tcps_snd_ws = _tcp_snd_ws[_sent_tcp[P]];
	tcps_rwnd = _tcp_rwnd[_sent_tcp[P]];
	tcps_rcv_ws = _tcp_rcv_ws[_sent_tcp[P]];
	tcps_cwnd = _tcp_cwnd[_sent_tcp[P]];
	tcps_cwnd_ssthresh = _tcp_ssthresh[_sent_tcp[P]];
	tcps_sack_fack = _tcp_fack[_sent_tcp[P]];
	tcps_sack_snxt = _tcp_lost[_sent_tcp[P]];
	tcps_rto = _tcp_rto[_sent_tcp[P]];
	tcps_rtt = _tcp_rtt[_sent_tcp[P]];
	tcps_rtt_sd = _tcp_rtt_sd[_sent_tcp[P]];
	tcps_mss = _tcp_mss[_sent_tcp[P]];
};

translator tcpsinfo_t < struct _tcp_received *P > {
	tcps_addr = (uintptr_t)arg6;
	tcps_local = (((struct sk_buff *)P)->dev->flags & 8) != 0;
	tcps_active = _tcp_active[_tcp[(struct sock *)arg6]];
	tcps_lport = _port[_ip_next[(uint64_t)arg2] + 2];
	tcps_rport = _port[_ip_next[(uint64_t)arg2]];
	tcps_laddr = _ip_address[(uint64_t)arg2, 16, 24];
	tcps_raddr = _ip_address[(uint64_t)arg2, 12, 8];
	tcps_state = arg6 == 0 ? -1 : _tcp_state[(struct sock *)arg6];
	tcps_retransmit = 0;
	tcps_iss = _tcp_iss[_tcp[(struct sock *)arg6]];
	tcps_irs = _tcp_irs[_tcp[(struct sock *)arg6]];
	tcps_suna = _tcp_suna[_tcp[(struct sock *)arg6]];
	tcps_snxt = _tcp_snxt[_tcp[(struct sock *)arg6]];
	tcps_rack = _tcp_rack[_tcp[(struct sock *)arg6]];
	tcps_rnxt = _tcp_rnxt[_tcp[(struct sock *)arg6]];
	tcps_swnd = _tcp_swnd[_tcp[(struct sock *)arg6]];
	tcps_snd_ws = _tcp_snd_ws[_tcp[(struct sock *)arg6]];
	tcps_rwnd = _tcp_rwnd[_tcp[(struct sock *)arg6]];
	tcps_rcv_ws = _tcp_rcv_ws[_tcp[(struct sock *)arg6]];
	tcps_cwnd = _tcp_cwnd[_tcp[(struct sock *)arg6]];
	tcps_cwnd_ssthresh = _tcp_ssthresh[_tcp[(struct sock *)arg6]];
	tcps_sack_fack = _tcp_fack[_tcp[(struct sock *)arg6]];
	tcps_sack_snxt = _tcp_lost[_tcp[(struct sock *)arg6]];
	tcps_rto = _tcp_rto[_tcp[(struct sock *)arg6]];
	tcps_rtt = _tcp_rtt[_tcp[(struct sock *)arg6]];
	tcps_rtt_sd = _tcp_rtt_sd[_tcp[(struct sock *)arg6]];
	tcps_mss = _tcp_mss[_tcp[(struct sock *)arg6]];
};

translator tcplsinfo_t < int S > {
	tcps_state = S == 12 ? TCP_STATE_SYN_RECEIVED : S;
};

/*
 * A packet from the peer that is gone by the time its effect is seen: what the
 * socket remembers of it.
 */
translator ipinfo_t < struct _tcp_becoming *B > {
	ip_ver = _sock_is4[(struct sock *)B] ? 4 : 6;
	ip_plength = 0;
	ip_saddr = _sock_raddr[(struct sock *)B];
	ip_daddr = _sock_laddr[(struct sock *)B];
};

translator tcpinfo_t < struct _tcp_becoming *B > {
	tcp_sport = _sock_rport[(struct sock *)B];
	tcp_dport = _sock_lport[(struct sock *)B];
	tcp_seq = 0;
	tcp_ack = ((struct tcp_sock *)B)->snd_una;
	tcp_offset = 0;
	tcp_flags = (uint8_t)arg7;
	tcp_window = 0;
	tcp_checksum = 0;
	tcp_urgent = 0;
	tcp_hdr = NULL;
};

/* --------------------------------------------------------------------- UDP */

/* A socket need not have a peer: the packet says who it is. */
translator udpsinfo_t < struct _udp_sent *P > {
	udps_addr = (uintptr_t)arg1;
	udps_lport = _port[_ip_next[_ip_header[(struct sk_buff *)P]]];
	udps_rport = _port[_ip_next[_ip_header[(struct sk_buff *)P]] + 2];
	udps_laddr = _ip_address[_ip_header[(struct sk_buff *)P], 12, 8];
	udps_raddr = _ip_address[_ip_header[(struct sk_buff *)P], 16, 24];
};

/* arg2 is the IP header, wherever it was found. */
translator udpsinfo_t < struct _udp_received *P > {
	udps_addr = (uintptr_t)arg1;
	udps_lport = _port[_ip_next[(uint64_t)arg2] + 2];
	udps_rport = _port[_ip_next[(uint64_t)arg2]];
	udps_laddr = _ip_address[(uint64_t)arg2, 16, 24];
	udps_raddr = _ip_address[(uint64_t)arg2, 12, 8];
};
