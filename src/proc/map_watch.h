/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What all processes do to their address spaces, as it happens: code that is
 * mapped, programs that are executed, children, ends.  The kernel writes it
 * into memory (perf's side-band records), so nothing has to be asked while
 * the process is there.
 */

#include <stdbool.h>
#include <stdint.h>

struct map_watch;

enum map_event_kind { MAP_EVENT_MAP, MAP_EVENT_EXEC, MAP_EVENT_FORK,
		      MAP_EVENT_EXIT };

struct map_event {
	enum map_event_kind kind;
	uint64_t time;			/* CLOCK_MONOTONIC, ns */
	uint32_t pid, parent;		/* processes, not threads */
	/* MAP */
	uint64_t start, end, offset, device, inode;
	const char *path;
};

typedef void map_event_function(void *context, const struct map_event *event);

/* NULL: the kernel does not let us. */
struct map_watch *map_watch_open(void);
void map_watch_close(struct map_watch *watch);
/*
 * Everything that happened since the last time, in order.  False: something
 * was lost, and what is known of address spaces may be old.
 */
bool map_watch_read(struct map_watch *watch, map_event_function *function,
		    void *context);
