/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of code that was made at run time: JavaScript, Java, Python.  The
 * process writes them to /tmp/perf-PID.map as it goes: start, length and name
 * on a line.  In a container that is its own /tmp, and PID its own number.
 *
 * The file is read when a name is asked for, and what has been added since
 * when one is not found.  Code moves and addresses are used again: the last
 * line about an address holds.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "proc/process.h"

struct entry {
	uint64_t start, size;
	uint32_t name;		/* in names */
	uint32_t order;
};

struct jit_names {
	int fd;
	long read;		/* bytes of the file so far */
	struct entry *entries;	/* by start */
	size_t count, capacity;
	char *names;
	size_t names_size, names_capacity;
	uint64_t asked_at;	/* ns */
};

void jit_names_free(struct jit_names *jit)
{
	if (!jit)
		return;
	close(jit->fd);
	free(jit->entries);
	free(jit->names);
	free(jit);
}

/* What the process calls itself, in the innermost namespace. */
static uint32_t own_number(uint32_t pid)
{
	char path[48], line[256];
	uint32_t number = pid;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	FILE *file = fopen(path, "re");

	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "NSpid:", 6))
			continue;
		const char *last = strrchr(line, '\t');

		if (last)
			number = (uint32_t)strtoul(last, NULL, 10);
		break;
	}
	if (file)
		fclose(file);
	return number;
}

static int open_map(uint32_t pid)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%u/root/tmp/perf-%u.map", pid,
		 own_number(pid));
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "/tmp/perf-%u.map", pid);
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static void add(struct jit_names *jit, uint64_t start, uint64_t size,
		const char *name)
{
	size_t length = strlen(name) + 1;

	if (!size || jit->names_size + length > UINT32_MAX)
		return;
	if (jit->count == jit->capacity) {
		jit->capacity = jit->capacity * 2 + 256;
		jit->entries = must_realloc(jit->entries,
			checked_mul(jit->capacity, sizeof(*jit->entries)));
	}
	while (jit->names_size + length > jit->names_capacity) {
		jit->names_capacity = jit->names_capacity * 2 + 4096;
		jit->names = must_realloc(jit->names, jit->names_capacity);
	}
	jit->entries[jit->count] = (struct entry){
		start, size, (uint32_t)jit->names_size, (uint32_t)jit->count,
	};
	jit->count++;
	memcpy(jit->names + jit->names_size, name, length);
	jit->names_size += length;
}

static int by_start(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* What was added to the file; whole lines only. */
static void read_more(struct jit_names *jit)
{
	size_t before = jit->count;
	char *text = NULL, *end;
	off_t size = lseek(jit->fd, 0, SEEK_END);

	if (size <= jit->read || size - jit->read > 256 << 20)
		return;
	text = must_alloc((size_t)(size - jit->read) + 1);
	ssize_t n = pread(jit->fd, text, (size_t)(size - jit->read),
			  jit->read);

	text[n > 0 ? n : 0] = '\0';
	for (char *line = text; (end = strchr(line, '\n')); line = end + 1) {
		char *at;

		*end = '\0';
		jit->read += end + 1 - line;
		uint64_t start = strtoull(line, &at, 16);
		uint64_t length = strtoull(at, &at, 16);

		if (*at == ' ')
			add(jit, start, length, at + 1);
	}
	free(text);
	if (jit->count != before)
		qsort(jit->entries, jit->count, sizeof(*jit->entries),
		      by_start);
}

static const struct entry *find(const struct jit_names *jit, uint64_t address)
{
	size_t low = 0, high = jit->count;
	const struct entry *best = NULL;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (jit->entries[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	/* Of those that have it the one that was written last. */
	for (size_t n = 0; n < 16 && low > n; n++) {
		const struct entry *entry = &jit->entries[low - 1 - n];

		if (address - entry->start < entry->size &&
		    (!best || entry->order > best->order))
			best = entry;
	}
	return best;
}

const char *jit_names_find(struct process *process, uint64_t address,
			   uint64_t *start)
{
	enum { PATIENCE = 100 * 1000 * 1000 };
	struct jit_names *jit = process->jit;

	if (!jit && !process->is_jit_tried) {
		int fd = open_map(process->pid);

		process->is_jit_tried = true;
		if (fd < 0)
			return NULL;
		jit = process->jit = must_alloc(sizeof(*jit));
		*jit = (struct jit_names){ .fd = fd };
		read_more(jit);
	}
	if (!jit)
		return NULL;
	const struct entry *entry = find(jit, address);

	if (!entry && processes_now() - jit->asked_at > PATIENCE) {
		jit->asked_at = processes_now();
		read_more(jit);
		entry = find(jit, address);
	}
	if (!entry)
		return NULL;
	*start = entry->start;
	return jit->names + entry->name;
}
