/* Addresses of version 6 as text: where the zeros are left out, and what holds an address of version 4. */
in6_addr_t *p;
uint16_t *g;

BEGIN { g = (uint16_t *)alloca(16); p = (in6_addr_t *)g; printf("%s %s\n", inet_ntop(AF_INET6, g), inet_ntoa6(p)); }
BEGIN { g[7] = htons(1); printf("%s %s\n", inet_ntop(AF_INET6, g), inet_ntoa6(p)); }
BEGIN { g[7] = htons(2); printf("%s %s\n", inet_ntop(AF_INET6, g), inet_ntoa6(p)); }
BEGIN { g[6] = htons(0xa00); printf("%s %s\n", inet_ntop(AF_INET6, g), inet_ntoa6(p)); }
BEGIN { g[5] = 0xffff; printf("%s %s\n", inet_ntop(AF_INET6, g), inet_ntoa6(p)); }
BEGIN { g[0] = htons(0xfe80); printf("%s %s\n", inet_ntop(AF_INET6, g), inet_ntoa6(p)); }
BEGIN { g[2] = htons(0xab); printf("%s %s\n", inet_ntop(AF_INET6, g), inet_ntoa6(p)); }
BEGIN { g[1] = htons(0xb); g[3] = htons(0xABCD); printf("%s %s\n", inet_ntop(AF_INET6, g), inet_ntoa6(p)); }
BEGIN { g[4] = htons(4); g[7] = 0; printf("%s %s\n", inet_ntop(AF_INET6, g), inet_ntoa6(p)); }
BEGIN { g[6] = 0; printf("%s %s\n", inet_ntop(AF_INET6, g), inet_ntoa6(p)); }
BEGIN { g[0] = 0; g[1] = 0; printf("%s %s\n", inet_ntop(AF_INET6, g), inet_ntoa6(p)); }
BEGIN { g[1] = htons(1); printf("%s %s\n", inet_ntop(AF_INET6, g), inet_ntoa6(p)); exit(0); }
