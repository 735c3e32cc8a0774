/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets and connections as ip, tcp and udp show them.  Numbers are in host
 * byte order.  How the kernel's packets become these is told in packet.d, how
 * its sockets do in connection.d.
 */

typedef struct in6_addr in6_addr_t;

typedef struct pktinfo {
	uintptr_t pkt_addr;
} pktinfo_t;

typedef struct csinfo {
	uintptr_t cs_addr;
	uint64_t cs_cid;
	pid_t cs_pid;
	zoneid_t cs_zoneid;
} csinfo_t;

typedef struct ipinfo {
	uint8_t ip_ver;
	uint32_t ip_plength;
	string ip_saddr;
	string ip_daddr;
} ipinfo_t;

typedef struct ifinfo {
	string if_name;
	int8_t if_local;
	netstackid_t if_ipstack;
	uintptr_t if_addr;
} ifinfo_t;

typedef struct ipv4info {
	uint8_t ipv4_ver;
	uint8_t ipv4_ihl;	/* bytes */
	uint8_t ipv4_tos;
	uint16_t ipv4_length;
	uint16_t ipv4_ident;
	uint8_t ipv4_flags;
	uint16_t ipv4_offset;
	uint8_t ipv4_ttl;
	uint8_t ipv4_protocol;
	string ipv4_protostr;
	uint16_t ipv4_checksum;
	ipaddr_t ipv4_src;
	ipaddr_t ipv4_dst;
	string ipv4_saddr;
	string ipv4_daddr;
	struct iphdr *ipv4_hdr;
} ipv4info_t;

typedef struct ipv6info {
	uint8_t ipv6_ver;
	uint8_t ipv6_tclass;
	uint32_t ipv6_flow;
	uint16_t ipv6_plen;
	uint8_t ipv6_nexthdr;
	string ipv6_nextstr;
	uint8_t ipv6_hlim;
	struct in6_addr *ipv6_src;
	struct in6_addr *ipv6_dst;
	string ipv6_saddr;
	string ipv6_daddr;
	struct ipv6hdr *ipv6_hdr;
} ipv6info_t;

typedef struct tcpinfo {
	uint16_t tcp_sport;
	uint16_t tcp_dport;
	uint32_t tcp_seq;
	uint32_t tcp_ack;
	uint8_t tcp_offset;	/* bytes */
	uint8_t tcp_flags;	/* TH_FIN ... */
	uint16_t tcp_window;
	uint16_t tcp_checksum;
	uint16_t tcp_urgent;
	struct tcphdr *tcp_hdr;
} tcpinfo_t;

typedef struct tcpsinfo {
	uintptr_t tcps_addr;
	int tcps_local;
	int tcps_active;
	uint16_t tcps_lport;
	uint16_t tcps_rport;
	string tcps_laddr;
	string tcps_raddr;
	int32_t tcps_state;	/* TCP_STATE_CLOSED ... */
	uint32_t tcps_iss;
	uint32_t tcps_irs;
	uint32_t tcps_suna;
	uint32_t tcps_snxt;
	uint32_t tcps_rack;
	uint32_t tcps_rnxt;
	uint32_t tcps_swnd;
	int32_t tcps_snd_ws;
	uint32_t tcps_rwnd;
	int32_t tcps_rcv_ws;
	uint32_t tcps_cwnd;
	uint32_t tcps_cwnd_ssthresh;
	uint32_t tcps_sack_fack;
	uint32_t tcps_sack_snxt;
	uint32_t tcps_rto;
	uint32_t tcps_rtt;
	uint32_t tcps_rtt_sd;
	uint32_t tcps_mss;
	int tcps_retransmit;
} tcpsinfo_t;

typedef struct tcplsinfo {
	int32_t tcps_state;
} tcplsinfo_t;

typedef struct udpinfo {
	uint16_t udp_sport;
	uint16_t udp_dport;
	uint16_t udp_length;
	uint16_t udp_checksum;
	struct udphdr *udp_hdr;
} udpinfo_t;

typedef struct udpsinfo {
	uintptr_t udps_addr;
	uint16_t udps_lport;
	uint16_t udps_rport;
	string udps_laddr;
	string udps_raddr;
} udpsinfo_t;

/* tcp_flags */
inline int TH_FIN = 0x01;
#pragma D attributes Evolving/Evolving/Common TH_FIN
inline int TH_SYN = 0x02;
#pragma D attributes Evolving/Evolving/Common TH_SYN
inline int TH_RST = 0x04;
#pragma D attributes Evolving/Evolving/Common TH_RST
inline int TH_PUSH = 0x08;
#pragma D attributes Evolving/Evolving/Common TH_PUSH
inline int TH_ACK = 0x10;
#pragma D attributes Evolving/Evolving/Common TH_ACK
inline int TH_URG = 0x20;
#pragma D attributes Evolving/Evolving/Common TH_URG
inline int TH_ECE = 0x40;
#pragma D attributes Evolving/Evolving/Common TH_ECE
inline int TH_CWR = 0x80;
#pragma D attributes Evolving/Evolving/Common TH_CWR

/* tcps_state: the kernel's numbers; it has no bound state of its own. */
inline int TCP_STATE_IDLE = 0;
#pragma D attributes Evolving/Evolving/Common TCP_STATE_IDLE
inline int TCP_STATE_ESTABLISHED = 1;
#pragma D attributes Evolving/Evolving/Common TCP_STATE_ESTABLISHED
inline int TCP_STATE_SYN_SENT = 2;
#pragma D attributes Evolving/Evolving/Common TCP_STATE_SYN_SENT
inline int TCP_STATE_SYN_RECEIVED = 3;
#pragma D attributes Evolving/Evolving/Common TCP_STATE_SYN_RECEIVED
inline int TCP_STATE_FIN_WAIT_1 = 4;
#pragma D attributes Evolving/Evolving/Common TCP_STATE_FIN_WAIT_1
inline int TCP_STATE_FIN_WAIT_2 = 5;
#pragma D attributes Evolving/Evolving/Common TCP_STATE_FIN_WAIT_2
inline int TCP_STATE_TIME_WAIT = 6;
#pragma D attributes Evolving/Evolving/Common TCP_STATE_TIME_WAIT
inline int TCP_STATE_CLOSED = 7;
#pragma D attributes Evolving/Evolving/Common TCP_STATE_CLOSED
inline int TCP_STATE_CLOSE_WAIT = 8;
#pragma D attributes Evolving/Evolving/Common TCP_STATE_CLOSE_WAIT
inline int TCP_STATE_LAST_ACK = 9;
#pragma D attributes Evolving/Evolving/Common TCP_STATE_LAST_ACK
inline int TCP_STATE_LISTEN = 10;
#pragma D attributes Evolving/Evolving/Common TCP_STATE_LISTEN
inline int TCP_STATE_CLOSING = 11;
#pragma D attributes Evolving/Evolving/Common TCP_STATE_CLOSING
inline int TCP_STATE_BOUND = 13;
#pragma D attributes Evolving/Evolving/Common TCP_STATE_BOUND

inline string tcp_state_string[int32_t state] =
	state == TCP_STATE_IDLE ? "state-idle" :
	state == TCP_STATE_ESTABLISHED ? "state-established" :
	state == TCP_STATE_SYN_SENT ? "state-syn-sent" :
	state == TCP_STATE_SYN_RECEIVED ? "state-syn-received" :
	state == TCP_STATE_FIN_WAIT_1 ? "state-fin-wait-1" :
	state == TCP_STATE_FIN_WAIT_2 ? "state-fin-wait-2" :
	state == TCP_STATE_TIME_WAIT ? "state-time-wait" :
	state == TCP_STATE_CLOSED ? "state-closed" :
	state == TCP_STATE_CLOSE_WAIT ? "state-close-wait" :
	state == TCP_STATE_LAST_ACK ? "state-last-ack" :
	state == TCP_STATE_LISTEN ? "state-listen" :
	state == TCP_STATE_CLOSING ? "state-closing" :
	state == TCP_STATE_BOUND ? "state-bound" :
	"<unknown>";
#pragma D attributes Evolving/Evolving/Common tcp_state_string
