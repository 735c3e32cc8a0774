/* SPDX-License-Identifier: Apache-2.0 */
#include "live/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 1024 };

static bool complain(const char *what, const char *why)
{
	fprintf(stderr, "dtlive: %s: %s\n", what, why);
	return false;
}

/* "127.0.0.1:80", "[::1]:80" */
static struct addrinfo *parse(const char *text)
{
	const struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
		.ai_socktype = SOCK_STREAM,
	};
	struct addrinfo *found = NULL;
	char name[64];
	const char *colon = strrchr(text, ':');
	size_t n = colon ? (size_t)(colon - text) : sizeof(name);

	if (n >= sizeof(name) || strspn(colon + 1, "0123456789") > 5 ||
	    atoi(colon + 1) > UINT16_MAX)
		return NULL;
	memcpy(name, text, n);
	name[n] = '\0';
	if (*name == '[' && name[n - 1] == ']') {
		name[n - 1] = '\0';
		memmove(name, name + 1, n - 1);
	}
	return getaddrinfo(name, colon + 1, &hints, &found) ? NULL : found;
}

static bool is_loopback(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET)
		return ntohl(((const struct sockaddr_in *)address)
				     ->sin_addr.s_addr) >>
			       24 ==
		       127;
	return IN6_IS_ADDR_LOOPBACK(
		&((const struct sockaddr_in6 *)address)->sin6_addr);
}

static bool note_address(struct settings *settings)
{
	struct sockaddr_storage bound;
	socklen_t size = sizeof(bound);
	char name[48], port[8];

	if (getsockname(settings->listener, (struct sockaddr *)&bound, &size) ||
	    getnameinfo((struct sockaddr *)&bound, size, name, sizeof(name),
			port, sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV))
		return false;
	settings->bound_port = (uint16_t)atoi(port);
	snprintf(settings->address, sizeof(settings->address),
		 strchr(name, ':') ? "[%s]:%s" : "%s:%s", name, port);
	return true;
}

bool listen_open(struct settings *settings)
{
	char local[32];
	const char *where = settings->listen;
	const int one = 1;

	if (!where) {
		snprintf(local, sizeof(local), "127.0.0.1:%s",
			 settings->port ? settings->port : "0");
		where = local;
	}
	struct addrinfo *address = parse(where);

	if (!address)
		return complain(where, "this is not ADDRESS:PORT, such as 127.0.0.1:8080 or [::]:443");
	settings->is_loopback = is_loopback(address->ai_addr);
	if (!settings->is_loopback &&
	    (!settings->tls_cert ||
	     (!settings->password && !settings->client_ca))) {
		freeaddrinfo(address);
		return complain(where, "others can reach this address: it needs --tls-cert and --tls-key, and --password-file or --client-ca");
	}
	settings->listener = socket(address->ai_family,
				    SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
				    0);
	if (settings->listener >= 0)
		setsockopt(settings->listener, SOL_SOCKET, SO_REUSEADDR, &one,
			   sizeof(one));
	bool is_open = settings->listener >= 0 &&
		       !bind(settings->listener, address->ai_addr,
			     address->ai_addrlen) &&
		       !listen(settings->listener, BACKLOG) &&
		       note_address(settings);

	freeaddrinfo(address);
	return is_open || complain(where, strerror(errno));
}
