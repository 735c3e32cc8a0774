/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/budget.h"
#include "runtime/runtime.h"

struct runtime_memory *runtime_memory_new(uint32_t pid, struct budget *budget)
{
	struct runtime_memory *memory = must_alloc(sizeof(*memory));
	char path[32];

	*memory = (struct runtime_memory){
		.budget = budget,
		.arena = arena_new(),
	};
	snprintf(path, sizeof(path), "/proc/%u/mem", pid);
	memory->fd = open(path, O_RDONLY | O_CLOEXEC);
	return memory;
}

void runtime_memory_free(struct runtime_memory *memory)
{
	if (memory->fd >= 0)
		close(memory->fd);
	budget_release(memory->budget, memory->held);
	table_free(&memory->texts);
	table_free(&memory->words);
	table_free(&memory->by_names);
	table_free(&memory->told);
	table_free(&memory->keys);
	table_free(&memory->objects);
	arena_free(memory->arena);
	free(memory);
}

bool runtime_memory_is_over(struct runtime_memory *memory)
{
	char byte;

	if (memory->fd >= 0 && !pread(memory->fd, &byte, 1, 0)) {
		close(memory->fd);
		memory->fd = -1;
	}
	return memory->fd < 0;
}

bool runtime_memory_hold(struct runtime_memory *memory, size_t size)
{
	if (!budget_hold(memory->budget, size))
		return false;
	memory->held += size;
	return true;
}

void runtime_memory_release(struct runtime_memory *memory, size_t size)
{
	budget_release(memory->budget, size);
	memory->held -= size;
}

void *runtime_memory_alloc(struct runtime_memory *memory, size_t size)
{
	enum { ENTRY = 64 }; /* of a table */

	if (!runtime_memory_hold(memory, size + ENTRY))
		return NULL;
	return arena_alloc(memory->arena, size);
}

static bool read_copy(const struct runtime_copy *copy, uint64_t from, void *to,
		      size_t size)
{
	for (int n = 0; n < QUESTION_PIECES; n++) {
		uint64_t place = copy->question[QUESTION_PLACES + n];
		uint64_t at = from - place;
		uint64_t length = (uint64_t)(QUESTION_AT(n + 1) -
					     QUESTION_AT(n));

		if (!place || at >= length || size > length - at)
			continue;
		memcpy(to, (const char *)copy->question + QUESTION_AT(n) + at,
		       size);
		return true;
	}
	for (const struct runtime_piece *piece = copy->pieces; piece;
	     piece = piece->next)
		if (piece->start == from && piece->size == size) {
			memcpy(to, piece->bytes, size);
			return true;
		}
	return false;
}

/* Other frames with the same object will need it, perhaps when all is over. */
static void keep_piece(struct runtime_memory *memory, uint64_t from,
		       const void *bytes, size_t size)
{
	enum { LEAST = 256, MOST = 1 << 16 };
	struct runtime_piece *piece;

	if (size < LEAST || size > MOST)
		return;
	piece = runtime_memory_alloc(memory, sizeof(*piece) + size);
	if (!piece)
		return;
	piece->start = from;
	piece->size = size;
	memcpy(piece->bytes, bytes, size);
	piece->next = memory->copy->pieces;
	memory->copy->pieces = piece;
}

bool runtime_memory_read(struct runtime_process *process, uint64_t from,
			 void *to, size_t size)
{
	static const uint64_t MOST = 1ull << 56;
	int fd = process->memory->fd;

	if (process->memory->copy &&
	    read_copy(process->memory->copy, from, to, size))
		return true;
	if (fd < 0 || from >= MOST || size > MOST - from ||
	    pread(fd, to, size, (off_t)from) != (ssize_t)size)
		return false;
	if (process->memory->copy)
		keep_piece(process->memory, from, to, size);
	return true;
}

/*
 * A process decides how much is read for a name, and how many names there are.
 */
bool runtime_read(struct runtime_process *process, uint64_t from, void *to,
		  size_t size)
{
	enum { EACH = 64 }; /* what a read costs, in bytes */
	struct budget *budget = process->memory->budget;

	if (!budget_work(budget, EACH + size)) {
		budget_refuse(budget, -1);
		return false;
	}
	return runtime_memory_read(process, from, to, size);
}

uint64_t runtime_read_word(struct runtime_process *process, uint64_t from)
{
	uint64_t word = 0;

	return runtime_read(process, from, &word, sizeof(word)) ? word : 0;
}

bool runtime_read_string(struct runtime_process *process, uint64_t from,
			 char *to, size_t most)
{
	enum { PAGE = 4096 };
	size_t have = 0;

	/* Up to the end of a page: the next one may not be there. */
	while (have < most) {
		size_t size = PAGE - (from + have) % PAGE;

		if (size > most - have)
			size = most - have;
		if (!runtime_read(process, from + have, to + have, size))
			break;
		if (memchr(to + have, '\0', size))
			return true;
		have += size;
	}
	to[have < most ? have : most - 1] = '\0';
	return have != 0;
}

const char *runtime_text(struct runtime_process *process, const char *text)
{
	struct runtime_memory *memory = process->memory;
	struct str content = { text, strnlen(text, RUNTIME_TEXT_MOST) };
	char *known = table_get(&memory->texts, content);

	if (known)
		return known;
	known = runtime_memory_alloc(memory, content.n + 1);
	if (!known)
		return "";
	memcpy(known, text, content.n);
	known[content.n] = '\0';
	table_put(&memory->texts, str_of(known), known);
	return known;
}
