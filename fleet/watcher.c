/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/watcher.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/table.h"
#include "fleet/bus.h"
#include "live/lines.h"
#include "live/worker.h"

static const uint64_t SECOND = 1000000000;
enum {
	UNSEEN = 15,	 /* seconds: then it is gone */
	SILENCE = 6,	 /* seconds without an announcement */
	AGAIN = 2,	 /* seconds between attempts to connect */
	TICK = 200,
	MOST_HOSTS = 100000,
};
enum tags { TAG_HOST = BUS_OWN };

struct host {
	char *name;
	json_t *about; /* NULL: it is gone */
	uint64_t seen;
};

struct watcher {
	struct lines talk;
	json_t *spec;
	struct bus *bus;
	struct bus_flow *flow;
	struct table hosts;
	bool has_changed;
	uint64_t said_at;
	char problem[BUS_PROBLEM], told[BUS_PROBLEM];
};

static void say(struct watcher *watcher, json_t *line)
{
	if (!lines_send(&watcher->talk, line, NULL, 0))
		_exit(0);
}

/* Once for each, and to whoever has started us, too. */
static void complain(struct watcher *watcher, const char *problem)
{
	if (!strcmp(watcher->told, problem))
		return;
	snprintf(watcher->told, sizeof(watcher->told), "%s", problem);
	if (*problem)
		fprintf(stderr, "dtlive: %s\n", problem);
	say(watcher, json_pack("{s:s, s:s}", "event", "problem", "text",
			       problem));
}

static void listen_to_server(struct watcher *watcher)
{
	json_t *line;

	if (!lines_read(&watcher->talk))
		_exit(0);
	while ((line = lines_next(&watcher->talk))) {
		if (!watcher->spec)
			watcher->spec = json_incref(line);
		json_decref(line);
	}
}

/* ------------------------------------------------------------------ hosts */

static struct host *host_of(struct watcher *watcher, const char *name)
{
	struct host *host = table_get(&watcher->hosts, str_of(name));

	if (host || !bus_is_word(name) || watcher->hosts.count >= MOST_HOSTS)
		return host;
	host = must_alloc(sizeof(*host));
	host->name = must_strdup(name);
	table_put(&watcher->hosts, str_of(host->name), host);
	return host;
}

static void set_about(struct watcher *watcher, struct host *host,
		      json_t *about)
{
	watcher->has_changed |= !host->about != !about ||
				(about && !json_equal(host->about, about));
	json_decref(host->about);
	host->about = about;
}

/* Labels are words of the host: only texts are taken. */
static json_t *labels_of(json_t *hello)
{
	json_t *labels = json_object(), *value;
	const char *name;

	json_object_foreach(json_object_get(hello, "labels"), name, value)
		if (json_is_string(value))
			json_object_set(labels, name, value);
	return labels;
}

/* $KV.DT_HOSTS.NAME, for which the server vouches; without data: it leaves. */
static void take_host(struct watcher *watcher, struct bus_message *message)
{
	json_t *hello = json_loadb(message->data, message->n, 0, NULL);
	char *name = bus_word_of(message->subject, 2);
	struct host *host = host_of(watcher, name);
	const char *kernel = json_string_value(
		json_object_get(hello, "kernel"));
	const char *version = json_string_value(
		json_object_get(hello, "version"));

	if (host && json_is_object(hello)) {
		host->seen = clock_monotonic();
		set_about(watcher, host,
			  json_pack("{s:s, s:o, s:s, s:s}", "host", name,
				    "labels", labels_of(hello), "kernel",
				    kernel ? kernel : "", "version",
				    version ? version : ""));
	} else if (host) {
		set_about(watcher, host, NULL);
	}
	free(name);
	json_decref(hello);
}

static void forget_hosts(struct watcher *watcher)
{
	uint64_t now = clock_monotonic();

	for (uint32_t i = 0; i < watcher->hosts.count; i++) {
		struct host *host = watcher->hosts.entries[i].value;

		if (host->about && now - host->seen > UNSEEN * SECOND)
			set_about(watcher, host, NULL);
	}
}

static void tell_hosts(struct watcher *watcher)
{
	json_t *hosts = json_array();

	for (uint32_t i = 0; i < watcher->hosts.count; i++) {
		struct host *host = watcher->hosts.entries[i].value;

		if (host->about)
			json_array_append(hosts, host->about);
	}
	watcher->has_changed = false;
	watcher->said_at = clock_monotonic();
	say(watcher, json_pack("{s:s, s:o}", "event", "hosts", "hosts", hosts));
}

/* -------------------------------------------------------------- the loop */

static bool connect_to(struct watcher *watcher)
{
	struct bus_options options = { 0 };

	bus_options_from(&options, json_object_get(watcher->spec, "nats"));
	options.name = "dtlive page";
	watcher->bus = bus_connect(&options, watcher->problem);
	if (watcher->bus && !bus_prepare(watcher->bus, watcher->problem)) {
		bus_close(watcher->bus);
		watcher->bus = NULL;
	}
	if (!watcher->bus)
		return false;
	watcher->flow = bus_follow(watcher->bus, "KV_" BUS_HOSTS,
				   "$KV." BUS_HOSTS ".*", 0, TAG_HOST);
	return true;
}

static void take_messages(struct watcher *watcher)
{
	struct bus_message *message;

	while ((message = bus_take(watcher->bus))) {
		if (message->tag == TAG_HOST)
			take_host(watcher, message);
		else if (message->tag == BUS_LOST)
			complain(watcher, "the NATS server is gone");
		else if (message->tag == BUS_BACK)
			complain(watcher, "");
		else
			complain(watcher, message->data);
		bus_message_free(message);
	}
}

static void wait_for_something(struct watcher *watcher, int patience)
{
	struct pollfd waits[] = {
		{ .fd = watcher->talk.fd, .events = POLLIN },
		{ .fd = watcher->bus ? bus_fd(watcher->bus) : -1,
		  .events = POLLIN },
	};

	poll(waits, 2, patience);
	if (waits[0].revents)
		listen_to_server(watcher);
	lines_flush(&watcher->talk);
}

int watcher_main(void)
{
	struct watcher watcher = { 0 };

	prctl(PR_SET_NAME, "dtlive");
	signal(SIGPIPE, SIG_IGN);
	lines_open(&watcher.talk, WORKER_TALK);
	while (!watcher.spec)
		wait_for_something(&watcher, -1);
	while (!connect_to(&watcher)) {
		complain(&watcher, watcher.problem);
		wait_for_something(&watcher, AGAIN * 1000);
	}
	complain(&watcher, "");
	for (;;) {
		wait_for_something(&watcher, TICK);
		take_messages(&watcher);
		forget_hosts(&watcher);
		bus_flow_tick(watcher.flow, SILENCE);
		bus_tick(watcher.bus);
		if (watcher.has_changed &&
		    clock_monotonic() - watcher.said_at > SECOND)
			tell_hosts(&watcher);
	}
}
