/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two ends of a connection that a server of the kernel works for.
 */

typedef struct conninfo {
	string ci_local;
	string ci_remote;
	string ci_protocol;	/* "ipv4", "ipv6" */
} conninfo_t;

/* Of the address of a struct sockaddr_in or sockaddr_in6. */
inline string _sockaddr_host[uintptr_t a] = *(uint16_t *)a == AF_INET ?
    inet_ntoa((ipaddr_t *)(a + 4)) : *(uint16_t *)a == AF_INET6 ?
    inet_ntop(AF_INET6, (void *)(a + 8)) : "<unknown>";
inline string _sockaddr_protocol[uintptr_t a] = *(uint16_t *)a == AF_INET6 ?
    "ipv6" : "ipv4";
