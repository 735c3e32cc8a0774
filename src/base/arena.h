/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Arena: memory that is freed all at once.
 *
 * A compilation makes thousands of small objects that die together.  They come
 * from one arena, are zeroed, aligned to 16 bytes, and never freed singly.
 * Running out of memory ends the process with a message: nothing in a tracer's
 * compiler can usefully continue without memory.
 */

#include <stdarg.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *arena);

void *arena_alloc(struct arena *arena, size_t size);
void *arena_copy(struct arena *arena, const void *bytes, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list args);

/*
 * Room for one more after `count` items: a list in an arena that doubles
 * whenever its count is a power of two.
 */
void *arena_grown(struct arena *arena, void *items, size_t count, size_t size);

#define arena_new_of(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define arena_array_of(arena, type, count) \
	((type *)arena_alloc((arena), checked_mul((count), sizeof(type))))

/* Sizes that a user can influence go through these: overflow is fatal. */
size_t checked_add(size_t a, size_t b);
size_t checked_mul(size_t a, size_t b);

/* malloc and realloc that cannot fail, for what outlives an arena. */
void *must_alloc(size_t size);
void *must_realloc(void *memory, size_t size);
char *must_strdup(const char *text);
