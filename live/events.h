/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Server-sent events: one stream for everything that a page shows.
 *
 * An event is written once, into a buffer that all clients share.  A client's
 * queue is bounded: one that does not read gets "behind" and is cut off, which
 * costs the others nothing.  A client that waits is suspended in libmicrohttpd
 * and takes no time at all.
 */

#include "live/server.h"

struct MHD_Connection;
struct MHD_Response;

/* To all clients: `data` is JSON without newlines. */
void events_send(struct server *server, const char *event, const char *data,
		 size_t n);
void events_send_json(struct server *server, const char *event, json_t *data);
/* A response for one more client; NULL: there are too many. */
struct MHD_Response *events_join(struct server *server,
				 struct MHD_Connection *connection);
