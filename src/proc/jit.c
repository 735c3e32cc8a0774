/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of code that was generated at run time: JavaScript, Java, Python.  The
 * process writes them to /tmp/perf-PID.map as it goes: start, length and name
 * on a line.  In a container that is its own /tmp, and PID its own number.
 *
 * The file is read when a name is first needed; if a name is not found, the
 * lines added since are read.  Code moves and addresses are reused: the last
 * line for an address is valid.
 *
 * 1. Any user can write to /tmp.  A map must be a regular file owned by the
 *    process's user or root (foreign.h).
 * 2. Invalid lines are left out: those that are not two numbers and a name, or
 *    whose range is empty, wraps around, or is too large for code.  Long names
 *    are truncated.
 * 3. Reading costs a small part of the time, however large a map becomes.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/budget.h"
#include "proc/foreign.h"
#include "proc/process.h"

enum { CHUNK = 256 << 10, NAME_MOST = 1024, RANGE_MOST = 256 << 20 };
static const uint64_t ADDRESS_MOST = 1ull << 56;

struct entry {
	uint64_t start, end;
	uint32_t name; /* in names */
};

/* A range of addresses that belongs to one entry. */
struct piece {
	uint64_t start, end;
	uint32_t entry;
};

struct jit_names {
	int fd;
	struct budget *budget;
	uint64_t held;	       /* of the budget */
	off_t read;	       /* bytes of the file so far */
	bool is_skipping;      /* in the middle of something too long */
	bool is_full;	       /* nothing more is read */
	struct entry *entries; /* in the order of the file */
	size_t count, capacity;
	struct piece *pieces; /* by start; none overlap */
	size_t npieces;
	char *names;
	size_t names_size, names_capacity;
	uint64_t asked_at, cost; /* ns */
};

void jit_names_free(struct jit_names *jit)
{
	if (!jit)
		return;
	close(jit->fd);
	budget_release(jit->budget, jit->held);
	free(jit->entries);
	free(jit->pieces);
	free(jit->names);
	free(jit);
}

/*
 * The process's pid in its innermost namespace, and its user; if it is gone, as
 * they were when last read.
 */
static uint32_t own_number(uint32_t pid, uid_t *user)
{
	char path[48], line[256];
	uint32_t number = pid;
	unsigned real, effective;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	FILE *file = fopen(path, "re");

	while (file && fgets(line, sizeof(line), file)) {
		const char *last = strrchr(line, '\t');

		if (sscanf(line, "Uid: %u %u", &real, &effective) == 2)
			*user = effective;
		if (!strncmp(line, "NSpid:", 6) && last)
			number = (uint32_t)strtoul(last, NULL, 10);
	}
	if (file)
		fclose(file);
	return number;
}

static int open_map(struct process *process)
{
	char root[32], path[48];
	uint32_t number = own_number(process->pid, &process->user);

	snprintf(root, sizeof(root), "/proc/%u/root", process->pid);
	snprintf(path, sizeof(path), "/tmp/perf-%u.map", number);
	int fd = foreign_open(root, path, false, process->user);

	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "/tmp/perf-%u.map", process->pid);
	return foreign_open("", path, false, process->user);
}

/* ------------------------------------------------------------------ lines */

/* A number in hexadecimal, with or without 0x, and the text after it. */
static bool take_number(const char **at, const char *end, uint64_t *number)
{
	const char *start;

	*number = 0;
	if (end - *at > 2 && (*at)[0] == '0' && (*at)[1] == 'x')
		*at += 2;
	for (start = *at; *at < end && *at - start <= 16; ++*at) {
		char c = **at;
		int digit = c >= '0' && c <= '9'   ? c - '0'
			    : c >= 'a' && c <= 'f' ? c - 'a' + 10
			    : c >= 'A' && c <= 'F' ? c - 'A' + 10
						   : -1;

		if (digit < 0)
			break;
		*number = *number << 4 | (uint64_t)digit;
	}
	if (*at == start || *at - start > 16 || *at == end || **at != ' ')
		return false;
	++*at;
	return true;
}

/* Bytes of the name that are kept: whole characters, no NUL. */
static size_t name_length(const char *name, const char *end)
{
	size_t length = strnlen(name, (size_t)(end - name));

	if (length <= NAME_MOST)
		return length;
	length = NAME_MOST;
	while (length > NAME_MOST - 4 && (name[length] & 0xc0) == 0x80)
		length--;
	return length;
}

static bool has_room(struct jit_names *jit, size_t length)
{
	uint64_t cost = length + sizeof(struct entry) +
			2 * sizeof(struct piece);

	if (jit->count < UINT32_MAX && jit->names_size + length <= UINT32_MAX &&
	    budget_hold(jit->budget, cost)) {
		jit->held += cost;
		return true;
	}
	jit->is_full = true;
	return false;
}

static void add(struct jit_names *jit, uint64_t start, uint64_t size,
		const char *name, size_t length)
{
	if (!size || size > RANGE_MOST || start > ADDRESS_MOST - size ||
	    !length || !has_room(jit, length + 1))
		return;
	if (jit->count == jit->capacity) {
		jit->capacity = jit->capacity * 2 + 256;
		jit->entries = must_realloc(jit->entries,
					    checked_mul(jit->capacity,
							sizeof(*jit->entries)));
	}
	while (jit->names_size + length + 1 > jit->names_capacity) {
		jit->names_capacity = jit->names_capacity * 2 + 4096;
		jit->names = must_realloc(jit->names, jit->names_capacity);
	}
	jit->entries[jit->count++] = (struct entry){
		start,
		start + size,
		(uint32_t)jit->names_size,
	};
	memcpy(jit->names + jit->names_size, name, length);
	jit->names[jit->names_size + length] = '\0';
	jit->names_size += length + 1;
}

static void take_line(struct jit_names *jit, const char *at, const char *end)
{
	uint64_t start, size;

	if (take_number(&at, end, &start) && take_number(&at, end, &size))
		add(jit, start, size, at, name_length(at, end));
}

/* Whole lines; returns the bytes of them. */
static size_t take_lines(struct jit_names *jit, const char *text, size_t size)
{
	const char *line = text, *stop = text + size, *end;

	while (line < stop && !jit->is_full &&
	       (end = memchr(line, '\n', (size_t)(stop - line)))) {
		if (!jit->is_skipping)
			take_line(jit, line, end);
		jit->is_skipping = false;
		line = end + 1;
	}
	return (size_t)(line - text);
}

/* Where there is something to read; holes have no lines. */
static off_t skip_hole(struct jit_names *jit, off_t at)
{
	off_t data = lseek(jit->fd, at, SEEK_DATA);

	if (data <= at)
		return at;
	jit->is_skipping = true;
	return data;
}

/* Read what was added to the file. */
static void read_lines(struct jit_names *jit)
{
	char *chunk = must_alloc(CHUNK);
	size_t have = 0;
	off_t size = lseek(jit->fd, 0, SEEK_END);

	jit->read = skip_hole(jit, jit->read);
	while (jit->read + (off_t)have < size && !jit->is_full) {
		ssize_t n = pread(jit->fd, chunk + have, CHUNK - have,
				  jit->read + (off_t)have);

		if (n <= 0)
			break;
		jit->is_full = !budget_work(jit->budget, (uint64_t)n);
		have += (size_t)n;
		size_t taken = take_lines(jit, chunk, have);

		if (!taken && have == CHUNK) {
			jit->is_skipping = true;
			taken = have;
		}
		memmove(chunk, chunk + taken, have - taken);
		have -= taken;
		jit->read += (off_t)taken;
		if (!have)
			jit->read = skip_hole(jit, jit->read);
	}
	free(chunk);
}

/* ----------------------------------------------------------------- pieces */

static int by_start(const void *a, const void *b, void *data)
{
	const struct entry *entries = data;
	const struct entry *x = &entries[*(const uint32_t *)a];
	const struct entry *y = &entries[*(const uint32_t *)b];

	return (x->start > y->start) - (x->start < y->start);
}

/* Entries that reach over an address, the last of the file on top. */
struct heap {
	uint32_t *items;
	size_t count;
};

static void heap_push(struct heap *heap, uint32_t entry)
{
	size_t at = heap->count++;

	for (; at && heap->items[(at - 1) / 2] < entry; at = (at - 1) / 2)
		heap->items[at] = heap->items[(at - 1) / 2];
	heap->items[at] = entry;
}

static void heap_pop(struct heap *heap)
{
	uint32_t last = heap->items[--heap->count];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < heap->count) {
		if (child + 1 < heap->count &&
		    heap->items[child + 1] > heap->items[child])
			child++;
		if (heap->items[child] <= last)
			break;
		heap->items[at] = heap->items[child];
		at = child;
	}
	heap->items[at] = last;
}

static void add_piece(struct jit_names *jit, uint64_t start, uint64_t end,
		      uint32_t entry)
{
	struct piece *last = jit->npieces ? &jit->pieces[jit->npieces - 1]
					  : NULL;

	if (last && last->entry == entry && last->end == start)
		last->end = end;
	else
		jit->pieces[jit->npieces++] = (struct piece){ start, end,
							      entry };
}

/* From the lowest address to the highest: which entry has it? */
static void make_pieces(struct jit_names *jit)
{
	uint32_t *order = must_alloc(checked_mul(jit->count, sizeof(*order)));
	struct heap heap = {
		must_alloc(checked_mul(jit->count, sizeof(*heap.items))),
		0,
	};
	const struct entry *entries = jit->entries;
	uint64_t at = 0;

	for (size_t i = 0; i < jit->count; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, jit->count, sizeof(*order), by_start, jit->entries);
	jit->pieces = must_realloc(jit->pieces,
				   checked_mul(2 * jit->count,
					       sizeof(*jit->pieces)));
	jit->npieces = 0;
	for (size_t next = 0; next < jit->count || heap.count;) {
		if (!heap.count)
			at = entries[order[next]].start;
		while (next < jit->count && entries[order[next]].start <= at)
			heap_push(&heap, order[next++]);
		while (heap.count && entries[heap.items[0]].end <= at)
			heap_pop(&heap);
		if (!heap.count)
			continue;
		uint64_t end = entries[heap.items[0]].end;

		if (next < jit->count && entries[order[next]].start < end)
			end = entries[order[next]].start;
		add_piece(jit, at, end, heap.items[0]);
		at = end;
	}
	free(order);
	free(heap.items);
}

static const struct entry *find(const struct jit_names *jit, uint64_t address)
{
	size_t low = 0, high = jit->npieces;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (jit->pieces[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < jit->npieces && jit->pieces[low].start <= address
		       ? &jit->entries[jit->pieces[low].entry]
		       : NULL;
}

static void read_more(struct jit_names *jit)
{
	size_t before = jit->count;

	jit->asked_at = processes_now();
	if (jit->is_full)
		return;
	read_lines(jit);
	if (jit->count != before)
		make_pieces(jit);
	if (jit->is_full)
		budget_refuse(jit->budget, jit->fd);
	jit->cost = processes_now() - jit->asked_at;
}

/* It is read again after a while, and after more than it has cost. */
static bool is_stale(const struct jit_names *jit)
{
	enum { PATIENCE = 100 * 1000 * 1000, TIMES = 20 };
	uint64_t wait = jit->cost * TIMES;

	return processes_now() - jit->asked_at >
	       (wait > PATIENCE ? wait : PATIENCE);
}

const char *jit_names_find(struct processes *processes, struct process *process,
			   uint64_t address, uint64_t *start)
{
	struct jit_names *jit = process->jit;

	if (!jit && !process->is_jit_tried) {
		int fd = open_map(process);

		process->is_jit_tried = true;
		if (fd < 0)
			return NULL;
		jit = process->jit = must_alloc(sizeof(*jit));
		*jit = (struct jit_names){
			.fd = fd,
			.budget = processes->budget,
		};
		read_more(jit);
	}
	if (!jit)
		return NULL;
	const struct entry *entry = find(jit, address);

	if (!entry && is_stale(jit)) {
		read_more(jit);
		entry = find(jit, address);
	}
	if (!entry)
		return NULL;
	*start = entry->start;
	return jit->names + entry->name;
}
