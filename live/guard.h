/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Who may ask: decisions about a request's headers, without the request.
 *
 * A page of somebody else's can make a browser send requests to 127.0.0.1.  It
 * does not have the token; a browser that does is kept from sending it along by
 * SameSite, and what a browser says of where a request comes from must be us.
 * A name that was made to point to 127.0.0.1 (DNS rebinding) is not one of ours.
 */

#include <stdbool.h>
#include <stdint.h>

#include "live/settings.h"

/* Takes as long for any `given`: nobody learns how much of it was right. */
bool guard_is_same(const char *given, const char *secret);
/* The header Host: an address or a name of this server, with its port. */
bool guard_host(const struct settings *settings, const char *host);
/*
 * May a request with these headers (NULL: not there) change something?  With
 * `is_reading` it only asks.
 */
bool guard_site(const char *host, const char *origin, const char *site,
		bool is_tls, bool is_reading);
/* Authorization: Bearer TOKEN, or Basic with the password. */
bool guard_authorization(const struct settings *settings, const char *header);
/* Content-Type: application/json, with parameters or without. */
bool guard_is_json(const char *type);
