/* SPDX-License-Identifier: Apache-2.0 */
/*
 * goid: which processes are Go programs, and where they have the number of the
 * goroutine that runs, for programs that use it (bpf/goroutine.h).
 *
 * All processes are looked at when tracing starts, and others when they execute a
 * program, which the kernel reports; until then their numbers are 0.
 */
#include "bpf/goroutine.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "proc/map_watch.h"
#include "proc/process.h"
#include "proc/symbols.h"
#include "runtime/goroutine.h"
#include "run/internal.h"

enum { WORD = 8 };

struct goroutines {
	struct session *session;
	struct map_listener listener;
	uint32_t *pids; /* that have executed something */
	size_t count, capacity;
};

static void put(struct session *session, uint64_t layout, uint64_t where)
{
	uint64_t *entry = (uint64_t *)(session->maps.globals +
				       session->lowering.goroutines.at +
				       GOROUTINE_AT(layout));
	unsigned n = 0;

	while (n < GOROUTINE_TRIES && entry[2 * n] && entry[2 * n] != layout)
		n++;
	/* One has to go; as processes end, it is mostly an old one. */
	if (n == GOROUTINE_TRIES)
		n = (unsigned)(layout >> 8) % GOROUTINE_TRIES;
	entry += (size_t)2 * n;
	__atomic_store_n(&entry[0], 0, __ATOMIC_RELEASE);
	__atomic_store_n(&entry[1], where, __ATOMIC_RELEASE);
	__atomic_store_n(&entry[0], layout, __ATOMIC_RELEASE);
}

static void look_at(struct session *session, uint32_t pid)
{
	struct process *process = process_asked(session->processes, pid);
	struct goroutine_place place;
	uint64_t layout = process_layout(pid);

	if (!layout)
		return;
	process_read_again(session->processes, process);
	if (goroutine_find(session->processes, process, &place))
		put(session, layout,
		    GOROUTINE_WHERE(place.slot, place.machine, place.goroutine,
				    place.number));
}

static void look_at_all(struct session *session)
{
	DIR *directory = opendir("/proc");
	const struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (isdigit((unsigned char)entry->d_name[0]))
			look_at(session,
				(uint32_t)strtoul(entry->d_name, NULL, 10));
	if (directory)
		closedir(directory);
}

/* The vDSO is the last thing that is mapped for a new program. */
static void hear(void *context, const struct map_event *event)
{
	struct goroutines *goroutines = context;

	if (event->kind != MAP_EVENT_MAP || strcmp(event->path, "[vdso]"))
		return;
	if (goroutines->count == goroutines->capacity) {
		goroutines->capacity = 2 * goroutines->capacity + 64;
		goroutines->pids = must_realloc(
			goroutines->pids,
			checked_mul(goroutines->capacity, sizeof(uint32_t)));
	}
	goroutines->pids[goroutines->count++] = event->pid;
}

void session_goroutines_start(struct session *session)
{
	if (!session->lowering.goroutines.is_used || session->goroutines)
		return;
	struct goroutines *goroutines = must_alloc(sizeof(*goroutines));

	*goroutines = (struct goroutines){
		.session = session,
		.listener = { .hear = hear, .context = goroutines },
	};
	session->goroutines = goroutines;
	processes_listen(session->processes, &goroutines->listener);
	look_at_all(session);
}

void session_goroutines_look(struct session *session)
{
	struct goroutines *goroutines = session->goroutines;

	if (!goroutines)
		return;
	processes_poll(session->processes);
	if (goroutines->listener.has_lost) {
		goroutines->listener.has_lost = false;
		goroutines->count = 0;
		look_at_all(session);
	}
	for (size_t i = 0; i < goroutines->count; i++)
		look_at(session, goroutines->pids[i]);
	goroutines->count = 0;
}

void session_goroutines_free(struct session *session)
{
	if (!session->goroutines)
		return;
	processes_unlisten(session->processes, &session->goroutines->listener);
	free(session->goroutines->pids);
	free(session->goroutines);
	session->goroutines = NULL;
}
