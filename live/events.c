/* SPDX-License-Identifier: Apache-2.0 */
#include "live/events.h"

#include <microhttpd.h>
#include <stdlib.h>

#include "base/arena.h"

enum {
	MOST_CLIENTS = 256,
	MOST_QUEUED = 4096,	    /* events of a client */
	MOST_QUEUED_BYTES = 16 << 20,
	BLOCK = 32 << 10,
};

struct buffer {
	unsigned references;
	size_t n;
	char bytes[];
};

struct client {
	struct client *next, **link;
	struct server *server;
	struct MHD_Connection *connection;
	struct buffer **queue; /* a ring */
	uint32_t first, count, capacity;
	size_t offset; /* of the first buffer: sent before */
	size_t bytes;
	bool is_suspended, is_behind;
};

static struct buffer *buffer_new(const char *event, const char *data, size_t n)
{
	struct buffer *buffer = must_alloc(sizeof(*buffer) + strlen(event) + n +
					   32);

	buffer->n = (size_t)sprintf(buffer->bytes, "event: %s\ndata: ", event);
	memcpy(buffer->bytes + buffer->n, data, n);
	buffer->n += n;
	memcpy(buffer->bytes + buffer->n, "\n\n", 2);
	buffer->n += 2;
	return buffer;
}

static void buffer_release(struct server *server, struct buffer *buffer)
{
	if (--buffer->references)
		return;
	server->queued -= buffer->n;
	free(buffer);
}

/* ------------------------------------------------------------------ queues */

static void queue_pop(struct client *client)
{
	struct buffer *buffer = client->queue[client->first];

	client->first = (client->first + 1) % client->capacity;
	client->count--;
	client->bytes -= buffer->n;
	client->offset = 0;
	buffer_release(client->server, buffer);
}

static void queue_push(struct client *client, struct buffer *buffer)
{
	if (client->count == client->capacity) {
		uint32_t capacity = client->capacity * 2 + 16;
		struct buffer **queue = must_alloc(capacity * sizeof(*queue));

		for (uint32_t i = 0; i < client->count; i++)
			queue[i] = client->queue[(client->first + i) %
						 client->capacity];
		free(client->queue);
		client->queue = queue;
		client->capacity = capacity;
		client->first = 0;
	}
	client->queue[(client->first + client->count++) % client->capacity] =
		buffer;
	client->bytes += buffer->n;
	if (!buffer->references++)
		client->server->queued += buffer->n;
}

/* It gets what it has begun to get, and the news that there is no more. */
static void fall_behind(struct client *client)
{
	struct buffer *first = client->offset ? client->queue[client->first]
					      : NULL;
	size_t offset = client->offset;

	if (first)
		first->references++;
	while (client->count)
		queue_pop(client);
	if (first) {
		queue_push(client, first);
		first->references--;
		client->offset = offset;
	}
	queue_push(client, buffer_new("behind", "{}", 2));
	client->is_behind = true;
}

static void client_send(struct client *client, struct buffer *buffer)
{
	if (client->is_behind)
		return;
	if (client->count >= MOST_QUEUED || client->bytes > MOST_QUEUED_BYTES)
		fall_behind(client);
	else
		queue_push(client, buffer);
	if (client->is_suspended) {
		client->is_suspended = false;
		MHD_resume_connection(client->connection);
	}
}

void events_send(struct server *server, const char *event, const char *data,
		 size_t n)
{
	if (!server->clients)
		return;
	struct buffer *buffer = buffer_new(event, data, n);

	/* held here, so that it stays until all have it */
	buffer->references = 1;
	server->queued += buffer->n;
	for (struct client *client = server->clients; client;
	     client = client->next)
		client_send(client, buffer);
	buffer_release(server, buffer);
}

void events_send_json(struct server *server, const char *event, json_t *data)
{
	char *text = server->clients ? json_dumps(data, JSON_FORM) : NULL;

	json_decref(data);
	if (text)
		events_send(server, event, text, strlen(text));
	free(text);
}

/* ------------------------------------------------------------------ clients */

static ssize_t read_events(void *context, uint64_t position, char *bytes,
			   size_t most)
{
	struct client *client = context;
	size_t n = 0;

	(void)position;
	while (client->count && n < most) {
		const struct buffer *buffer = client->queue[client->first];
		size_t left = buffer->n - client->offset;
		size_t part = left < most - n ? left : most - n;

		memcpy(bytes + n, buffer->bytes + client->offset, part);
		n += part;
		client->offset += part;
		if (part == left)
			queue_pop(client);
	}
	if (n)
		return (ssize_t)n;
	if (client->is_behind)
		return MHD_CONTENT_READER_END_OF_STREAM;
	client->is_suspended = true;
	MHD_suspend_connection(client->connection);
	return 0;
}

static void leave(void *context)
{
	struct client *client = context;

	while (client->count)
		queue_pop(client);
	*client->link = client->next;
	if (client->next)
		client->next->link = client->link;
	client->server->nclients--;
	free(client->queue);
	free(client);
}

struct MHD_Response *events_join(struct server *server,
				 struct MHD_Connection *connection)
{
	if (server->nclients >= MOST_CLIENTS)
		return NULL;
	struct client *client = must_alloc(sizeof(*client));
	char hello[128];
	int n = snprintf(hello, sizeof(hello), "{\"epoch\":\"%s\",\"now\":%lld}",
			 server->epoch, (long long)server_now(server));

	client->server = server;
	client->connection = connection;
	client->next = server->clients;
	client->link = &server->clients;
	if (client->next)
		client->next->link = &client->next;
	server->clients = client;
	server->nclients++;
	queue_push(client, buffer_new("hello", hello, (size_t)n));
	return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK,
						 read_events, client, leave);
}
