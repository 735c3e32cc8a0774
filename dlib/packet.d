/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's packets, as ip, tcp and udp show them.
 *
 * A packet is a struct sk_buff.  Its headers are in one piece, in front: at
 * `head` plus an offset once the kernel has looked at it, at `data` when a
 * driver has just handed it over.  Helpers take the address of an IP header of
 * either version; the version is in its first four bits.  Bytes are read where
 * the protocol puts them, so that no bit field's order matters.
 *
 * 1. No header: numbers are 0, strings "<unknown>".  That is what a member
 *    for IPv4 is on an IPv6 packet.
 * 2. Of a fragmented packet only the first fragment has a TCP or UDP header.
 */

/* ------------------------------------------------------ finding the headers */

inline uint64_t _ip_header[struct sk_buff *P] =
	(uint64_t)P->head + P->network_header;
inline uint64_t _ip_is4[uint64_t I] = (*(uint8_t *)I & 0xf0) == 0x40;
/* Where TCP's or UDP's header is. */
inline uint64_t _ip4_next[uint64_t I] = I + ((*(uint8_t *)I & 0xf) << 2);
inline uint64_t _ip6_next[uint64_t I] =
	I + (*(uint8_t *)(I + 6) == IPPROTO_FRAGMENT ? 48 :
	*(uint8_t *)(I + 6) == IPPROTO_IP ?
	48 + ((uint64_t)*(uint8_t *)(I + 41) << 3) : 40);
inline uint64_t _ip_next[uint64_t I] =
	_ip_is4[I] ? _ip4_next[I] : _ip6_next[I];
/* Which it is; none in later fragments.  In IPv6, 0 is options to all hops. */
inline int _ip4_protocol[uint64_t I] =
	(ntohs(*(uint16_t *)(I + 6)) & 0x1fff) != 0 ? -1 :
	(int)*(uint8_t *)(I + 9);
inline int _ip6_protocol[uint64_t I] =
	*(uint8_t *)(I + 6) == IPPROTO_IP ? (int)*(uint8_t *)(I + 40) :
	*(uint8_t *)(I + 6) != IPPROTO_FRAGMENT ? (int)*(uint8_t *)(I + 6) :
	(ntohs(*(uint16_t *)(I + 42)) & 0xfff8) != 0 ? -1 :
	(int)*(uint8_t *)(I + 40);

/* ----------------------------------------------------- which packets count */

/* The numbers of a kind of payload that link layers write: IPv4, IPv6. */
inline int _is_ip4[struct sk_buff *P] = ntohs(P->protocol) == 0x0800;
inline int _is_ip6[struct sk_buff *P] = ntohs(P->protocol) == 0x86dd;
/*
 * A device may stand on others: a packet passes the bridge and its port, the
 * VLAN and its card.  It is IP's where IP hands it over: not on a port, not
 * with a tag, and not if a program made it by hand (family 17).
 */
inline int _is_on_port[struct net_device *D] =
	(D->priv_flags & (IFF_BRIDGE_PORT | IFF_TEAM_PORT |
			  IFF_OVS_DATAPATH)) != 0;
inline int _is_ips_own[struct sk_buff *P] =
	!_is_on_port[P->dev] && (P->dev->flags & 0x800) == 0 &&
	P->vlan_proto == 0 &&
	(P->sk == NULL || P->sk->__sk_common.skc_family != AF_PACKET);
/* Type 3: for another host, seen only because all is. */
inline int _is_for_ip[struct sk_buff *P] =
	P->pkt_type != 3 && !_is_on_port[P->dev];
/* A packet that was never received here was made here. */
inline int _is_made_here[struct sk_buff *P] = P->skb_iif == 0;

/* ------------------------------------------------------------------ headers */

translator pktinfo_t < struct sk_buff *P > {
	pkt_addr = (uintptr_t)P;
};

translator ifinfo_t < struct net_device *D > {
	if_name = D == NULL ? "<unknown>" : stringof(D->name);
	if_local = D == NULL ? 0 : (D->flags & 8) != 0;
	if_ipstack = D == NULL ? 0 : D->nd_net.net->ns.inum;
	if_addr = (uintptr_t)D;
};

/*
 * An IP header of either version.  A packet that is too long to say so, and
 * will be cut yet, has 0 for its length; the packet itself, arg0, knows.  The
 * option that stands in for the length in IPv6 never leaves the machine.
 */
inline uint32_t _ip_rest[uint64_t I, struct sk_buff *P] =
	P == NULL ? 0 : (uint32_t)(P->len + (uint64_t)P->data - I);
inline uint32_t _ip4_length[uint64_t I] =
	*(uint16_t *)(I + 2) != 0 ? ntohs(*(uint16_t *)(I + 2)) :
	_ip_rest[I, (struct sk_buff *)arg0];
inline uint32_t _ip6_length[uint64_t I] =
	*(uint16_t *)(I + 4) != 0 ? ntohs(*(uint16_t *)(I + 4)) :
	_ip_rest[_ip6_next[I], (struct sk_buff *)arg0];

translator ipinfo_t < struct iphdr *I > {
	ip_ver = I == NULL ? 0 : *(uint8_t *)I >> 4;
	ip_plength = I == NULL ? 0 : _ip_is4[(uint64_t)I] ?
	    _ip4_length[(uint64_t)I] - ((*(uint8_t *)I & 0xf) << 2) :
	    _ip6_length[(uint64_t)I];
	ip_saddr = I == NULL ? "<unknown>" : _ip_is4[(uint64_t)I] ?
	    inet_ntoa((ipaddr_t *)((uint64_t)I + 12)) :
	    inet_ntop(AF_INET6, (void *)((uint64_t)I + 8));
	ip_daddr = I == NULL ? "<unknown>" : _ip_is4[(uint64_t)I] ?
	    inet_ntoa((ipaddr_t *)((uint64_t)I + 16)) :
	    inet_ntop(AF_INET6, (void *)((uint64_t)I + 24));
};

inline string _protocol_name[int protocol] =
	protocol == IPPROTO_TCP ? "TCP" :
	protocol == IPPROTO_UDP ? "UDP" :
	protocol == IPPROTO_ICMP ? "ICMP" :
	protocol == IPPROTO_ICMPV6 ? "ICMPv6" :
	protocol == IPPROTO_IGMP ? "IGMP" :
	protocol == IPPROTO_IPIP ? "IPIP" :
	protocol == IPPROTO_EGP ? "EGP" :
	protocol == IPPROTO_IPV6 ? "IPv6" :
	protocol == IPPROTO_ROUTING ? "ROUTE" :
	protocol == IPPROTO_FRAGMENT ? "FRAGMENT" :
	protocol == IPPROTO_GRE ? "GRE" :
	protocol == IPPROTO_ESP ? "ESP" :
	protocol == IPPROTO_AH ? "AH" :
	protocol == IPPROTO_OSPF ? "OSPF" :
	protocol == IPPROTO_SCTP ? "SCTP" :
	lltostr(protocol);

translator ipv4info_t < struct iphdr *I > {
	ipv4_ver = I == NULL ? 0 : *(uint8_t *)I >> 4;
	ipv4_ihl = I == NULL ? 0 : (*(uint8_t *)I & 0xf) << 2;
	ipv4_tos = I == NULL ? 0 : I->tos;
	ipv4_length = I == NULL ? 0 : ntohs(I->tot_len);
	ipv4_ident = I == NULL ? 0 : ntohs(I->id);
	ipv4_flags = I == NULL ? 0 : ntohs(I->frag_off) >> 13;
	ipv4_offset = I == NULL ? 0 : ntohs(I->frag_off) & 0x1fff;
	ipv4_ttl = I == NULL ? 0 : I->ttl;
	ipv4_protocol = I == NULL ? 0 : I->protocol;
	ipv4_protostr = I == NULL ? "<unknown>" : _protocol_name[I->protocol];
	ipv4_checksum = I == NULL ? 0 : ntohs(I->check);
	ipv4_src = I == NULL ? 0 : ntohl(*(ipaddr_t *)((uint64_t)I + 12));
	ipv4_dst = I == NULL ? 0 : ntohl(*(ipaddr_t *)((uint64_t)I + 16));
	ipv4_saddr = I == NULL ? "<unknown>" :
	    inet_ntoa((ipaddr_t *)((uint64_t)I + 12));
	ipv4_daddr = I == NULL ? "<unknown>" :
	    inet_ntoa((ipaddr_t *)((uint64_t)I + 16));
	ipv4_hdr = I;
};

translator ipv6info_t < struct ipv6hdr *I > {
	ipv6_ver = I == NULL ? 0 : *(uint8_t *)I >> 4;
	ipv6_tclass = I == NULL ? 0 :
	    (ntohs(*(uint16_t *)I) >> 4) & 0xff;
	ipv6_flow = I == NULL ? 0 : ntohl(*(uint32_t *)I) & 0xfffff;
	ipv6_plen = I == NULL ? 0 : ntohs(I->payload_len);
	ipv6_nexthdr = I == NULL ? 0 : I->nexthdr;
	ipv6_nextstr = I == NULL ? "<unknown>" : _protocol_name[I->nexthdr];
	ipv6_hlim = I == NULL ? 0 : I->hop_limit;
	ipv6_src = I == NULL ? NULL : (struct in6_addr *)((uint64_t)I + 8);
	ipv6_dst = I == NULL ? NULL : (struct in6_addr *)((uint64_t)I + 24);
	ipv6_saddr = I == NULL ? "<unknown>" :
	    inet_ntop(AF_INET6, (void *)((uint64_t)I + 8));
	ipv6_daddr = I == NULL ? "<unknown>" :
	    inet_ntop(AF_INET6, (void *)((uint64_t)I + 24));
	ipv6_hdr = I;
};

translator tcpinfo_t < struct tcphdr *T > {
	tcp_sport = T == NULL ? 0 : ntohs(T->source);
	tcp_dport = T == NULL ? 0 : ntohs(T->dest);
	tcp_seq = T == NULL ? 0 : ntohl(T->seq);
	tcp_ack = T == NULL ? 0 : ntohl(T->ack_seq);
	tcp_offset = T == NULL ? 0 :
	    (*(uint8_t *)((uint64_t)T + 12) >> 4) << 2;
	tcp_flags = T == NULL ? 0 : *(uint8_t *)((uint64_t)T + 13);
	tcp_window = T == NULL ? 0 : ntohs(T->window);
	tcp_checksum = T == NULL ? 0 : ntohs(T->check);
	tcp_urgent = T == NULL ? 0 : ntohs(T->urg_ptr);
	tcp_hdr = T;
};

translator udpinfo_t < struct udphdr *U > {
	udp_sport = U == NULL ? 0 : ntohs(U->source);
	udp_dport = U == NULL ? 0 : ntohs(U->dest);
	udp_length = U == NULL ? 0 : ntohs(U->len);
	udp_checksum = U == NULL ? 0 : ntohs(U->check);
	udp_hdr = U;
};
