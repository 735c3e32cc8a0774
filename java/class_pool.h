/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The constant pool of a class file: names, numbers and what refers to them, by
 * index.  Entries can be added; those that are there stay as they are.
 */

#include "class_bytes.h"

enum {
	POOL_UTF8 = 1, POOL_INTEGER = 3, POOL_FLOAT, POOL_LONG, POOL_DOUBLE,
	POOL_CLASS, POOL_STRING, POOL_FIELD, POOL_METHOD, POOL_IMETHOD,
	POOL_NAME_TYPE, POOL_HANDLE = 15, POOL_METHOD_TYPE, POOL_DYNAMIC,
	POOL_INVOKE_DYNAMIC, POOL_MODULE, POOL_PACKAGE,
};

struct pool {
	const uint8_t *bytes;
	uint32_t *places; /* of entries in bytes; 0: none */
	uint32_t count;
	struct out more; /* entries that are added */
	uint32_t next;	 /* index of the next of them */
};

/* False: that is none, or there is no memory. */
bool pool_read(struct in *in, struct pool *pool);
void pool_free(struct pool *pool);

/* The entry with its tag, if there is one of this kind; else NULL. */
const uint8_t *pool_at(const struct pool *pool, uint32_t index, uint32_t tag);
/* Is the entry this text? */
bool pool_is(const struct pool *pool, uint32_t index, const char *text);

/* Indices of entries, which are added unless they were before. */
uint32_t pool_text(struct pool *pool, const char *text);
uint32_t pool_class(struct pool *pool, const char *name);
uint32_t pool_integer(struct pool *pool, uint32_t value);
uint32_t pool_method(struct pool *pool, const char *class, const char *name,
		     const char *descriptor);
