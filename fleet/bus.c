/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/bus.h"

#include <nats/nats.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"

enum {
	MOST_WAITING = 64 << 20, /* bytes that are not acknowledged */
	MOST_QUEUED = 1 << 18,	 /* messages that nobody takes */
	INBOX = 200,
};
static const uint64_t SECOND = 1000000000, PATIENCE = 2 * 1000000000ull;

/* Something that is to be acknowledged, in a ring by its number. */
struct kept {
	char *subject, *data;
	size_t n;
	uint64_t sent; /* monotonic */
};

struct listener {
	struct listener *next;
	struct bus *bus;
	int tag;
	natsSubscription *subscription;
	struct bus_flow *flow; /* or NULL */
};

/* What is to become of a flow; the keeper carries it out. */
enum wish { WISH_NONE, WISH_AGAIN, WISH_END };

struct bus_flow {
	struct bus_flow *next;
	enum wish wish;
	bool is_busy;	/* it is being carried out */
	uint64_t tried; /* monotonic */
	struct bus *bus;
	char *stream, *subject;
	int tag;
	uint64_t since, last; /* time; sequence in the stream */
	uint64_t consumed;    /* sequence of the consumer */
	uint64_t heard;	      /* monotonic */
	bool has_gap;
	struct listener *listener;
};

struct bus {
	natsConnection *connection;
	natsOptions *options;
	natsSubscription *answers;
	jsCtx *js;
	char *user; /* in subjects */
	char *name; /* of the connection: its inbox */
	int replicas;
	int event;
	pthread_mutex_t lock; /* for what follows */
	struct bus_message *first, **end;
	uint32_t queued;
	/* kept messages, by number modulo the ring's size */
	struct kept *ring;
	uint64_t ring_size, ring_first, ring_next;
	uint64_t waiting;
	struct bus_counts counts;
	char inbox[INBOX];
	bool is_back;	/* connected again: what was under way may be lost */
	bool is_denied; /* streams; is_deaf: answers */
	bool is_deaf;
	struct listener *listeners;
	struct bus_flow *flows;
	/* the thread that subscribes to flows */
	pthread_t keeper;
	pthread_cond_t wished;
	bool has_keeper, is_closing;
};

/* ----------------------------------------------------------------- queue */

static void wake(struct bus *bus)
{
	uint64_t one = 1;

	if (write(bus->event, &one, sizeof(one)) < 0)
		return; /* it is readable already */
}

static void push(struct bus *bus, int tag, const char *subject,
		 const char *reply, const void *data, size_t n)
{
	struct bus_message *message = must_alloc(sizeof(*message));

	message->tag = tag;
	message->subject = must_strdup(subject);
	message->reply = reply ? must_strdup(reply) : NULL;
	message->data = must_alloc(n + 1);
	if (n)
		memcpy(message->data, data, n);
	message->n = n;
	message->arrived = clock_wall();
	pthread_mutex_lock(&bus->lock);
	if (bus->queued < MOST_QUEUED) {
		*bus->end = message;
		bus->end = &message->next;
		bus->queued++;
		message = NULL;
	}
	pthread_mutex_unlock(&bus->lock);
	if (message)
		bus_message_free(message);
	wake(bus);
}

struct bus_message *bus_take(struct bus *bus)
{
	uint64_t count;

	pthread_mutex_lock(&bus->lock);
	struct bus_message *message = bus->first;

	if (message) {
		bus->first = message->next;
		if (!bus->first)
			bus->end = &bus->first;
		bus->queued--;
	} else if (read(bus->event, &count, sizeof(count)) < 0) {
		count = 0; /* nobody has written since */
	}
	pthread_mutex_unlock(&bus->lock);
	return message;
}

void bus_message_free(struct bus_message *message)
{
	free(message->subject);
	free(message->reply);
	free(message->data);
	free(message);
}

int bus_fd(const struct bus *bus)
{
	return bus->event;
}

/* --------------------------------------------------- called by libnats */

static void on_message(natsConnection *connection, natsSubscription *sub,
		       natsMsg *msg, void *closure)
{
	struct listener *listener = closure;

	(void)connection;
	(void)sub;
	push(listener->bus, listener->tag, natsMsg_GetSubject(msg),
	     natsMsg_GetReply(msg), natsMsg_GetData(msg),
	     (size_t)natsMsg_GetDataLength(msg));
	natsMsg_Destroy(msg);
}

/* $JS.ACK.stream.consumer.delivered.SEQUENCE.CONSUMED.time.pending */
static bool read_numbers(const char *reply, uint64_t *sequence,
			 uint64_t *consumed)
{
	unsigned long long a, b, delivered;

	if (!reply || strncmp(reply, "$JS.ACK.", 8) != 0)
		return false;
	const char *at = strchr(reply + 8, '.');

	at = at ? strchr(at + 1, '.') : NULL;
	if (!at || sscanf(at + 1, "%llu.%llu.%llu", &delivered, &a, &b) != 3)
		return false;
	*sequence = a;
	*consumed = b;
	return true;
}

static void on_stream(natsConnection *connection, natsSubscription *sub,
		      natsMsg *msg, void *closure)
{
	struct listener *listener = closure;
	struct bus_flow *flow = listener->flow;
	uint64_t sequence = 0, consumed = 0;
	bool is_next = false;

	if (read_numbers(natsMsg_GetReply(msg), &sequence, &consumed)) {
		pthread_mutex_lock(&listener->bus->lock);
		flow->heard = clock_monotonic();
		is_next = flow->listener == listener && !flow->has_gap &&
			  consumed == flow->consumed + 1;
		flow->has_gap |= flow->listener == listener && !is_next;
		if (is_next) {
			flow->consumed = consumed;
			flow->last = sequence;
		}
		pthread_mutex_unlock(&listener->bus->lock);
	}
	if (is_next)
		on_message(connection, sub, msg, closure);
	else
		natsMsg_Destroy(msg);
}

/* An acknowledgement: the last word of its subject is our number. */
static void on_acknowledged(natsConnection *connection, natsSubscription *sub,
			    natsMsg *msg, void *closure)
{
	struct bus *bus = closure;
	const char *word = strrchr(natsMsg_GetSubject(msg), '.');
	uint64_t number = word ? strtoull(word + 1, NULL, 10) : 0;
	const char *data = natsMsg_GetData(msg);
	/* without a leader the answer is empty, and nothing was kept */
	bool is_good = data && strstr(data, "\"seq\"") &&
		       !strstr(data, "\"error\"");

	(void)connection;
	(void)sub;
	pthread_mutex_lock(&bus->lock);
	if (number >= bus->ring_first && number < bus->ring_next) {
		struct kept *kept = &bus->ring[number % bus->ring_size];

		if (is_good && kept->data) {
			free(kept->data);
			free(kept->subject);
			bus->waiting -= kept->n;
			*kept = (struct kept){ 0 };
			bus->counts.acknowledged++;
		} else if (!is_good) {
			bus->counts.refused++;
			kept->sent = clock_monotonic() - PATIENCE + SECOND / 4;
		}
		while (bus->ring_first < bus->ring_next &&
		       !bus->ring[bus->ring_first % bus->ring_size].data)
			bus->ring_first++;
	}
	pthread_mutex_unlock(&bus->lock);
	natsMsg_Destroy(msg);
}

static void on_lost(natsConnection *connection, void *closure)
{
	(void)connection;
	push(closure, BUS_LOST, "", NULL, "", 0);
}

static void on_back(natsConnection *connection, void *closure)
{
	struct bus *bus = closure;

	(void)connection;
	pthread_mutex_lock(&bus->lock);
	bus->is_back = true;
	pthread_mutex_unlock(&bus->lock);
	push(closure, BUS_BACK, "", NULL, "", 0);
}

static void on_error(natsConnection *connection, natsSubscription *sub,
		     natsStatus status, void *closure)
{
	struct bus *bus = closure;
	const char *text = NULL;

	(void)sub;
	natsConnection_GetLastError(connection, &text);
	if (!text || !*text)
		text = natsStatus_GetText(status);
	if (strstr(text, "ermissions Violation for Publish to \"$JS.API."))
		bus->is_denied = true;
	if (strstr(text, "ermissions Violation for Subscription to \"_INBOX."))
		bus->is_deaf = true;
	push(closure, BUS_ERROR, "", NULL, text, strlen(text));
}

/* ------------------------------------------------------------ connecting */

void bus_options_from(struct bus_options *options, json_t *json)
{
	const struct {
		const char *name, **value;
	} words[] = {
		{ "url", &options->url },   { "creds", &options->creds },
		{ "user", &options->user }, { "password", &options->password },
		{ "ca", &options->ca },	    { "cert", &options->cert },
		{ "key", &options->key },   { "as", &options->as },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		*words[i].value =
			json_string_value(json_object_get(json, words[i].name));
	options->is_tls = json_is_true(json_object_get(json, "tls"));
	options->replicas =
		(int)json_integer_value(json_object_get(json, "replicas"));
}

static const struct {
	natsStatus status;
	const char *text;
} reasons[] = {
	{ NATS_SECURE_CONNECTION_REQUIRED,
	  "the server wants TLS, and this is a plain connection (use a tls:// URL, and --tls-ca FILE for a private authority)" },
	{ NATS_SECURE_CONNECTION_WANTED,
	  "the server offers no TLS, and TLS was asked for (use a nats:// URL)" },
	{ NATS_CONNECTION_AUTH_FAILED,
	  "the server does not accept these credentials (see --creds, --user)" },
	{ NATS_NOT_PERMITTED,
	  "the server does not accept these credentials (see --creds, --user)" },
	{ NATS_NO_SERVER,
	  "there is no NATS server (is the URL right, and does the server run?)" },
	{ NATS_TIMEOUT, "the server does not answer" },
};

static bool wants_tls(const struct bus_options *options)
{
	return options->is_tls || options->ca || options->cert ||
	       strstr(options->url, "tls://");
}

static void explain(char *problem, const struct bus_options *options,
		    natsStatus status)
{
	const char *last = nats_GetLastError(NULL);
	const char *text = last && *last ? last : natsStatus_GetText(status);
	const char *url = options->url;
	bool is_handshake = last && strstr(last, "SSL handshake");

	if (last && strcasestr(last, "authorization"))
		status = NATS_CONNECTION_AUTH_FAILED;
	/* libnats goes over to TLS by itself, without an authority to trust */
	if (is_handshake && !wants_tls(options))
		status = NATS_SECURE_CONNECTION_REQUIRED;
	else if (is_handshake && strstr(last, "issuer certificate"))
		text = "the authority of the server's certificate is not known here (see --tls-ca)";
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (reasons[i].status == status)
			text = reasons[i].text;
	snprintf(problem, BUS_PROBLEM, "cannot connect to %s: %s", url, text);
}

static natsStatus set_tls(natsOptions *set, const struct bus_options *options)
{
	natsStatus status = NATS_OK;

	if (!wants_tls(options))
		return NATS_OK;
	status = natsOptions_SetSecure(set, true);
	if (status == NATS_OK && options->ca)
		status = natsOptions_LoadCATrustedCertificates(set,
							       options->ca);
	if (status == NATS_OK && options->cert)
		status = natsOptions_LoadCertificatesChain(
			set, options->cert,
			options->key ? options->key : options->cert);
	return status;
}

static natsStatus set_options(struct bus *bus,
			      const struct bus_options *options)
{
	natsOptions *set = bus->options;
	char *urls = must_strdup(options->url), *state = NULL;
	const char *servers[16];
	char prefix[200];
	int n = 0;
	natsStatus status;

	snprintf(prefix, sizeof(prefix), "_INBOX.%.128s", bus->name);

	for (char *url = strtok_r(urls, ",", &state); url && n < 16;
	     url = strtok_r(NULL, ",", &state))
		servers[n++] = url;
	status = natsOptions_SetServers(set, servers, n);
	free(urls);
	if (status == NATS_OK)
		status = natsOptions_SetName(set, options->name ? options->name
								: "dtlive");
	if (status == NATS_OK && options->creds)
		status = natsOptions_SetUserCredentialsFromFiles(set,
								 options->creds,
								 NULL);
	if (status == NATS_OK && options->user)
		status = natsOptions_SetUserInfo(set, options->user,
						 options->password
							 ? options->password
							 : "");
	if (status == NATS_OK)
		status = set_tls(set, options);
	if (status == NATS_OK)
		status = natsOptions_SetCustomInboxPrefix(set, prefix);
	natsOptions_SetMaxReconnect(set, -1);
	natsOptions_SetReconnectWait(set, 250);
	natsOptions_SetReconnectBufSize(set, 1 << 20);
	natsOptions_SetTimeout(set, 4000);
	natsOptions_SetPingInterval(set, 2000);
	natsOptions_SetMaxPingsOut(set, 2);
	natsOptions_SetMaxPendingMsgs(set, MOST_QUEUED);
	natsOptions_SetDisconnectedCB(set, on_lost, bus);
	natsOptions_SetReconnectedCB(set, on_back, bus);
	natsOptions_SetErrorHandler(set, on_error, bus);
	return status;
}

/* Who we are: what was said, or the connection's user, or "all users". */
static char *user_of(const struct bus_options *options)
{
	if (options->as)
		return bus_word(options->as);
	return bus_word(options->user ? options->user : "anyone");
}

struct bus *bus_connect(const struct bus_options *options, char *problem)
{
	struct bus *bus = must_alloc(sizeof(*bus));
	natsInbox *inbox = NULL;
	char subject[INBOX + 4];

	pthread_mutex_init(&bus->lock, NULL);
	pthread_cond_init(&bus->wished, NULL);
	bus->end = &bus->first;
	bus->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	bus->user = user_of(options);
	bus->name = options->user ? bus_word(options->user)
				  : must_strdup(bus->user);
	bus->replicas = options->replicas > 0 ? options->replicas
					      : BUS_REPLICAS;
	bus->ring_size = 1 << 16;
	bus->ring = must_alloc(bus->ring_size * sizeof(*bus->ring));
	bus->ring_first = bus->ring_next = 1;
	nats_Open(-1);
	natsStatus status = natsOptions_Create(&bus->options);

	if (status == NATS_OK)
		status = set_options(bus, options);
	if (status == NATS_OK)
		status = natsConnection_Connect(&bus->connection, bus->options);
	if (status == NATS_OK)
		status = natsConnection_JetStream(&bus->js, bus->connection,
						  NULL);
	if (status == NATS_OK)
		status = natsInbox_Create(&inbox);
	if (status == NATS_OK) {
		/* what comes behind "_INBOX." nobody can guess */
		snprintf(bus->inbox, sizeof(bus->inbox), "_INBOX.%.128s.%s",
			 bus->name, inbox + strlen("_INBOX."));
		snprintf(subject, sizeof(subject), "%s.*", bus->inbox);
		status = natsConnection_Subscribe(&bus->answers,
						  bus->connection, subject,
						  on_acknowledged, bus);
	}
	natsInbox_Destroy(inbox);
	if (status == NATS_OK)
		return bus;
	explain(problem, options, status);
	bus_close(bus);
	return NULL;
}

void bus_close(struct bus *bus)
{
	struct bus_message *message;

	if (!bus)
		return;
	pthread_mutex_lock(&bus->lock);
	bus->is_closing = true;
	pthread_cond_signal(&bus->wished);
	pthread_mutex_unlock(&bus->lock);
	if (bus->connection)
		natsConnection_FlushTimeout(bus->connection, 1000);
	/* whoever waits for an answer waits no more */
	if (bus->connection)
		natsConnection_Close(bus->connection);
	if (bus->has_keeper)
		pthread_join(bus->keeper, NULL);
	for (struct listener *at = bus->listeners, *next; at; at = next) {
		next = at->next;
		natsSubscription_Destroy(at->subscription);
	}
	natsSubscription_Destroy(bus->answers);
	jsCtx_Destroy(bus->js);
	natsConnection_Destroy(bus->connection);
	natsOptions_Destroy(bus->options);
	/* its threads have ended when this returns */
	nats_CloseAndWait(2000);
	for (struct listener *at = bus->listeners, *next; at; at = next) {
		next = at->next;
		free(at);
	}
	for (struct bus_flow *at = bus->flows, *next; at; at = next) {
		next = at->next;
		free(at->stream);
		free(at->subject);
		free(at);
	}
	while ((message = bus_take(bus)))
		bus_message_free(message);
	for (uint64_t i = 0; i < bus->ring_size; i++) {
		free(bus->ring[i].data);
		free(bus->ring[i].subject);
	}
	free(bus->ring);
	close(bus->event);
	free(bus->user);
	free(bus->name);
	free(bus);
}

const char *bus_user(const struct bus *bus)
{
	return bus->user;
}

/* --------------------------------------------------------------- streams */

static natsStatus add_stream(struct bus *bus, int64_t most_bytes)
{
	const char *subjects[] = { "dt.1.agg.>" };
	jsStreamConfig config;
	jsErrCode code = 0;
	jsStreamInfo *info = NULL;

	/* hosts may look, but need not be allowed to create */
	if (js_GetStreamInfo(&info, bus->js, BUS_STREAM, NULL, NULL) ==
	    NATS_OK) {
		jsStreamInfo_Destroy(info);
		return NATS_OK;
	}
	jsStreamConfig_Init(&config);
	config.Name = BUS_STREAM;
	config.Subjects = subjects;
	config.SubjectsLen = 1;
	config.MaxAge = (int64_t)(600 * SECOND);
	config.MaxBytes = most_bytes;
	config.MaxMsgSize = 4 << 20;
	config.Discard = js_DiscardOld;
	config.Replicas = bus->replicas;
	config.Duplicates = (int64_t)SECOND; /* we need no memory of it */
	natsStatus status = js_AddStream(NULL, bus->js, &config, NULL, &code);

	/* it may be there, with limits that an operator has chosen */
	return code == JSStreamNameExistErr ? NATS_OK : status;
}

static natsStatus add_bucket(struct bus *bus, const char *name, uint64_t ttl,
			     jsStorageType storage)
{
	kvConfig config;
	kvStore *store = NULL;

	if (js_KeyValue(&store, bus->js, name) == NATS_OK) {
		kvStore_Destroy(store);
		return NATS_OK;
	}
	kvConfig_Init(&config);
	config.Bucket = name;
	config.History = 1;
	config.TTL = (int64_t)ttl;
	config.StorageType = storage;
	config.Replicas = bus->replicas;
	config.MaxBytes = 64 << 20;
	natsStatus status = js_CreateKeyValue(&store, bus->js, &config);

	/* another head was first, or chose other limits */
	if (status != NATS_OK)
		status = js_KeyValue(&store, bus->js, name);
	if (status == NATS_OK)
		kvStore_Destroy(store);
	return status;
}

/* A server that has just started needs some seconds for a cluster's streams. */
bool bus_prepare(struct bus *bus, char *problem)
{
	natsStatus status = NATS_ERR;

	for (int i = 0; i < 20 && status != NATS_OK; i++) {
		if (i)
			usleep(500000);
		status = add_stream(bus, 1ll << 30);
		if (status != NATS_OK && !bus->is_denied)
			status = add_stream(bus, 64ll << 20);
		if (status == NATS_OK)
			status = add_bucket(bus, BUS_HOSTS, 15 * SECOND,
					    js_MemoryStorage);
		if (status == NATS_OK)
			status = add_bucket(bus, BUS_RUNS, 86400 * SECOND,
					    js_FileStorage);
		if (status == NATS_NOT_PERMITTED || bus->is_denied ||
		    bus->is_deaf)
			break;
	}
	if (status != NATS_OK && bus->is_deaf) {
		snprintf(
			problem, BUS_PROBLEM,
			"the server does not let this user listen to %.*s>, where answers come (see its permissions)",
			(int)(strrchr(bus->inbox, '.') - bus->inbox) + 1,
			bus->inbox);
	} else if (status != NATS_OK && bus->is_denied) {
		snprintf(
			problem, BUS_PROBLEM,
			"the streams are not there yet, and this user may not create them ($JS.API): it goes on when a head has");
	} else if (status != NATS_OK) {
		const char *last = nats_GetLastError(NULL);

		snprintf(
			problem, BUS_PROBLEM,
			"cannot create streams: %s (does the server run with JetStream, and may this user use $JS.API?)",
			last && *last ? last : natsStatus_GetText(status));
	}
	return status == NATS_OK;
}

static bool subscribe_flow(struct bus_flow *flow)
{
	struct bus *bus = flow->bus;
	struct listener *listener = must_alloc(sizeof(*listener));
	jsSubOptions options;

	*listener =
		(struct listener){ .bus = bus, .tag = flow->tag, .flow = flow };
	jsSubOptions_Init(&options);
	options.Stream = flow->stream;
	options.Config.AckPolicy = js_AckNone;
	options.Config.MaxDeliver = 1;
	options.Config.MemoryStorage = true;
	options.Config.Replicas = 1;
	options.Config.InactiveThreshold = (int64_t)(30 * SECOND);
	pthread_mutex_lock(&bus->lock);
	if (flow->last) {
		options.Config.DeliverPolicy = js_DeliverByStartSequence;
		options.Config.OptStartSeq = flow->last + 1;
	} else if (flow->since) {
		options.Config.DeliverPolicy = js_DeliverByStartTime;
		options.Config.OptStartTime = (int64_t)flow->since;
	} else {
		options.Config.DeliverPolicy = js_DeliverLastPerSubject;
	}
	flow->consumed = 0;
	flow->has_gap = false;
	flow->heard = clock_monotonic();
	flow->listener = listener;
	listener->next = bus->listeners;
	bus->listeners = listener;
	pthread_mutex_unlock(&bus->lock);
	return js_Subscribe(&listener->subscription, bus->js, flow->subject,
			    on_stream, listener, NULL, &options,
			    NULL) == NATS_OK;
}

static void drop(struct listener *listener)
{
	if (!listener || !listener->subscription)
		return;
	natsSubscription_Unsubscribe(listener->subscription);
	natsSubscription_Destroy(listener->subscription);
	listener->subscription = NULL;
}

static struct bus_flow *wishing(const struct bus *bus)
{
	struct bus_flow *flow = bus->flows;

	while (flow && flow->wish == WISH_NONE)
		flow = flow->next;
	return flow;
}

/*
 * While a cluster chooses who is in charge of a stream, it takes seconds until a
 * subscription is made or fails.  The loop must go on meanwhile.
 */
static void *keep_flows(void *closure)
{
	struct bus *bus = closure;
	struct bus_flow *flow;

	pthread_mutex_lock(&bus->lock);
	while (!bus->is_closing) {
		flow = wishing(bus);
		if (!flow) {
			pthread_cond_wait(&bus->wished, &bus->lock);
			continue;
		}
		bool is_again = flow->wish == WISH_AGAIN;
		struct listener *old = flow->listener;

		flow->wish = WISH_NONE;
		flow->is_busy = true;
		pthread_mutex_unlock(&bus->lock);
		drop(old);
		bool is_made = !is_again || subscribe_flow(flow);

		pthread_mutex_lock(&bus->lock);
		flow->is_busy = false;
		flow->tried = clock_monotonic();
		if (!is_made)
			flow->has_gap = true;
	}
	pthread_mutex_unlock(&bus->lock);
	return NULL;
}

static void wish_for(struct bus_flow *flow, enum wish wish)
{
	flow->wish = wish;
	pthread_cond_signal(&flow->bus->wished);
}

struct bus_flow *bus_follow(struct bus *bus, const char *stream,
			    const char *subject, uint64_t since, int tag)
{
	struct bus_flow *flow = must_alloc(sizeof(*flow));

	*flow = (struct bus_flow){
		.bus = bus,
		.stream = must_strdup(stream),
		.subject = must_strdup(subject),
		.tag = tag,
		.since = since,
		.heard = clock_monotonic(),
	};
	pthread_mutex_lock(&bus->lock);
	flow->next = bus->flows;
	bus->flows = flow;
	if (!bus->has_keeper)
		bus->has_keeper = !pthread_create(&bus->keeper, NULL,
						  keep_flows, bus);
	wish_for(flow, WISH_AGAIN);
	pthread_mutex_unlock(&bus->lock);
	return flow;
}

void bus_flow_end(struct bus_flow *flow)
{
	pthread_mutex_lock(&flow->bus->lock);
	wish_for(flow, WISH_END);
	pthread_mutex_unlock(&flow->bus->lock);
}

void bus_flow_restart(struct bus_flow *flow, uint64_t since)
{
	pthread_mutex_lock(&flow->bus->lock);
	flow->since = since;
	flow->last = 0;
	wish_for(flow, WISH_AGAIN);
	pthread_mutex_unlock(&flow->bus->lock);
}

void bus_flow_tick(struct bus_flow *flow, unsigned patience)
{
	struct bus *bus = flow->bus;
	uint64_t now = clock_monotonic();
	bool is_connected = natsConnection_Status(bus->connection) ==
			    NATS_CONN_STATUS_CONNECTED;

	pthread_mutex_lock(&bus->lock);
	bool is_silent = patience && now - flow->heard > patience * SECOND;
	bool is_lost = flow->has_gap || is_silent;

	if (is_lost && !flow->is_busy && flow->wish == WISH_NONE &&
	    now - flow->tried > SECOND / 4 && is_connected)
		wish_for(flow, WISH_AGAIN);
	pthread_mutex_unlock(&bus->lock);
}

/* -------------------------------------------------------------- speaking */

bool bus_listen(struct bus *bus, const char *subject, int tag)
{
	struct listener *listener = must_alloc(sizeof(*listener));

	*listener = (struct listener){ .bus = bus, .tag = tag };
	pthread_mutex_lock(&bus->lock);
	listener->next = bus->listeners;
	bus->listeners = listener;
	pthread_mutex_unlock(&bus->lock);
	return natsConnection_Subscribe(&listener->subscription,
					bus->connection, subject, on_message,
					listener) == NATS_OK;
}

void bus_say(struct bus *bus, const char *subject, const char *reply,
	     const void *data, size_t n)
{
	if (reply)
		natsConnection_PublishRequest(bus->connection, subject, reply,
					      data, (int)n);
	else
		natsConnection_Publish(bus->connection, subject, data, (int)n);
}

void bus_say_json(struct bus *bus, const char *subject, const char *reply,
		  json_t *json)
{
	char *text = json_dumps(json, JSON_COMPACT);

	if (text)
		bus_say(bus, subject, reply, text, strlen(text));
	free(text);
	json_decref(json);
}

static void send_kept(struct bus *bus, uint64_t number, const struct kept *kept)
{
	char reply[INBOX + 24];

	snprintf(reply, sizeof(reply), "%s.%llu", bus->inbox,
		 (unsigned long long)number);
	natsConnection_PublishRequest(bus->connection, kept->subject, reply,
				      kept->data, (int)kept->n);
}

static void forget_kept(struct bus *bus, struct kept *kept)
{
	if (!kept->data)
		return;
	bus->waiting -= kept->n;
	bus->counts.given_up++;
	free(kept->data);
	free(kept->subject);
	*kept = (struct kept){ 0 };
}

void bus_keep(struct bus *bus, const char *subject, const void *data, size_t n)
{
	struct kept kept = {
		.subject = must_strdup(subject), .data = must_alloc(n + 1),
		.n = n, .sent = clock_monotonic(),
	};

	memcpy(kept.data, data, n);
	pthread_mutex_lock(&bus->lock);
	/* a server that is away for long: the oldest are given up */
	while (bus->ring_first < bus->ring_next &&
	       (bus->ring_next - bus->ring_first == bus->ring_size ||
		bus->waiting + n > MOST_WAITING)) {
		forget_kept(bus, &bus->ring[bus->ring_first % bus->ring_size]);
		bus->ring_first++;
	}
	uint64_t number = bus->ring_next++;

	bus->ring[number % bus->ring_size] = kept;
	bus->waiting += n;
	bus->counts.kept++;
	pthread_mutex_unlock(&bus->lock);
	/* the acknowledgement may free what is in the ring, while we send */
	kept.subject = (char *)subject;
	kept.data = (char *)data;
	send_kept(bus, number, &kept);
}

void bus_tick(struct bus *bus)
{
	uint64_t now = clock_monotonic();

	if (natsConnection_Status(bus->connection) !=
	    NATS_CONN_STATUS_CONNECTED)
		return;
	pthread_mutex_lock(&bus->lock);
	bool is_back = bus->is_back;

	bus->is_back = false;
	pthread_mutex_unlock(&bus->lock);
	for (uint64_t number = bus->ring_first; number < bus->ring_next;
	     number++) {
		struct kept again = { 0 };

		pthread_mutex_lock(&bus->lock);
		struct kept *kept = &bus->ring[number % bus->ring_size];

		if (kept->data && (is_back || now - kept->sent > PATIENCE)) {
			kept->sent = now;
			again = *kept;
			again.subject = must_strdup(kept->subject);
			again.data = must_alloc(kept->n + 1);
			memcpy(again.data, kept->data, kept->n);
			bus->counts.again++;
		}
		pthread_mutex_unlock(&bus->lock);
		if (!again.data)
			continue;
		send_kept(bus, number, &again);
		free(again.subject);
		free(again.data);
	}
}

void bus_count(const struct bus *bus, struct bus_counts *counts)
{
	*counts = bus->counts;
	counts->waiting = bus->ring_next - bus->ring_first;
}

/* --------------------------------------------------------------- buckets */

void bus_put(struct bus *bus, const char *bucket, const char *key,
	     const void *data, size_t n)
{
	char subject[512];

	snprintf(subject, sizeof(subject), "$KV.%s.%s", bucket, key);
	bus_keep(bus, subject, data, n);
}

void bus_remove(struct bus *bus, const char *bucket, const char *key)
{
	kvStore *store = NULL;

	if (js_KeyValue(&store, bus->js, bucket) == NATS_OK)
		kvStore_Delete(store, key);
	kvStore_Destroy(store);
}

char *bus_get(struct bus *bus, const char *bucket, const char *key)
{
	kvStore *store = NULL;
	kvEntry *entry = NULL;
	char *text = NULL;

	if (js_KeyValue(&store, bus->js, bucket) == NATS_OK &&
	    kvStore_Get(&entry, store, key) == NATS_OK) {
		size_t n = (size_t)kvEntry_ValueLen(entry);

		text = must_alloc(n + 1);
		memcpy(text, kvEntry_Value(entry), n);
	}
	kvEntry_Destroy(entry);
	kvStore_Destroy(store);
	return text;
}

/* ----------------------------------------------------------------- words */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '-' || c == '_';
}

char *bus_word(const char *name)
{
	char *word = must_strdup(*name ? name : "_");

	for (char *at = word; *at; at++)
		if (!is_letter(*at))
			*at = '_';
	return word;
}

bool bus_is_word(const char *word)
{
	for (const char *at = word; *at; at++)
		if (!is_letter(*at))
			return false;
	return *word && strlen(word) < 128;
}

char *bus_word_of(const char *subject, unsigned n)
{
	while (n--) {
		subject = strchr(subject, '.');
		if (!subject)
			return must_strdup("");
		subject++;
	}
	return strndup(subject, strcspn(subject, "."));
}
