/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address spaces: what is mapped where.
 *
 * A process's mappings are read from /proc/PID/maps once, when it is first
 * requested; from then on the kernel reports changes (map_watch.h), and it
 * reports everything for processes that start later.  So even a process that
 * ends before it is requested has its mappings.  Where the kernel does not
 * report them, mappings are read again when they are older than a second or do
 * not contain an address.
 */
#include "proc/process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "bpf/unwind.h"
#include "proc/foreign.h"
#include "proc/map_watch.h"
#include "proc/symbols.h"

enum { SPACES_KEPT = 4 };

/* Code of the kernel's that it shows to processes. */
static bool is_machinery(const char *path)
{
	return !strncmp(path, "[uprobes", 8) || !strcmp(path, "[vsyscall]");
}

/* Code, and files; false: the line is neither. */
static bool is_of_interest(const struct maps_line *line)
{
	if (line->is_code)
		return !is_machinery(line->path);
	return line->path[0] == '/' || !strcmp(line->path, "[vdso]");
}

static struct mapping mapping_of(struct processes *processes,
				 const struct maps_line *line)
{
	bool is_vdso = !strcmp(line->path, "[vdso]");

	return (struct mapping){
		.start = line->start,
		.end = line->end,
		.offset = line->offset,
		.is_code = line->is_code,
		.image = line->inode || is_vdso
				 ? image_of(processes, line->device,
					    line->inode, line->path)
				 : NULL,
	};
}

/* ---------------------------------------------------------------- layouts */

static bool read_text(uint32_t pid, const char *name, char *text, size_t size)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/%u/%s", pid, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

uint64_t process_layout(uint32_t pid)
{
	enum { START_CODE = 26, END_CODE, START_STACK }; /* proc(5) */
	char text[1024];
	unsigned long long fields[START_STACK + 1] = { 0 };

	if (!read_text(pid, "stat", text, sizeof(text)))
		return 0;
	char *at = strrchr(text, ')');

	if (!at || !at[1] || !at[2])
		return 0;
	at += 3; /* the state, field 3, is a letter */
	for (unsigned n = 4; n <= START_STACK; n++)
		fields[n] = strtoull(at, &at, 10);
	if (!fields[START_STACK])
		return 0;
	return UNWIND_LAYOUT((uint64_t)fields[START_CODE],
			     (uint64_t)fields[END_CODE],
			     (uint64_t)fields[START_STACK]);
}

static uint64_t read_exact(struct process *process, uint64_t layout)
{
	enum { PAGE_KB = 4 };
	char text[4096];
	unsigned long long exe = 0, libraries = 0;
	unsigned real, effective;

	if (!layout || !read_text(process->pid, "status", text, sizeof(text)))
		return 0;
	const char *at = strstr(text, "\nUid:");

	if (at && sscanf(at, "\nUid: %u %u", &real, &effective) == 2)
		process->user = effective;
	at = strstr(text, "\nVmExe:");

	if (!at || sscanf(at, "\nVmExe: %llu", &exe) != 1)
		return 0;
	at = strstr(text, "\nVmLib:");
	if (!at || sscanf(at, "\nVmLib: %llu", &libraries) != 1)
		return 0;
	return UNWIND_EXACT(layout, (uint64_t)(exe + libraries) / PAGE_KB);
}

/* ----------------------------------------------------------------- spaces */

static void free_space(struct space *space)
{
	free(space->mappings);
	free(space);
}

static bool read_space(struct processes *processes, uint32_t pid,
		       struct space *space)
{
	size_t capacity = 0;
	struct maps_line line;

	if (maps_read(&processes->maps, (pid_t)pid))
		return false;
	while (maps_next(&processes->maps, &line, false)) {
		if (!strncmp(line.path, "[uprobes", 8))
			space->has_machinery = true;
		if (!is_of_interest(&line))
			continue;
		if (space->count == capacity) {
			capacity = capacity ? capacity * 2 : 16;
			space->mappings = must_realloc(
				space->mappings,
				checked_mul(capacity,
					    sizeof(*space->mappings)));
		}
		space->mappings[space->count++] = mapping_of(processes, &line);
	}
	/* A process that is ending no longer has mappings. */
	return space->count != 0;
}

static void drop_oldest(struct process *process)
{
	struct space **at = &process->space;

	for (unsigned n = 0; *at && n < SPACES_KEPT; n++)
		at = &(*at)->older;
	while (*at) {
		struct space *space = *at;

		*at = space->older;
		free_space(space);
	}
}

static void push_space(struct process *process, struct space *space)
{
	space->older = process->space;
	process->space = space;
	drop_oldest(process);
}

bool process_read(struct processes *processes, struct process *process)
{
	uint32_t pid = process->pid;
	uint64_t start = processes_now();

	if (process->is_tracked)
		return true;
	process->read_at = start;
	struct space *space = must_alloc(sizeof(*space));

	*space = (struct space){ .layout = process_layout(pid),
				 .since = start };
	space->exact = read_exact(process, space->layout);
	if (!read_space(processes, pid, space) ||
	    process_layout(pid) != space->layout) {
		/* It is gone, or is executing another program. */
		free_space(space);
		return false;
	}
	struct space *before = process->space;

	if (before && before->layout == space->layout) {
		space->since = before->since;
		process->space = before->older;
		free_space(before);
	}
	push_space(process, space);
	/* The kernel reports all changes from now on. */
	process->is_tracked = processes->is_tracking;
	return true;
}

void process_read_again(struct processes *processes, struct process *process)
{
	struct process before = *process;

	process->is_tracked = false;
	if (process_read(processes, process))
		return;
	/* Reported mappings stay valid for a process that is gone. */
	process->is_tracked = before.is_tracked;
	process->read_at = before.read_at;
}

/* ---------------------------------------------------------------- finding */

static const struct mapping *find_mapping(const struct space *space,
					  uint64_t address)
{
	size_t low = 0, high = space->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (space->mappings[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == space->count || address < space->mappings[low].start)
		return NULL;
	return &space->mappings[low];
}

const struct mapping *space_find(const struct space *space, uint64_t address)
{
	const struct mapping *mapping = NULL;

	for (; space && !mapping; space = space->older)
		mapping = find_mapping(space, address);
	return mapping;
}

struct image_place process_place(const struct process *process,
				 const struct mapping *mapping)
{
	return (struct image_place){
		.pid = (pid_t)process->pid,
		.start = mapping->start,
		.end = mapping->end,
		.path = mapping->image->path,
	};
}

/* ----------------------------------------------------------------- events */

/* Where nothing ends at or before an address. */
static size_t place_of(const struct space *space, uint64_t address)
{
	size_t at = 0;

	while (at < space->count && space->mappings[at].end <= address)
		at++;
	return at;
}

/* What was there before is gone, at least in part. */
static void add_mapping(struct space *space, const struct mapping *mapping)
{
	size_t at = place_of(space, mapping->start), end = at;
	struct mapping pieces[3];
	size_t n = 0;

	while (end < space->count && space->mappings[end].start < mapping->end)
		end++;
	if (at < end && space->mappings[at].start < mapping->start) {
		pieces[n] = space->mappings[at];
		pieces[n++].end = mapping->start;
	}
	pieces[n++] = *mapping;
	if (at < end && space->mappings[end - 1].end > mapping->end) {
		pieces[n] = space->mappings[end - 1];
		pieces[n].offset += mapping->end - pieces[n].start;
		pieces[n++].start = mapping->end;
	}
	size_t count = space->count - (end - at) + n;
	struct mapping *mappings = must_alloc(checked_mul(count,
							  sizeof(*mappings)));

	if (at)
		memcpy(mappings, space->mappings, at * sizeof(*mappings));
	memcpy(mappings + at, pieces, n * sizeof(*mappings));
	if (space->count > end)
		memcpy(mappings + at + n, space->mappings + end,
		       (space->count - end) * sizeof(*mappings));
	free(space->mappings);
	space->mappings = mappings;
	space->count = count;
}

static void on_map(struct processes *processes, const struct map_event *event)
{
	struct process *process = process_known(processes, event->pid);

	if (!process || !process->is_tracked || !process->space ||
	    event->time < process->read_at)
		return;
	if (is_machinery(event->path)) {
		process->space->has_machinery = true;
		return;
	}
	bool is_vdso = !strcmp(event->path, "[vdso]");

	add_mapping(
		process->space,
		&(struct mapping){
			.start = event->start,
			.end = event->end,
			.offset = is_vdso ? 0 : event->offset,
			.is_code = true,
			.image = event->inode || is_vdso
					 ? image_of(processes, event->device,
						    event->inode, event->path)
					 : NULL,
		});
}

static void on_exec(struct processes *processes, const struct map_event *event)
{
	struct process *process = process_of(processes, event->pid);
	struct space *space;

	if (event->time < process->read_at)
		return;
	space = must_alloc(sizeof(*space));
	*space = (struct space){ .since = event->time };
	push_space(process, space);
	process->is_tracked = true;
}

static void on_fork(struct processes *processes, const struct map_event *event)
{
	const struct process *parent = process_known(processes, event->parent);
	struct process *process = process_of(processes, event->pid);

	process->exited_at = 0;
	process->is_jit_tried = false;
	process->is_tracked = false;
	if (!parent || !parent->is_tracked || !parent->space)
		return;
	struct space *space = must_alloc(sizeof(*space));
	size_t size = parent->space->count * sizeof(*space->mappings);

	if (!size) {
		free(space);
		return;
	}
	*space = *parent->space;
	space->since = event->time;
	space->mappings = must_alloc(size);
	memcpy(space->mappings, parent->space->mappings, size);
	push_space(process, space);
	process->is_tracked = true;
}

static void track(struct processes *processes, const struct map_event *event)
{
	struct process *process;

	switch (event->kind) {
	case MAP_EVENT_MAP:
		on_map(processes, event);
		break;
	case MAP_EVENT_EXEC:
		on_exec(processes, event);
		break;
	case MAP_EVENT_FORK:
		on_fork(processes, event);
		break;
	case MAP_EVENT_EXIT:
		process = process_known(processes, event->pid);
		if (process)
			process->exited_at = event->time;
		break;
	}
}

static void on_event(void *context, const struct map_event *event)
{
	struct processes *processes = context;

	if (processes->is_tracking)
		track(processes, event);
	for (const struct map_listener *listener = processes->listeners;
	     listener; listener = listener->next)
		listener->hear(listener->context, event);
}

static bool open_watch(struct processes *processes)
{
	if (!processes->watch)
		processes->watch = map_watch_open();
	return processes->watch;
}

void processes_watch(struct processes *processes)
{
	processes->is_tracking = open_watch(processes);
}

bool processes_listen(struct processes *processes,
		      struct map_listener *listener)
{
	if (!open_watch(processes))
		return false;
	listener->next = processes->listeners;
	processes->listeners = listener;
	return true;
}

void processes_unlisten(struct processes *processes,
			const struct map_listener *listener)
{
	struct map_listener **at = &processes->listeners;

	while (*at && *at != listener)
		at = &(*at)->next;
	if (*at)
		*at = listener->next;
}

void processes_poll(struct processes *processes)
{
	if (!processes->watch ||
	    map_watch_read(processes->watch, on_event, processes))
		return;
	for (struct map_listener *listener = processes->listeners; listener;
	     listener = listener->next)
		listener->has_lost = true;
	for (unsigned i = 0; i < PROCESS_BUCKETS; i++)
		for (struct process *process = processes->by_pid[i]; process;
		     process = process->next) {
			process->is_tracked = false;
			process->read_at = 0;
		}
}

void process_free(struct processes *processes, struct process *process)
{
	while (process->space) {
		struct space *space = process->space;

		process->space = space->older;
		free_space(space);
	}
	jit_names_free(process->jit);
	if (process->runtime)
		processes->free_runtime(process->runtime);
	free(process);
}
