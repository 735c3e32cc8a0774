/* SPDX-License-Identifier: Apache-2.0 */
#include "live/guard.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

bool guard_is_same(const char *given, const char *secret)
{
	size_t n = strlen(secret), most = strlen(given);
	volatile unsigned char difference = n != most;

	for (size_t i = 0; i < n; i++)
		difference |= (unsigned char)(secret[i] ^
					      given[most ? i % most : 0]);
	return !difference;
}

/* -------------------------------------------------------------------- host */

/* "name:port", or "name" where the port is the usual one. */
static bool is_place(const char *host, const char *name, uint16_t port,
		     bool is_usual)
{
	size_t n = strlen(name);
	char number[8];

	if (strncasecmp(host, name, n))
		return false;
	snprintf(number, sizeof(number), "%u", port);
	return host[n] == ':' ? !strcmp(host + n + 1, number)
			      : !host[n] && is_usual;
}

/* A plain address cannot be made to point elsewhere. */
static bool is_address(const char *host, uint16_t port)
{
	char name[64], number[16];
	struct in6_addr address;
	const char *colon = strrchr(host, ':');

	snprintf(number, sizeof(number), ":%u", port);
	if (!colon || strcmp(colon, number) ||
	    (size_t)(colon - host) >= sizeof(name))
		return false;
	memcpy(name, host, (size_t)(colon - host));
	name[colon - host] = '\0';
	if (*name != '[')
		return inet_pton(AF_INET, name, &address) == 1;
	if (name[strlen(name) - 1] != ']')
		return false;
	name[strlen(name) - 1] = '\0';
	return inet_pton(AF_INET6, name + 1, &address) == 1;
}

bool guard_host(const struct settings *settings, const char *host)
{
	static const char *const local[] = { "127.0.0.1", "localhost",
					     "[::1]" };
	uint16_t port = settings->bound_port;
	bool is_usual = port == (settings->tls_cert ? 443 : 80);
	char self[65] = "";

	if (!host)
		return false;
	for (unsigned i = 0; i < sizeof(local) / sizeof(*local); i++)
		if (is_place(host, local[i], port, is_usual))
			return true;
	for (unsigned i = 0; i < settings->nnames; i++)
		if (is_place(host, settings->names[i], port, is_usual))
			return true;
	if (settings->is_loopback)
		return false;
	gethostname(self, sizeof(self) - 1);
	return is_place(host, self, port, is_usual) || is_address(host, port);
}

/* -------------------------------------------------------------------- site */

bool guard_site(const char *host, const char *origin, const char *site,
		bool is_tls, bool is_reading)
{
	if (site && strcmp(site, "same-origin") &&
	    (!is_reading || strcmp(site, "none")))
		return false;
	if (!origin)
		return true;
	const char *scheme = is_tls ? "https://" : "http://";
	size_t n = strlen(scheme);

	return host && !strncmp(origin, scheme, n) &&
	       !strcasecmp(origin + n, host);
}

/* ----------------------------------------------------------- authorization */

static int digit_of(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* The text behind the colon of "name:password", decoded; or NULL. */
static char *password_of(const char *base64)
{
	size_t n = strlen(base64), count = 0;
	char *text = calloc(1, n + 1);
	uint32_t bits = 0;
	unsigned nbits = 0;

	for (size_t i = 0; text && i < n && base64[i] != '='; i++) {
		int digit = digit_of(base64[i]);

		if (digit < 0) {
			free(text);
			return NULL;
		}
		bits = bits << 6 | (uint32_t)digit;
		nbits += 6;
		if (nbits >= 8)
			text[count++] = (char)(bits >> (nbits -= 8) & 255);
	}
	char *colon = text ? strchr(text, ':') : NULL;

	if (colon)
		memmove(text, colon + 1, strlen(colon));
	else
		free(text);
	return colon ? text : NULL;
}

bool guard_authorization(const struct settings *settings, const char *header)
{
	if (!header)
		return false;
	if (!strncasecmp(header, "Bearer ", 7))
		return guard_is_same(header + 7, settings->token);
	if (strncasecmp(header, "Basic ", 6) || !settings->password)
		return false;
	char *password = password_of(header + 6);
	bool is_right = password && guard_is_same(password, settings->password);

	free(password);
	return is_right;
}

bool guard_is_json(const char *type)
{
	static const char json[] = "application/json";

	if (!type || strncasecmp(type, json, sizeof(json) - 1))
		return false;
	return !type[sizeof(json) - 1] || strchr("; \t", type[sizeof(json) - 1]);
}
