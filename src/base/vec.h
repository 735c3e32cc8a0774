/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A growing array of pointers.  Zero-initialise, push, free; the items are
 * the caller's.
 */

#include <stddef.h>

struct vec {
	void **items;
	size_t count, capacity;
};

void vec_push(struct vec *vec, void *item);
void vec_free(struct vec *vec);

#define vec_at(vec, index, type) ((type *)(vec)->items[index])
