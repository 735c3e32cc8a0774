/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What all processes do to their address spaces, as it happens: code that is
 * mapped, programs that are executed, children, exits.  The kernel writes it
 * into memory (perf's side-band records), so the process need not be queried
 * while it exists.
 */

#include <stdbool.h>
#include <stdint.h>

struct map_watch;

enum map_event_kind {
	MAP_EVENT_MAP,
	MAP_EVENT_EXEC,
	MAP_EVENT_FORK,
	MAP_EVENT_EXIT
};

struct map_event {
	enum map_event_kind kind;
	uint64_t time;	      /* CLOCK_MONOTONIC, ns */
	uint32_t pid, parent; /* processes, not threads */
	/* MAP */
	uint64_t start, end, offset, device, inode;
	const char *path;
};

typedef void map_event_function(void *context, const struct map_event *event);

/*
 * A consumer of all events, one of several.  Events arrive from any consumer
 * that polls: note what is to be done, and do it later.
 */
struct map_listener {
	map_event_function *hear;
	void *context;
	bool has_lost; /* set when something was lost */
	struct map_listener *next;
};
struct processes;
/* From now on; false: the kernel does not let us. */
bool processes_listen(struct processes *processes,
		      struct map_listener *listener);
void processes_unlisten(struct processes *processes,
			const struct map_listener *listener);

/* NULL: the kernel does not let us. */
struct map_watch *map_watch_open(void);
void map_watch_close(struct map_watch *watch);
/*
 * Everything that happened since the last time, in order.  False: events were
 * lost, and what is known of address spaces may be stale.
 */
bool map_watch_read(struct map_watch *watch, map_event_function *function,
		    void *context);
