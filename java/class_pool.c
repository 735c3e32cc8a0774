/* SPDX-License-Identifier: Apache-2.0 */
#include "class_pool.h"

#include <stdlib.h>
#include <string.h>

/* Bytes after the tag; UTF8 has more. */
static const uint8_t pool_sizes[POOL_PACKAGE + 1] = {
	[POOL_UTF8] = 2,    [POOL_INTEGER] = 4,	     [POOL_FLOAT] = 4,
	[POOL_LONG] = 8,    [POOL_DOUBLE] = 8,	     [POOL_CLASS] = 2,
	[POOL_STRING] = 2,  [POOL_FIELD] = 4,	     [POOL_METHOD] = 4,
	[POOL_IMETHOD] = 4, [POOL_NAME_TYPE] = 4,    [POOL_HANDLE] = 3,
	[POOL_METHOD_TYPE] = 2, [POOL_DYNAMIC] = 4,  [POOL_INVOKE_DYNAMIC] = 4,
	[POOL_MODULE] = 2,  [POOL_PACKAGE] = 2,
};

bool pool_read(struct in *in, struct pool *pool)
{
	pool->bytes = in->bytes;
	pool->count = pool->next = in_get(in, 2);
	pool->places = calloc(pool->count + 1, sizeof(*pool->places));
	if (!pool->places)
		return false;
	for (uint32_t i = 1; i < pool->count; i++) {
		pool->places[i] = (uint32_t)in->at;
		uint32_t tag = in_get(in, 1);

		if (in->is_bad || tag > POOL_PACKAGE || !pool_sizes[tag])
			return false;
		if (tag == POOL_UTF8)
			in_skip(in, in_get(in, 2));
		else
			in_skip(in, pool_sizes[tag]);
		i += tag == POOL_LONG || tag == POOL_DOUBLE;
	}
	return !in->is_bad;
}

void pool_free(struct pool *pool)
{
	free(pool->places);
	free(pool->more.bytes);
}

const uint8_t *pool_at(const struct pool *pool, uint32_t index, uint32_t tag)
{
	if (!index || index >= pool->count || !pool->places[index])
		return NULL;
	const uint8_t *at = pool->bytes + pool->places[index];

	return at[0] == tag ? at : NULL;
}

bool pool_is(const struct pool *pool, uint32_t index, const char *text)
{
	size_t length = strlen(text);
	const uint8_t *at = pool_at(pool, index, POOL_UTF8);

	return at && bytes_half(at + 1) == length &&
	       !memcmp(at + 3, text, length);
}

static uint32_t add_entry(struct pool *pool, size_t start)
{
	uint32_t index = pool->next;

	/* the same was added before? */
	if (pool->more.is_bad)
		return 0;
	size_t length = pool->more.size - start, at = 0;

	for (uint32_t i = pool->count; i < pool->next; i++) {
		const uint8_t *old = pool->more.bytes + at;
		size_t size = 1u + pool_sizes[old[0]] +
			      (old[0] == POOL_UTF8 ? bytes_half(old + 1) : 0);

		if (size == length &&
		    !memcmp(old, pool->more.bytes + start, size)) {
			pool->more.size = start;
			return i;
		}
		at += size;
	}
	pool->next++;
	return index;
}

uint32_t pool_text(struct pool *pool, const char *text)
{
	size_t start = pool->more.size;

	out_put(&pool->more, POOL_UTF8, 1);
	out_put(&pool->more, (uint32_t)strlen(text), 2);
	out_bytes(&pool->more, text, strlen(text));
	return add_entry(pool, start);
}

uint32_t pool_class(struct pool *pool, const char *name)
{
	uint32_t text = pool_text(pool, name);
	size_t start = pool->more.size;

	out_put(&pool->more, POOL_CLASS, 1);
	out_put(&pool->more, text, 2);
	return add_entry(pool, start);
}

uint32_t pool_integer(struct pool *pool, uint32_t value)
{
	size_t start = pool->more.size;

	out_put(&pool->more, POOL_INTEGER, 1);
	out_put(&pool->more, value, 4);
	return add_entry(pool, start);
}

static uint32_t add_pair(struct pool *pool, uint32_t tag, uint32_t first,
			 uint32_t second)
{
	size_t start = pool->more.size;

	out_put(&pool->more, tag, 1);
	out_put(&pool->more, first, 2);
	out_put(&pool->more, second, 2);
	return add_entry(pool, start);
}

uint32_t pool_method(struct pool *pool, const char *class, const char *name,
		     const char *descriptor)
{
	uint32_t owner = pool_class(pool, class);
	uint32_t name_index = pool_text(pool, name);
	uint32_t type = pool_text(pool, descriptor);

	return add_pair(pool, POOL_METHOD, owner,
			add_pair(pool, POOL_NAME_TYPE, name_index, type));
}
