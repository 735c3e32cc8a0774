/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address spaces: what is mapped where.
 *
 * A process's mappings are read from /proc/PID/maps once, when it is first
 * asked for; from then on the kernel tells what changes (map_watch.h), and it
 * tells all of those that start later.  So a process that is gone before
 * anybody looks has its mappings nevertheless.  Where the kernel does not
 * tell, mappings are read again when they are older than a second, or do not
 * have an address.
 *
 * Object files are known by device and inode and shared between processes.
 * They are opened through /proc/PID/map_files, so that a container's files and
 * deleted ones are found, or by their path when the process is gone.
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
#include "proc/served.h"
#include "proc/symbols.h"

enum { SPACES_KEPT = 4 };

static struct object *object_of(struct processes *processes, uint64_t device,
				uint64_t inode, const char *path)
{
	struct object **bucket =
		&processes->objects[(inode ^ device * 31) % PROCESS_BUCKETS];
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (struct object *object = *bucket; object; object = object->next)
		if (object->device == device && object->inode == inode &&
		    !strcmp(object->name, name))
			return object;
	struct object *object = must_alloc(sizeof(*object));

	*object = (struct object){
		.device = device, .inode = inode, .path = strdup(path),
		.next = *bucket,
	};
	if (object->path)
		object->name = object->path + (name - path);
	else
		object->name = "?";
	*bucket = object;
	processes->nobjects++;
	return object;
}

/* Code of the kernel's that it shows to processes. */
static bool is_machinery(const char *path)
{
	return !strncmp(path, "[uprobes", 8) || !strcmp(path, "[vsyscall]");
}

/* "start-end perms offset major:minor inode   path" */
static bool parse_mapping(struct processes *processes, char *line,
			  struct mapping *mapping)
{
	unsigned long long start, end, offset, inode;
	unsigned major, minor;
	char perms[8];
	int at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%llx-%llx %7s %llx %x:%x %llu %n", &start, &end,
		   perms, &offset, &major, &minor, &inode, &at) != 7 || !at)
		return false;
	char *path = line + at;
	char *deleted = strstr(path, " (deleted)");

	if (deleted && !deleted[10])
		*deleted = '\0';
	bool is_vdso = !strcmp(path, "[vdso]");
	bool is_code = perms[2] == 'x';

	if (is_code ? is_machinery(path) : path[0] != '/' && !is_vdso)
		return false;
	*mapping = (struct mapping){
		.start = start, .end = end, .offset = offset,
		.is_code = is_code,
		.object = inode || is_vdso ?
			object_of(processes, ((uint64_t)major << 32) | minor,
				  inode, path) : NULL,
	};
	return true;
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

/* The number that bpf/unwind.h computes from the kernel's own; 0: unknown. */
static uint64_t read_layout(uint32_t pid)
{
	enum { START_CODE = 26, END_CODE, START_STACK };	/* proc(5) */
	char text[1024];
	unsigned long long fields[START_STACK + 1] = { 0 };

	if (!read_text(pid, "stat", text, sizeof(text)))
		return 0;
	char *at = strrchr(text, ')');

	if (!at || !at[1] || !at[2])
		return 0;
	at += 3;	/* the state, field 3, is a letter */
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
	char path[32], *line = NULL;
	size_t size = 0, capacity = 0;
	struct mapping mapping;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	FILE *file = fopen(path, "re");

	if (!file)
		return false;
	while (getline(&line, &size, file) > 0) {
		if (strstr(line, "[uprobes"))
			space->has_machinery = true;
		if (!parse_mapping(processes, line, &mapping))
			continue;
		if (space->count == capacity) {
			capacity = capacity ? capacity * 2 : 16;
			space->mappings = must_realloc(space->mappings,
				checked_mul(capacity, sizeof(mapping)));
		}
		space->mappings[space->count++] = mapping;
	}
	free(line);
	fclose(file);
	/* A process that is ending has no mappings any more. */
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

	*space = (struct space){ .layout = read_layout(pid), .since = start };
	space->exact = read_exact(process, space->layout);
	if (!read_space(processes, pid, space) ||
	    read_layout(pid) != space->layout) {
		/* It is gone, or on its way into another program. */
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
	/* The kernel tells what comes from now on. */
	process->is_tracked = processes->watch != NULL;
	return true;
}

void process_read_again(struct processes *processes, struct process *process)
{
	struct process before = *process;

	process->is_tracked = false;
	if (process_read(processes, process))
		return;
	/* What was told stays true of a process that is gone. */
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

int process_open(const struct process *process, const struct mapping *mapping)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx",
		 process->pid, (unsigned long long)mapping->start,
		 (unsigned long long)mapping->end);
	if (!served_may_open((pid_t)process->pid, mapping->object->device,
			     path, mapping->object->path))
		return -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	return fd >= 0 || !mapping->object->path ? fd :
		foreign_open_inode("", mapping->object->path,
				   mapping->object->inode);
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

	while (end < space->count &&
	       space->mappings[end].start < mapping->end)
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

	add_mapping(process->space, &(struct mapping){
		.start = event->start, .end = event->end,
		.offset = is_vdso ? 0 : event->offset, .is_code = true,
		.object = event->inode || is_vdso ?
			object_of(processes, event->device, event->inode,
				  event->path) : NULL,
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

static void on_event(void *context, const struct map_event *event)
{
	struct processes *processes = context;
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

void processes_watch(struct processes *processes)
{
	if (!processes->watch)
		processes->watch = map_watch_open();
}

void processes_poll(struct processes *processes)
{
	if (!processes->watch ||
	    map_watch_read(processes->watch, on_event, processes))
		return;
	for (unsigned i = 0; i < PROCESS_BUCKETS; i++)
		for (struct process *process = processes->by_pid[i]; process;
		     process = process->next) {
			process->is_tracked = false;
			process->read_at = 0;
		}
}

void process_free(struct process *process)
{
	while (process->space) {
		struct space *space = process->space;

		process->space = space->older;
		free_space(space);
	}
	jit_names_free(process->jit);
	free(process);
}
