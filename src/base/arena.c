/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_SIZE = 64 * 1024, ALIGNMENT = 16 };

struct chunk {
	struct chunk *next;
	size_t size, used;
	_Alignas(ALIGNMENT) unsigned char bytes[];
};

struct arena {
	struct chunk *chunks;
};

static void out_of_memory(void)
{
	fputs("dtrace: out of memory\n", stderr);
	exit(1);
}

void *must_alloc(size_t size)
{
	void *memory = calloc(1, size ? size : 1);

	if (!memory)
		out_of_memory();
	return memory;
}

void *must_realloc(void *memory, size_t size)
{
	void *moved = realloc(memory, size ? size : 1);

	if (!moved)
		out_of_memory();
	return moved;
}

char *must_strdup(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(must_alloc(size), text, size);
}

size_t checked_add(size_t a, size_t b)
{
	if (a > SIZE_MAX - b)
		out_of_memory();
	return a + b;
}

size_t checked_mul(size_t a, size_t b)
{
	if (b && a > SIZE_MAX / b)
		out_of_memory();
	return a * b;
}

struct arena *arena_new(void)
{
	return must_alloc(sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	for (struct chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(arena);
}

void *arena_alloc(struct arena *arena, size_t size)
{
	size = checked_add(size ? size : 1, ALIGNMENT - 1) &
	       ~(size_t)(ALIGNMENT - 1);
	struct chunk *chunk = arena->chunks;

	if (!chunk || chunk->size - chunk->used < size) {
		size_t room = size > CHUNK_SIZE ? size : CHUNK_SIZE;

		chunk = must_alloc(checked_add(sizeof(*chunk), room));
		chunk->size = room;
		chunk->next = arena->chunks;
		arena->chunks = chunk;
	}
	void *memory = chunk->bytes + chunk->used;

	chunk->used += size;
	return memory;
}

void *arena_copy(struct arena *arena, const void *bytes, size_t size)
{
	void *copy = arena_alloc(arena, size);

	if (size)
		memcpy(copy, bytes, size);
	return copy;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, checked_add(length, 1));

	if (length)
		memcpy(copy, text, length);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
	va_list again;

	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, again);

	va_end(again);
	if (length < 0)
		return arena_strdup(arena, "");
	char *text = arena_alloc(arena, (size_t)length + 1);

	vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *text = arena_vprintf(arena, format, args);

	va_end(args);
	return text;
}

void *arena_grown(struct arena *arena, void *items, size_t count, size_t size)
{
	if (count & (count - 1))
		return items;
	void *larger = arena_alloc(arena,
				   checked_mul(count ? 2 * count : 1, size));

	if (count)
		memcpy(larger, items, count * size);
	return larger;
}
