/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/map_watch.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"

enum { RING = 512 << 10, SMALL_RING = 64 << 10, MANY_CPUS = 16 };

struct ring {
	int fd;
	struct perf_event_mmap_page *page;
};

struct map_watch {
	struct ring *rings;
	unsigned count;
	size_t page, size; /* of memory: a head, a power of two */
	bool has_lost;
	/* events being read, to be sorted */
	struct map_event *events;
	size_t nevents, events_capacity;
	struct arena *arena;
};

static bool open_ring(struct map_watch *watch, struct ring *ring, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(attr), .sample_type = PERF_SAMPLE_TIME,
		.sample_id_all = 1, .use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.mmap = 1, .mmap2 = 1, .comm = 1, .comm_exec = 1, .task = 1,
		/* no thread sleeps on it */
		.watermark = 1, .wakeup_watermark = UINT32_MAX,
	};

	ring->fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
				PERF_FLAG_FD_CLOEXEC);
	if (ring->fd < 0)
		return false;
	void *memory = mmap(NULL, watch->page + watch->size,
			    PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);

	if (memory == MAP_FAILED) {
		close(ring->fd);
		return false;
	}
	ring->page = memory;
	return true;
}

struct map_watch *map_watch_open(void)
{
	long ncpus = sysconf(_SC_NPROCESSORS_CONF);
	unsigned count = ncpus > 0 ? (unsigned)ncpus : 1;
	struct map_watch *watch = must_alloc(sizeof(*watch));

	*watch = (struct map_watch){
		.rings = must_alloc(count * sizeof(*watch->rings)),
		.page = (size_t)sysconf(_SC_PAGESIZE),
		.size = count > MANY_CPUS ? SMALL_RING : RING,
		.arena = arena_new(),
	};
	/* CPUs that are not online are left out. */
	for (unsigned cpu = 0; cpu < count; cpu++)
		if (open_ring(watch, &watch->rings[watch->count], (int)cpu))
			watch->count++;
	if (watch->count)
		return watch;
	map_watch_close(watch);
	return NULL;
}

void map_watch_close(struct map_watch *watch)
{
	if (!watch)
		return;
	for (unsigned i = 0; i < watch->count; i++) {
		munmap(watch->rings[i].page, watch->page + watch->size);
		close(watch->rings[i].fd);
	}
	free(watch->rings);
	free(watch->events);
	arena_free(watch->arena);
	free(watch);
}

/* ---------------------------------------------------------------- records */

static void add(struct map_watch *watch, const struct map_event *event)
{
	if (watch->nevents == watch->events_capacity) {
		watch->events_capacity = watch->events_capacity * 2 + 64;
		watch->events = must_realloc(watch->events,
					     checked_mul(watch->events_capacity,
							 sizeof(*event)));
	}
	watch->events[watch->nevents++] = *event;
}

/* The kernel's records, after their headers; the time is at the end. */
struct mmap2_record {
	uint32_t pid, tid;
	uint64_t address, length, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t protection, flags;
	char path[];
};

struct task_record {
	uint32_t pid, parent, tid, parent_tid;
	uint64_t time;
};

static void take_record(struct map_watch *watch,
			const struct perf_event_header *header)
{
	const uint8_t *body = (const uint8_t *)(header + 1);
	size_t size = header->size - sizeof(*header);
	struct map_event event = { 0 };

	if (header->type == PERF_RECORD_LOST)
		watch->has_lost = true;
	if (size < sizeof(event.time) + 2 * sizeof(uint32_t))
		return;
	memcpy(&event.time, body + size - sizeof(event.time),
	       sizeof(event.time));
	memcpy(&event.pid, body, sizeof(event.pid));
	if (header->type == PERF_RECORD_MMAP2 &&
	    size > sizeof(struct mmap2_record)) {
		struct mmap2_record map;

		memcpy(&map, body, sizeof(map));
		event.kind = MAP_EVENT_MAP;
		event.start = map.address;
		event.end = map.address + map.length;
		event.offset = map.offset;
		event.device = (uint64_t)map.major << 32 | map.minor;
		event.inode = map.inode;
		event.path = arena_strdup(watch->arena,
					  (const char *)body + sizeof(map));
	} else if (header->type == PERF_RECORD_COMM &&
		   (header->misc & PERF_RECORD_MISC_COMM_EXEC)) {
		event.kind = MAP_EVENT_EXEC;
	} else if ((header->type == PERF_RECORD_FORK ||
		    header->type == PERF_RECORD_EXIT) &&
		   size >= sizeof(struct task_record)) {
		struct task_record task;

		memcpy(&task, body, sizeof(task));
		event.kind = header->type == PERF_RECORD_FORK ? MAP_EVENT_FORK
							      : MAP_EVENT_EXIT;
		event.parent = task.parent;
		/* Threads share everything; the first one represents all. */
		if (event.kind == MAP_EVENT_FORK ? task.pid == task.parent
						 : task.pid != task.tid)
			return;
	} else {
		return;
	}
	add(watch, &event);
}

static void read_ring(struct map_watch *watch, struct ring *ring)
{
	struct perf_event_mmap_page *page = ring->page;
	const uint8_t *data = (const uint8_t *)page + watch->page;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t at = page->data_tail;
	/* longest record; the header says its size in 16 bits */
	static union {
		struct perf_event_header header;
		uint8_t bytes[1 << 16];
	} record;

	while (at < head) {
		uint64_t from = at & (watch->size - 1);
		size_t first = watch->size - from;
		struct perf_event_header header;

		/* Records are multiples of 8 and so is where they wrap. */
		memcpy(&header, data + from, sizeof(header));
		if (header.size < sizeof(header))
			break;
		if (first > header.size)
			first = header.size;
		memcpy(record.bytes, data + from, first);
		memcpy(record.bytes + first, data, header.size - first);
		take_record(watch, &record.header);
		at += header.size;
	}
	__atomic_store_n(&page->data_tail, at, __ATOMIC_RELEASE);
}

static int by_time(const void *a, const void *b)
{
	const struct map_event *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

bool map_watch_read(struct map_watch *watch, map_event_function *function,
		    void *context)
{
	bool has_lost;

	for (unsigned i = 0; i < watch->count; i++)
		read_ring(watch, &watch->rings[i]);
	has_lost = watch->has_lost;
	watch->has_lost = false;
	if (!watch->nevents)
		return !has_lost;
	qsort(watch->events, watch->nevents, sizeof(*watch->events), by_time);
	for (size_t i = 0; i < watch->nevents; i++)
		function(context, &watch->events[i]);
	watch->nevents = 0;
	arena_free(watch->arena);
	watch->arena = arena_new();
	return !has_lost;
}
