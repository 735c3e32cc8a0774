/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * NATS, as agents and heads use it.
 *
 * libnats has threads of its own; ours is one loop.  So whatever arrives is put
 * into a queue, with the tag that the subscription was given, and bus_fd() is
 * readable until the queue has been taken.
 *
 * What must not be lost (bus_keep) goes to a JetStream stream.  It is kept here
 * until the server has acknowledged it, and sent again if that takes too long:
 * messages of the fleet may come twice.
 *
 * Subjects:
 *
 *	dt.1.ctl.USER.HOST	requests to an agent; HOST "all": to every one
 *	dt.1.agg.ID.HOST	messages (fleet/message.h), in the stream
 *	dt.1.hb.ID.HOST		what a worker says: running, errors, its end; and
 *				what the agent answers to a head
 *
 * USER is a word that the server's permissions vouch for: it lets a user
 * publish to dt.1.ctl.USER.> of his own only, and a host to subjects that end
 * in its own name.  So a head believes the name in a subject, and nothing that a
 * message says of where it comes from.  Acknowledgements and answers of JetStream
 * come to _INBOX.USER.>, which nobody else need be able to read.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct bus;

enum { BUS_REPLICAS = 1, BUS_PROBLEM = 256 };
#define BUS_STREAM "DT"
#define BUS_HOSTS "DT_HOSTS" /* buckets */
#define BUS_RUNS "DT_RUNS"

struct bus_options {
	const char *url, *creds, *user, *password;
	const char *ca, *cert, *key; /* TLS */
	bool is_tls;
	const char *name; /* of this connection, for the server's reports */
	int replicas;	  /* of streams, in a cluster */
	const char *as;	  /* USER of subjects; NULL: that of the connection */
};

/* Tags below that are the bus's own. */
enum bus_tag { BUS_LOST, BUS_BACK, BUS_ERROR, BUS_OWN };

struct bus_message {
	struct bus_message *next;
	int tag;
	char *subject, *reply, *data; /* data ends in NUL, too */
	size_t n;
	uint64_t arrived; /* ns, wall clock */
};

/* Options as in the specs of heads: {"url": ..., "creds": ...}. */
void bus_options_from(struct bus_options *options, json_t *json);
/* NULL: `problem` says why, and what to do. */
struct bus *bus_connect(const struct bus_options *options, char *problem);
void bus_close(struct bus *bus);
/* Creates stream and buckets that are not there yet. */
bool bus_prepare(struct bus *bus, char *problem);
int bus_fd(const struct bus *bus);
/* The next message, which the caller frees; NULL: none. */
struct bus_message *bus_take(struct bus *bus);
void bus_message_free(struct bus_message *message);
const char *bus_user(const struct bus *bus);

bool bus_listen(struct bus *bus, const char *subject, int tag);
void bus_say(struct bus *bus, const char *subject, const char *reply,
	     const void *data, size_t n);
void bus_say_json(struct bus *bus, const char *subject, const char *reply,
		  json_t *json); /* takes it */

/* To the stream, for certain. */
void bus_keep(struct bus *bus, const char *subject, const void *data, size_t n);
/* What it takes: again what was not acknowledged.  Call it often. */
void bus_tick(struct bus *bus);
struct bus_counts {
	uint64_t kept, acknowledged, again, refused, waiting, given_up;
};
void bus_count(const struct bus *bus, struct bus_counts *counts);

/*
 * Messages of a stream, from that time on (ns; 0: the last of each subject).
 * A subscription that has fallen silent or has a gap is made again, from where
 * it was, by a thread of the bus: nobody waits for it.
 */
struct bus_flow;
struct bus_flow *bus_follow(struct bus *bus, const char *stream,
			    const char *subject, uint64_t since, int tag);
/* Again from another time; and no more. */
void bus_flow_restart(struct bus_flow *flow, uint64_t since);
void bus_flow_end(struct bus_flow *flow);
/* A silence of so many seconds is suspicious; 0: none is. */
void bus_flow_tick(struct bus_flow *flow, unsigned patience);

/* Buckets; keys are words. */
void bus_put(struct bus *bus, const char *bucket, const char *key,
	     const void *data, size_t n);
void bus_remove(struct bus *bus, const char *bucket, const char *key);
char *bus_get(struct bus *bus, const char *bucket, const char *key);

/* A name as a word of a subject: letters, digits, '-' and '_'. */
char *bus_word(const char *name);
bool bus_is_word(const char *word);
/* The n-th word of a subject, from 0; the caller frees it. */
char *bus_word_of(const char *subject, unsigned n);
