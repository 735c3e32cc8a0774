/* SPDX-License-Identifier: Apache-2.0 */
#include "live/server.h"

#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "live/api.h"
#include "live/confine.h"
#include "live/events.h"

enum {
	TURN = 64,
	TICKS = 4,	    /* per second */
	REPLAY_TURN = 200,  /* ms of a second for a recording */
	REPLAY_PIECE = 64,
	SHRINKS = 16,
};

/* ------------------------------------------------------------------- clocks */

static int64_t clock_ms(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t server_clock(void)
{
	return clock_ms(CLOCK_MONOTONIC);
}

int64_t server_now(const struct server *server)
{
	if (server->settings->replay_fd >= 0 && server->replay_clock > 0)
		return (int64_t)server->replay_clock;
	return clock_ms(CLOCK_REALTIME);
}

/* ------------------------------------------------------------------ sources */

bool server_watch(struct server *server, struct watch *source)
{
	struct epoll_event event = {
		.events = EPOLLIN,
		.data.ptr = source,
	};

	return !epoll_ctl(server->epoll, EPOLL_CTL_ADD, source->fd, &event);
}

/* Before its descriptor is closed. */
void server_unwatch(struct server *server, struct watch *source)
{
	if (source->fd >= 0)
		epoll_ctl(server->epoll, EPOLL_CTL_DEL, source->fd, NULL);
	source->fd = -1;
}

/* ------------------------------------------------------------------- memory */

size_t server_memory(const struct server *server)
{
	size_t sum = server->queued;

	for (uint32_t i = 0; i < server->count; i++)
		sum += (server->list[i]->store
				? store_bytes(server->list[i]->store)
				: 0) +
		       server->list[i]->tape.bytes;
	return sum;
}

/* Stacks go with the columns that had them; of lines it is half of them. */
static void shrink_if_large(struct store *store)
{
	size_t quarter = store_bytes(store) / 4;

	if (store->line_bytes > quarter || store_tree_bytes(store) > quarter)
		store_shrink(store);
}

static void for_stores(struct server *server, void (*act)(struct store *store))
{
	for (uint32_t i = 0; i < server->count; i++)
		if (server->list[i]->store)
			act(server->list[i]->store);
}

/* Recordings: what is in them is kept as columns, too. */
static void tear_tapes(struct server *server)
{
	for (uint32_t i = 0; i < server->count; i++) {
		struct tape *tape = &server->list[i]->tape;

		if (tape->bytes && !tape->is_torn) {
			tape_free(tape);
			tape->is_torn = true;
		}
	}
}

/* The oldest columns, whosever they are, but at most an eighth of the time. */
static void evict_columns(struct server *server, size_t goal)
{
	const struct settings *settings = server->settings;
	size_t used = server_memory(server);
	int64_t last = INT64_MAX;

	while (used > goal) {
		struct store *owner = NULL;
		int64_t oldest = INT64_MAX;

		for (uint32_t i = 0; i < server->count; i++) {
			struct store *store = server->list[i]->store;
			int64_t t = store ? store_oldest(store) : INT64_MAX;

			if (t < oldest) {
				oldest = t;
				owner = store;
			}
		}
		if (!owner || oldest > last)
			return;
		if (last == INT64_MAX)
			last = oldest +
			       settings->retention * settings->interval / 8;
		used -= store_bytes(owner);
		store_evict(owner, oldest);
		used += store_bytes(owner);
	}
}

/*
 * What is missed least goes first.  More goes than must, so that it is not this
 * tight again in the next second.
 */
static void spare_memory(struct server *server)
{
	size_t limit = server->settings->max_memory;

	if (server_memory(server) <= limit)
		return;
	tear_tapes(server);
	for (unsigned i = 0; i < SHRINKS && server_memory(server) > limit;
	     i++) {
		for_stores(server, store_tidy);
		evict_columns(server, limit - limit / 16);
		if (server_memory(server) > limit)
			for_stores(server, shrink_if_large);
	}
}

/* ------------------------------------------------------------------ monitor */

/* What the monitor has for us, by the name of the member that says what. */

static void take_started(struct server *server, json_t *message, json_t *value)
{
	int wire = lines_take_fd(&server->monitor);
	int status = lines_take_fd(&server->monitor);
	struct instrumentation *found = instrumentation_find(
		server, (uint32_t)json_integer_value(value));

	(void)message;
	if (found && wire >= 0 && status >= 0) {
		instrumentation_started(found, wire, status);
		return;
	}
	/* deleted meanwhile: without its sockets the worker ends */
	if (wire >= 0)
		close(wire);
	if (status >= 0)
		close(status);
}

static void take_ended(struct server *server, json_t *message, json_t *value)
{
	struct instrumentation *found = instrumentation_find(
		server, (uint32_t)json_integer_value(value));

	if (found)
		instrumentation_gone(
			found,
			(int)json_integer_value(
				json_object_get(message, "signal")),
			json_string_value(json_object_get(message, "message")));
}

static void take_inspector(struct server *server, json_t *message,
			   json_t *value)
{
	int fd = lines_take_fd(&server->monitor);

	(void)message;
	(void)value;
	if (fd >= 0)
		inspect_open(server, fd);
}

static void take_watcher(struct server *server, json_t *message, json_t *value)
{
	int fd = lines_take_fd(&server->monitor);

	(void)message;
	(void)value;
	if (fd >= 0)
		hosts_open(server, fd);
}

static void take_lost(struct server *server, json_t *message, json_t *value)
{
	(void)message;
	json_decref(server->lost);
	server->lost = json_incref(value);
}

static void take_next(struct server *server, json_t *message, json_t *value)
{
	(void)message;
	server->next_id = (uint32_t)json_integer_value(value);
}

/* What the command line asks for. */
static void take_begin(struct server *server, json_t *message, json_t *value)
{
	json_t *error = NULL;
	unsigned status;

	(void)message;
	if (!instrumentation_new(server, json_deep_copy(value), &error,
				 &status))
		json_decref(error);
}

static const struct {
	const char *name;
	void (*take)(struct server *server, json_t *message, json_t *value);
} messages[] = {
	{ "started", take_started }, { "ended", take_ended },
	{ "inspector", take_inspector }, { "watcher", take_watcher },
	{ "lost", take_lost },
	{ "next", take_next }, { "begin", take_begin },
};

static void monitor_ready(struct server *server, struct watch *source)
{
	bool is_open = lines_read(&server->monitor);
	json_t *message;

	(void)source;
	while ((message = lines_next(&server->monitor))) {
		for (unsigned i = 0; i < sizeof(messages) / sizeof(*messages);
		     i++) {
			json_t *value = json_object_get(message,
							messages[i].name);

			if (value) {
				messages[i].take(server, message, value);
				break;
			}
		}
		json_decref(message);
	}
	if (!is_open)
		_exit(0); /* there is nobody to work for */
}

/* ------------------------------------------------------------------- replay */

static void replay_end(struct server *server, struct instrumentation *shown,
		       const char *reason)
{
	instrumentation_stop(shown, reason);
	(void)server;
	close(server->settings->replay_fd);
}

/* Feeds the recording up to the clock, or all of it. */
static void replay_some(struct server *server)
{
	struct instrumentation *shown = server->count ? server->list[0] : NULL;
	double speed = server->settings->speed;
	int64_t begin = server_clock();
	static char bytes[1 << 16];

	if (!shown || shown->state != STATE_RUNNING)
		return;
	while (server_clock() < begin + REPLAY_TURN) {
		int64_t newest = shown->store->newest;

		if (newest && !server->replay_base) {
			server->replay_base = newest;
			server->replay_clock = (double)newest;
		}
		if ((double)newest > server->replay_clock) {
			if (speed > 0)
				return;
			server->replay_clock = (double)newest;
		}
		/* in small pieces, so that it stops at the right time */
		ssize_t n = read(server->settings->replay_fd, bytes,
				 speed > 0 ? REPLAY_PIECE : sizeof(bytes));

		if (n <= 0) {
			replay_end(server, shown, "the recording has ended");
			return;
		}
		if (!instrumentation_feed(shown, bytes, (size_t)n))
			return;
	}
}

static void replay_tick(struct server *server)
{
	if (server->settings->replay_fd < 0)
		return;
	if (server->replay_base && server->count &&
	    server->list[0]->state == STATE_RUNNING)
		server->replay_clock += 1000 * server->settings->speed;
	replay_some(server);
}

static void replay_begin(struct server *server)
{
	json_t *error = NULL;
	unsigned status;
	struct instrumentation *shown = instrumentation_new(
		server, json_pack("{s:s, s:b}", "title",
				  server->settings->replay, "replay", 1),
		&error, &status);

	json_decref(error);
	if (!shown)
		return;
	instrumentation_begin(shown);
	shown->state = STATE_RUNNING;
	replay_some(server);
}

/* -------------------------------------------------------------------- timer */

static void send_status(struct server *server)
{
	json_t *all = json_object();
	char id[16];

	for (uint32_t i = 0; i < server->count; i++) {
		snprintf(id, sizeof(id), "%u", server->list[i]->id);
		json_object_set_new(all, id,
				    instrumentation_status(server->list[i]));
	}
	events_send_json(server, "status",
			 json_pack("{s:I, s:o, s:{s:I, s:I}}", "now",
				   (json_int_t)server_now(server),
				   "instrumentations", all, "memory", "used",
				   (json_int_t)server_memory(server), "limit",
				   (json_int_t)server->settings->max_memory));
}

static void timer_ready(struct server *server, struct watch *source)
{
	uint64_t turns;

	if (read(source->fd, &turns, sizeof(turns)) != sizeof(turns))
		return;
	for (uint32_t i = 0; i < server->count; i++)
		instrumentation_flush(server->list[i]);
	spare_memory(server);
	if (++server->ticks % TICKS)
		return;
	http_tick(server);
	inspect_tick(server);
	replay_tick(server);
	for (uint32_t i = 0; i < server->count; i++)
		instrumentation_tick(server->list[i]);
	if (server->clients)
		send_status(server);
	lines_flush(&server->monitor);
	lines_flush(&server->inspector);
}

static bool timer_open(struct server *server)
{
	const struct itimerspec second = {
		.it_interval.tv_nsec = 1000000000 / TICKS,
		.it_value.tv_nsec = 1000000000 / TICKS,
	};

	server->timer = (struct watch){
		.fd = timerfd_create(CLOCK_MONOTONIC,
				     TFD_CLOEXEC | TFD_NONBLOCK),
		.ready = timer_ready,
	};
	return server->timer.fd >= 0 &&
	       !timerfd_settime(server->timer.fd, 0, &second, NULL) &&
	       server_watch(server, &server->timer);
}

/* --------------------------------------------------------------------- loop */

static int patience(const struct server *server)
{
	MHD_UNSIGNED_LONG_LONG ms;

	if (MHD_get_timeout(server->daemon, &ms) != MHD_YES)
		return -1;
	return ms < 60000 ? (int)ms : 60000;
}

static void loop(struct server *server)
{
	struct epoll_event events[TURN];

	for (;;) {
		int n = epoll_wait(server->epoll, events, TURN,
				   patience(server));

		if (n < 0 && errno != EINTR)
			_exit(SERVER_BROKEN);
		for (int i = 0; i < n; i++) {
			struct watch *source = events[i].data.ptr;

			if (source->fd >= 0)
				source->ready(server, source);
		}
		MHD_run(server->daemon);
	}
}

/* -------------------------------------------------------------------- start */

static void read_line(const char *path, char *line, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, line, size - 1);

	line[n > 0 ? n : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (fd >= 0)
		close(fd);
}

static void describe(struct server *server)
{
	struct utsname machine;
	uint64_t number;

	uname(&machine);
	snprintf(server->host, sizeof(server->host), "%s", machine.nodename);
	snprintf(server->kernel, sizeof(server->kernel), "%s",
		 machine.release);
	read_line("/proc/sys/kernel/random/boot_id", server->boot,
		  sizeof(server->boot));
	if (getrandom(&number, sizeof(number), 0) < 0)
		number = (uint64_t)clock_ms(CLOCK_REALTIME);
	snprintf(server->epoch, sizeof(server->epoch), "%016llx",
		 (unsigned long long)number);
	server->statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	/* it reads a file */
	tzset();
}

_Noreturn static void broken(const char *what)
{
	fprintf(stderr, "dtlive: the server cannot %s: %s\n", what,
		strerror(errno));
	_exit(SERVER_BROKEN);
}

_Noreturn void server_run(const struct settings *settings, int monitor)
{
	struct server *server = must_alloc(sizeof(*server));
	const char *step = NULL;

	server->settings = settings;
	server->next_id = 1;
	server->lost = json_array();
	server->inspector.fd = server->inspector_source.fd = -1;
	server->watcher.fd = server->watcher_source.fd = -1;
	describe(server);
	server->epoll = epoll_create1(EPOLL_CLOEXEC);
	lines_open(&server->monitor, monitor);
	server->monitor_source = (struct watch){
		.fd = monitor,
		.ready = monitor_ready,
	};
	if (server->epoll < 0 || !timer_open(server) ||
	    !server_watch(server, &server->monitor_source))
		broken("wait for events");
	metrics_open(server);
	if (!http_open(server))
		broken(settings->tls_cert
			       ? "use the certificate and the key, or speak HTTP"
			       : "speak HTTP");
	if (!confine(&step))
		broken(step);
	if (settings->replay_fd >= 0)
		replay_begin(server);
	loop(server);
	_exit(0);
}
